#include "cli/ask_worker.h"

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/exit_code.h"
#include "sweep/process.h"
#include "sweep/worker.h"
#include "sweep/worker_failure.h"

namespace layerlab::cli {

Reply ask_worker(std::vector<std::string> words, const std::vector<std::string>& variables) {
  const std::filesystem::path worker = sweep::find_worker();
  words.insert(words.begin(), worker.string());
  sweep::Ended ended = sweep::run_to_end(words, variables);
  const bool exited = ended.exit.signal == 0;
  const int code = ended.exit.code;
  if (exited && (code == exit_code::kDone || code == exit_code::kNotAsExpected)) {
    return {std::move(ended.output), code};
  }
  const sweep::LastWords last_words{{sweep::last_line(ended.errors)}};
  const sweep::WorkerFailure failure = explain(ended.exit, last_words, "the worker", worker);
  if (failure.code == exit_code::kOurBug) throw std::runtime_error(failure.text);
  throw UserError({}, failure.text);
}

}  // namespace layerlab::cli
