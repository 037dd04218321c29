// A claim's measure: one SQL expression over one run's record that gives one number.
//
//   final('loss') / chance_loss()
//   log(site('ff', 'out', 'grad_norm', 0, 0) / site('ff', 'out', 'grad_norm', last_layer(), 0))
//   (SELECT max(value) FROM scalar WHERE name = 'grad_norm')
//   final('loss') < 0.3
//
// Besides SQL's own there are the functions of claims/functions.h. Division is real (1/2 is 0.5),
// log is natural, a comparison gives 0 or 1. The tables are those of docs/record.md. Reading is
// all that an expression can do, and it must come to an end: one that takes more than kMostSteps of
// SQLite's machine is stopped.
#pragma once

#include <optional>
#include <string>

#include "claims/functions.h"
#include "core/error.h"
#include "record/record.h"

namespace layerlab::claims {

// What a measure gave for one run: a finite number, or the reason why there is none.
struct Measurement {
  std::optional<double> value;
  std::string missing;
};

inline constexpr int kMostSteps = 50'000'000;  // about a second

class Measure {
 public:
  // Checks the expression on an empty record, so that mistakes are told before anything is
  // trained; found() is one unless something is `searched`. Throws UserError at `place` with
  // SQLite's message.
  Measure(std::string expression, Place place, bool searched = false);

  // The number of one run. Throws UserError as above for what only the data shows.
  Measurement of(const record::Reader& run, const Facts& facts) const;

 private:
  Measurement evaluate(sqlite3* database, const Functions& functions) const;

  std::string sql_;
  Place place_;
};

}  // namespace layerlab::claims
