#include "core/error.h"

#include <gmock/gmock.h>

namespace layerlab {
namespace {

using testing::HasSubstr;

TEST(UserError, IsOneVisibleLine) {
  const UserError error({"a\033[31m.toml", 3, 9}, "unknown key b\nc", "write\u202e d");
  EXPECT_STREQ(error.what(), "a\\x1b[31m.toml:3:9: unknown key b\\nc; write\\u202e d");
}

TEST(UserError, IsShortHoweverLongItsPartsAre) {
  const std::string endless(1'000'000, 'k');
  const UserError error({endless}, "unknown key " + endless, "write " + endless + " instead");
  EXPECT_LT(std::string(error.what()).size(), 5000u);
  EXPECT_THAT(error.what(), HasSubstr("unknown key k"));
  EXPECT_THAT(error.what(), HasSubstr("k instead"));
}

}  // namespace
}  // namespace layerlab
