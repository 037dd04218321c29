#include "cli/ask_worker.h"

#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/exit_code.h"
#include "sweep/process.h"
#include "sweep/worker.h"

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
  if (exited && code == exit_code::kUserError) throw UserError({}, ended.reason());
  throw UserError({worker.string()}, "failed: " + ended.reason(), "please report this");
}

}  // namespace layerlab::cli
