#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "core/names.h"
#include "equation/expression.h"
#include "equation/functions.h"
#include "equation/initial.h"
#include "equation/program.h"
#include "equation/sublayers.h"
#include "equation/unused.h"

namespace layerlab::equation {
namespace {

// Roles of sites, which a name of the equation's own would be taken for.
const std::set<std::string> kRoles = {"in", "out", "branch", "sum", "branch_in", "norm"};

std::vector<Statement> checked(const Source& source) {
  std::vector<Statement> statements = parse(source);
  for (const Statement& statement : statements) check_functions(source, statement.value);
  return statements;
}

// One kind of block, and the text it was compiled from.
struct Kind {
  const Block* block;
  std::vector<Statement> statements;
  std::vector<Sublayer> sublayers;
  Scalars scalars;
};

class StackCompiler {
 public:
  StackCompiler(const Block& block, const Sizes& sizes)
      : block_(block), sizes_(sizes), builder_({sizes.width}) {}

  Program run() {
    choose_kinds();
    Kind& first = *kind_of_.front();
    const Context input{&block_.start, first.block, -1, "embedding"};
    if (const auto gain = initial_embedding(first.block->gain, first.scalars)) {
      builder_.program.embedding_gain = *gain;
    }
    builder_.program.embedding_deviation = initial_embedding(first.block->deviation, first.scalars);
    names_.values["x"] = 0;
    names_.streams = {"x"};
    builder_.site(0, input.site("embedding", "out"), true);
    for (const Statement& statement : checked(block_.start)) {
      names_.streams.insert(statement.target);  // every target of `start` is a stream
      assign(statement, input, first);
      if (main_ == "x" && !assigns_x(first.statements)) main_ = statement.target;
    }

    for (int layer = 0; layer < sizes_.depth; ++layer) {
      begin_block();
      run_block(*kind_of_[layer], layer);
    }
    begin_block();

    Kind& last = *kind_of_.back();
    const Context output{&block_.finish, last.block, -1, "finish"};
    builder_.site(names_.values.at(main_), output.site("finish", "in"), true);
    const std::vector<Statement> statements = checked(block_.finish);
    if (main_ != "x" && !assigns_x(statements)) {
      fail(statements.empty() ? kind_of_.back()->block->equation : block_.finish, 0,
           "expected finish to make x of " + main_, "write for example finish = \"LN(y)\"");
    }
    for (const Statement& statement : statements) assign(statement, output, last);
    end_locals(output);
    builder_.site(names_.values.at("x"), output.site("finish", "out"), true);
    return builder_.finish(names_.values.at("x"));
  }

 private:
  void choose_kinds() {
    const auto add = [&](const Block& block) {
      std::vector<Statement> statements = checked(block.equation);
      auto kind =
          std::make_unique<Kind>(Kind{&block, std::move(statements), {}, Scalars(block.constants)});
      check_initial(block, sublayers(block.equation, kind->statements, /*cross=*/true));
      refuse_unused(block, block_.finish);
      kind->sublayers = sublayers(block.equation, kind->statements, sizes_.cross);
      if (sizes_.cross && std::ranges::find(kind->sublayers, BranchType::kCross,
                                            &Sublayer::branch) == kind->sublayers.end()) {
        fail(block.equation, 0, "expected a branch C, since there is a memory to read",
             "add for example h = h + C(LN(h)), which is left out where there is none");
      }
      set_sizes(sizes_, kind->scalars);
      kinds_.push_back(std::move(kind));
      return kinds_.back().get();
    };
    if (block_.layers.empty()) {
      kind_of_.assign(sizes_.depth, add(block_));
    }
    for (const Layers& layers : block_.layers) {
      Kind* kind = add(*layers.block);
      if (targets(layers.block->start) != targets(block_.start)) {
        throw UserError(layers.count.place, "expected blocks of one stack to have the same streams",
                        "give them the same `start`");
      }
      const int left = sizes_.depth - static_cast<int>(kind_of_.size());
      double count = left;
      if (!layers.count.text.empty()) count = kind->scalars.evaluate(layers.count);
      if (!(count >= 0 && count == std::floor(count))) {
        fail(layers.count, 0, "expected a whole number of blocks, got " + std::to_string(count),
             "floor(L/4) rounds down");
      }
      kind_of_.insert(kind_of_.end(), std::min(left, static_cast<int>(std::min(count, 1e6))), kind);
    }
    if (static_cast<int>(kind_of_.size()) < sizes_.depth) {
      throw UserError(block_.layers.back().count.place,
                      "expected counts for all " + std::to_string(sizes_.depth) + " blocks",
                      "leave out the last count, which then takes all that remain");
    }
    for (int layer = 0; layer < sizes_.depth; ++layer) {
      first_sublayer_.push_back(total_sublayers_);
      total_sublayers_ += static_cast<int>(kind_of_[layer]->sublayers.size());
    }
    for (const auto& kind : kinds_) kind->scalars.set("S", total_sublayers_);
  }

  static std::set<std::string> targets(const Source& start) {
    std::set<std::string> result;
    for (const Statement& statement : parse(start)) result.insert(statement.target);
    return result;
  }

  static bool assigns_x(const std::vector<Statement>& statements) {
    return std::ranges::find(statements, "x", &Statement::target) != statements.end();
  }

  void begin_block() {
    BlockBegin begin{static_cast<int>(builder_.program.instructions.size()), {}};
    for (const std::string& stream : names_.streams) {
      begin.streams[stream] = names_.values.at(stream);
    }
    builder_.program.block_begins.push_back(std::move(begin));
  }

