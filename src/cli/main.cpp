// layerlab: what people type. It links no LibTorch, so that it answers at once; it starts
// layerlab-worker where something is to be trained.

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.h"
#include "cli/help_formatter.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/exit_code.h"
#include "core/names.h"
#include "core/text.h"

namespace layerlab::cli {
namespace {

// The message of a log's line, without what the terminal would obey.
class VisibleMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& line, const std::tm&,
              spdlog::memory_buf_t& out) override {
    const std::string text = visible({line.payload.data(), line.payload.size()});
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<VisibleMessage>();
  }
};

void log_to_stderr() {
  const auto colour =
      may_colour(STDERR_FILENO) ? spdlog::color_mode::always : spdlog::color_mode::never;
  spdlog::set_default_logger(spdlog::stderr_color_st("layerlab", colour));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<VisibleMessage>('*').set_pattern("%^%l%$: %*");
  spdlog::set_formatter(std::move(formatter));
}

void set_level(const Globals& globals) {
  if (globals.quiet) spdlog::set_level(spdlog::level::err);
  if (globals.verbose) spdlog::set_level(spdlog::level::debug);
}

int complain(const UserError& error) {
  std::fprintf(stderr, "layerlab: %s\n", error.what());
  if (!error.excerpt().empty()) std::fprintf(stderr, "%s\n", error.excerpt().c_str());
  return exit_code::kUserError;
}

// CLI11 would only say that the word was not expected.
void refuse_unknown_command(const std::vector<Command>& commands, int argc, char** argv) {
  const auto word = std::find_if(argv + 1, argv + argc, [](const char* a) { return *a != '-'; });
  if (word == argv + argc) return;
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.app->get_name());
  if (std::ranges::find(names, *word) != names.end()) return;
  throw UserError({}, "unknown command " + std::string(*word), suggestion(*word, names));
}

// What is printed may still wait to be written.
void write_out() {
  if (std::fflush(stdout) == 0) return;
  throw UserError({"standard output"}, "cannot be written: " + std::string(std::strerror(errno)));
}

int run(int argc, char** argv) {
  CLI::App program(
      "Trains small Transformer stacks written as equations, measures every layer, and says\n"
      "whether a claim about them holds.",
      "layerlab");
  Globals globals;
  program.add_flag("-q,--quiet", globals.quiet, "Print errors and results only");
  program.add_flag("-v,--verbose", globals.verbose, "Also print the workers' messages");
  program.set_version_flag("--version", "layerlab " LAYERLAB_VERSION);
  program.formatter(std::make_shared<HelpFormatter>());  // the commands inherit it
  program.require_subcommand(0, 1);
  program.fallthrough();
  const std::vector<Command> commands = {
      make_run(program, globals),   make_verify(program, globals),
      make_probe(program, globals), make_ls(program),
      make_show(program),           make_migrate(program),
      make_replay(program),         make_blocks(program),
      make_tasks(program),          make_conform(program, globals),
      make_examples(program),       make_doctor(program)};
  refuse_unknown_command(commands, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return program.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    throw UserError({}, error.what(), "layerlab --help lists what there is");
  }
  set_level(globals);
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.body();
  }
  std::fputs(program.help().c_str(), stdout);
  return exit_code::kDone;
}

}  // namespace
}  // namespace layerlab::cli

int main(int argc, char** argv) {
  try {
    layerlab::cli::log_to_stderr();
    const int code = layerlab::cli::run(argc, argv);
    layerlab::cli::write_out();
    return code;
  } catch (const layerlab::UserError& error) {
    return layerlab::cli::complain(error);
  } catch (const std::filesystem::filesystem_error& error) {
    return layerlab::cli::complain(
        {{error.path1().string()}, error.code().message(), "check the folder's permissions"});
  } catch (const std::system_error& error) {
    return layerlab::cli::complain({{}, error.code().message(), "is there room to write to?"});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "layerlab: %s; please report this\n",
                 layerlab::visible(error.what()).c_str());
    return layerlab::exit_code::kOurBug;
  }
}
