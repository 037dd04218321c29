#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "equation/block_types.h"
#include "equation/check.h"
#include "equation/expression.h"
#include "equation/initial.h"
#include "equation/program.h"

namespace layerlab::equation {
namespace {

class StackCompiler {
 public:
  StackCompiler(const Block& block, const Sizes& sizes)
      : block_(block), sizes_(sizes), builder_({sizes.width}) {}

  Program run() {
    types_ = block_types(block_, sizes_);
    start();
    for (int layer = 0; layer < sizes_.depth; ++layer) {
      begin_block();
      run_block(*types_.by_layer[layer], layer);
    }
    begin_block();
    finish();
    refuse_unused_names();
    return builder_.finish(names_.values.at("x"));
  }

 private:
  void start() {
    BlockType& first = *types_.by_layer.front();
    const Context input{&block_.start, first.block, -1, "embedding"};
    initial_embedding(*first.block, first.scalars, builder_.program);
    names_.values["x"] = 0;
    names_.streams = {"x"};
    builder_.site(0, input.site("embedding", "out"), true);
    for (const Statement& statement : checked_statements(block_.start)) {
      names_.streams.insert(statement.target);  // every target of `start` is a stream
      assign(statement, input, first);
      if (statement.target != "x") started_[statement.target] = statement.begin;
      if (main_ == "x" && !assigns_x(first.statements)) main_ = statement.target;
    }
  }

  void finish() {
    BlockType& last = *types_.by_layer.back();
    const Context output{&block_.finish, last.block, -1, "finish"};
    builder_.site(names_.values.at(main_), output.site("finish", "in"), true);
    const std::vector<Statement> statements = checked_statements(block_.finish);
    if (main_ != "x" && !assigns_x(statements)) {
      const bool several = builder_.shape(names_.values.at(main_)).size() > 1;
      fail(statements.empty() ? last.block->equation : block_.finish, 0,
           "expected finish to make x of " + main_,
           "write for example finish = \"" +
               (several ? "LN(sum(" + main_ + "))" : "LN(" + main_ + ")") + "\"");
    }
    for (const Statement& statement : statements) assign(statement, output, last);
    end_locals(output);
    builder_.site(names_.values.at("x"), output.site("finish", "out"), true);
  }

  void refuse_unused_names() const {
    for (const auto& type : types_.types) refuse_unused(*type->block, block_.finish);
    for (const auto& [stream, begin] : started_) {
      if (names_.read.contains(stream)) continue;
      fail(block_.start, begin, "expected " + stream + " to be used",
           "read it in the equation or in finish, or remove the statement");
    }
  }

  void begin_block() {
    BlockBegin begin{static_cast<int>(builder_.program.instructions.size()), {}};
    for (const std::string& stream : names_.streams) {
      begin.streams[stream] = names_.values.at(stream);
    }
    builder_.program.block_begins.push_back(std::move(begin));
  }

  void run_block(BlockType& type, int layer) {
    type.scalars.set("l", layer + 1);
    stream_ = names_.values.at(main_);
    builder_.flow.begin(stream_);
    for (std::size_t i = 0; i < type.sublayers.size(); ++i) {
      type.scalars.set("s", types_.first_sublayer[layer] + static_cast<int>(i) + 1);
      run_sublayer(type, i, layer);
    }
    type.scalars.forget("l");
    type.scalars.forget("s");
  }

  void run_sublayer(BlockType& type, std::size_t number, int layer) {
    const Sublayer& part = type.sublayers[number];
    const Context context{&type.block->equation, type.block, layer, part.name};
    builder_.site(stream_, context.site(part.name, "in"), true);
    Branch branch;
    branch.type = part.branch;
    branch.name = "blocks." + std::to_string(layer) + "." + part.name;
    const InitialWeights weights = initial(*type.block, part, type.scalars);
    branch.gain = weights.gain;
    branch.deviation = weights.deviation;
    names_.branches[part.name] = static_cast<int>(builder_.program.branches.size());
    builder_.program.branches.push_back(std::move(branch));

    int out = -1;
    bool assigned = false;  // the main stream
    for (const Statement* statement : part.statements) {
      const int value = assign(*statement, context, type);
      const bool main = statement->target == main_;
      if (main || (!assigned && leaves(value, type, number))) out = value;
      assigned = assigned || main;
    }
    const Branch& made = builder_.program.branches[names_.branches[part.name]];
    refuse_name_of_branch(*type.block, made, names_.parameters.contains(made.name + ".head_scale"));
    refuse_idle_profile(*type.block, names_.parameters, made.name + ".", builder_.flow);
    if (out >= 0) {  // else parallel branches: they join in another sub-layer
      builder_.site(out, context.site(part.name, "out"), true);
      stream_ = out;
    }
    if (part.ends_locals) end_locals(context);
  }

  // Whether a local is the stream as it leaves the sub-layer: its branch has joined, or is all that
  // goes on.
  bool leaves(int value, const BlockType& type, std::size_t number) const {
    const std::string& sublayer = type.sublayers[number].name;
    const Flow& flow = builder_.flow;
    if (flow.has_joined(sublayer)) return flow.is_stream(value);
    if (!flow.waiting(value).contains(sublayer)) return false;
    for (std::size_t i = number + 1; i < type.sublayers.size(); ++i) {
      for (const Statement* later : type.sublayers[i].statements) {
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

  // Runs one statement and returns the register of its value.
  int assign(const Statement& statement, const Context& context, BlockType& type) {
    const std::string& target = statement.target;
    refuse_taken_target(*context.source, statement, *type.block);
    ExpressionCompiler compiler(builder_, names_, type.scalars, sizes_);
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
  BlockTypes types_;
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
