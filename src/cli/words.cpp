#include "cli/words.h"

#include "core/error.h"

namespace layerlab::cli {

config::Experiment load_words(const std::vector<std::string>& words, int seeds,
                              const std::vector<std::string>& more) {
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
  overrides.insert(overrides.end(), more.begin(), more.end());
  return config::load_experiment(file, overrides, seeds);
}

}  // namespace layerlab::cli
