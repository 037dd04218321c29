#include "cli/parse_arguments.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/error.h"

namespace layerlab::cli {
namespace {

constexpr double kLongest = 1e6;  // of a unit

}  // namespace

void add_override_options(CLI::App& app, config::Overrides& overrides) {
  app.add_flag("--quick", overrides.quick, "The quick size: with what the file's [quick] replaces");
  app.add_option("--seed-offset", overrides.seed_offset, "Add N to every seed: other runs")
      ->check(CLI::Range(0, 1000000000))
      ->type_name("N");
}

config::Experiment parse_arguments(const std::vector<std::string>& words,
                                   config::Overrides overrides) {
  std::string file;
  for (const std::string& word : words) {
    if (word.find('=') != std::string::npos) {
      overrides.settings.push_back(word);
    } else if (file.empty()) {
      file = word;
    } else {
      throw UserError({"command line"}, "expected one file, got " + file + " and " + word,
                      "run them one after the other");
    }
  }
  return config::load_experiment(file, overrides);
}

double parse_duration(const std::string& option, const std::string& text) {
  constexpr std::pair<char, double> kUnits[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const auto known =
      std::ranges::find(kUnits, unit == end ? '\0' : *unit, &std::pair<char, double>::first);
  const bool whole = unit + 1 == end && known != std::end(kUnits);
  if (error == std::errc() && whole && number >= 0 && number < kLongest) {
    return number * known->second;
  }
  throw UserError({option}, "expected a time such as 90s, 10m or 2h, got " + text);
}

}  // namespace layerlab::cli
