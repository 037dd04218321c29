#include "equation/block_toml.h"

#include <gtest/gtest.h>

#include "equation/program.h"
#include "tests/support/user_error.h"

namespace layerlab::equation {
namespace {

Block read(const std::string& text) {
  return read_block("mine", parse_toml_text(text, "blocks.toml"));
}

TEST(BlockToml, ReadsEveryKey) {
  const Block block = read(
      "equation = 'u = F(x); y = y + u'\nstart = 'y = x'\nfinish = 'LN(y)'\n"
      "source = 'paper'\nsummary = 'two streams'\n");
  EXPECT_EQ(block.name, "mine");
  EXPECT_EQ(block.equation.text, "u = F(x); y = y + u");
  EXPECT_EQ(block.start.text, "y = x");
  EXPECT_EQ(block.finish.text, "LN(y)");
  EXPECT_EQ(block.source, "paper");
  EXPECT_EQ(block.summary, "two streams");
}

TEST(BlockToml, PointsAtTheFirstCharacterOfAnEquation) {
  EXPECT_EQ(read("equation = \"x + F(x)\"").equation.place.text(), "blocks.toml:1:13");
}

TEST(BlockToml, LetsTheEntryNameItself) {
  EXPECT_EQ(read("equation = 'F(x)'\nname = 'other'").name, "other");
}

TEST(BlockToml, ReadsScalarsAsExpressionsOrNumbers) {
  const Block block = read(
      "equation = 'a*x + F(x)'\nconst = { a = '(2*L)^(1/4)', n = 4, e = 1e-3 }\n"
      "gain = { v = 'a', 'attn.o' = 0.5, ff.down = 2 }\ninit = { q = '0.02' }\n");
  ASSERT_EQ(block.constants.size(), 3u);
  EXPECT_EQ(block.constants[0].value.text, "(2*L)^(1/4)");
  EXPECT_EQ(block.constants[1].value.text, "4");
  EXPECT_EQ(block.constants[2].value.text, "0.001");
  ASSERT_EQ(block.gain.size(), 3u);
  EXPECT_EQ(block.gain[1].name, "attn.o");
  EXPECT_EQ(block.gain[2].name, "ff.down") << "dots may also be TOML's";
  EXPECT_EQ(block.deviation[0].value.text, "0.02");
}

TEST(BlockToml, ReadsLearnedTensors) {
  const Block block = read(
      "equation = 'x + F(x)'\n[param]\na = { init = 0 }\n"
      "b = { shape = 'vector', scope = 'block', init = '1/L' }\n"
      "c = { shape = 'head', scope = 'stack', init = 1 }\nd = { shape = ['n', 3], init = 'i + j' "
      "}\n");
  ASSERT_EQ(block.parameters.size(), 4u);
  EXPECT_TRUE(block.parameters[0].shape.empty());
  EXPECT_EQ(block.parameters[0].scope, Scope::kSublayer);
  EXPECT_EQ(block.parameters[1].shape[0].text, "D");
  EXPECT_EQ(block.parameters[1].scope, Scope::kBlock);
  EXPECT_EQ(block.parameters[2].shape[0].text, "H");
  EXPECT_EQ(block.parameters[2].scope, Scope::kStack);
  EXPECT_EQ(block.parameters[3].shape[1].text, "3");
  EXPECT_EQ(block.parameters[3].init.text, "i + j");
}

TEST(BlockToml, MixesBlocksOfTheCatalogueAndItsOwn) {
  const Block block = read(
      "layers = [{ block = 'resi_dual', count = 'floor(L/4)' },\n"
      "          { block = { equation = 'u = F(x); y = y + u; x = x + u', start = 'y = x' } }]\n");
  ASSERT_EQ(block.layers.size(), 2u);
  EXPECT_EQ(block.layers[0].block->name, "resi_dual");
  EXPECT_EQ(block.layers[0].count.text, "floor(L/4)");
  EXPECT_EQ(block.layers[1].count.text, "");
  EXPECT_EQ(block.start.text, "y = x") << "the first one's";
  EXPECT_EQ(block.finish.text, "") << "the last one's";
}

TEST(BlockToml, OverridesKeysForTheSidesOfAPair) {
  const Block block = read(
      "equation = 'a*x + F(x)'\nfinish = 'LN(x)'\nconst = { a = 1 }\n"
      "[encoder]\nconst = { a = 2 }\n[decoder]\nfinish = ''\n");
  ASSERT_TRUE(block.encoder && block.decoder);
  EXPECT_EQ(block.encoder->constants[0].value.text, "2");
  EXPECT_EQ(block.encoder->finish.text, "LN(x)");
  EXPECT_EQ(block.decoder->constants[0].value.text, "1");
  EXPECT_EQ(block.decoder->finish.text, "");
  EXPECT_EQ(on_side(block, Side::kEncoder).constants[0].value.text, "2");
  EXPECT_EQ(on_side(read("equation = 'x + F(x)'"), Side::kDecoder).equation.text, "x + F(x)");
}

TEST(BlockToml, PutsTheSidesOfItsPartsIntoAMix) {
  const Block mix = read("layers = [{ block = 'deepnorm' }]");
  EXPECT_EQ(on_side(mix, Side::kDecoder).layers[0].block->constants[0].value.text,
            "(3*M_dec)^(1/4)");
}

std::string written(const Block& block) { return to_toml(to_tree(block)); }

TEST(BlockToml, ReadsBackWhatItWrites) {
  for (const Block& block : catalogue()) {
    const std::string text = written(block);
    EXPECT_EQ(written(read_block("", parse_toml_text(text, ""))), text);
    EXPECT_EQ(text.find("block = \""), std::string::npos) << "needs no other block: " << text;
  }
}

TEST(BlockToml, SpacesNamesAndOrderAreNoPartOfTheMathematics) {
  const Block block = read(
      "equation = 'a*x + b*F(g*x)'\nconst = { a = '1 + 1', b = 3 }\n"
      "param = { g = { shape = ['D'], init = '1 * 1' } }\nsource = 'paper'\n"
      "encoder = { const = { a = '2', b = 2 } }\n");
  const Block same = read(
      "equation = 'a * x + b * F( g * x )'\nconst = { b = 3.0, a = '1+1' }\n"
      "param = { g = { shape = 'vector', init = '1*1' } }\nsummary = 'said otherwise'\n"
      "name = 'another'\nencoder = { const = { b = '2', a = 2 } }\n");
  EXPECT_EQ(written(canonical_form(block)), written(canonical_form(same)));
}

TEST(BlockToml, WhateverElseChangesIsAnotherBlock) {
  const std::string usual =
      written(canonical_form(read("equation = 'a*x + F(g*x)'\nconst = { a = 2 }\n"
                                  "param = { g = { init = 1 } }\n")));
  for (const char* other :
       {"equation = 'a*x + F(g*x)'\nconst = { a = 3 }\nparam = { g = { init = 1 } }",
        "equation = 'a*x + F(g*x)'\nconst = { a = 2 }\nparam = { g = { init = 2 } }",
        "equation = 'a*x + F(g*x)'\nconst = { a = 2 }\nparam = { g = { init = 1, scope = 'block' } "
        "}",
        "equation = 'a*x + F(g*x)'\nconst = { a = 2 }\nparam = { g = { init = 1, shape = 'head' } "
        "}",
        "equation = 'a*x + F(g*x)'\nconst = { a = 2 }\nparam = { g = { init = 1 } }\ngain = { v = "
        "2 }",
        "equation = 'a*x + F(g*x)'\nconst = { a = 2 }\nparam = { g = { init = 1 } }\ninit = { v = "
        "2 }",
        "equation = 'a*x + F(g*x)'\nconst = { a = 2 }\nparam = { g = { init = 1 } }\nfinish = "
        "'LN(x)'",
        "equation = 'a*x + F(g*x)'\nconst = { a = 2 }\nparam = { g = { init = 1 } }\n"
        "encoder = { finish = 'LN(x)' }"}) {
    EXPECT_NE(written(canonical_form(read(other))), usual) << other;
  }
}

TEST(BlockToml, NamesBlocksAboveInTheSameFile) {
  const std::vector<Block> blocks = read_blocks(
      parse_toml_text("[a]\nequation = 'F(x)'\n[b]\nlayers = [{ block = 'a' }]\n", "blocks.toml"));
  EXPECT_EQ(blocks[1].layers[0].block->equation.text, "F(x)");
  EXPECT_EQ(refusal([] {
              read_blocks(parse_toml_text("[b]\nlayers = [{ block = 'a' }]\n[a]\nequation = 'F(x)'",
                                          "blocks.toml"));
            }),
            "blocks.toml:2:21: expected a block's name, got 'a'; known:");
}

// Carets point into the user's file, whatever text of an entry is wrong.
TEST(BlockToml, PlacesEveryTextInTheUsersFile) {
  const auto place = [](const std::string& text) {
    try {
      compile(read(text), {.depth = 2, .width = 8, .heads = 2, .ff = 16});
    } catch (const UserError& error) {
      return error.place().text() + "\n" + error.excerpt();
    }
    return std::string();
  };
  EXPECT_EQ(place("equation = 'a*x + F(x)'\nconst = { a = '2*M' }\n"),
            "blocks.toml:2:18\n  2*M\n    ^");
  EXPECT_EQ(place("equation = 'x + F(x)'\ngain = { v = '(8*L' }\n"),
            "blocks.toml:2:19\n  (8*L\n      ^");
  EXPECT_EQ(place("equation = 'x + F(x)'\ngain = { z = 1 }\n"), "blocks.toml:2:10\n");
  EXPECT_EQ(place("equation = 'x + g*F(x)'\n[param]\ng = { init = 'i +' }\n"),
            "blocks.toml:3:18\n  i +\n     ^");
  EXPECT_EQ(place("equation = 'x + g*F(x)'\n[param]\ng = { shape = ['D', 'Q'], init = 1 }\n"),
            "blocks.toml:3:22\n  Q\n  ^");
  EXPECT_EQ(place("layers = [{ block = { equation = 'x + F(y)' } }]"),
            "blocks.toml:1:41\n  x + F(y)\n        ^");
  EXPECT_EQ(place("layers = [{ block = 'pre_ln', count = 'L/4' }]"),
            "blocks.toml:1:40\n  L/4\n  ^");
}

struct Mistake {
  const char* text;
  const char* line;
};

class BlockTomlRefuses : public testing::TestWithParam<Mistake> {};

TEST_P(BlockTomlRefuses, WithPlaceAndRemedy) {
  EXPECT_EQ(refusal([] { read(GetParam().text); }), std::string("blocks.toml:") + GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, BlockTomlRefuses,
    testing::Values(
        Mistake{"equation = 'F(x)'\nconst = 3",
                "2:9: block.const must be a table, got an integer; write for example "
                "{ alpha = \"(2*L)^(1/4)\" }"},
        Mistake{"equation = 'F(x)'\ngain = 'v'",
                "2:8: block.gain must be a table, got a string; write for example "
                "{ v = \"(8*L)^(-1/4)\" }"},
        Mistake{"equation = 'F(x)'\nconst = { a = true }",
                "2:15: block.const.a must be a number or an expression, got a boolean"},
        Mistake{"equation = 'F(x)'\nconst = { 'a b' = 1 }",
                "2:11: expected a name of letters, digits and _, got \"a b\""},
        Mistake{"equation = 'F(x)'\nparam = { g = 1 }",
                "2:15: block.param.g must be a table, got an integer; write for example "
                "{ g = { shape = \"vector\", init = \"1.0\" } }"},
        Mistake{"equation = 'F(x)'\nparam = { g = { shape = 'vector' } }",
                "2:11: block.param.g.init is missing; write for example init = \"1.0\""},
        Mistake{"equation = 'F(x)'\nparam = { g = { shape = 'matrix', init = 1 } }",
                "2:25: block.param.g.shape must be \"scalar\", \"vector\", \"head\" or a list of "
                "sizes, got \"matrix\"; write for example shape = [\"n\", \"D\"]"},
        Mistake{"equation = 'F(x)'\nparam = { g = { shape = 3, init = 1 } }",
                "2:25: block.param.g.shape must be \"scalar\", \"vector\", \"head\" or a list of "
                "sizes, got an integer; write for example shape = [\"n\", \"D\"]"},
        Mistake{"equation = 'F(x)'\nparam = { g = { shape = [true], init = 1 } }",
                "2:26: block.param.g.shape must be sizes, numbers or expressions, got a boolean"},
        Mistake{"equation = 'F(x)'\nparam = { g = { scope = 'blok', init = 1 } }",
                "2:25: block.param.g.scope must be one of \"sublayer\", \"block\", \"stack\", got "
                "\"blok\"; did you mean 'block'?"},
        Mistake{"equation = 'F(x)'\nparam = { g = { int = 1, init = 1 } }",
                "2:17: unknown key block.param.g.int; did you mean 'init'?"},
        Mistake{"equation = 'g*x + F(x)'\n"
                "param = { g = { init = 1, scope = 'block', profiled = true } }",
                "2:55: block.param.g.profiled expects scope = \"sublayer\"; the pass finds one "
                "value for "
                "each sub-layer"},
        Mistake{"equation = 'F(x)'\nlayers = [{ block = 'pre_ln' }]",
                "2:1: expected either equation or layers; remove one of them"},
        Mistake{"layers = []",
                "1:10: block.layers must be a list of blocks; write for example "
                "[{ block = \"post_ln\", count = 1 }, { block = \"pre_ln\" }]"},
        Mistake{"layers = ['pre_ln']",
                "1:11: block.layers must be a table, got a string; write for example "
                "{ block = \"post_ln\", count = \"floor(L/4)\" }"},
        Mistake{"layers = [{ block = 3 }]",
                "1:21: block.layers.block must be a block's name or a table, got an integer"},
        Mistake{"layers = [{ block = 'pre_nl' }]",
                "1:21: expected a block's name, got 'pre_nl'; did you mean 'pre_ln'?"},
        Mistake{"layers = [{ block = 'mix_ln' }]",
                "1:21: expected a block with an equation, and this is itself a mix"},
        Mistake{"layers = [{ block = 'pre_ln', cuont = 1 }]",
                "1:31: unknown key block.layers.cuont; did you mean 'count'?"},
        Mistake{"layers = [{ block = 'pre_ln', count = true }]",
                "1:39: block.layers.count must be a number or an expression, got a boolean"},
        Mistake{"layers = [{ block = 'pre_ln' }]\ngain = { v = 1 }",
                "2:1: expected no gain beside layers; write it in the blocks that layers names"},
        Mistake{
            "equation = 'F(x)'\nencoder = { name = 'a' }",
            "2:13: unknown key block.encoder.name; known: equation, layers, start, finish, const, "
            "gain, init, param"},
        Mistake{"equation = 'F(x)'\nencoder = 3",
                "2:11: block.encoder must be a table, got 3; write [block.encoder] and its keys "
                "below"}));

TEST(BlockToml, RefusesAnEntryWithoutEquation) {
  EXPECT_EQ(refusal([] { read("finish = 'LN(x)'"); }),
            "blocks.toml: block.equation is missing; "
            "write for example equation = \"x + F(LN(x))\"");
}

TEST(BlockToml, TellsOfMisspeltKeysBeforeMissingOnes) {
  EXPECT_EQ(refusal([] { read("eqation = 'F(x)'"); }),
            "blocks.toml:1:1: unknown key block.eqation; did you mean 'equation'?");
  EXPECT_EQ(refusal([] { read("equation = 'g*F(x)'\nparam = { g = { intit = 1 } }"); }),
            "blocks.toml:2:17: unknown key block.param.g.intit; did you mean 'init'?");
  EXPECT_EQ(refusal([] { read("layers = [{ blok = 'pre_ln' }]"); }),
            "blocks.toml:1:13: unknown key block.layers.blok; did you mean 'block'?");
}

TEST(BlockToml, RefusesUnknownKeys) {
  EXPECT_EQ(refusal([] { read("equation = 'F(x)'\nfinsh = 'LN(x)'"); }),
            "blocks.toml:2:1: unknown key block.finsh; did you mean 'finish'?");
}

TEST(BlockToml, RefusesAnEquationThatIsNoString) {
  EXPECT_EQ(refusal([] { read("equation = 3"); }),
            "blocks.toml:1:12: block.equation must be a string, got 3");
}

}  // namespace
}  // namespace layerlab::equation
