// How the commands of `layerlab` are put together: one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace layerlab::cli {

// Options of the program itself.
struct Globals {
  bool quiet = false;    // errors only
  bool verbose = false;  // also what workers print
};

// A subcommand with its options, and what it does: returns an exit code (core/exit_code.h), or
// throws UserError.
struct Command {
  CLI::App* app;
  std::function<int()> body;
};

Command make_run(CLI::App& program, const Globals& globals);
Command make_verify(CLI::App& program, const Globals& globals);
Command make_conform(CLI::App& program, const Globals& globals);
Command make_examples(CLI::App& program);
Command make_probe(CLI::App& program, const Globals& globals);
Command make_ls(CLI::App& program);
Command make_show(CLI::App& program);
Command make_migrate(CLI::App& program);
Command make_replay(CLI::App& program);
Command make_blocks(CLI::App& program);
Command make_tasks(CLI::App& program);
Command make_doctor(CLI::App& program);

}  // namespace layerlab::cli
