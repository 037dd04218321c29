#pragma once

#include <vector>

#include "tasks/hash_split.h"

namespace layerlab::tasks {

// Multi-query associative recall: key-value pairs first, then each key once again among blanks, at
// distances that follow a power law; say at each of these the key's value. Arora et al. 2023,
// "Zoology", arXiv 2312.04927; HazyResearch/zoology, multiquery_ar. Values are the ids below
// `symbols`, keys the `symbols` ids from there on, the blank is 2 * symbols.
//
//   Inputs   c 3 a 1 a _ _ _ c _
//   Targets  . . . . 1 . . . 3 .
//
// Query j stands at 2 * pairs + 2 * g_j, the g_j being different gaps i = 0, 1, … drawn with
// probability in proportion to (i + 1)^(a - 1), a = 0.01.
class MqarTask final : public HashSplitTask {
 public:
  explicit MqarTask(const Request& request);

  std::string text_of(std::int64_t id) const override;

 private:
  std::uint64_t draw_any(RandomStream& stream, const Row& row) const override;
  std::vector<std::size_t> draw_gaps(RandomStream& stream) const;

  int pairs_, symbols_;
  std::vector<double> weights_;  // of the gaps
};

}  // namespace layerlab::tasks
