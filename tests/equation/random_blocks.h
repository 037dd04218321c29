// Blocks made of chance: most look like equations, some like nothing.
#pragma once

#include <string>

#include "core/random.h"
#include "equation/block.h"

namespace layerlab::equation {

class RandomBlocks {
 public:
  explicit RandomBlocks(std::uint64_t number) : random_(number, Purpose::kResampling, "blocks") {}

  // Follows the grammar, and uses names that mostly mean something.
  Block likely() {
    Block block;
    streams_ = random_.below(4) == 0;
    if (streams_) block.start = source("start", "h = " + one_of({"x", "repeat(x, 4)"}));
    std::string text;
    for (std::uint32_t n = 1 + random_.below(2); n > 0; --n) {
      text += (text.empty() ? "" : "; ") + one_of({"", "", "", "x = x + ", "h = "}) + expression(4);
    }
    block.equation = source("equation", text);
    if (random_.below(2) == 0) block.finish = source("finish", one_of({"LN(x)", expression(2)}));
    if (random_.below(4) == 0) {
      const std::string matrix = one_of({"v", "ff.up", "z"});
      block.gain = {{matrix, source("gain", "1/L"), {"gain", 1, 1}}};
    }
    // What is declared must be used.
    const std::string all = text + block.finish.text;
    if (all.find("alpha") != std::string::npos) {
      block.constants = {
          {"alpha", source("const", one_of({"(2*L)^(1/4)", "4", "1/l"})), {"const", 1, 1}}};
    }
    if (all.find("gamma") != std::string::npos) {
      ParameterEntry learned;
      learned.name = "gamma";
      learned.place = {"param", 1, 1};
      learned.init = source("init", one_of({"1", "i + j", "1/L", "s"}));
      const std::string shape = one_of({"", "D", "D", "4", "ff"});
      if (!shape.empty()) learned.shape = {source("shape", shape)};
      block.parameters = {learned};
    }
    return block;
  }

  // Any bytes, many of them those of equations.
  Block garbage() {
    Block block;
    const std::string letters = "xxFAMCLNhgalLDS()[]+-*/^@=;,:._0123456789 \n\"\\#%\x80\xff";
    std::string text;
    for (std::uint32_t n = random_.below(60); n > 0; --n) {
      text += letters[random_.below(static_cast<std::uint32_t>(letters.size()))];
    }
    block.equation = source("equation", text);
    block.finish = source("finish", random_.below(2) == 0 ? "" : text.substr(text.size() / 2));
    return block;
  }

 private:
  static Source source(const std::string& file, const std::string& text) {
    return {text, {file, 1, 1}};
  }

  std::string one_of(const std::vector<std::string>& choices) {
    return choices[random_.below(static_cast<std::uint32_t>(choices.size()))];
  }

  std::string expression(int depth) {
    if (depth == 0) {
      if (streams_ && random_.below(3) == 0) return "h";
      return one_of(
          {"x", "x", "x", "x", "x", "x", "alpha*x", "gamma*x", "gamma", "2*x", "L", "nothing"});
    }
    const auto part = [&] { return expression(static_cast<int>(random_.below(depth))); };
    switch (random_.below(12)) {
      case 0:
      case 1:
        return part() + one_of({" + ", " - "}) + part();
      case 2:
        return part() + one_of({"*", "/", " @ "}) + part();
      case 3:
      case 4:
      case 5:
        return one_of({"F", "F", "F", "A", "M", "C", "M_b"}) + "(" + part() + options() + ")";
      case 6:
      case 7:
        return one_of({"LN", "LN_out", "RMS", "L2", "ScaleNorm", "DyT_b", "N"}) + "(" + part() +
               one_of({"", "", ", eps=1e-6", ", affine=0", ", scope=block"}) + ")";
      case 8:
        return one_of({"tanh", "unit", "abs", "sigmoid", "stopgrad", "sum", "T", "sqrt", "log"}) +
               "(" + part() + ")";
      case 9:
        return one_of({"outer(", "GRU(", "min(", "repeat("}) + part() + ", " + part() + ")";
      case 10:
        return "(" + part() + ")" + one_of({"[0]", "[1:]", "^2", "^(1/4)", ""});
      default:
        return one_of({"-", ""}) + part();
    }
  }

  std::string options() {
    return one_of({"", "", "", ", mid_norm=LN", ", qk_norm=head", ", qk_norm=heads(eps=0)",
                   ", v_norm=head", ", head_scale=after", ", scale=1/K", ", up_gain=gamma"});
  }

  RandomStream random_;
  bool streams_ = false;
};

}  // namespace layerlab::equation
