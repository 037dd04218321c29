#include "tasks/catalogue.h"

#include <gtest/gtest.h>

#include "tests/support/user_error.h"

namespace layerlab::tasks {
namespace {

TEST(TaskCatalogue, RefusesUnknownTasksWithTheNearest) {
  EXPECT_EQ(refusal([] {
              find_task("revers", Place{"demo.toml", 2, 3});
            }),
            "demo.toml:2:3: unknown task revers; did you mean 'reverse'?");
}

}  // namespace
}  // namespace layerlab::tasks
