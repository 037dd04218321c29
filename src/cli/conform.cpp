#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask_worker.h"
#include "cli/command.h"
#include "conform/comparison.h"
#include "conform/description.h"
#include "conform/fixture.h"
#include "conform/table.h"
#include "core/exit_code.h"
#include "record/safetensors.h"

namespace layerlab::cli {
namespace {

struct ConformOptions {
  std::string file, dtype = "float64";
  conform::Choice choice;
};

bool stores_float32(const record::SafeTensors& file) {
  return std::ranges::any_of(file.tensors, [](const auto& entry) {
    return entry.second.type == record::TensorType::kFloat32;
  });
}

conform::Comparison compare(const ConformOptions& options) {
  std::vector<std::string> words = {"conform", options.file, "--dtype", options.dtype};
  if (!options.choice.block.empty()) words.insert(words.end(), {"--block", options.choice.block});
  if (!options.choice.config.empty()) {
    words.insert(words.end(), {"--config", options.choice.config});
  }
  const std::string output = ask_worker(words).output;
  conform::Comparison comparison;
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    conform::read_line(std::string_view(output).substr(begin, end - begin), comparison);
    begin = end + 1;
  }
  return comparison;
}

int conform_file(const ConformOptions& options, const Globals& globals) {
  // Once here, where mistakes in the file and in equations can be told with a caret.
  const record::SafeTensors file = record::read_safetensors(options.file);
  const TomlNode description = conform::describe(file, options.file, options.choice);
  conform::make_fixture(description, file, options.file);
  if (globals.verbose) fmt::print("{}\n", to_toml(description));

  const conform::Comparison comparison = compare(options);
  fmt::print("{}", conform::comparison_table(comparison, globals.verbose));
  if (!comparison.agrees() && options.dtype == "float64" && stores_float32(file)) {
    fmt::print("the file has tensors of float32: --dtype float32 allows for their rounding\n");
  }
  return comparison.agrees() ? exit_code::kDone : exit_code::kNotAsExpected;
}

}  // namespace

Command make_conform(CLI::App& program, const Globals& globals) {
  CLI::App* app = program.add_subcommand(
      "conform", "Compare a block with another implementation's weights, values and gradients");
  const auto options = std::make_shared<ConformOptions>();
  app->add_option("FILE", options->file, "A safetensors file (docs/conform.md)")->required();
  CLI::Option* block =
      app->add_option("--block", options->choice.block, "A block of the catalogue to compare with");
  app->add_option("--config", options->choice.config, "A TOML file with [model] and [block]")
      ->excludes(block);
  app->add_option("--dtype", options->dtype, "Precision of the computation")
      ->check(CLI::IsMember({"float64", "float32"}))
      ->capture_default_str();
  return {app, [options, &globals] { return conform_file(*options, globals); }};
}

}  // namespace layerlab::cli
