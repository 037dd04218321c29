#include "config/run_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "config/keys.h"
#include "core/files.h"
#include "core/hash.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::config {
namespace {

RunConfig read(const std::string& text) {
  return read_run_config(parse_toml_text(text, "demo.toml"));
}

std::string reading(const std::string& text) {
  return refusal([&] { read(text); });
}

TEST(RunConfig, NothingWrittenMeansTheDefaults) {
  const RunConfig config = read("");
  EXPECT_EQ(config.task.name, "reverse");
  EXPECT_EQ(config.model.block, "pre_ln");
  EXPECT_EQ(config.block.equation.text, "x + F(LN(x))");
  EXPECT_EQ(config.train.steps, 400);
  EXPECT_EQ(config.probe.schedule, ProbeSchedule::kLog);
  EXPECT_EQ(config.seed, 1u);
}

TEST(RunConfig, ReadsWhatIsWritten) {
  const RunConfig config = read(
      "seed = 9007199254740993\n[task]\nname = 'copy'\nlength = 8\n"
      "[model]\nkind = 'decoder'\nactivation = 'gelu_tanh'\npositions = 'none'\n"
      "[train]\noptimizer = 'adamw'\nlr = 1\nbetas = [0, 0.5]\n[probe]\nschedule = 'off'\n");
  EXPECT_EQ(config.seed, 9007199254740993u);  // beyond what a double holds
  EXPECT_EQ(config.task.name, "copy");
  EXPECT_EQ(config.task.length, 8);
  EXPECT_EQ(config.model.kind, ModelKind::kDecoder);
  EXPECT_EQ(config.model.activation, Activation::kGeluTanh);
  EXPECT_EQ(config.model.positions, Positions::kNone);
  EXPECT_EQ(config.train.optimizer, OptimizerKind::kAdamW);
  EXPECT_EQ(config.train.lr, 1.0);
  EXPECT_EQ(config.train.betas, (std::array<double, 2>{0, 0.5}));
  EXPECT_EQ(config.probe.schedule, ProbeSchedule::kOff);
}

TEST(RunConfig, CanonicalTextReadsBackAsItself) {
  const std::string text = canonical_text(read(
      "seed = 3\n[train]\nlr = 0.1\n[probe]\nevery = 7\n"
      "[block]\nname = 'mine'\nequation = 'x + F(x)'\nsource = 'a \"b\"'\nsummary = \"a\\nb\"\n"));
  EXPECT_EQ(canonical_text(read(text)), text);
}

TEST(RunConfig, CanonicalTextWritesEveryKeyThatIsUsed) {
  const TomlNode root = parse_toml_text(
      canonical_text(
          read("[model]\ndepth = 2\n[block]\nequation = 'a*x + F(g*x)'\nfinish = 'LN(x)'\n"
               "const = { a = 2 }\ngain = { v = 2 }\ninit = { q = 1 }\n"
               "param = { g = { init = 1 } }\n"
               "encoder = { finish = '' }\ndecoder = { const = { a = 3 } }\n")),
      "");
  for (const std::string& key : run_keys()) {
    if (key == "model.finish") continue;  // the block says it
    if (key == "block.layers") continue;  // instead of an equation
    if (key.starts_with("task.") && !tasks::find_task("reverse").uses(key.substr(5))) continue;
    EXPECT_NE(find_path(root, key), nullptr) << key;
  }
}

TEST(RunConfig, EveryKeyChangesTheCell) {
  std::set<std::string> ids = {cell_id(read(""))};
  for (const char* text : {"seed = 2",
                           "task.name = 'copy'",
                           "task.length = 8",
                           "task.symbols = 8",
                           "task.train_fraction = 0.5",
                           "model.kind = 'decoder'",
                           "model.block = 'post_ln'",
                           "model.depth = 2",
                           "model.kind = 'encoder_decoder'",
                           "model.kind = 'encoder_decoder'\nmodel.decoder_depth = 2",
                           "model.width = 64",
                           "model.heads = 2",
                           "model.ff = 8",
                           "model.activation = 'gelu'",
                           "model.norm = 'rms_norm'",
                           "model.norm_eps = 1e-6",
                           "model.positions = 'none'",
                           "model.init = 'xavier_normal'",
                           "model.gated = true",
                           "model.attention_bias = false",
                           "model.ff_bias = false",
                           "model.norm_bias = false",
                           "model.embedding_norm = true",
                           "model.tied = true",
                           "model.finish = ''",
                           "train.optimizer = 'adamw'",
                           "train.optimizer = 'momentum'\ntrain.momentum = 0.5",
                           "train.lr = 1",
                           "train.betas = [0, 0]",
                           "train.eps = 0",
                           "train.weight_decay = 1",
                           "train.clip = 1",
                           "train.warmup = 1",
                           "train.warmup_shape = 'exponential'",
                           "train.schedule = 'cosine'",
                           "train.schedule = 'cosine'\ntrain.final_lr = 0.1",
                           "train.schedule = 'wsd'\ntrain.decay = 100",
                           "train.label_smoothing = 0.1",
                           "train.z_loss = 1e-4",
                           "train.steps = 1",
                           "train.batch = 1",
                           "train.accumulate = 2",
                           "train.dtype = 'float64'",
                           "train.checkpoint_every = 1",
                           "probe.schedule = 'off'",
                           "probe.preset = 'full'",
                           "probe.quantities = ['rms']",
                           "probe.sites = ['0/*']"}) {
    EXPECT_TRUE(ids.insert(cell_id(read(text))).second) << text;
  }
}

TEST(RunConfig, TheSameRunInOtherWordsIsTheSameCell) {
  EXPECT_EQ(cell_id(read("[train]\nlr = 3e-3\n")), cell_id(read("train.lr = 0.003")));
  EXPECT_EQ(cell_id(read("[block]\nname = 'mine'\nequation = 'x+F( LN(x) )'\nfinish = 'LN(x)'\n"
                         "summary = 'the same, spaced and named otherwise'")),
            cell_id(read("")));
}

// Whoever sees this fail has made every finished run of every user another one: see
// kDefaultsVersion.
TEST(RunConfig, KeepsItsCellFromVersionToVersion) {
  EXPECT_EQ(cell_id(read("")), "017c1095f4d6041f0933ffdfee380c38");
  EXPECT_EQ(cell_id(read("model.block = 'post_ln'\ntrain.warmup = 200")),
            "0ce07fafff0f11f46eb594a1d5c581ea");
}

TEST(RunConfig, ReplicasDifferOnlyInSeedAndTraining) {
  const std::string key = pack_key(read(""));
  EXPECT_EQ(pack_key(read("seed = 2\ntrain.lr = 1\ntrain.betas = [0, 0]\ntrain.warmup = 1\n"
                          "train.weight_decay = 1\ntrain.clip = 1")),
            key);
  EXPECT_EQ(pack_key(read("train.schedule = 'wsd'\ntrain.decay = 1\ntrain.final_lr = 0.1\n"
                          "train.warmup_shape = 'exponential'\ntrain.eps = 1")),
            key);
  EXPECT_EQ(pack_key(read("train.optimizer = 'momentum'\ntrain.momentum = 0.5")),
            pack_key(read("train.optimizer = 'momentum'")));
  EXPECT_NE(pack_key(read("train.optimizer = 'momentum'")), key);
  EXPECT_NE(pack_key(read("train.z_loss = 1")), key);
  EXPECT_NE(pack_key(read("model.block = 'post_ln'")), key);
  EXPECT_NE(pack_key(read("train.batch = 8")), key);
  EXPECT_NE(pack_key(read("train.steps = 8")), key);
}

TEST(RunConfig, OwnBlockNamesTheModel) {
  const RunConfig config = read("[block]\nname = 'mine'\nequation = 'x + F(x)'\n");
  EXPECT_EQ(config.model.block, "mine");
  EXPECT_EQ(config.block.name, "mine");
  EXPECT_EQ(config.block.equation.text, "x + F(x)");
  EXPECT_EQ(config.block.equation.place.text(), "demo.toml:3:13");
}

TEST(RunConfig, OwnBlockWithoutANameIsCustomOrWhatTheModelSays) {
  EXPECT_EQ(read("[block]\nequation = 'x + F(x)'").model.block, "custom");
  EXPECT_EQ(read("[model]\nblock = 'mine'\n[block]\nequation = 'x + F(x)'").block.name, "mine");
}

TEST(RunConfig, FinishOfTheModelReplacesTheBlocks) {
  EXPECT_EQ(read("model.finish = ''").block.finish.text, "");
  EXPECT_EQ(read("model.block = 'post_ln'\nmodel.finish = 'LN(x)'").block.finish.text, "LN(x)");
  EXPECT_EQ(read("[model]\nfinish = ''\n[block]\nequation = 'x + F(x)'\nfinish = 'LN(x)'")
                .block.finish.text,
            "");
  EXPECT_EQ(read("model.block = 'mix_ln'\nmodel.finish = ''").block.finish.text, "");
}

TEST(RunConfig, AReplacedFinishIsTheSameRunAsABlockThatHasIt) {
  EXPECT_EQ(cell_id(read("model.finish = ''")), cell_id(read("block.equation = 'x + F(LN(x))'")));
  EXPECT_NE(cell_id(read("model.finish = ''")), cell_id(read("")));
}

TEST(RunConfig, PlacesAReplacedFinishWhereItIsWritten) {
  EXPECT_EQ(reading("model.finish = 'LN(y)'"),
            "demo.toml:1:20: expected a known name, got 'y'; declare it under const or "
            "param");
}

TEST(RunConfig, EveryBlockOfTheCatalogueReadsBackWithoutTheCatalogue) {
  for (const equation::Block& block : equation::catalogue()) {
    const RunConfig config = read("model.block = '" + block.name + "'");
    const std::string text = canonical_text(config);
    const RunConfig again = read(text);
    EXPECT_EQ(canonical_text(again), text);
    EXPECT_EQ(cell_id(again), cell_id(config)) << block.name;
  }
}

TEST(RunConfig, TextsOfABlockChangeTheCellAndTheirSpacesDoNot) {
  const auto id = [](const std::string& more) {
    return cell_id(read("[block]\nequation = 'a*x + F(g*x)'\n" + more));
  };
  const std::string usual = "const = { a = '2*L' }\nparam = { g = { init = '1' } }\n";
  EXPECT_EQ(id("const = { a = '2 * L' }\nparam = { g = { init = 1 } }\n"), id(usual));
  EXPECT_EQ(id(usual + "source = 'paper'\n"), id(usual));
  EXPECT_NE(id("const = { a = '3*L' }\nparam = { g = { init = '1' } }\n"), id(usual));
  EXPECT_NE(id("const = { a = '2*L' }\nparam = { g = { init = '2' } }\n"), id(usual));
  EXPECT_NE(id(usual + "gain = { v = 2 }\n"), id(usual));
}

TEST(RunConfig, ReadsBooleansStrictly) {
  EXPECT_TRUE(read("model.gated = true").model.gated);
  EXPECT_FALSE(read("model.ff_bias = false").model.ff_bias);
  EXPECT_EQ(reading("model.gated = 1"),
            "demo.toml:1:15: model.gated must be true or false, got 1; write for example gated = "
            "false");
}

TEST(RunConfig, WarnsOfPowersThatDivide) {
  EXPECT_EQ(warnings(read("[block]\nequation = 'x + L^1/4*F(x)'")),
            std::vector<std::string>{"demo.toml:2:18: ^1/ divides, since powers come first; write "
                                     "^(1/…) for a root"});
}

TEST(RunConfig, EveryImpliesItsSchedule) {
  EXPECT_EQ(read("probe.every = 10").probe.schedule, ProbeSchedule::kEvery);
}

TEST(RunConfig, WarnsOfABlockThatTakesAnothersName) {
  const std::string named = "[block]\nname = 'pre_ln'\nequation = ";
  EXPECT_THAT(
      warnings(read(named + "'x + 0.5*F(LN(x))'")),
      testing::ElementsAre("[block] is named pre_ln as one of the catalogue, and is another: "
                           "runs train the one written here"));
  EXPECT_THAT(warnings(read(named + "'x+F(LN(x))'")), testing::IsEmpty());
  EXPECT_THAT(warnings(read("model.finish = ''")), testing::IsEmpty());
}

TEST(RunConfig, RefusesRotaryPositionsInHeadsOfOddWidth) {
  EXPECT_EQ(reading("[model]\npositions = 'rotary'\nwidth = 12\nheads = 4"),
            "demo.toml:2:13: model.positions = \"rotary\" turns pairs, and a head of model.width / "
            "model.heads = 3 values is odd; write for example heads = 4, width = 32");
}

TEST(RunConfig, WarnsWhenTheWarmupOutlastsTheRun) {
  EXPECT_TRUE(warnings(read("train.warmup = 400")).empty());
  EXPECT_EQ(warnings(read("train.warmup = 401")),
            std::vector<std::string>{"train.warmup = 401 is longer than train.steps = 400: "
                                     "the learning rate never reaches train.lr"});
}

TEST(RunConfig, RefusesHeadsThatDoNotDivideWidth) {
  EXPECT_EQ(reading("[model]\nwidth = 30\nheads = 4\n"),
            "demo.toml:3:9: model.heads = 4 must divide model.width = 30; "
            "write for example heads = 4, width = 32");
  EXPECT_EQ(reading("[model]\nwidth = 30\n"),
            "demo.toml:2:9: model.heads = 4 must divide model.width = 30; "
            "write for example heads = 4, width = 32");
}

TEST(RunConfig, RefusesPartsThatDoNotDivideABatch) {
  EXPECT_EQ(reading("train.accumulate = 3"),
            "demo.toml:1:20: train.accumulate = 3 must divide train.batch = 32; "
            "write for example accumulate = 4, batch = 32");
}

TEST(RunConfig, RefusesContradictingProbes) {
  EXPECT_EQ(reading("[probe]\nschedule = 'every'\n"),
            "demo.toml:2:12: probe.schedule = \"every\" needs probe.every; "
            "write for example every = 10");
  EXPECT_EQ(reading("[probe]\nschedule = 'off'\nevery = 10\n"),
            "demo.toml:3:9: probe.every has no meaning with probe.schedule = \"off\"; "
            "remove one of the two");
}

TEST(RunConfig, RefusesSettingsThatTheOptimizerDoesNotHave) {
  EXPECT_EQ(reading("[train]\noptimizer = 'sgd'\nmomentum = 0.5"),
            "demo.toml:3:12: train.momentum has no meaning with train.optimizer = \"sgd\"; "
            "remove one of the two");
  EXPECT_THAT(reading("[train]\noptimizer = 'momentum'\nbetas = [0.9, 0.99]"),
              testing::HasSubstr("train.betas has no meaning"));
  EXPECT_THAT(reading("[train]\noptimizer = 'lion'\neps = 1e-8"),
              testing::HasSubstr("train.eps has no meaning"));
  EXPECT_EQ(reading("[train]\noptimizer = 'momentum'\nmomentum = 0.5"), "");
  EXPECT_EQ(reading("[train]\noptimizer = 'lion'\nbetas = [0.9, 0.99]"), "");
}

TEST(RunConfig, RefusesSettingsThatTheScheduleDoesNotHave) {
  EXPECT_EQ(reading("[train]\nfinal_lr = 0.1"),
            "demo.toml:2:12: train.final_lr has no meaning with train.schedule = \"constant\"; "
            "remove one of the two");
  EXPECT_THAT(reading("[train]\nschedule = 'cosine'\ndecay = 10"),
              testing::HasSubstr("train.decay has no meaning"));
  EXPECT_THAT(reading("[train]\nschedule = 'noam'\nwarmup = 9\nwarmup_shape = 'exponential'"),
              testing::HasSubstr("train.warmup_shape has no meaning"));
  EXPECT_EQ(reading("[train]\nschedule = 'linear'\nfinal_lr = 0.1"), "");
}

TEST(RunConfig, WantsADecayOfWsdThatFits) {
  EXPECT_EQ(reading("train.schedule = 'wsd'"),
            "demo.toml:1:18: train.schedule = \"wsd\" needs train.decay; "
            "write for example decay = 100");
  EXPECT_EQ(reading("[train]\nschedule = 'wsd'\nwarmup = 200\ndecay = 201"),
            "demo.toml:4:9: train.warmup = 200 and train.decay = 201 are more than "
            "train.steps = 400; decay over fewer steps");
  EXPECT_EQ(reading("[train]\nschedule = 'wsd'\nwarmup = 200\ndecay = 200"), "");
}

TEST(RunConfig, RefusesABlockByAnotherNameThanTheModels) {
  EXPECT_EQ(reading("[model]\nblock = 'pre_ln'\n[block]\nname = 'mine'\nequation = 'F(x)'\n"),
            "demo.toml:2:9: model.block is \"pre_ln\", but [block] is named \"mine\"; "
            "give both the same name");
}

TEST(RunConfig, RefusesToReplaceABlockOfTheCatalogueSilently) {
  EXPECT_EQ(reading("[model]\nblock = 'pre_ln'\n[block]\nequation = 'F(x)'\n"),
            "demo.toml:3:2: [block] would replace pre_ln of the catalogue; "
            "write another model.block");
}

TEST(RunConfig, RefusesToChangeSingleKeysOfABlockOfTheCatalogue) {
  EXPECT_EQ(reading("[model]\nblock = 'deepnorm'\n[block]\nconst = { alpha = 3 }\n"),
            "demo.toml:2:9: [block] cannot change single keys of deepnorm of the catalogue; copy "
            "its lines from models/blocks.toml into [block], with a model.block of your own");
}

TEST(RunConfig, RefusesABrokenEquationWithACaretInTheUsersFile) {
  try {
    read("[block]\nequation = 'x + F(z)'\n");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.place().text(), "demo.toml:2:19");
    EXPECT_EQ(error.excerpt(), "  x + F(z)\n        ^");
  }
}

