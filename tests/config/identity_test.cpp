// Names of runs, which outlive the program.

#include "config/identity.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "config/keys.h"
#include "config/run_config_toml.h"
#include "core/table_reader.h"
#include "tests/config/read_run.h"

namespace layerlab::config {
namespace {

struct NamedRun {
  const char* settings;
  const char* id;
};

// As commit 08cf1ab named them.
constexpr NamedRun kNamedRuns[] = {
    {"", "017c1095f4d6041f0933ffdfee380c38"},
    {"seed = 2", "b6164423d062b16d0787b331f5acfda9"},
    {"seed = 9223372036854775807", "a565c0bb97ad7a4afd9df432edd13744"},
    {"task.length = 8\ntask.symbols = 8\ntask.train_fraction = 0.5",
     "61a9b2e407f591cd0c34749799cbc54d"},
    {"task.name = 'addition'\ntask.digits = 2\nmodel.kind = 'decoder'",
     "53a9bf0337d9192cfff9f25a54b614ec"},
    {"task.name = 'modular'\ntask.operation = '*'\ntask.modulus = 7\nmodel.kind = 'decoder'",
     "741c26af9ed808c4594f82bfea0853bf"},
    {"task.name = 'recall'\ntask.pairs = 3\nmodel.kind = 'decoder'",
     "91c225cd80a82e291ed3e337d52138ee"},
    {"task.name = 'selective_copy'\ntask.items = 3\nmodel.kind = 'decoder'",
     "4d0bff800c429df0644b8c1b8ce6386c"},
    {"task.name = 'linear_regression'\ntask.dimensions = 2\nmodel.kind = 'decoder'",
     "37ad0bbe448213e892952a572ffcefd4"},
    {"task.name = 'text'\ntask.path = 'a.txt'\ntask.content = 'ab'\nmodel.kind = 'decoder'",
     "4020d4fa3650aaea4f835a231902f11a"},
    {"task.name = 'pairs'\ntask.unit = 'word'\ntask.content = 'ab'",
     "337a8e820754be35fd4be4b1aa53aff8"},
    {"model.block = 'post_ln'\ntrain.warmup = 200", "0ce07fafff0f11f46eb594a1d5c581ea"},
    {"model.block = 'deepnorm'\nmodel.kind = 'encoder_decoder'\nmodel.decoder_depth = 2",
     "ee782e3a30e25199a9204d14da70fac7"},
    {"model.block = 'mix_ln'", "00db428368af3597efcef36da991e310"},
    {"model.block = 'resi_dual'\nmodel.depth = 2\nmodel.finish = ''",
     "c86e2a32e6f9cfd58826ac3b942a85ba"},
    {"model.width = 64\nmodel.heads = 2\nmodel.ff = 8\nmodel.gated = true",
     "92e0e32e8176ceec19d06d3c9756bd01"},
    {"model.activation = 'gelu'\nmodel.norm = 'rms_norm'\nmodel.norm_eps = 1e-6",
     "6cfc5473faae52e09ad7704303fa5625"},
    {"model.attention_bias = false\nmodel.ff_bias = false\nmodel.norm_bias = false",
     "06e6105736f75a30e6e66c5999d9f020"},
    {"model.positions = 'rotary'\nmodel.embedding_norm = true\nmodel.tied = true",
     "e4bdfc6becfde7d4f68940e0455a4767"},
    {"model.init = 'fairseq'\nmodel.dropout = 0.1", "dc54fadb9525e43c3336be02cf92bb2a"},
    {"model.init_from = 'a.safetensors'\nmodel.init_content = 'ab'",
     "a942468cab36d2bb29f7916f7293736f"},
    {"model.init_from = 'cell:017c1095f4d6041f0933ffdfee380c38'",
     "871afba4a1e0503d828dce900d074547"},
    {"train.optimizer = 'adamw'\ntrain.lr = 1\ntrain.betas = [0, 0.5]\ntrain.eps = 0\n"
     "train.weight_decay = 1\ntrain.clip = 1",
     "eccbc76801650ee48ec1006da5e0c799"},
    {"train.optimizer = 'momentum'\ntrain.momentum = 0.5\ntrain.warmup_shape = 'exponential'",
     "b2aeab43ec8a0d1f2f8c1d8ddd134dbf"},
    {"train.schedule = 'wsd'\ntrain.decay = 100\ntrain.final_lr = 0.1",
     "8a4028cabfef2983fa304a2883da8db7"},
    {"train.label_smoothing = 0.1\ntrain.z_loss = 1e-4\ntrain.accumulate = 2",
     "8ec566e4f42f7775e32152d3118fce4c"},
    {"train.steps = 7\ntrain.batch = 4\ntrain.dtype = 'bfloat16'\ntrain.checkpoint_every = 3",
     "56d2b36a9abcb125421f4f2b10632fc2"},
    {"train.eval_every = 20\ntrain.eval_batches = 2\ntrain.target_accuracy = 0.9",
     "d7d7b22e5e22d24024b535006a1ed45f"},
    {"probe.preset = 'full'\nprobe.every = 7\nprobe.sites = ['0/*']\nprobe.quantities = 'rms'\n"
     "probe.analyses = ['jacobian_sv', 'sharpness']",
     "bb0fe8ee5f0c50d503c23592b6758887"},
    {"probe.schedule = 'off'", "5448d88261e77b48af63dc183346fe7b"},
    {"[block]\nequation = 'LN(a * x + g*F(x))'\nconst = { a = '(2*L)^(1/4)', b = 'a' }\n"
     "gain = { v = 0.5, attn.o = 'b' }\ninit = { q = 0.1 }\n"
     "param = { g = { shape = 'vector', scope = 'block', init = '1' } }",
     "4943560ab812701346263cbe519c3403"},
    {"[block]\nequation = 'LN(x + F(x))'\n"
     "encoder = { equation = 'x + F(LN(x))' }\ndecoder = { finish = 'LN(x)' }\n"
     "[model]\nkind = 'encoder_decoder'",
     "dc0f8b0044f09ecfc908988dc5c0fe15"},
    {"[block]\nlayers = [{ block = 'post_ln', count = 'floor(L/4)' }, { block = 'pre_ln' }]",
     "00db428368af3597efcef36da991e310"},
};

TEST(Identity, StaysFromVersionToVersion) {
  for (const NamedRun& run : kNamedRuns) {
    EXPECT_EQ(cell_id(read(run.settings)), run.id) << run.settings;
  }
}

TEST(Identity, HasADefaultForEveryKey) {
  for (const std::string& key : run_keys()) {
    if (key.starts_with("block.")) continue;  // a block's keys may be absent
    EXPECT_NE(find_path(identity_defaults().tree, key), nullptr)
        << key << " is new: add it to src/config/defaults.toml with its default";
  }
}

IdentityDefaults with(const std::string& key, const TomlNode& value) {
  IdentityDefaults defaults = identity_defaults();
  set_path(defaults.tree, key, value);
  return defaults;
}

TEST(Identity, IsKeptWhenAKeyIsAdded) {
  const TomlNode before = to_tree(read("train.lr = 1"));
  TomlNode usual = before, other = before;
  set_path(usual, "train.ema", to_node(0.0));
  set_path(other, "train.ema", to_node(0.9));
  const IdentityDefaults later = with("train.ema", to_node(0.0));
  EXPECT_EQ(id_of(usual, later), id_of(before, identity_defaults()));
  EXPECT_NE(id_of(other, later), id_of(usual, later));
}

TEST(Identity, IsKeptWhenKeysAreListedInAnotherOrder) {
  TomlNode tree = to_tree(read("train.lr = 1\ntrain.clip = 2\nmodel.depth = 2"));
  const std::string id = id_of(tree, identity_defaults());
  auto& tables = std::get<TomlNode::Table>(tree.value);
  std::ranges::reverse(tables);
  for (auto& [name, table] : tables) {
    if (table.is_table()) std::ranges::reverse(std::get<TomlNode::Table>(table.value));
  }
  EXPECT_EQ(id_of(tree, identity_defaults()), id);
}

// The program's default becomes 0.001; the set of defaults stays as it is.
TEST(Identity, TellsRunsOfAChangedDefaultFromEarlierOnes) {
  const RunConfig earlier = read("");
  RunConfig later = earlier;
  later.train.lr = 0.001;
  EXPECT_NE(cell_id(later), cell_id(earlier));
  EXPECT_EQ(cell_id(read("train.lr = 0.003")), cell_id(earlier));
  EXPECT_EQ(cell_id(read("train.lr = 0.001")), cell_id(later));
}

TEST(Identity, DoesNotDependOnWhereFilesLie) {
  const std::string text = "model.kind = 'decoder'\ntask.name = 'text'\ntask.content = 'ab'\n";
  EXPECT_EQ(cell_id(read(text + "task.path = 'a/x.txt'")), cell_id(read(text)));
  const std::string weights = "model.init_content = 'ab'\nmodel.init_from = ";
  EXPECT_EQ(cell_id(read(weights + "'a'")), cell_id(read(weights + "'b'")));
}

TEST(Identity, StoredRunsReadWithTheDefaultsOfTheirTime) {
  EXPECT_EQ(cell_id(read_stored_run(parse_toml_text("", ""))), cell_id(read("")));
  const std::string text = canonical_text(read("model.block = 'post_ln'\ntrain.clip = 1"));
  EXPECT_EQ(canonical_text(read_stored_run(parse_toml_text(text, ""))), text);
}

}  // namespace
}  // namespace layerlab::config
