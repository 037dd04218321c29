#include "record/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <numeric>
#include <span>

#include "core/files.h"
#include "tests/support/golden_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::record {
namespace {

template <typename T>
TensorData tensor(TensorType type, std::vector<std::int64_t> shape, const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {type, std::move(shape), {bytes.begin(), bytes.end()}};
}

std::vector<double> doubles(const TensorData& tensor) {
  std::vector<double> values(tensor.bytes.size() / sizeof(double));
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

std::string with_header(const std::string& header, std::size_t data_bytes) {
  const std::uint64_t length = header.size();
  std::string file(reinterpret_cast<const char*>(&length), sizeof length);
  return file + header + std::string(data_bytes, '\0');
}

// What reading a file of these bytes complains about; "" when it does not.
std::string complaint(const std::string& bytes) {
  const TemporaryFolder folder;
  std::ofstream(folder / "f.safetensors", std::ios::binary) << bytes;
  try {
    read_safetensors(folder / "f.safetensors");
  } catch (const UserError& error) {
    const std::string line = error.what();
    return line.substr(line.find("f.safetensors: ") + 15);
  }
  return "";
}

TEST(Safetensors, ReadBackWhatWasWritten) {
  const TemporaryFolder folder;
  SafeTensors contents;
  contents.metadata = {{"equation", "LN(x + F(x))"}, {"quote", "\"\n"}};
  contents.tensors["a"] = tensor<float>(TensorType::kFloat32, {3}, {1, 2, 3});
  contents.tensors["b"] = tensor<double>(TensorType::kFloat64, {2, 1}, {0.1, -0.0});
  contents.tensors["c.scalar"] = tensor<std::int64_t>(TensorType::kInt64, {}, {-7});
  contents.tensors["d.empty"] = tensor<float>(TensorType::kFloat32, {0, 4}, {});
  write_safetensors(folder / "f", contents);

  const SafeTensors back = read_safetensors(folder / "f");
  EXPECT_EQ(back.metadata, contents.metadata);
  ASSERT_EQ(back.tensors.size(), 4u);
  for (const auto& [name, expected] : contents.tensors) {
    EXPECT_EQ(back.tensors.at(name).type, expected.type) << name;
    EXPECT_EQ(back.tensors.at(name).shape, expected.shape) << name;
    EXPECT_EQ(back.tensors.at(name).bytes, expected.bytes) << name;
  }
}

TEST(Safetensors, AreWrittenInTheFormatsLayout) {
  const TemporaryFolder folder;
  SafeTensors contents;
  contents.tensors["a"] = tensor<float>(TensorType::kFloat32, {1}, {1});
  contents.tensors["b"] = tensor<std::int64_t>(TensorType::kInt64, {1}, {2});
  write_safetensors(folder / "f", contents);
  const std::string header = R"({"b":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
                             R"("a":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})";
  std::string expected = with_header(header + std::string((8 - header.size() % 8) % 8, ' '), 0);
  expected += std::string("\2\0\0\0\0\0\0\0", 8) + std::string("\0\0\x80\x3f", 4);
  EXPECT_EQ(read_file(folder / "f"), expected);
}

TEST(Safetensors, WithAChecksumAreRefusedWhereABitIsFlipped) {
  const TemporaryFolder folder;
  SafeTensors contents;
  contents.metadata = {{"step", "200"}};
  contents.tensors["a"] = tensor<float>(TensorType::kFloat32, {3}, {1, 2, 3});
  contents.tensors["b"] = tensor<std::int64_t>(TensorType::kInt64, {1}, {-7});
  add_checksum(contents);
  write_safetensors(folder / "f", contents);
  const std::string whole = read_file(folder / "f");
  EXPECT_EQ(read_safetensors(folder / "f").metadata, contents.metadata);
  const std::size_t key = whole.find(kChecksum);
  for (std::size_t byte = 8; byte < whole.size(); ++byte) {
    if (byte == key) byte += std::string_view(kChecksum).size();  // says nothing of the data
    std::string flipped = whole;
    flipped[byte] = static_cast<char>(flipped[byte] ^ 4);
    EXPECT_NE(complaint(flipped), "") << byte;
  }
  std::string last = whole;
  last.back() = static_cast<char>(last.back() ^ 1);
  EXPECT_EQ(complaint(last),
            "is damaged: its contents do not fit its checksum; remove layerlab.checksum from its "
            "metadata if you changed it");
}

TEST(Safetensors, WithoutTensorsAreAllowed) { EXPECT_EQ(complaint(with_header("{}", 0)), ""); }

TEST(Safetensors, AreRefusedWhenCutAnywhere) {
  const std::string whole =
      with_header(R"({"a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}})", 16);
  EXPECT_EQ(complaint(whole), "");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(complaint(whole.substr(0, size)), "") << size;
  }
  EXPECT_EQ(complaint("short"), "is too short to be safetensors");
  EXPECT_EQ(complaint(whole.substr(0, 20)), "is truncated within its header");
  EXPECT_EQ(complaint(whole.substr(0, whole.size() - 1)),
            "tensor 'a' reaches beyond the end of the file; is it truncated?");
}

