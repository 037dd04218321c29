#pragma once

#include <string>
#include <string_view>

#include "core/mapped_file.h"
#include "tasks/task.h"

namespace layerlab::tasks {

// The file that task.path names, mapped. It is read once to hash it, never copied.
class UserFile {
 public:
  // Throws UserError where no path is given, the file cannot be read, is empty or binary (it holds
  // a NUL), or its hash is not task.content.
  explicit UserFile(const Request& request);

  std::string_view bytes() const { return file_.bytes(); }
  const std::string& content() const { return content_; }

 private:
  MappedFile file_;
  std::string content_;
};

}  // namespace layerlab::tasks
