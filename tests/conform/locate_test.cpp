#include "conform/locate.h"

#include <gtest/gtest.h>

namespace layerlab::conform {
namespace {

using equation::Site;

class Located : public testing::Test {
 protected:
  void compile(const std::string& equation, const std::string& start = "",
               const std::string& finish = "") {
    equation::Block block;
    block.equation.text = equation;
    block.start.text = start;
    block.finish.text = finish;
    equation::Sizes sizes;
    sizes.depth = 2;
    sizes.width = sizes.heads = sizes.ff = 4;
    program_ = equation::compile(block, sizes);
  }

  // Whether the tap of that name is (also) the site.
  bool is(const SiteName& name, const Site& site) const {
    const int tap = locate(name, program_);
    if (tap < 0) return false;
    for (const Site& s : program_.taps[tap].sites) {
      if (s.layer == site.layer && s.sublayer == site.sublayer && s.role == site.role) return true;
    }
    return false;
  }

  equation::Program program_;
};

TEST_F(Located, BlocksBeginAndEndWhereTheirStreamDoes) {
  compile("LN(x + F(x))");
  EXPECT_TRUE(is({"", "block_in", 0, ""}, {0, "attn", "in"}));
  EXPECT_TRUE(is({"", "stream_after_attn", 0, ""}, {0, "attn", "out"}));
  EXPECT_TRUE(is({"", "block_out", 0, ""}, {0, "ff", "out"}));
  EXPECT_TRUE(is({"", "block_in", 1, ""}, {0, "ff", "out"}));
  EXPECT_EQ(locate({"", "block_in", 2, ""}, program_), -1);
}

TEST_F(Located, TheSecondStreamIsTheOneThatStartNames) {
  compile("u = F(x); y = y + u; x = LN(x + u)", "y = 0.5*x", "x + LN(y)");
  EXPECT_TRUE(is({"", "block_in_dual", 0, ""}, {-1, "embedding", "y"}));
  EXPECT_TRUE(is({"", "block_out_dual", 0, ""}, {0, "ff", "y"}));
  EXPECT_TRUE(is({"", "block_in_dual", 1, ""}, {0, "ff", "y"}));
  compile("LN(x + F(x))");
  EXPECT_EQ(locate({"", "block_in_dual", 0, ""}, program_), -1);
}

TEST_F(Located, AnySiteCanBeNamed) {
  compile("x + F(LN(x))");
  EXPECT_TRUE(is({"", "at", 1, "ff.branch"}, {1, "ff", "branch"}));
  EXPECT_TRUE(is({"", "at", 0, "attn.norm"}, {0, "attn", "branch_in"}));
  EXPECT_EQ(locate({"", "at", 0, "attn.nothing"}, program_), -1);
}

}  // namespace
}  // namespace layerlab::conform
