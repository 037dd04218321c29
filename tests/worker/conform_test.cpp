// Our blocks against the numbers of public implementations, and what is said where they differ.

#include "worker/conform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "conform/common_mistakes.h"
#include "conform/tensor_names.h"
#include "core/files.h"
#include "core/table_reader.h"
#include "tests/support/numbers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::worker {
namespace {

using conform::Comparison;
using conform::TensorKind;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class GoldenFile : public testing::TestWithParam<std::string> {};

void expect_agreement(const std::string& name, at::ScalarType dtype) {
  const Comparison comparison = conform_file(golden_file(name), {}, dtype);
  EXPECT_THAT(comparison.missing, IsEmpty());
  EXPECT_THAT(comparison.unused, IsEmpty());
  std::size_t values = 0, gradients = 0;
  for (const conform::TensorComparison& row : comparison.rows) {
    EXPECT_TRUE(row.agrees()) << row.tensor << " is off by " << row.relative_error;
    ++(row.kind == TensorKind::kValue ? values : gradients);
  }
  std::size_t stored_values = 0, stored_gradients = 0;
  for (const auto& [tensor, data] : record::read_safetensors(golden_file(name)).tensors) {
    stored_gradients += tensor.starts_with("grad.");
    stored_values += !tensor.starts_with("grad.") && !conform::is_parameter(tensor) &&
                     !tensor.starts_with("input") && tensor != "memory" && tensor != "loss_weight";
  }
  EXPECT_EQ(values, stored_values) << "every value of the file is compared";
  EXPECT_EQ(gradients, stored_gradients) << "every gradient of the file is compared";
  EXPECT_GT(gradients, 20);
}

TEST_P(GoldenFile, ConformsInFloat64) { expect_agreement(GetParam(), at::kDouble); }

TEST_P(GoldenFile, ConformsInFloat32) { expect_agreement(GetParam(), at::kFloat); }

INSTANTIATE_TEST_SUITE_P(Conform, GoldenFile, testing::ValuesIn(golden_names()),
                         [](const auto& instance) { return instance.param; });

// A description that is wrong on purpose.
struct Mistake {
  const char* name;
  const char* file;
  const char* config;       // keys that replace what the file says
  const char* explanation;  // what is found
};

class WrongDescription : public testing::TestWithParam<Mistake> {};

TEST_P(WrongDescription, IsExplained) {
  const Mistake& mistake = GetParam();
  TemporaryFolder folder;
  const std::string config = folder / "wrong.toml";
  write_file_atomically(config, mistake.config);
  const Comparison comparison = conform_file(golden_file(mistake.file), {"", config}, at::kDouble);
  EXPECT_FALSE(comparison.agrees());
  EXPECT_THAT(comparison.explanations, Contains(std::string(mistake.explanation)));
}

constexpr const char* kPre = "[block]\nequation = \"x + F(LN(x))\"\nfinish = \"LN(x)\"\n";
const std::string kPreTanh = std::string("[model]\nactivation = \"gelu_tanh\"\n") + kPre;
const std::string kPreEps = std::string("[model]\nnorm_eps = 1e-6\n") + kPre;
const std::string kPreBidirectional = std::string("[model]\nkind = \"encoder\"\n") + kPre;

INSTANTIATE_TEST_SUITE_P(
    Mistakes, WrongDescription,
    testing::Values(
        Mistake{"Activation", "pt_enc_pre_gelu_causal_finalnorm", kPreTanh.c_str(),
                "gelu by erf instead of \"gelu_tanh\""},
        Mistake{"Eps", "pt_enc_pre_gelu_causal_finalnorm", kPreEps.c_str(),
                "eps = 1e-5 instead of 1e-06"},
        Mistake{"Mask", "pt_enc_pre_gelu_causal_finalnorm", kPreBidirectional.c_str(),
                "causal attention instead of \"encoder\""},
        Mistake{"PreForPost", "pt_enc_post_relu", "[block]\nequation = \"x + F(LN(x))\"\n",
                "Post-LN"},
        Mistake{"PostForPre", "pt_enc_pre_relu", "[block]\nequation = \"LN(x + F(x))\"\n",
                "Pre-LN"},
        Mistake{"MissingFinalNorm", "pt_enc_pre_relu_finalnorm",
                "[block]\nequation = \"x + F(LN(x))\"\n", "a final norm"},
        Mistake{"NormAfterTheLast", "pt_enc_post_relu",
                "[block]\nequation = \"LN(x + F(x))\"\nfinish = \"LN(x)\"\n", "no final norm"},
        Mistake{"SideOfAlpha", "ts_deepnorm_enc",
                "[block]\nequation = \"LN(x + alpha*F(x))\"\nconst = { alpha = \"(2*L)^(1/4)\" }\n",
                "alpha on the shortcut"},
        Mistake{"SizeOfAlpha", "ts_deepnorm_enc",
                "[block]\nequation = \"LN(alpha*x + F(x))\"\nconst = { alpha = \"(3*L)^(1/4)\" }\n",
                "alpha = (2L)^(1/4)"},
        Mistake{"LayerNormScaling", "lns_ln", kPre, "norms divided by sqrt(l)"}),
    [](const auto& instance) { return instance.param.name; });

class Conforming : public testing::Test {
 protected:
  // A golden file, changed.
  template <typename Change>
  std::string changed(const std::string& name, Change&& change) {
    record::SafeTensors file = record::read_safetensors(golden_file(name));
    change(file);
    const std::string path = folder_ / (name + ".safetensors");
    record::write_safetensors(path, file);
    return path;
  }

