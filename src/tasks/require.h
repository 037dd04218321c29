// Limits that several tasks have.
#pragma once

#include <string>

#include "tasks/task.h"

namespace layerlab::tasks {

// Throws UserError unless task.length is at least `least`, so that `what` fits in.
void require_length(const Request& request, int least, const std::string& what);

// Throws UserError unless the model is a decoder; any other would see `answers`.
void require_decoder(const Request& request, const std::string& answers);

}  // namespace layerlab::tasks
