// layerlab-worker: the only program that links LibTorch. layerlab starts it; src/sweep/protocol.h
// is what the two agree on.
//
//   layerlab-worker train [--device D] [--threads N] CELL…
//   layerlab-worker replay [--device D] [--threads N] --step N --record FILE CELL
//   layerlab-worker conform [--block NAME] [--config FILE] [--dtype T] FILE (conform/comparison.h)
//   layerlab-worker examples
//   layerlab-worker version

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "core/exit_code.h"
#include "examples/all.h"
#include "examples/table.h"
#include "sweep/protocol.h"
#include "train/device.h"
#include "worker/conform.h"
#include "worker/failure.h"
#include "worker/pack.h"
#include "worker/replay.h"
#include "worker/version.h"

namespace layerlab::worker {
namespace {

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

const pid_t parent = ::getppid();
constexpr unsigned kOrphanSeconds = 5;

// A signal handler. When layerlab was killed, its worker gets SIGTERM (sweep/process.h): the worker
// then has a few seconds to save its state, until the alarm ends it and frees its cells for others.
void request_stop(int) {
  stop_requested = true;
  if (::getppid() != parent) ::alarm(kOrphanSeconds);
}

void print(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

void print_event(const sweep::Event& event) { print(sweep::to_line(event)); }

// Where tensors are computed, and with how many threads on the CPU.
struct Machine {
  std::string device = "auto";
  int threads = 1;

  void add_to(CLI::App& app) {
    app.add_option("--device", device, "auto, cpu, cuda or cuda:N");
    app.add_option("--threads", threads, "Threads for tensors on the CPU")
        ->check(CLI::Range(1, 4096));
  }
  at::Device prepare() const {
    train::make_repeatable(threads);
    return train::pick_device(device);
  }
};

int train(const std::vector<std::string>& cells, const Machine& machine) {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGPIPE, SIG_IGN);  // or a word to a layerlab that was killed would end it
  PackOptions options{{cells.begin(), cells.end()}, machine.prepare(), machine.threads};
  const PackOutcome outcome = train_pack(options, stop_requested, print_event);
  return outcome == PackOutcome::kInterrupted ? exit_code::kInterrupted : exit_code::kDone;
}

int replay_one(ReplayOptions options, const Machine& machine) {
  options.device = machine.prepare();
  replay(options, print_event);
  return exit_code::kDone;
}

struct ConformOptions {
  std::string file, dtype = "float64";
  conform::Choice choice;
};

int conform_one(const ConformOptions& options) {
  train::make_repeatable(1);
  const at::ScalarType dtype = options.dtype == "float64" ? at::kDouble : at::kFloat;
  const auto comparison = conform_file(options.file, options.choice, dtype);
  for (const std::string& line : conform::to_lines(comparison)) print(line);
  return 0;
}

int show_examples() {
  train::make_repeatable(1);
  const std::vector<examples::Document> documents = examples::all_documents();
  std::printf("%s", examples::table(documents).c_str());
  return examples::all_as_expected(documents) ? exit_code::kDone : exit_code::kNotAsExpected;
}

int run(int argc, char** argv) {
  CLI::App app("Trains what layerlab tells it to");
  app.require_subcommand(1);
  CLI::App* version = app.add_subcommand("version", "Print what the worker is made of, as JSON");
  CLI::App* training = app.add_subcommand("train", "Train cells as replicas of one model");
  std::vector<std::string> cells;
  Machine machine;
  training->add_option("cells", cells, "Folders with a config.toml")->required();
  machine.add_to(*training);
  CLI::App* replaying = app.add_subcommand("replay", "Repeat a step with every place measured");
  ReplayOptions replay_options;
  replaying->add_option("cell", replay_options.cell, "A folder with a config.toml")->required();
  replaying->add_option("--step", replay_options.step, "Which one")->required();
  replaying->add_option("--record", replay_options.record, "The record to write")->required();
  machine.add_to(*replaying);
  CLI::App* conforming = app.add_subcommand("conform", "Compare with another's numbers");
  ConformOptions conform_options;
  conforming->add_option("file", conform_options.file, "A safetensors file")->required();
  conforming->add_option("--block", conform_options.choice.block, "A block of the catalogue");
  conforming->add_option("--config", conform_options.choice.config, "TOML with [model], [block]");
  conforming->add_option("--dtype", conform_options.dtype, "What to compute in")
      ->check(CLI::IsMember({"float64", "float32"}));
  CLI::App* examples = app.add_subcommand("examples", "Compare with worked examples");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_code::kDone : exit_code::kUserError;
  }
  if (version->parsed()) {
    print(sweep::to_line(worker_version()));
    return exit_code::kDone;
  }
  if (conforming->parsed()) return conform_one(conform_options);
  if (replaying->parsed()) return replay_one(replay_options, machine);
  if (examples->parsed()) return show_examples();
  return train(cells, machine);
}

}  // namespace
}  // namespace layerlab::worker

int main(int argc, char** argv) {
  try {
    return layerlab::worker::run(argc, argv);
  } catch (...) {
    const auto failure = layerlab::worker::failure_of(std::current_exception());
    if (!failure.excerpt.empty()) std::fprintf(stderr, "%s\n", failure.excerpt.c_str());
    std::fprintf(stderr, "%s\n", failure.message.c_str());
    return failure.code;
  }
}
