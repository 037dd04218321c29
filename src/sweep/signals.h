// Signals that ask the program to stop, as a file that poll() can wait for.
#pragma once

#include <signal.h>

namespace layerlab::sweep {

// While one exists, SIGINT, SIGTERM and SIGHUP are counted instead of killing the program. Under
// nohup SIGHUP goes on to be ignored.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  int file() const { return file_; }  // readable when a signal has come
  int take();                         // how many have come since the last take()

 private:
  sigset_t before_;
  int file_;
};

}  // namespace layerlab::sweep
