// What a user says of a task: the keys of [task], and the kind of model that is to solve it.
#pragma once

#include <array>
#include <string>
#include <string_view>

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

// A task uses some of the keys; catalogue.h knows which.
struct TaskConfig {
  std::string name = "reverse";  // a name of the catalogue
  int length = 16;               // of a sequence, in what the task is made of
  int symbols = 16;              // different symbols
  int pairs = 4;                 // of key and value to remember
  int items = 4;                 // symbols to remember among blanks
  int digits = 3;                // of a number
  int modulus = 97;              // of modular arithmetic
  Operation operation = Operation::kAdd;
  int dimensions = 5;  // of a point
  Unit unit = Unit::kCharacter;
  std::string path;                   // the user's file, as seen from the working directory
  std::string content;                // its hash, so that a run is what it was trained on
  double train_fraction = 15.0 / 16;  // of all problems; the others are held out
};

}  // namespace layerlab::tasks
