#include "worker/failure.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <system_error>

#include "core/error.h"
#include "core/exit_code.h"

namespace layerlab::worker {
namespace {

using ::testing::HasSubstr;

Failure failure_in(const auto& action) {
  try {
    action();
  } catch (...) {
    return failure_of(std::current_exception());
  }
  return {exit_code::kDone, "nothing was thrown", ""};
}

TEST(Failure, OfMemoryIsTheUsersToMend) {
  for (const std::int64_t size : {std::int64_t{1} << 50, std::int64_t{1} << 62}) {
    const Failure failure = failure_in([&] { at::zeros({size}); });
    EXPECT_EQ(failure.code, exit_code::kUserError) << failure.message;
    EXPECT_THAT(failure.message, HasSubstr("do not fit into memory"));
  }
  EXPECT_EQ(failure_in([] { throw std::bad_alloc(); }).code, exit_code::kUserError);
}

TEST(Failure, OfLibTorchIsOurBugWhateverItsWords) {
  EXPECT_EQ(failure_in([] { at::zeros({2}).add(at::zeros({3})); }).code, exit_code::kOurBug);
  const Failure failure = failure_in([] { TORCH_CHECK(false, "allocated by another allocator"); });
  EXPECT_EQ(failure.code, exit_code::kOurBug);
  EXPECT_THAT(failure.message, HasSubstr("allocated by another allocator"));
}

TEST(Failure, OfTheSystemIsTheUsersToMend) {
  const Failure failure = failure_in([] {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
  });
  EXPECT_EQ(failure.code, exit_code::kUserError);
}

TEST(Failure, OfAUserKeepsItsExcerpt) {
  const Failure failure = failure_in([] { throw UserError({"x.toml"}, "odd", "mend it", "a ^"); });
  EXPECT_EQ(failure.code, exit_code::kUserError);
  EXPECT_EQ(failure.message, "x.toml: odd; mend it");
  EXPECT_EQ(failure.excerpt, "a ^");
}

}  // namespace
}  // namespace layerlab::worker
