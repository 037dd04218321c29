#include "worker/failure.h"

#include <c10/util/Exception.h>

#include <filesystem>
#include <new>
#include <system_error>

#include "core/error.h"
#include "core/exit_code.h"

namespace layerlab::worker {
namespace {

const char* const kOutOfMemory =
    "the model and its batch do not fit into memory; make one smaller, or lower --replicas";

// Torch has no type of its own for memory that runs out on the CPU, and none for tensors whose size
// in bytes is beyond 64 bits.
bool is_out_of_memory(const std::string& message) {
  return message.find("DefaultCPUAllocator") != std::string::npos ||
         message.find("Storage size calculation overflowed") != std::string::npos;
}

}  // namespace

Failure failure_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const UserError& error) {
    return {exit_code::kUserError, error.what(), error.excerpt()};
  } catch (const std::filesystem::filesystem_error& error) {
    return {exit_code::kUserError, error.path1().string() + ": " + error.code().message(), ""};
  } catch (const std::system_error& error) {
    return {exit_code::kUserError, error.code().message() + "; is there room for it?", ""};
  } catch (const std::bad_alloc&) {
    return {exit_code::kUserError, kOutOfMemory, ""};
  } catch (const c10::OutOfMemoryError&) {
    return {exit_code::kUserError, kOutOfMemory, ""};
  } catch (const c10::Error& error) {
    const std::string message = error.what_without_backtrace();
    if (is_out_of_memory(message)) return {exit_code::kUserError, kOutOfMemory, ""};
    return {exit_code::kOurBug, message, ""};
  } catch (const std::exception& error) {
    return {exit_code::kOurBug, error.what(), ""};
  }
}

}  // namespace layerlab::worker