TEST(RunConfig, RefusesKeysThatStandInTheWrongTable) {
  EXPECT_EQ(reading("lr = 0.1"), "demo.toml:1:1: unknown key lr; did you mean 'train.lr'?");
  EXPECT_EQ(reading("[trian]\nlr = 0.1"),
            "demo.toml:1:2: unknown key trian; did you mean 'train'?");
  EXPECT_EQ(reading("[zzzzzzzz]"),
            "demo.toml:1:2: unknown key zzzzzzzz; docs/configuration.md lists all keys");
  EXPECT_EQ(reading("[train]\nlrr = 0.1"),
            "demo.toml:2:1: unknown key train.lrr; did you mean 'lr'?");
}

TEST(RunConfig, RefusesASectionThatIsNoTable) {
  EXPECT_EQ(reading("model = 'pre_ln'"),
            "demo.toml:1:9: model must be a table, got \"pre_ln\"; "
            "write [model] and its keys below");
}

TEST(RunConfig, RefusesNegativeSeeds) {
  EXPECT_EQ(reading("seed = -1"),
            "demo.toml:1:8: seed must be an integer of at least 0, got -1; "
            "write for example seed = 1");
}

TEST(RunConfig, RefusesUnknownTasksWithTheNearest) {
  EXPECT_THAT(reading("task.name = 'revers'"),
              testing::EndsWith("got \"revers\"; did you mean 'reverse'?"));
}

