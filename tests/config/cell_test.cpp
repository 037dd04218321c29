// Which run is which: canonical texts, cells and packs.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "config/identity.h"
#include "config/keys.h"
#include "config/run_config_toml.h"
#include "core/files.h"
#include "core/hash.h"
#include "tasks/catalogue.h"
#include "tests/config/read_run.h"
#include "tests/support/temporary_folder.h"

namespace layerlab::config {
namespace {

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
  std::string listed;
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
                           "probe.sites = ['0/*']",
                           "probe.analyses = ['jacobian_sv']",
                           "probe.every = 7",
                           "model.dropout = 0.1",
                           "train.eval_every = 10",
                           "train.eval_batches = 2",
                           "train.eval_every = 20\ntrain.target_accuracy = 0.9"}) {
    EXPECT_TRUE(ids.insert(cell_id(read(text))).second) << text;
    listed += std::string(text) + "\n";
  }
  // None is forgotten. Those of other tasks have a test of their own, and so do those of files.
  for (const std::string& key : run_keys()) {
    const bool of_task =
        key.starts_with("task.") && !tasks::find_task("reverse").uses(key.substr(5));
    if (of_task || key.starts_with("block.") || key.starts_with("model.init_")) continue;
    EXPECT_NE(listed.find(key + " = "), std::string::npos) << key;
  }
}

TEST(RunConfig, TheSameRunInOtherWordsIsTheSameCell) {
  EXPECT_EQ(cell_id(read("[train]\nlr = 3e-3\n")), cell_id(read("train.lr = 0.003")));
  EXPECT_EQ(cell_id(read("[block]\nname = 'mine'\nequation = 'x+F( LN(x) )'\nfinish = 'LN(x)'\n"
                         "summary = 'the same, spaced and named otherwise'")),
            cell_id(read("")));
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

TEST(RunConfig, AReplacedFinishIsTheSameRunAsABlockThatHasIt) {
  EXPECT_EQ(cell_id(read("model.finish = ''")), cell_id(read("block.equation = 'x + F(LN(x))'")));
  EXPECT_NE(cell_id(read("model.finish = ''")), cell_id(read("")));
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

}  // namespace
}  // namespace layerlab::config
