// Matchers and helpers for errors that users see.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace layerlab::testing {

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

}  // namespace layerlab::testing
