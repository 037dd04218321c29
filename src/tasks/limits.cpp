#include "tasks/limits.h"

namespace layerlab::tasks {
namespace {

std::string number(int value) { return std::to_string(value); }

}  // namespace

void require_length(const Request& request, int least, const std::string& what) {
  if (request.task.length >= least) return;
  throw UserError(request.place("task.length"),
                  "task.length = " + number(request.task.length) + " is too short for " + what +
                      " of task.name = \"" + request.task.name + "\"",
                  "write at least length = " + number(least));
}

void require_decoder(const Request& request, const std::string& answers) {
  if (request.kind == ModelKind::kDecoder) return;
  throw UserError(request.place("model.kind"),
                  "task.name = \"" + request.task.name +
                      "\" needs a decoder: any other model would see " + answers,
                  "write model.kind = \"decoder\"");
}

void require_distinct_keys(const Request& request) {
  if (request.task.pairs <= request.task.symbols) return;
  throw UserError(request.place("task.pairs"),
                  "task.pairs = " + number(request.task.pairs) + " keys cannot all differ among " +
                      "task.symbols = " + number(request.task.symbols),
                  "write at least symbols = " + number(request.task.pairs));
}

}  // namespace layerlab::tasks
