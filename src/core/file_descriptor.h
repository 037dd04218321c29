// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

namespace layerlab {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}  // negative: none
  ~FileDescriptor() { reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    reset(std::exchange(other.number_, -1));
    return *this;
  }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  void reset(int number = -1) {
    if (const int old = std::exchange(number_, number); old >= 0) ::close(old);
  }

 private:
  int number_ = -1;
};

}  // namespace layerlab
