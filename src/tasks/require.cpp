#include "tasks/require.h"

namespace layerlab::tasks {

void require_length(const Request& request, int least, const std::string& what) {
  if (request.task.length >= least) return;
  throw UserError(request.place("task.length"),
                  "task.length = " + std::to_string(request.task.length) + " is too short for " +
                      what + " of task.name = \"" + request.task.name + "\"",
                  "write at least length = " + std::to_string(least));
}

void require_decoder(const Request& request, const std::string& answers) {
  if (request.kind == ModelKind::kDecoder) return;
  throw UserError(request.place("model.kind"),
                  "task.name = \"" + request.task.name +
                      "\" needs a decoder: any other model would see " + answers,
                  "write model.kind = \"decoder\"");
}

}  // namespace layerlab::tasks