struct Case {
  const char* header;
  const char* complaint;
};

TEST(Safetensors, AreRefusedWithTheReason) {
  const Case cases[] = {
      {"[]", "has a header that is not a table"},
      {"nonsense", "is not JSON (byte 2)"},
      {R"({"a":{},"a":{}})", "is not usable JSON: the key 'a' is repeated"},
      {R"({"__metadata__":1})", "has metadata that is not a table"},
      {R"({"__metadata__":{"k":1}})", "has metadata 'k' that is not text"},
      {R"({"a":1})", "tensor 'a' is not described by a table"},
      {R"({"a":{"shape":[1],"data_offsets":[0,8]}})", "tensor 'a' lacks a 'dtype'"},
      {R"({"a":{"dtype":"BF16","shape":[4],"data_offsets":[0,8]}})",
       "tensor 'a' is of type BF16, not F32, F64 or I64"},
      {R"({"a":{"dtype":"F64","data_offsets":[0,8]}})", "tensor 'a' lacks the list 'shape'"},
      {R"({"a":{"dtype":"F64","shape":[1.0],"data_offsets":[0,8]}})",
       "tensor 'a' has a 'shape' that is not of integers"},
      {R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0]}})",
       "tensor 'a' has data_offsets that are not [begin, end]"},
      {R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[-8,0]}})",
       "tensor 'a' has data_offsets that are not [begin, end]"},
      {R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[8,0]}})",
       "tensor 'a' has data_offsets that are not [begin, end]"},
      {R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8],"x":1}})",
       "tensor 'a' has keys beyond dtype, shape and data_offsets"},
      {R"({"a":{"dtype":"F64","shape":[2],"data_offsets":[0,8]}})",
       "tensor 'a' has a shape that does not fit its data_offsets"},
      {R"({"a":{"dtype":"F64","shape":[-1],"data_offsets":[0,8]}})",
       "tensor 'a' has a shape that does not fit its data_offsets"},
      // 2^61 * 8 + 8 bytes is 8 bytes modulo 2^64.
      {R"({"a":{"dtype":"F64","shape":[2305843009213693953],"data_offsets":[0,8]}})",
       "tensor 'a' has a shape that does not fit its data_offsets"},
      {R"({"a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}})",
       "tensor 'a' reaches beyond the end of the file; is it truncated?"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
       R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
       "tensor 'b' overlaps another tensor"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
       "tensor 'a' begins after bytes that belong to no tensor"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
       "has bytes that belong to no tensor"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(complaint(with_header(c.header, 8)), c.complaint) << c.header;
  EXPECT_EQ(complaint(std::string(16, '\xff')), "is not safetensors: its header would be too long");
}

class Goldens : public testing::TestWithParam<const char*> {};

// These files were written by Python's safetensors; their loss is sum(output * loss_weight).
TEST_P(Goldens, AreReadAndAddUpToTheirLoss) {
  const SafeTensors golden = read_safetensors(golden_file(GetParam()));
  EXPECT_EQ(golden.metadata.at("case"), GetParam());
  EXPECT_EQ(golden.metadata.at("peer_version"), "2.13.0");
  EXPECT_EQ(golden.tensors.at("blocks.2.ff.up.weight").shape, (std::vector<std::int64_t>{32, 16}));
  const std::vector<double> output = doubles(golden.tensors.at("output"));
  const std::vector<double> weight = doubles(golden.tensors.at("loss_weight"));
  ASSERT_EQ(output.size(), 2u * 5 * 16);
  const double loss = std::inner_product(output.begin(), output.end(), weight.begin(), 0.0);
  EXPECT_NEAR(loss, doubles(golden.tensors.at("loss"))[0], 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Safetensors, Goldens,
                         testing::Values("pt_enc_post_relu", "pt_enc_pre_relu_finalnorm",
                                         "pt_enc_post_gelu_causal"),
                         [](const auto& golden) { return std::string(golden.param); });

}  // namespace
}  // namespace layerlab::record
