#pragma once

#include <array>
#include <cstddef>

#include "tasks/task.h"
#include "tasks/user_file.h"

namespace layerlab::tasks {

// Say the next byte of a text of the user's. Ids are the 256 bytes of UTF-8 as they are in the
// file, line ends included. `length` bytes at a place drawn at random; those of training lie in
// the first train_fraction of the file, those held out in the rest.
//
//   Inputs   T h e _ c a
//   Targets  h e _ c a t
class TextTask final : public Task {
 public:
  explicit TextTask(const Request& request);

  void draw(RandomStream& stream, Split split, const Row& row) const override;
  void check_parts() const override {}  // the constructor has
  std::string text_of(std::int64_t id) const override;
  std::string content() const override { return file_.content(); }

 private:
  TextTask(const Request& request, UserFile file);

  UserFile file_;
  std::array<std::string_view, 2> parts_;  // by Split
};

}  // namespace layerlab::tasks
