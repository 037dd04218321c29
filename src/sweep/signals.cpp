#include "sweep/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace layerlab::sweep {

StopSignals::StopSignals() {
  sigset_t stop;
  ::sigemptyset(&stop);
  ::sigaddset(&stop, SIGINT);
  ::sigaddset(&stop, SIGTERM);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) ::sigaddset(&stop, SIGHUP);
  ::sigprocmask(SIG_BLOCK, &stop, &before_);
  file_ = ::signalfd(-1, &stop, SFD_NONBLOCK | SFD_CLOEXEC);
  if (file_ < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
}

StopSignals::~StopSignals() {
  take();  // or they would be delivered now
  ::close(file_);
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int StopSignals::take() {
  int count = 0;
  signalfd_siginfo info;
  while (::read(file_, &info, sizeof info) == sizeof info) ++count;
  return count;
}

}  // namespace layerlab::sweep
