#include "conform/fixture.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "config/model_parts.h"
#include "config/run_config_toml.h"
#include "config/validate.h"
#include "conform/check.h"
#include "conform/tensor_names.h"
#include "equation/context.h"
#include "equation/lexer.h"

namespace layerlab::conform {
namespace {

using equation::Token;
using Names = std::vector<std::pair<std::string, std::string>>;  // of norms: LN, RMS(offset=1)

// The ")" that belongs to the "(" at tokens[open].
std::size_t closing(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].is('(')) ++depth;
    if (tokens[i].is(')') && --depth == 0) return i;
  }
  return tokens.size() - 1;
}

// The text with each norm `from` called `to`, with the options of `to` added. A suffix stays, as
// in LN_out.
void rename(equation::Source& source, const std::string& from, const std::string& to) {
  const std::size_t open = std::min(to.find('('), to.size());
  const std::string kind = to.substr(0, open);
  const std::string options = open == to.size() ? "" : to.substr(open + 1, to.size() - open - 2);
  const std::vector<Token> tokens = equation::lex(source);
  std::map<std::size_t, std::pair<std::size_t, std::string>> edits;  // begin: length and new text
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::kName || equation::split_suffix(token.text).first != from) {
      continue;
    }
    edits[token.begin] = {from.size(), kind};
    if (options.empty()) continue;
    const bool called = tokens[i + 1].is('(');  // else a bare name: mid_norm=LN
    const std::size_t end =
        called ? tokens[closing(tokens, i + 1)].begin : token.begin + token.text.size();
    edits[end] = {0, called ? ", " + options : "(" + options + ")"};
  }
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    source.text.replace(edit->first, edit->second.first, edit->second.second);
  }
}

equation::Block renamed(equation::Block block, const Names& names) {
  for (const auto& [from, to] : names) {
    for (equation::Source* source : {&block.equation, &block.start, &block.finish}) {
      rename(*source, from, to);
    }
  }
  const auto inside = [&](std::shared_ptr<const equation::Block>& other) {
    if (other) other = std::make_shared<equation::Block>(renamed(*other, names));
  };
  inside(block.encoder);
  inside(block.decoder);
  for (equation::Layers& layers : block.layers) inside(layers.block);
  return block;
}

class FixtureMaker {
 public:
  FixtureMaker(const record::SafeTensors& file, const std::filesystem::path& path)
      : file_(file), place_{path.string()} {}

  Fixture make(const TomlNode& description) {
    check_tensors(file_, place_);
    const config::ModelConfig model = read_model(description);
    equation::Block block = renamed(block_, names(description));
    Fixture fixture;
    fixture.embeds = file_.tensors.contains("input_ids");
    if (has_parameter([](const std::string& name) { return name.starts_with("enc."); })) {
      fixture.encoder = side("enc.", model, on_side(block, equation::Side::kEncoder));
      fixture.encoder->model.kind = config::ModelKind::kEncoder;
      fixture.main = side("dec.", model, on_side(block, equation::Side::kDecoder));
      for (StackFixture* side : {&*fixture.encoder, &fixture.main}) {
        side->sizes.encoder_depth = fixture.encoder->model.depth;
        side->sizes.decoder_depth = fixture.main.model.depth;
      }
      equation::compile(fixture.encoder->block, fixture.encoder->sizes);
    } else {
      fixture.main = side("", model, std::move(block));
    }
    equation::compile(fixture.main.block, fixture.main.sizes);
    return fixture;
  }

 private:
  bool has_parameter(const std::function<bool(const std::string&)>& matches) const {
    return std::ranges::any_of(file_.tensors, [&](const auto& entry) {
      return is_parameter(entry.first) && std::ranges::any_of(our_names(entry.first), matches);
    });
  }

