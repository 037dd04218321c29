// What the SQL of a measure may do and how long: it reads, by functions that give the same result
// whenever they are called, and within limits.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>

struct sqlite3;

namespace layerlab::claims {

// A measure that goes beyond one of these is stopped.
struct MeasureLimits {
  std::int64_t steps = 50'000'000;  // of SQLite's machine: about a second
  double seconds = 10;              // for what takes long within few steps
  int text = 1'000'000;             // bytes of any text that it makes
};

// Confines a connection, which must not be used once this is gone.
class Sandbox {
 public:
  Sandbox(sqlite3* database, const MeasureLimits& limits);
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // The name of a function that was called and is not allowed; "" if none.
  const std::string& refused() const { return refused_; }
  // Which limit stopped it: "after 10 seconds"; "" if none.
  const std::string& stopped() const { return stopped_; }

 private:
  static int authorize(void* self, int action, const char*, const char* name, const char*,
                       const char*);
  static int check(void* self);

  MeasureLimits limits_;
  std::chrono::steady_clock::time_point begin_;
  std::set<std::string, std::less<>> own_;  // names of claims/functions.h
  std::int64_t steps_ = 0;
  std::string refused_, stopped_;
};

}  // namespace layerlab::claims
