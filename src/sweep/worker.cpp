#include "sweep/worker.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.h"
#include "core/exit_code.h"
#include "sweep/process.h"

namespace layerlab::sweep {
namespace fs = std::filesystem;
namespace {

// A GPU's driver leaves one of these; looking for them is quicker than loading LibTorch.
bool machine_may_have_gpu() { return fs::exists("/dev/nvidiactl") || fs::exists("/dev/dxg"); }

// "cuda" is "cuda:0"; names follow after a space.
bool offers(const WorkerVersion& version, const std::string& device) {
  const std::string wanted = device == "cuda" ? "cuda:0" : device;
  return std::ranges::any_of(version.devices, [&](const std::string& offered) {
    return offered.substr(0, offered.find(' ')) == wanted;
  });
}

bool is_device(const std::string& text) {
  if (text == "auto" || text == "cpu" || text == "cuda") return true;
  const std::string index = text.starts_with("cuda:") ? text.substr(5) : "";
  return !index.empty() && std::ranges::all_of(index, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

fs::path find_worker() {
  const char* const chosen = std::getenv("LAYERLAB_WORKER");
  const fs::path worker =
      chosen != nullptr ? fs::path(chosen)
                        : fs::read_symlink("/proc/self/exe").parent_path() / "layerlab-worker";
  if (::access(worker.c_str(), X_OK) == 0 && !fs::is_directory(worker)) return worker;
  throw UserError({worker.string()}, "is not there or not a program, and trains the models",
                  chosen != nullptr ? "correct LAYERLAB_WORKER" : "build it with ./dev build");
}

std::vector<std::string> thread_variables(int threads) {
  const std::string count = std::to_string(threads);
  return {"OMP_NUM_THREADS=" + count, "MKL_NUM_THREADS=" + count};
}

WorkerVersion ask_version(const fs::path& worker) {
  const Ended ended = run_to_end({worker.string(), "version"});
  const std::optional<WorkerVersion> version = parse_version(last_line(ended.output));
  if (version && ended.exit.signal == 0 && ended.exit.code == exit_code::kDone) return *version;
  throw UserError({worker.string()}, "does not work: " + ended.reason(), "try layerlab doctor");
}

std::string resolve_device(const std::string& text, const fs::path& worker) {
  if (!is_device(text)) {
    throw UserError({"command line"}, "--device must be auto, cpu, cuda or cuda:N, got " + text);
  }
  if (text == "cpu" || (text == "auto" && !machine_may_have_gpu())) return "cpu";
  const WorkerVersion version = ask_version(worker);
  if (text == "auto") return offers(version, "cuda") ? "cuda:0" : "cpu";
  if (offers(version, text)) return text;
  const bool any = offers(version, "cuda");
  throw UserError({"command line"},
                  "--device " + text + ": torch " + version.torch +
                      (any ? " finds no such GPU" : " finds no GPU it can use"),
                  any ? "use cuda" : "use --device cpu, or install a CUDA build of torch");
}

Share share_cores(std::optional<int> jobs, std::optional<int> threads, int cores, bool gpu) {
  Share share{1, threads.value_or(1)};
  share.jobs = jobs.value_or(gpu ? 1 : std::max(1, cores / share.threads));
  if (share.jobs > cores / share.threads) {
    throw UserError({"command line"},
                    std::to_string(share.jobs) + (share.jobs == 1 ? " job" : " jobs") + " of " +
                        std::to_string(share.threads) +
                        (share.threads == 1 ? " thread" : " threads") + " need more than the " +
                        std::to_string(cores) + " cores of this machine",
                    "lower --jobs or --threads");
  }
  return share;
}

}  // namespace layerlab::sweep