  // The run that has this model and block; all but sizes is checked there.
  config::ModelConfig read_model(const TomlNode& description) {
    TomlNode root = description;
    erase_path(root, "names");
    if (find_path(root, "model.heads") == nullptr) {
      throw UserError(place_, "expected metadata `heads`", "the tensors do not tell their number");
    }
    check_heads(*find_path(root, "model.heads"));
    set_size(root, "model.width", width());
    set_size(root, "model.ff", ff());
    if (!has_parameter([](const std::string& name) { return name.starts_with("enc."); })) {
      set_size(root, "model.depth", depth(""));
    }
    const config::RunConfig run = config::read_run_config(root);
    config::validate(root, run);
    block_ = run.block;
    return run.model;
  }

  void check_heads(const TomlNode& heads) const {
    const auto* number = std::get_if<std::int64_t>(&heads.value);
    if (number == nullptr || *number < 1 || width() % *number == 0) return;
    throw UserError(heads.place, "expected heads to divide the width " + std::to_string(width()) +
                                     " of the tensors, got " + std::to_string(*number));
  }

  // A size that the tensors tell; where the description tells it too, they have to agree.
  void set_size(TomlNode& root, const std::string& key, std::int64_t size) const {
    if (const TomlNode* said = find_path(root, key)) {
      if (same_value(*said, TomlNode{size, {}, {}, {}})) return;
      throw UserError(said->place,
                      key + " is " + to_toml_value(*said) + ", but " + place_.file + " has " +
                          std::to_string(size),
                      "leave it out");
    }
    set_path(root, key, {size, place_, place_, place_});
  }

  std::int64_t width() const {
    if (const auto input = file_.tensors.find("input"); input != file_.tensors.end()) {
      return input->second.shape.back();
    }
    const auto embedding = std::ranges::find_if(file_.tensors, [](const auto& entry) {
      return our_names(entry.first).front() == "embedding.token";
    });
    if (embedding == file_.tensors.end() || embedding->second.shape.size() != 2) {
      throw UserError(place_, "expected embed.token.weight of shape [V, D] beside input_ids");
    }
    return embedding->second.shape.back();
  }

  std::int64_t ff() const {
    for (const auto& [name, data] : file_.tensors) {
      if (is_parameter(name) && name.ends_with("ff.up.weight") && data.shape.size() == 2) {
        return data.shape[0];
      }
    }
    throw UserError(place_, "expected a tensor blocks.0.ff.up.weight of shape [ff, D]");
  }

  std::int64_t depth(const std::string& prefix) const {
    std::set<std::string> layers;
    const std::string begin = prefix + "blocks.";
    for (const auto& [name, data] : file_.tensors) {
      if (!name.starts_with(begin)) continue;
      layers.insert(name.substr(begin.size(), name.find('.', begin.size()) - begin.size()));
    }
    if (layers.empty()) {
      throw UserError(place_, "expected parameters named " + begin + "0.attn.q.weight and so on");
    }
    return static_cast<std::int64_t>(layers.size());
  }

  static Names names(const TomlNode& description) {
    Names result;
    if (const TomlNode* names = description.find("names")) {
      for (const auto& [from, to] : std::get<TomlNode::Table>(names->value)) {
        result.emplace_back(from, std::get<std::string>(to.value));
      }
    }
    return result;
  }

  StackFixture side(const std::string& prefix, config::ModelConfig model,
                    equation::Block block) const {
    const auto any = [&](const char* sublayer, const char* end) {
      return has_parameter([&](const std::string& name) {
        return name.starts_with(prefix) && name.find(sublayer) != std::string::npos &&
               name.ends_with(end);
      });
    };
    model.depth = static_cast<int>(depth(prefix));
    model.gated = any(".ff", ".gate.weight");
    model.attention_bias = any(".attn", ".o.bias");
    model.ff_bias = any(".ff", ".down.bias");
    model.norm_bias = any("norm", ".bias");
    StackFixture result{prefix, model, config::sizes_of(model), std::move(block)};
    result.sizes.cross = any(".cross", ".q.weight");
    return result;
  }

  const record::SafeTensors& file_;
  Place place_;
  equation::Block block_;
};

}  // namespace

Fixture make_fixture(const TomlNode& description, const record::SafeTensors& file,
                     const std::filesystem::path& path) {
  return FixtureMaker(file, path).make(description);
}

}  // namespace layerlab::conform
