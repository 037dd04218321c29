#pragma once

#include <string>
#include <vector>

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Inputs and targets of the user's own, from a file (pair_file.h). Any pair is as likely as
// another. Lengths may vary: then what is left of a row is padding, and but for an encoder every
// answer ends with END, the id behind the vocabulary. Pairs of equal inputs are held out together.
//
//   Inputs   c a t GO t a c
//   Targets  . . .  t a c END
class PairsTask final : public SequenceTask {
 public:
  explicit PairsTask(const Request& request);

  std::string text_of(std::int64_t id) const override;
  std::string content() const override { return content_; }

 private:
  struct Learnt;  // what the file says

  PairsTask(const Request& request, Learnt learnt);
  static Learnt read(const Request& request);
  static Problems problems(const Learnt& learnt);
  Problem draw_problem(RandomStream& stream) const override;

  std::string content_;
  std::vector<std::string> vocabulary_;
  std::int64_t ids_;  // the vocabulary, and END where there is one
  std::vector<Problem> pairs_;
};

}  // namespace layerlab::tasks
