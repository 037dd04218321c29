// A claim's measure: one SQL expression over one run's record that gives one number.
//
//   final('loss') / chance_loss()
//   log(site('ff', 'out', 'grad_norm', 0, 0) / site('ff', 'out', 'grad_norm', last_layer(), 0))
//   (SELECT max(value) FROM scalar WHERE name = 'grad_norm')
//   final('loss') < 0.3
//
// Besides the functions of claims/functions.h there are those of SQL that give the same result
// whenever they are called: none of chance, date or the connection's state. Division is real (1/2
// is 0.5), log is natural, a comparison gives 0 or 1. The tables are those of docs/record.md. An
// expression can only read, and only within MeasureLimits.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "claims/functions.h"
#include "claims/sandbox.h"
#include "core/error.h"

namespace layerlab::claims {

// What a measure gave for one run: a finite number, or the reason why there is none.
struct Measurement {
  std::optional<double> value;
  std::string missing;
  bool damaged = false;  // the reason is the record, which cannot be read
};

class Measure {
 public:
  // Tries the expression on an empty record, so that mistakes are told before anything is trained;
  // found() is one unless something is `searched`. Throws UserError at `place` for what SQLite
  // refuses, for a function that is not allowed and for arguments of the wrong type.
  Measure(std::string expression, Place place, bool searched = false);

  // The number of the run with this record. Throws UserError as above for what only the data shows,
  // and for a measure that is stopped.
  Measurement of(const std::filesystem::path& record, const Facts& facts,
                 const MeasureLimits& limits = {}) const;

 private:
  std::string sql_;
  Place place_;
};

}  // namespace layerlab::claims
