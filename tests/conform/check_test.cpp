#include "conform/check.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/numbers.h"
#include "tests/support/user_error.h"

namespace layerlab::conform {
namespace {

class CheckedTensors : public testing::Test {
 protected:
  std::string refused() const {
    return refusal([this] { check_tensors(file_, {"mine.safetensors"}); });
  }

  template <typename Number>
  void spoil(const std::string& name, record::TensorType type, Number value) {
    record::TensorData& data = file_.tensors.at(name);
    data.type = type;
    reinterpret_cast<Number*>(data.bytes.data())[0] = value;
  }

  record::SafeTensors file_ = zeros({{"input", {2, 3, 4}},
                                     {"output", {2, 3, 4}},
                                     {"loss_weight", {2, 3, 4}},
                                     {"blocks.0.attn.q.weight", {4, 4}},
                                     {"grad.blocks.0.attn.q.weight", {4, 4}}},
                                    {});
};

TEST_F(CheckedTensors, OfAWholeFileAreFine) { check_tensors(file_, {}); }

TEST_F(CheckedTensors, HaveShapesThatGoTogether) {
  const auto with = [this](const std::string& name, const std::vector<std::int64_t>& shape) {
    const auto before = file_.tensors.at(name).shape;
    file_.tensors.at(name).shape = shape;
    const std::string result = refused();
    file_.tensors.at(name).shape = before;
    return result;
  };
  EXPECT_EQ(with("input", {3, 4}),
            "mine.safetensors: expected input of shape [B, T, D], got [3, 4]");
  EXPECT_EQ(with("output", {2, 2, 4}),
            "mine.safetensors: expected output of shape [2, 3, D], got [2, 2, 4]");
  EXPECT_EQ(with("loss_weight", {1, 3, 4}),
            "mine.safetensors: expected loss_weight of shape [2, 3, 4], as output has, got "
            "[1, 3, 4]");
  EXPECT_EQ(with("grad.blocks.0.attn.q.weight", {2, 4}),
            "mine.safetensors: expected grad.blocks.0.attn.q.weight of shape [4, 4], as "
            "blocks.0.attn.q.weight has, got [2, 4]");
}

TEST_F(CheckedTensors, AreFiniteWhereTheyGoIn) {
  const double infinity = std::numeric_limits<double>::infinity();
  spoil("output", record::TensorType::kFloat64, infinity);
  check_tensors(file_, {});
  spoil("blocks.0.attn.q.weight", record::TensorType::kFloat64, infinity);
  EXPECT_EQ(refused(),
            "mine.safetensors: tensor blocks.0.attn.q.weight holds a value that is not finite");
}

TEST_F(CheckedTensors, AreFiniteInFloat32Too) {
  spoil("loss_weight", record::TensorType::kFloat32, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(refused(), "mine.safetensors: tensor loss_weight holds a value that is not finite");
}

TEST_F(CheckedTensors, AreNotWholeNumbersButForIds) {
  spoil("input", record::TensorType::kInt64, std::int64_t{1});
  EXPECT_EQ(refused(),
            "mine.safetensors: expected input of type F64 or F32, got I64; token ids are "
            "input_ids");
}

TEST_F(CheckedTensors, OfIdsHaveARowForEach) {
  file_ = zeros({{"input_ids", {1, 3}},
                 {"output", {1, 3, 4}},
                 {"embed.token.weight", {5, 4}},
                 {"embed.pos.weight", {3, 4}}},
                {});
  spoil("input_ids", record::TensorType::kInt64, std::int64_t{4});
  check_tensors(file_, {});
  spoil("input_ids", record::TensorType::kInt64, std::int64_t{5});
  EXPECT_EQ(refused(),
            "mine.safetensors: expected input_ids from 0 to 4, the rows of embed.token.weight, "
            "got 5");
  file_.tensors.at("embed.pos.weight").shape = {2, 6};
  EXPECT_EQ(refused(),
            "mine.safetensors: expected embed.pos.weight to have a row for each of 3 tokens, got "
            "[2, 6]");
}

}  // namespace
}  // namespace layerlab::conform
