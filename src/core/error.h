// Errors that users cause, and the place they happened at.
#pragma once

#include <stdexcept>
#include <string>

namespace layerlab {

// Where something stands in a user's input: "demo.toml:3:9", or a name such as "command line"
// when line is 0. Lines and columns count from 1; columns count bytes.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;

  std::string text() const;
};

// A user's mistake, told in one line: place, what was expected, remedy. The command line prints
// it without a backtrace and exits with 2. Our own mistakes are asserts or other exceptions.
class UserError : public std::runtime_error {
 public:
  // `what()` is "place: expected; remedy", made visible() and each part cut to a bounded length.
  // Place and remedy may be empty. `excerpt`, if any, is a caret_excerpt(), printed below the line.
  UserError(Place place, const std::string& expected, const std::string& remedy = {},
            std::string excerpt = {});

  const Place& place() const { return place_; }
  const std::string& excerpt() const { return excerpt_; }

 private:
  Place place_;
  std::string excerpt_;
};

}  // namespace layerlab
