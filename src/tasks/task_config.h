// What a user says of a task: the keys of [task], and the kind of model that is to solve it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/table_reader.h"

namespace layerlab::tasks {

// encoder: bidirectional; decoder: causal; encoder-decoder: a decoder that also reads what an
// encoder makes of the source, by cross-attention. It decides how an example is laid out.
enum class ModelKind { kEncoder, kDecoder, kEncoderDecoder };
enum class Operation { kAdd, kSubtract, kMultiply, kDivide };  // modulo a number
enum class Unit { kCharacter, kWord };                         // what is one token of a pair

constexpr std::array<std::string_view, 3> enum_names(ModelKind) {
  return {"encoder", "decoder", "encoder_decoder"};
}
constexpr std::array<std::string_view, 4> enum_names(Operation) { return {"+", "-", "*", "/"}; }
constexpr std::array<std::string_view, 2> enum_names(Unit) { return {"character", "word"}; }

// A task uses some of the keys; its row in the catalogue names them.
struct TaskConfig {
  std::string name = "reverse";
  int length = 16;
  int symbols = 16;
  int pairs = 4;
  int items = 4;
  int digits = 3;
  int modulus = 97;
  Operation operation = Operation::kAdd;
  int dimensions = 5;
  Unit unit = Unit::kCharacter;
  std::string path;
  std::string content;
  double train_fraction = 15.0 / 16;
};

std::vector<std::string> task_names();  // of the catalogue

// Visits each key as config/keys.h says: visit(key, field, meaning[, range or names]).
template <typename Visit>
void describe(Visit&& visit, TaskConfig& task) {
  visit("name", task.name, "what the model learns", OneOf{task_names()});
  visit("length", task.length, "symbols, bits, points or bytes in a sequence", from_to(1, 65536));
  visit("symbols", task.symbols, "different symbols", from_to(2, 65536));
  visit("pairs", task.pairs, "keys with a value to remember", from_to(1, 65536));
  visit("items", task.items, "symbols to remember among blanks", from_to(1, 65536));
  visit("digits", task.digits, "digits of each number to add", from_to(1, 4096));
  visit("modulus", task.modulus, "number that modular arithmetic is modulo", from_to(2, 65536));
  visit("operation", task.operation, "operation of modular arithmetic");
  visit("dimensions", task.dimensions, "numbers of a point", from_to(1, 65536));
  visit("unit", task.unit, "what one token of a pair is");
  visit("path", task.path, "the user's file, relative to the working directory");
  visit("content", task.content, "the file's hash; filled in when it is read");
  visit("train_fraction", task.train_fraction,
        "share of all problems to train on; the others are held out", from_to(0.001, 0.999));
}

}  // namespace layerlab::tasks
