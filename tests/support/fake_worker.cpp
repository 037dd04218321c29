// A worker that trains nothing and takes its part from the seeds of the cells it is given, for
// tests of those who start workers. It speaks src/sweep/protocol.h and writes whole records.
//
//   seed 13: aborts with last words · 14: the run diverges · 15: waits to be interrupted
//   seed 16: refuses the cell as a user's mistake · 17: ignores SIGINT
//   seed 18: is killed, as where memory runs out · 19: is told to stop by somebody else
//   seed 20: ends without a word · 21: says what makes no sense, and trains
// Other seeds learn, except Post-LN blocks without warmup.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "config/run_config.h"
#include "config/run_config_toml.h"
#include "core/exit_code.h"
#include "core/files.h"
#include "record/cell.h"
#include "record/manifest.h"
#include "record/record.h"
#include "sweep/protocol.h"

namespace layerlab {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

void write_sites(record::Writer& writer, std::int64_t step, int depth, double cosine) {
  for (int layer = 0; layer < depth; ++layer) {
    for (const char* sublayer : {"attn", "ff"}) {
      record::SiteRow row{step, layer, sublayer, "out", {}};
      row.values.fill(kNan);
      row.values[record::site_quantity("rms")] = 1 + layer;
      row.values[record::site_quantity("token_norm")] = 5.5 + layer;
      row.values[record::site_quantity("grad_norm")] = 0.1 / (1 + layer);
      row.values[record::site_quantity("token_cosine")] = cosine;
      writer.add(row);
    }
    record::ParamRow row{step, layer, "ff.down.weight", {}};
    row.values.fill(kNan);
    row.values[record::param_quantity("grad_norm")] = 0.01 * (1 + layer);
    writer.add(row);
  }
}

void train(const record::CellFolder& cell, const config::RunConfig& run) {
  const bool stalls = run.block.name == "post_ln" && run.train.warmup == 0;
  const double spread = 1e-3 * static_cast<double>(run.seed);
  record::Writer writer(cell.record(), 0);
  for (const std::int64_t step : {0, run.train.steps - 1}) {
    const bool learnt = step > 0 && !stalls;
    const double loss = learnt ? 0.01 + spread : 2.77 + spread;
    writer.add(record::ScalarRow{step, "loss", loss});
    writer.add(record::ScalarRow{step, "lr", run.train.lr});
    write_sites(writer, step, run.model.depth, learnt ? 0.1 : 0.98 + spread);
  }
  writer.commit();
}

// Of packs that take two seconds a run.
void write_manifest(const record::CellFolder& cell, int replicas) {
  record::Manifest manifest;
  manifest.versions = {{"layerlab", "0.1"}, {"torch", "2.13.0"}};
  manifest.device = "cpu";
  manifest.replicas = replicas;
  manifest.seconds = 2 * replicas;
  record::write_manifest(cell, manifest);
}

[[noreturn]] void wait_for_signal() {
  sigset_t stop;
  ::sigemptyset(&stop);
  ::sigaddset(&stop, SIGINT);
  ::sigprocmask(SIG_BLOCK, &stop, nullptr);
  say(sweep::to_line(sweep::Progress{1, 400, 2.7, 0.01, 0.5, 1000}));
  int signal = 0;
  ::sigwait(&stop, &signal);
  std::exit(exit_code::kInterrupted);
}

[[noreturn]] void ignore_signals() {
  ::signal(SIGINT, SIG_IGN);
  say(sweep::to_line(sweep::Progress{1, 400, 2.7, 0.01, 0.5, 1000}));
  while (true) ::pause();
}

[[noreturn]] void crash() {
  std::fprintf(stderr, "first words\nout of\nluck\nand memory");
  std::abort();
}

int train_all(const std::vector<std::string>& arguments) {
  say("a library's notice");
  const auto replicas = std::ranges::count_if(arguments, [](const std::string& folder) {
    return std::filesystem::exists(record::CellFolder{folder}.config());
  });
  for (const std::string& folder : arguments) {
    const record::CellFolder cell{folder};
    if (!std::filesystem::exists(cell.config())) continue;  // an option
    const config::RunConfig run = config::read_run_config(parse_toml_file(cell.config()));
    const char* const threads = std::getenv("OMP_NUM_THREADS");
    write_file_atomically(cell.root / "threads", threads == nullptr ? "" : threads);
    if (run.seed == 13) crash();
    if (run.seed == 15) wait_for_signal();
    if (run.seed == 16) {
      std::fprintf(stderr, "an excerpt\n%s: cannot be trained; train another\n", folder.c_str());
      return exit_code::kUserError;
    }
    if (run.seed == 17) ignore_signals();
    if (run.seed == 18) ::raise(SIGKILL);
    if (run.seed == 19) ::raise(SIGTERM);
    if (run.seed == 20) return exit_code::kDone;
    if (run.seed == 98) say(R"({"event":"riddle"})");
    train(cell, run);
    write_manifest(cell, static_cast<int>(replicas));
    const auto state = run.seed == 14 ? record::CellState::kDiverged : record::CellState::kFinished;
    say(sweep::to_line(
        sweep::Progress{run.train.steps, run.train.steps, 0.01, run.train.lr, 0.5, 51234}));
    record::write_done(cell, {state, run.train.steps});
    say(sweep::to_line(sweep::CellEnded{folder, state}));
  }
  return exit_code::kDone;
}

}  // namespace
}  // namespace layerlab

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "version") == 0) {
    layerlab::say(layerlab::sweep::to_line(
        layerlab::sweep::WorkerVersion{"0.1", "2.13.0", "fake", {"cpu", "cuda:0 A GPU"}, 2}));
    return 0;
  }
  return layerlab::train_all({argv + 2, argv + argc});
}
