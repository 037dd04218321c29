#include <algorithm>
#include <cmath>
#include <numeric>

#include "tasks/catalogue.h"
#include "tasks/distinct.h"
#include "tasks/hash_split.h"
#include "tasks/require.h"

namespace layerlab::tasks {
namespace {

constexpr double kPower = 0.01;  // a

TaskShape shape_of(const Request& request) {
  if (request.kind == ModelKind::kEncoderDecoder) {
    throw UserError(
        request.place("model.kind"),
        "model.kind = \"encoder_decoder\" cannot solve task.name = \"mqar\", which asks "
        "and answers within one sequence",
        "write model.kind = \"decoder\"");
  }
  require_distinct_keys(request);
  require_length(request, 4 * request.task.pairs,
                 "the task.pairs = " + std::to_string(request.task.pairs) + " and their queries");
  TaskShape shape;
  shape.tokens = request.task.length;
  shape.vocabulary = 2 * request.task.symbols + 1;
  shape.outputs = request.task.symbols;
  shape.chance_loss = std::log(request.task.symbols);
  return shape;
}

class MqarTask final : public HashSplitTask {
 public:
  explicit MqarTask(const Request& request)
      : HashSplitTask(request, shape_of(request), "enlarge task.pairs or task.symbols"),
        pairs_(request.task.pairs),
        symbols_(request.task.symbols) {
    for (int gap = 0; gap < (request.task.length - 2 * pairs_) / 2; ++gap) {
      weights_.push_back(std::pow(gap + 1, kPower - 1));
    }
  }

  std::string text_of(std::int64_t id) const override {
    return id == 2 * symbols_ ? "_" : std::to_string(id);
  }

 private:
  std::uint64_t draw_any(RandomStream& stream, const Row& row) const override {
    std::ranges::fill(row.inputs, 2 * symbols_);
    std::ranges::fill(row.targets, kIgnored);
    const std::vector<std::int64_t> keys = draw_distinct(stream, pairs_, symbols_);
    const std::vector<std::size_t> gaps = draw_gaps(stream);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::int64_t value = stream.below(static_cast<std::uint32_t>(symbols_));
      const std::size_t query = 2 * (keys.size() + gaps[i]);
      row.inputs[2 * i] = row.inputs[query] = symbols_ + keys[i];
      row.inputs[2 * i + 1] = row.targets[query] = value;
    }
    return hash_of(std::span<const std::int64_t>(row.inputs));
  }

  std::vector<std::size_t> draw_gaps(RandomStream& stream) const {
    std::vector<double> weights = weights_;
    std::vector<std::size_t> gaps;
    for (int i = 0; i < pairs_; ++i) {
      double left = stream.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
      std::size_t chosen = weights.size();
      for (std::size_t gap = 0; gap < weights.size(); ++gap) {
        if (weights[gap] == 0) continue;  // taken
        chosen = gap;                     // the last one, should rounding leave something over
        left -= weights[gap];
        if (left < 0) break;
      }
      weights[chosen] = 0;
      gaps.push_back(chosen);
    }
    return gaps;
  }

  int pairs_, symbols_;
  std::vector<double> weights_;  // of the gaps
};

}  // namespace

// Multi-query associative recall: key-value pairs first, then each key once again among blanks, at
// distances that follow a power law; say at each of these the key's value. Arora et al. 2023,
// "Zoology", arXiv 2312.04927; HazyResearch/zoology, multiquery_ar. Values are the ids below
// `symbols`, keys the `symbols` ids from there on, the blank is 2 * symbols.
//
//   Inputs   c 3 a 1 a _ _ _ c _
//   Targets  . . . . 1 . . . 3 .
//
// Query j is at position 2 * pairs + 2 * g_j, the g_j being different gaps i = 0, 1, … drawn with
// probability in proportion to (i + 1)^(a - 1), a = 0.01.
CatalogueEntry mqar_task() {
  return {"mqar",
          "say the value of each key where it turns up again",
          {"length", "pairs", "symbols"},
          construct<MqarTask>};
}

}  // namespace layerlab::tasks