TEST(RunConfig, RefusesKeysThatTheTaskHasNoUseFor) {
  EXPECT_EQ(reading("[task]\nname = 'copy'\noperation = '*'\n"),
            "demo.toml:3:13: task.operation has no meaning with task.name = \"copy\"; remove it");
}

TEST(RunConfig, EveryKeyOfATaskChangesTheCell) {
  for (const auto& [task, key] : {std::pair("modular", "modulus = 7"),
                                  {"modular", "operation = '*'"},
                                  {"recall", "pairs = 3"},
                                  {"selective_copy", "items = 3"},
                                  {"addition", "digits = 2"},
                                  {"linear_regression", "dimensions = 2"}}) {
    const std::string plain =
        "model.kind = 'decoder'\n[task]\nname = '" + std::string(task) + "'\n";
    EXPECT_NE(cell_id(read(plain + key)), cell_id(read(plain))) << key;
  }
}

// A text and the run that learns it.
class RunOfAFile : public testing::Test {
 protected:
  RunConfig of(const std::string& name, const std::string& text) const {
    write_file_atomically(folder / name, text);
    return read(
        "model.kind = 'decoder'\n[task]\nname = 'text'\nlength = 2\ntrain_fraction = 0.5\n"
        "path = '" +
        (folder / name).string() + "'\n");
  }
  TemporaryFolder folder;
};

