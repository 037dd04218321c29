// layerlab conform with the real worker.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/exit_code.h"
#include "core/files.h"
#include "tests/support/numbers.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace layerlab {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Ended conform(const std::string& golden, std::vector<std::string> options = {}) {
  std::vector<std::string> words = {LAYERLAB_BINARIES "/layerlab", "conform",
                                    golden_file(golden).string()};
  words.insert(words.end(), options.begin(), options.end());
  return run_program(words);
}

TEST(ConformCommand, EndsWithZeroWhenAllAgree) {
  const Ended ended = conform("pt_enc_post_relu");
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(ended.output, HasSubstr("all 60 tensors agree\n"));
  EXPECT_EQ(conform("pt_enc_post_relu", {"--dtype", "float32"}).code, exit_code::kDone);
}

TEST(ConformCommand, SaysWhereAndWhyTheTwoDiffer) {
  const Ended ended = conform("pt_enc_post_relu", {"--block", "pre_ln"});
  EXPECT_EQ(ended.code, exit_code::kNotAsExpected) << ended.errors;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("first difference: block_out.0; block_in.0 agrees"),
                                  HasSubstr("they agree with Post-LN\n")));
}

TEST(ConformCommand, ShowsMistakesInTheUsersEquationWithACaret) {
  TemporaryFolder folder;
  write_file_atomically(folder / "mine.toml", "[block]\nequation = \"x + G(x)\"\n");
  const Ended ended = conform("pt_enc_post_relu", {"--config", folder / "mine.toml"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, AllOf(HasSubstr("mine.toml:2:17: expected a branch"),
                                  HasSubstr("  x + G(x)\n      ^\n")));
}

TEST(ConformCommand, TellsThatAFileOfFloat32NeedsAnotherTolerance) {
  record::SafeTensors file = record::read_safetensors(golden_file("pt_enc_post_relu"));
  for (auto& [name, tensor] : file.tensors) {
    std::vector<std::byte> narrow(tensor.bytes.size() / 2);
    for (std::size_t i = 0; i < narrow.size() / sizeof(float); ++i) {
      reinterpret_cast<float*>(narrow.data())[i] =
          static_cast<float>(reinterpret_cast<const double*>(tensor.bytes.data())[i]);
    }
    tensor.type = record::TensorType::kFloat32;
    tensor.bytes = std::move(narrow);
  }
  TemporaryFolder folder;
  const std::string path = folder / "narrow.safetensors";
  record::write_safetensors(path, file);
  const Ended wide = run_program({LAYERLAB_BINARIES "/layerlab", "conform", path});
  EXPECT_EQ(wide.code, exit_code::kNotAsExpected);
  EXPECT_THAT(wide.output, HasSubstr("--dtype float32 allows for their rounding\n"));
  const Ended narrow =
      run_program({LAYERLAB_BINARIES "/layerlab", "conform", path, "--dtype", "float32"});
  EXPECT_EQ(narrow.code, exit_code::kDone);
}

TEST(ConformCommand, RefusesWhatIsNoFileOfNumbers) {
  EXPECT_EQ(conform("nothing").code, exit_code::kUserError);
  EXPECT_EQ(conform("pt_enc_post_relu", {"--block", "pre_lm"}).code, exit_code::kUserError);
}

}  // namespace
}  // namespace layerlab
