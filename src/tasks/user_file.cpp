#include "tasks/user_file.h"

#include "core/hash.h"

namespace layerlab::tasks {
namespace {

MappedFile open(const Request& request) {
  if (!request.task.path.empty()) return MappedFile(request.task.path);
  throw UserError(request.place("task.path"),
                  "task.name = \"" + request.task.name + "\" needs task.path, the file to learn",
                  "write for example path = \"corpus.txt\"");
}

}  // namespace

UserFile::UserFile(const Request& request) : file_(open(request)) {
  const Place place{request.task.path};
  if (bytes().empty()) throw UserError(place, "is empty");
  if (bytes().find('\0') != std::string_view::npos) {
    throw UserError(place, "is no text: it holds NUL bytes", "convert it to UTF-8");
  }
  content_ = checked_hash(request.task.path, bytes(), request.task.content, "task.content");
}

}  // namespace layerlab::tasks