TEST_F(RunOfAFile, IsNamedByWhatTheFileHolds) {
  const RunConfig run = of("a.txt", "abcdefgh");
  EXPECT_EQ(run.task.content, hash_hex("abcdefgh"));
  EXPECT_EQ(cell_id(of("b.txt", "abcdefgh")), cell_id(run)) << "the same file elsewhere";
  EXPECT_NE(cell_id(of("a.txt", "abcdefgi")), cell_id(run));
}

TEST_F(RunOfAFile, ReadsBackWhereTheFileIsGone) {
  const RunConfig run = of("a.txt", "abcdefgh");
  std::filesystem::remove(folder / "a.txt");
  const RunConfig again = read(canonical_text(run));
  EXPECT_EQ(canonical_text(again), canonical_text(run));
  EXPECT_EQ(cell_id(again), cell_id(run));
}

TEST(RunConfig, RefusesTasksOfTooFewProblems) {
  EXPECT_EQ(reading("[task]\nname = 'copy'\nlength = 1\nsymbols = 2\n"),
            "demo.toml:2:8: task.name = \"copy\" has too few different problems to hold some out; "
            "enlarge task.length or task.symbols");
}

TEST(RunConfig, RefusesBetasOfOne) {
  EXPECT_EQ(reading("train.betas = [0.9, 1.0]"),
            "demo.toml:1:15: train.betas must be two numbers from 0 to below 1, got [0.9, 1.0]; "
            "write for example betas = [0.9, 0.98]");
}

}  // namespace
}  // namespace layerlab::config
