#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace layerlab::cli {

// Shows a positional argument by its option_text(), where it has one. Names are for parsing:
// CLI11 2.4 and later accept no blank and no '=' in them.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    return has_text(option, positional) ? option->get_option_text()
                                        : Formatter::make_option_name(option, positional);
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return has_text(option, option->get_positional()) ? "" : Formatter::make_option_opts(option);
  }
  std::string make_option_usage(const CLI::Option* option) const override {
    return has_text(option, true) ? option->get_option_text()
                                  : Formatter::make_option_usage(option);
  }

 private:
  static bool has_text(const CLI::Option* option, bool positional) {
    return positional && !option->get_option_text().empty();
  }
};

}  // namespace layerlab::cli
