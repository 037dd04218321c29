#include <fmt/format.h>

#include "cli/ask_worker.h"
#include "cli/command.h"

namespace layerlab::cli {
namespace {

int show_examples() {
  const Reply reply = ask_worker({"examples"});
  fmt::print("{}", reply.output);
  return reply.code;
}

}  // namespace

Command make_examples(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "examples", "Compute worked examples of public texts, beside the numbers they state");
  return {app, [] { return show_examples(); }};
}

}  // namespace layerlab::cli
