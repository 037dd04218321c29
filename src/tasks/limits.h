#pragma once

#include <string>

#include "tasks/task.h"

namespace layerlab::tasks {

// Throws UserError unless task.length is at least `least`; `what` has to fit in.
void require_length(const Request& request, int least, const std::string& what);

// Throws UserError unless the model is a decoder; any other would see `answers`.
void require_decoder(const Request& request, const std::string& answers);

// Throws UserError unless there is a symbol for each of task.pairs keys.
void require_distinct_keys(const Request& request);

}  // namespace layerlab::tasks
