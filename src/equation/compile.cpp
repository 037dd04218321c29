#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "core/names.h"
#include "equation/declarations.h"
#include "equation/expression.h"
#include "equation/functions.h"
#include "equation/initial.h"
#include "equation/program.h"
#include "equation/program_text.h"
#include "equation/sublayers.h"

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
    initial_embedding(*first.block, first.scalars, builder_.program);
    names_.values["x"] = 0;
    names_.streams = {"x"};
    builder_.site(0, input.site("embedding", "out"), true);
    for (const Statement& statement : checked(block_.start)) {
      names_.streams.insert(statement.target);  // every target of `start` is a stream
      assign(statement, input, first);
      if (statement.target != "x") started_[statement.target] = statement.begin;
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
      const bool several = builder_.shape(names_.values.at(main_)).size() > 1;
      fail(statements.empty() ? kind_of_.back()->block->equation : block_.finish, 0,
           "expected finish to make x of " + main_,
           "write for example finish = \"" +
               (several ? "LN(sum(" + main_ + "))" : "LN(" + main_ + ")") + "\"");
    }
    for (const Statement& statement : statements) assign(statement, output, last);
    end_locals(output);
    builder_.site(names_.values.at("x"), output.site("finish", "out"), true);
    for (const auto& kind : kinds_) refuse_unused(*kind->block, block_.finish);
    for (const auto& [stream, begin] : started_) {
      if (names_.read.contains(stream)) continue;
      fail(block_.start, begin, "expected " + stream + " to be used",
           "read it in the equation or in finish, or remove the statement");
    }
    return builder_.finish(names_.values.at("x"));
  }

 private:
  void choose_kinds() {
    const auto add = [&](const Block& block) {
      refuse_taken_names(block);
      std::vector<Statement> statements = checked(block.equation);
      auto kind =
          std::make_unique<Kind>(Kind{&block, std::move(statements), {}, Scalars(block.constants)});
      check_initial(block, sublayers(block.equation, kind->statements, /*cross=*/true));
      kind->sublayers = sublayers(block.equation, kind->statements, sizes_.cross);
      if (sizes_.cross && std::ranges::find(kind->sublayers, BranchType::kCross,
                                            &Sublayer::branch) == kind->sublayers.end()) {
        const std::string& h = kind->statements.front().target;
        fail(block.equation, 0, "expected a branch C, since there is a memory to read",
             "add for example " + h + " = " + h + " + C(LN(" + h +
                 ")), which is left out where there is none");
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
      const bool open = layers.count.text.empty();
      if (open && &layers != &block_.layers.back()) {
        throw UserError(layers.count.place, "expected a count, since other blocks follow",
                        "only the last may leave it out");
      }
      const double count = open ? left : kind->scalars.evaluate(layers.count);
      if (!(count >= 0 && count == std::floor(count))) {
        fail(layers.count, 0, "expected a whole number of blocks, got " + number_text(count),
             "floor(L/4) rounds down");
      }
      if (count > left) {
        fail(layers.count, 0,
             "expected at most " + std::to_string(left) + " of " + std::to_string(sizes_.depth) +
                 " blocks here, got " + number_text(count),
             "write for example min(4, L)");
      }
      kind_of_.insert(kind_of_.end(), static_cast<int>(count), kind);
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
    builder_.flow.begin(stream_);
    for (std::size_t i = 0; i < kind.sublayers.size(); ++i) {
      kind.scalars.set("s", first_sublayer_[layer] + static_cast<int>(i) + 1);
      run_sublayer(kind, i, layer);
    }
    kind.scalars.forget("l");
    kind.scalars.forget("s");
  }

  void run_sublayer(Kind& kind, std::size_t number, int layer) {
    const Sublayer& part = kind.sublayers[number];
    const Context context{&kind.block->equation, kind.block, layer, part.name};
    builder_.site(stream_, context.site(part.name, "in"), true);
    Branch branch;
    branch.type = part.branch;
    branch.name = "blocks." + std::to_string(layer) + "." + part.name;
    const InitialWeights weights = initial(*kind.block, part, kind.scalars);
    branch.gain = weights.gain;
    branch.deviation = weights.deviation;
    names_.branches[part.name] = static_cast<int>(builder_.program.branches.size());
    builder_.program.branches.push_back(std::move(branch));

    int out = -1;
    bool assigned = false;  // the main stream
    for (const Statement* statement : part.statements) {
      const int value = assign(*statement, context, kind);
      const bool main = statement->target == main_;
      if (main || (!assigned && leaves(value, kind, number))) out = value;
      assigned = assigned || main;
    }
    refuse_name_of_branch(kind, builder_.program.branches[names_.branches[part.name]]);
    refuse_idle_profile(kind, context);
    if (out >= 0) {  // else parallel branches: they join in another sub-layer
      builder_.site(out, context.site(part.name, "out"), true);
      stream_ = out;
    }
    if (part.ends_locals) end_locals(context);
  }

  // Whether a local is the stream as it leaves the sub-layer: its branch has joined, or is all that
  // goes on.
  bool leaves(int value, const Kind& kind, std::size_t number) const {
    const std::string& sublayer = kind.sublayers[number].name;
    const Flow& flow = builder_.flow;
    if (flow.has_joined(sublayer)) return flow.is_stream(value);
    if (!flow.waiting(value).contains(sublayer)) return false;
    for (std::size_t i = number + 1; i < kind.sublayers.size(); ++i) {
      for (const Statement* later : kind.sublayers[i].statements) {
        if (reads_stream(later->value)) return false;
      }
    }
    return true;
  }

  bool reads_stream(const Expression& e) const {
    const auto value = names_.values.find(e.name);
    if (e.kind == Expression::Kind::kName && value != names_.values.end() &&
        builder_.flow.is_stream(value->second)) {
      return true;
    }
    return std::ranges::any_of(e.operands, [this](const auto& part) { return reads_stream(part); });
  }

  // What is profiled has to weigh the skip of the sub-layer that it belongs to.
  void refuse_idle_profile(const Kind& kind, const Context& context) const {
    for (const ParameterEntry& entry : kind.block->parameters) {
      const auto found = names_.parameters.find(context.prefix(context.sublayer) + entry.name);
      if (!entry.profiled || found == names_.parameters.end()) continue;
      if (builder_.flow.weighs_skip(found->second)) continue;
      throw UserError(entry.place,
                      "expected " + entry.name + ", as it is profiled, to weigh the skip",
                      "write for example LN(" + entry.name + "*x + F(x)), or leave profiled out");
    }
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
  std::map<std::string, std::size_t> started_;  // streams of `start`, and where they stand
  std::string main_ = "x";  // the stream that sites follow: x, or the first of `start`
  int stream_ = 0;          // what the last sub-layer left of it
};

}  // namespace

Program compile(const Block& block, const Sizes& sizes) {
  Program program = StackCompiler(block, sizes).run();
  program.side = sizes.side;
  for (Tap& tap : program.taps) {
    for (Site& site : tap.sites) site.side = sizes.side;
  }
  return program;
}

}  // namespace layerlab::equation
