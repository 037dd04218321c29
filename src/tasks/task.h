// A task: where examples come from, how they are laid out for a model, and what is known of them
// without training.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/error.h"
#include "core/random.h"
#include "tasks/task_config.h"

namespace layerlab::tasks {

// The target of positions that are not scored.
inline constexpr std::int64_t kIgnored = -100;

// What a model must be to fit the task. All examples have this shape.
struct TaskShape {
  int tokens = 0;         // T, positions that the model answers at
  int source_tokens = 0;  // S, positions that the encoder of a pair reads; 0: there is no pair
  int vocabulary = 0;     // V, distinct ids in source and inputs; 0 where features are read
  int features = 0;       // numbers that a position of the input has; 0: it has an id
  int outputs = 0;        // classes that the head scores; 1 where it gives a real number
  bool real = false;      // targets are real numbers: mean squared error instead of cross-entropy
  int padding = -1;       // id that fills up short sequences and is to be masked; -1: there is none
  double chance_loss = 0;  // of the best constant guess: cross-entropy in nats; real: the variance
};

// Training draws from one part of all problems, evaluation from the other.
enum class Split { kTraining, kHeldOut };

// One example, to be written. A span that the task's shape has no use for is empty.
struct Row {
  std::span<std::int64_t> source;   // [S] ids below V
  std::span<std::int64_t> inputs;   // [T] ids below V
  std::span<float> features;        // [T * features], instead of inputs
  std::span<std::int64_t> targets;  // [T] classes below `outputs`, or kIgnored
  std::span<float> values;          // [T] real targets, instead of targets; NaN: not scored
};

// What a task is made from. Constructors of tasks throw UserError where it does not fit them.
struct Request {
  TaskConfig task;
  ModelKind kind = ModelKind::kEncoder;
  std::function<Place(const char* key)> places;  // where "task.length" stands; may be empty

  Place place(const char* key) const { return places ? places(key) : Place(); }
};

// Makes examples. Which example depends on the stream and the split alone.
class Task {
 public:
  explicit Task(const TaskShape& shape) : shape_(shape) {}
  virtual ~Task() = default;

  const TaskShape& shape() const { return shape_; }

  virtual void draw(RandomStream& stream, Split split, const Row& row) const = 0;

  // Throws UserError unless both parts of the problems have some.
  virtual void check_parts() const = 0;

  // An id as people read it: "3", "GO", "a".
  virtual std::string text_of(std::int64_t id) const { return std::to_string(id); }

  // The hash of the file that the examples come from; "" where they come from none.
  virtual std::string content() const { return {}; }

 private:
  TaskShape shape_;
};

}  // namespace layerlab::tasks
