#include "cli/words.h"

#include "core/error.h"

namespace layerlab::cli {

void add_variation_options(CLI::App& app, config::Variation& variation) {
  app.add_flag("--quick", variation.quick, "The quick size: with what the file's [quick] replaces");
  app.add_option("--seed-offset", variation.seed_offset, "Add N to every seed: other runs")
      ->check(CLI::Range(0, 1000000000))
      ->type_name("N");
}

config::Experiment load_words(const std::vector<std::string>& words, config::Variation variation) {
  std::string file;
  std::vector<std::string> overrides;
  for (const std::string& word : words) {
    if (word.find('=') != std::string::npos) {
      overrides.push_back(word);
    } else if (file.empty()) {
      file = word;
    } else {
      throw UserError({"command line"}, "one file is enough, got " + file + " and " + word,
                      "run them one after the other");
    }
  }
  variation.overrides.insert(variation.overrides.begin(), overrides.begin(), overrides.end());
  return config::load_experiment(file, variation);
}

}  // namespace layerlab::cli
