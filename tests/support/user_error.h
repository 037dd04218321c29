// Matches a statement that fails with a UserError whose line holds a text.
#pragma once

#include <gmock/gmock.h>

#include "core/error.h"

namespace layerlab {

inline auto throws_user_error(const std::string& part) {
  return testing::ThrowsMessage<UserError>(testing::HasSubstr(part));
}

}  // namespace layerlab