  void run_block(Kind& kind, int layer) {
    kind.scalars.set("l", layer + 1);
    stream_ = names_.values.at(main_);
    for (std::size_t i = 0; i < kind.sublayers.size(); ++i) {
      kind.scalars.set("s", first_sublayer_[layer] + static_cast<int>(i) + 1);
      run_sublayer(kind, kind.sublayers[i], layer);
    }
    kind.scalars.forget("l");
    kind.scalars.forget("s");
  }

  void run_sublayer(Kind& kind, const Sublayer& part, int layer) {
    const Context context{&kind.block->equation, kind.block, layer, part.name};
    builder_.site(stream_, context.site(part.name, "in"), true);
    Branch branch;
    branch.type = part.branch;
    branch.name = "blocks." + std::to_string(layer) + "." + part.name;
    branch.gain = initial(kind.block->gain, part, kind.scalars);
    branch.deviation = initial(kind.block->deviation, part, kind.scalars);
    names_.branches[part.name] = static_cast<int>(builder_.program.branches.size());
    builder_.program.branches.push_back(std::move(branch));

    int out = -1;
    bool assigned = false;  // the main stream
    for (const Statement* statement : part.statements) {
      const int value = assign(*statement, context, kind);
      if (!assigned || statement->target == main_) out = value;
      assigned = assigned || statement->target == main_;
    }
    refuse_name_of_branch(kind, builder_.program.branches[names_.branches[part.name]]);
    if (out >= 0) {  // else parallel branches: the statement belongs to the other sub-layer
      builder_.site(out, context.site(part.name, "out"), true);
      stream_ = out;
    }
    if (part.ends_locals) end_locals(context);
  }

  // A learned tensor of the equation's own must not take the name of the branch's.
  void refuse_name_of_branch(const Kind& kind, const Branch& branch) {
    if (branch.head_scale == HeadScale::kNone) return;
    const auto& own = kind.block->parameters;
    const auto entry = std::ranges::find(own, "head_scale", &ParameterEntry::name);
    if (entry == own.end() || !names_.parameters.contains(branch.name + ".head_scale")) return;
    throw UserError(entry->place, "expected a free name, and head_scale is the branch's own scale",
                    "take another, for example scale");
  }

  // Runs one statement and returns the register of its value.
  int assign(const Statement& statement, const Context& context, Kind& kind) {
    const std::string& target = statement.target;
    const std::string stem = split_suffix(target).first;
    const auto& functions = function_names();
    if (kRoles.contains(target) || stem == "norm" || is_size_name(target) || norm_type(target) ||
        std::find(functions.begin(), functions.end(), stem) != functions.end()) {
      fail(*context.source, statement.begin,
           "expected a free name, and " + target + " has a meaning", "take another, for example h");
    }
    const auto same_name = [&](const auto& entry) { return entry.name == target; };
    if (std::ranges::any_of(kind.block->constants, same_name) ||
        std::ranges::any_of(kind.block->parameters, same_name)) {
      fail(*context.source, statement.begin,
           "expected a free name, and " + target + " is declared under const or param");
    }
    ExpressionCompiler compiler(builder_, names_, kind.scalars, sizes_);
    Value value = compiler.compile(statement.value, context);
    if (!value.is_tensor()) {
      fail(*context.source, statement.value.begin, "expected a tensor, got a number",
           "an equation works on x, for example x + F(LN(x))");
    }
    const Shape shape = builder_.shape(value.reg);
    // Outside the blocks `start` may make a stream anew.
    const auto before = names_.values.find(target);
    const bool stream = target == "x" || (names_.streams.contains(target) && context.in_block());
    const Shape usual =
        target == "x" || !stream ? Shape{sizes_.width} : builder_.shape(before->second);
    if (stream && shape != usual) {
      fail(*context.source, statement.value.begin,
           "expected " + to_text(usual) + " for " + target + ", got " + to_text(shape));
    }
    // A stream that begins as x is a value of its own all the same, with a gradient of its own.
    const bool copies = !context.in_block() && target != "x" && names_.streams.contains(target) &&
                        value.reg == names_.values.at("x");
    if (copies) value.reg = builder_.emit(Op::kScale, {value.reg}, shape, -1, 1);
    if (target != "x") {
      if (!named_.insert({context.layer, context.sublayer, target}).second) {
        fail(*context.source, statement.begin,
             "expected one value of " + target + " in a sub-layer",
             "use another name for the second");
      }
      if (shape == Shape{sizes_.width}) {
        builder_.site(value.reg, context.site(context.sublayer, target),
                      names_.streams.contains(target));
      }
    }
    if (!names_.streams.contains(target)) names_.unread[target] = statement.begin;
    names_.values[target] = value.reg;
    return value.reg;
  }

  void end_locals(const Context& context) {
    if (!names_.unread.empty()) {
      const auto& [name, begin] = *names_.unread.begin();
      fail(*context.source, begin, "expected " + name + " to be used",
           "use it, or remove the statement");
    }
    std::erase_if(names_.values,
                  [&](const auto& entry) { return !names_.streams.contains(entry.first); });
  }

  const Block& block_;
  Sizes sizes_;
  Builder builder_;
  Environment names_;
  std::vector<std::unique_ptr<Kind>> kinds_;
  std::vector<Kind*> kind_of_;       // by layer
  std::vector<int> first_sublayer_;  // by layer: how many are below
  int total_sublayers_ = 0;
  std::set<std::tuple<int, std::string, std::string>> named_;  // (layer, sub-layer, target)
  std::string main_ = "x";  // the stream that sites follow: x, or the first of `start`
  int stream_ = 0;          // what the last sub-layer left of it
};

}  // namespace

Program compile(const Block& block, const Sizes& sizes) {
  return StackCompiler(block, sizes).run();
}

}  // namespace layerlab::equation