  static void spoil(record::TensorData& tensor) {
    reinterpret_cast<double*>(tensor.bytes.data())[0] += 1;
  }

  TemporaryFolder folder_;
};

TEST_F(Conforming, TheFirstDifferenceIsNamedWithThePlaceBeforeIt) {
  // From block 1 on the file's stream is another.
  const std::string path = changed("pt_enc_post_relu", [](record::SafeTensors& file) {
    for (const char* name : {"block_out.1", "block_in.2", "block_out.2", "output"}) {
      spoil(file.tensors.at(name));
    }
  });
  const Comparison comparison = conform_file(path, {}, at::kDouble);
  EXPECT_THAT(comparison.difference, testing::StartsWith("block_out.1; block_in.1 agrees"));
  EXPECT_THAT(comparison.difference, HasSubstr("1.attn.branch"));
  EXPECT_THAT(comparison.explanations, IsEmpty());
}

TEST_F(Conforming, AWrongGradientIsFoundThoughAllValuesAgree) {
  const std::string path = changed("pt_enc_post_relu", [](record::SafeTensors& file) {
    spoil(file.tensors.at("grad.blocks.1.ff.up.weight"));
  });
  const Comparison comparison = conform_file(path, {}, at::kDouble);
  EXPECT_FALSE(comparison.agrees());
  EXPECT_EQ(comparison.difference, "grad.blocks.1.ff.up.weight; all values agree");
}

TEST_F(Conforming, WhatIsOnlyOnOneSideIsNamed) {
  const std::string path = changed("pt_enc_post_relu", [](record::SafeTensors& file) {
    file.tensors["blocks.0.attn.extra"] = file.tensors.at("blocks.0.attn.norm.bias");
    file.tensors["block_in_dual.0"] = file.tensors.at("block_in.0");
    file.tensors.erase("blocks.2.ff.norm.bias");
  });
  const Comparison comparison = conform_file(path, {}, at::kDouble);
  EXPECT_FALSE(comparison.agrees());
  EXPECT_THAT(comparison.missing, testing::ElementsAre("blocks.2.ff.norm.bias"));
  EXPECT_THAT(comparison.unused,
              testing::UnorderedElementsAre("blocks.0.attn.extra", "block_in_dual.0"));
}

// With eps and the norms' gains scaled by what D / (D - 1) does to them, the numbers of a stack
// with biased variances are those of one with unbiased ones.
TEST_F(Conforming, AVarianceOverOneLessIsRecognised) {
  const double ratio = 16.0 / 15;
  const std::string path = changed("pt_enc_post_relu", [&](record::SafeTensors& file) {
    for (auto& [name, tensor] : file.tensors) {
      if (!name.ends_with("norm.weight")) continue;
      const double factor = name.starts_with("grad.") ? 1 / std::sqrt(ratio) : std::sqrt(ratio);
      auto* values = reinterpret_cast<double*>(tensor.bytes.data());
      for (std::size_t i = 0; i < tensor.bytes.size() / sizeof(double); ++i) values[i] *= factor;
    }
  });
  TemporaryFolder folder;
  write_file_atomically(folder / "eps.toml",
                        "[model]\nnorm_eps = " + to_toml_value(to_node(1e-5 * ratio)) +
                            "\n[block]\nequation = \"LN(x + F(x))\"\n");
  const Comparison comparison = conform_file(path, {"", folder / "eps.toml"}, at::kDouble);
  EXPECT_FALSE(comparison.agrees());
  EXPECT_THAT(comparison.explanations, Contains(std::string("a variance over D - 1")));
}

TEST_F(Conforming, StackedWeightsAreTakenApart) {
  const std::string path = changed("pt_enc_post_relu", [](record::SafeTensors& file) {
    for (const std::string begin : {"", "grad."}) {
      for (const char* layer : {"0", "1", "2"}) {
        for (const std::string end : {"weight", "bias"}) {
          const std::string attention = begin + "blocks." + layer + ".attn.";
          record::TensorData stacked = file.tensors.at(attention + "q." + end);
          stacked.shape[0] *= 3;
          for (const char* matrix : {"k.", "v."}) {
            const auto& bytes = file.tensors.at(attention + matrix + end).bytes;
            stacked.bytes.insert(stacked.bytes.end(), bytes.begin(), bytes.end());
          }
          for (const char* matrix : {"q.", "k.", "v."})
            file.tensors.erase(attention + matrix + end);
          file.tensors[attention + "in_proj_" + end] = std::move(stacked);
        }
      }
    }
  });
  EXPECT_TRUE(conform_file(path, {}, at::kDouble).agrees());
}

TEST_F(Conforming, AGradientOfNothingIsLeftOver) {
  const std::string path = changed("pt_enc_post_relu", [](record::SafeTensors& file) {
    auto gradient = file.tensors.extract("grad.blocks.0.attn.q.weight");
    gradient.key() = "grad.block.0.attn.q.weight";
    spoil(gradient.mapped());
    file.tensors.insert(std::move(gradient));
  });
  const Comparison comparison = conform_file(path, {}, at::kDouble);
  EXPECT_FALSE(comparison.agrees());
  EXPECT_THAT(comparison.unused, testing::ElementsAre("grad.block.0.attn.q.weight"));
}

TEST_F(Conforming, AWeightOfAnotherShapeIsToldOnce) {
  const std::string path = changed("pt_enc_post_relu", [](record::SafeTensors& file) {
    for (const char* name : {"blocks.0.ff.down.weight", "grad.blocks.0.ff.down.weight"}) {
      std::vector<std::int64_t>& shape = file.tensors.at(name).shape;
      std::swap(shape[0], shape[1]);
    }
  });
  const Comparison comparison = conform_file(path, {}, at::kDouble);
  EXPECT_THAT(comparison.missing,
              testing::ElementsAre(testing::StartsWith("blocks.0.ff.down.weight of shape [")));
  EXPECT_THAT(comparison.unused, IsEmpty());
}

TEST_F(Conforming, APlaceOfAnotherShapeIsRefused) {
  const std::string path = changed("pt_enc_post_relu", [](record::SafeTensors& file) {
    record::TensorData& place = file.tensors.at("block_out.0");
    place.shape[0] /= 2;
    place.bytes.resize(place.bytes.size() / 2);
    file.tensors.erase("grad.block_out.0");
  });
  EXPECT_THAT([&] { conform_file(path, {}, at::kDouble); },
              throws_user_error("expected block_out.0 of shape ["));
}

TEST_F(Conforming, AFinalNormAppliedTwiceIsRecognised) {
  const std::string path = changed("pt_enc_pre_relu_finalnorm", [](record::SafeTensors& file) {
    std::erase_if(file.tensors, [](const auto& entry) { return entry.first.starts_with("grad."); });
    const auto tensor = [&](const char* name) {
      record::TensorData& data = file.tensors.at(name);
      return at::from_blob(data.bytes.data(), data.shape, at::kDouble);
    };
    const at::Tensor output = tensor("output");
    output.copy_(at::layer_norm(output, {output.size(-1)}, tensor("final_norm.weight"),
                                tensor("final_norm.bias"), 1e-5));
    file.tensors.erase("loss");
  });
  const Comparison comparison = conform_file(path, {}, at::kDouble);
  EXPECT_FALSE(comparison.agrees());
  EXPECT_THAT(comparison.explanations, Contains(std::string("a final norm applied twice")));
}

TEST_F(Conforming, ATransposedWeightIsRecognised) {
  const std::string path = changed("pt_enc_post_relu", [](record::SafeTensors& file) {
    file = conform::transposed(std::move(file), {"blocks.1.attn.k.weight"});
  });
  const Comparison comparison = conform_file(path, {}, at::kDouble);
  EXPECT_THAT(
      comparison.explanations,
      testing::ElementsAre("blocks.1.attn.k.weight stored [in, out], but not its gradient"));
  EXPECT_GT(comparison.tried, 40);
}

TEST_F(Conforming, GradientsNeedTheWeightsOfTheLoss) {
  const std::string path = changed(
      "pt_enc_post_relu", [](record::SafeTensors& file) { file.tensors.erase("loss_weight"); });
  EXPECT_THAT([&] { conform_file(path, {}, at::kDouble); }, throws_user_error("loss_weight"));
}

}  // namespace
}  // namespace layerlab::worker
