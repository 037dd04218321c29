// Matchers and helpers for errors that users see.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "core/error.h"

namespace layerlab {

// Matches a callable that fails with a UserError whose line holds `part`.
inline auto throws_user_error(const std::string& part) {
  return testing::ThrowsMessage<UserError>(testing::HasSubstr(part));
}

// The line that `action` refuses with, or "" when it does not.
template <typename Action>
std::string refusal(Action&& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

}  // namespace layerlab
