// Sequence-to-sequence tasks: the answer is a function of a source.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tasks/task.h"

namespace layerlab::tasks {

// A source s_1 … s_n and its answer r_1 … r_m, laid out by the kind of model. `.` is not scored;
// GO is an id of its own that asks for the answer.
//
//   encoder, m = n    inputs   s_1 s_2 … s_n
//                     targets  r_1 r_2 … r_n
//   encoder, m = 1    inputs   s_1 … s_n GO
//                     targets   .  …  .  r_1
//   decoder           inputs   s_1 … s_n GO  r_1 … r_{m-1}
//                     targets   .  …  .  r_1 r_2 … r_m
//   encoder-decoder   source   s_1 … s_n
//                     inputs   GO  r_1 … r_{m-1}
//                     targets  r_1 r_2 … r_m
//
// Where lengths vary, what is left of source and inputs is filled with another id, the padding.
// The split hashes the source.
struct Problem {
  std::vector<std::int64_t> source, answer;
};

// A task of this kind: how problems are drawn, and what they have in common.
struct Problems {
  std::function<Problem(RandomStream& stream)> draw;
  int source = 0, answer = 0;  // n and m, the longest of each
  int both = 0;                // the longest n + m
  bool aligned = false;        // in every problem m = n
  bool padded = false;         // lengths vary
  int ids = 0;                 // distinct ids in source and answer; GO is the next
  int classes = 0;             // distinct ids in answers, the lowest ones
  double chance_loss = 0;
  std::string remedy;                         // makes more problems, where they are too few
  std::map<std::int64_t, std::string> names;  // of ids that are not shown as numbers, GO or PAD
  std::string content;                        // Task::content()
};

// Problems of one length n and answers of one length m, whose symbols are equally likely.
Problems uniform_problems(int source, int answer, int ids, int classes, std::string remedy);

// `count` of the ids below `symbols`, each as likely as the others.
std::vector<std::int64_t> draw_symbols(RandomStream& stream, int count, int symbols);

// Throws UserError where an encoder has no position for each part of the answer.
std::unique_ptr<Task> make_sequence_task(const Request& request, Problems problems);

}  // namespace layerlab::tasks
