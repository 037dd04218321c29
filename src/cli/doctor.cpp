#include <fmt/format.h>
#include <spdlog/version.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "cli/command.h"
#include "core/error.h"
#include "core/exit_code.h"
#include "core/files.h"
#include "sweep/worker.h"

namespace layerlab::cli {
namespace fs = std::filesystem;
namespace {

std::string library_versions() {
  return fmt::format("fmt {}.{}.{}, spdlog {}.{}.{}, SQLite {}", FMT_VERSION / 10000,
                     FMT_VERSION / 100 % 100, FMT_VERSION % 100, SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR,
                     SPDLOG_VER_PATCH, sqlite3_libversion());
}

bool print_worker() {
  try {
    const fs::path worker = sweep::find_worker();
    const sweep::WorkerVersion version = sweep::ask_version(worker);
    std::string devices;
    for (const std::string& device : version.devices) {
      devices += (devices.empty() ? "" : ", ") + device;
    }
    fmt::print("worker     {}\n", worker.string());
    fmt::print("           version {}, build {}\n", version.version, version.build);
    fmt::print("torch      {}, {} threads by itself\n", version.torch, version.threads);
    fmt::print("devices    {}\n", devices);
    return true;
  } catch (const UserError& error) {
    fmt::print("worker     PROBLEM: {}\n", error.what());
    return false;
  }
}

bool print_results(const fs::path& results) {
  const bool existed = fs::exists(results);
  const fs::path probe = results / fmt::format("doctor-{}", ::getpid());
  try {
    write_file_atomically(probe, "");
    fs::remove(probe);
    if (!existed) fs::remove(results);
    fmt::print("results    {} can be written\n", fs::absolute(results).string());
    return true;
  } catch (const UserError& error) {
    fmt::print("results    PROBLEM: {}\n", error.what());
    return false;
  }
}

int doctor(const fs::path& results) {
  fmt::print("layerlab   {}, build {}, GCC {}\n", LAYERLAB_VERSION, LAYERLAB_BUILD, __VERSION__);
  fmt::print("libraries  {}\n", library_versions());
  fmt::print("cores      {}\n", std::thread::hardware_concurrency());
  const bool worker = print_worker();
  const bool writable = print_results(results);
  return worker && writable ? exit_code::kDone : exit_code::kUserError;
}

}  // namespace

Command make_doctor(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("doctor", "Check that everything needed is installed and works");
  const auto results = std::make_shared<fs::path>("results");
  app->add_option("--out", *results, "Folder of all results")->capture_default_str();
  return {app, [results] { return doctor(*results); }};
}

}  // namespace layerlab::cli
