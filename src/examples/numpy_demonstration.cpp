#include <ATen/ATen.h>

#include <cmath>
#include <map>

#include "examples/all.h"
#include "examples/network.h"
#include "examples/numpy_random.h"

namespace layerlab::examples {
namespace {

constexpr int kTokens = 3, kWidth = 4;

// randn(rows, kWidth) of one generator.
at::Tensor normals(NumpyRandom& random, int rows) {
  at::Tensor result = at::empty({rows, kWidth}, at::kDouble);
  for (int i = 0; i < rows * kWidth; ++i) result.data_ptr<double>()[i] = random.normal();
  return result;
}

// round(randn * 0.5, 3), three tokens.
at::Tensor input() {
  NumpyRandom random(5);
  return (normals(random, kTokens) * 0.5 * 1000).round().div(1000).view({1, 1, kTokens, kWidth});
}

// The sub-layer relu(x W) of block i, with W from seed i, as M(x) = W_down relu(W_up x): W_up = W^T
// and W_down = 1.
Network blocks(const std::string& equation, int depth) {
  Network network(equation, sizes(depth, kWidth, /*ff=*/kWidth));
  for (int i = 0; i < depth; ++i) {
    NumpyRandom random(i);
    const std::string branch = "blocks." + std::to_string(i) + ".ff.";
    network.set(branch + "up.weight", (normals(random, kWidth) * 0.6).t());
    network.set(branch + "down.weight", at::eye(kWidth, at::kDouble));
  }
  return network;
}

// The norm of the whole stream, all tokens at once, after so many blocks.
double norm_after(const std::string& equation, int depth) {
  const at::Tensor x = input();
  return (depth == 0 ? x : blocks(equation, depth).forward(x)).norm().item<double>();
}

Example norms(const std::string& title, const std::string& equation,
              const std::map<int, std::string>& stated) {
  Example example{title, {}};
  for (const auto& [depth, norm] : stated) {
    example.rows.push_back(
        compare("norm after block " + std::to_string(depth), norm, {norm_after(equation, depth)}));
  }
  return example;
}

Example token_norms(const std::string& title, const std::string& equation,
                    const std::string& stated) {
  const at::Tensor output = blocks(equation, 5).forward(input());
  return {title, {compare("norm of each token", stated, numbers(output.norm(2, {-1})))}};
}

// After how many of the blocks 1 to 10 the norm is larger than before.
int increases(const std::string& equation) {
  int count = 0;
  for (int depth = 1; depth <= 10; ++depth) {
    count += norm_after(equation, depth) > norm_after(equation, depth - 1) ? 1 : 0;
  }
  return count;
}

}  // namespace

std::vector<Example> numpy_demonstration() {
  Example without = norms("without residual connections: M(x)", "M(x)",
                          {{0, "1.700939"},
                           {1, "1.689503"},
                           {5, "1.263976"},
                           {10, "0.000000"},
                           {15, "0.000000"},
                           {20, "0.000000"}});
  // "Shrinks steadily", says the text.
  without.rows.push_back(
      compare_with_error("increases up to block 10", "0", "4", {1.0 * increases("M(x)")}));
  return {without,
          norms("with residual connections: x + M(x)", "x + M(x)",
                {{0, "1.700939"},
                 {1, "2.298551"},
                 {5, "16.253619"},
                 {10, "137.441732"},
                 {15, "669.103461"},
                 {20, "2161.587827"}}),
          token_norms("Post-LN after 5 blocks: LN(x + M(x))",
                      "LN(x + M(x), eps=1e-8, eps_outside=1, affine=0)", "2.0000 2.0000 2.0000"),
          token_norms("Pre-LN after 5 blocks: x + M(LN(x))",
                      "x + M(LN(x, eps=1e-8, eps_outside=1, affine=0))", "7.2434 6.4415 6.3632")};
}

}  // namespace layerlab::examples
