// What the programs tell their callers on exit.
#pragma once

namespace layerlab::exit_code {

inline constexpr int kDone = 0;
inline constexpr int kUserError = 2;      // the user's mistake, told in one line
inline constexpr int kNotAsExpected = 3;  // a claim came out otherwise than its file expects
inline constexpr int kUndecided = 4;      // no claim did, but the runs do not settle one of them
inline constexpr int kDiverged = 5;       // a run ended with a value that is not finite
inline constexpr int kOurBug = 70;
inline constexpr int kInterrupted = 130;  // the state is saved

}  // namespace layerlab::exit_code
