#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tasks/catalogue.h"
#include "tasks/entropy.h"
#include "tasks/require.h"
#include "tasks/user_file.h"

namespace layerlab::tasks {
namespace {

constexpr int kBytes = 256;

std::array<std::string_view, 2> split(std::string_view text, double train_fraction) {
  const auto cut = static_cast<std::size_t>(static_cast<double>(text.size()) * train_fraction);
  return {text.substr(0, cut), text.substr(cut)};
}

double entropy_of(std::string_view text) {
  std::array<std::uint64_t, kBytes> counts{};
  for (const char byte : text) ++counts[static_cast<unsigned char>(byte)];
  return entropy({counts.begin(), counts.end()});
}

// Throws UserError unless each part holds a sequence and the byte after it.
TaskShape shape_of(const Request& request, std::string_view text) {
  require_decoder(request, "the next byte");
  const auto [training, held_out] = split(text, request.task.train_fraction);
  const std::size_t shorter = std::min(training.size(), held_out.size());
  if (shorter < static_cast<std::size_t>(request.task.length) + 1) {
    const bool tail = held_out.size() == shorter;
    throw UserError({request.task.path},
                    std::string(tail ? "its held-out" : "its training") + " part of " +
                        std::to_string(shorter) + " bytes is shorter than task.length + 1 = " +
                        std::to_string(request.task.length + 1),
                    "take a longer text, a smaller task.length or another task.train_fraction");
  }
  TaskShape shape;
  shape.tokens = request.task.length;
  shape.vocabulary = kBytes;
  shape.outputs = kBytes;
  shape.chance_loss = entropy_of(training);
  return shape;
}

class TextTask final : public Task {
 public:
  explicit TextTask(const Request& request) : TextTask(request, UserFile(request)) {}

  void draw(RandomStream& stream, Split split, const Row& row) const override {
    const std::string_view text = parts_[static_cast<std::size_t>(split)];
    const std::size_t places = text.size() - row.inputs.size();
    const auto begin = static_cast<std::size_t>(stream.uniform() * static_cast<double>(places));
    for (std::size_t t = 0; t < row.inputs.size(); ++t) {
      row.inputs[t] = static_cast<unsigned char>(text[begin + t]);
      row.targets[t] = static_cast<unsigned char>(text[begin + t + 1]);
    }
  }
  void check_parts() const override {}  // the constructor has

  std::string text_of(std::int64_t id) const override {
    const bool printable = id > 0x20 && id < 0x7f;
    if (printable) return {static_cast<char>(id)};
    if (id == ' ') return "␣";
    if (id == '\n') return "\\n";
    return fmt::format("\\x{:02x}", id);
  }
  std::string content() const override { return file_.content(); }

 private:
  TextTask(const Request& request, UserFile file)
      : Task(shape_of(request, file.bytes())),
        file_(std::move(file)),
        parts_(split(file_.bytes(), request.task.train_fraction)) {}

  UserFile file_;
  std::array<std::string_view, 2> parts_;  // by Split
};

}  // namespace

// Say the next byte of a text of the user's. Ids are the 256 bytes of UTF-8 as they are in the
// file, line ends included. `length` bytes at a place drawn at random; those of training lie in
// the first train_fraction of the file, those held out in the rest.
//
//   Inputs   T h e _ c a
//   Targets  h e _ c a t
CatalogueEntry text_task() {
  return {"text",
          "say the next byte of a text file of yours",
          {"path", "content", "length"},
          construct<TextTask>};
}

}  // namespace layerlab::tasks
