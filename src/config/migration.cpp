#include "config/migration.h"

#include <algorithm>
#include <map>
#include <utility>

#include "config/identity.h"
#include "core/files.h"
#include "record/cell.h"

namespace layerlab::config {
namespace fs = std::filesystem;
namespace {

using Renamed = std::map<std::string, std::string>;  // ids, from old to new

constexpr std::size_t kIdLength = 32;

// The text with the ids in it replaced.
std::string replaced(const std::string& text, const Renamed& renamed) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  std::string result;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), is_hex);
    const std::string word(at, end);
    const auto known = word.size() == kIdLength ? renamed.find(word) : renamed.end();
    result += known == renamed.end() ? word : known->second;
    at = end;
    if (at != text.end()) result += *at++;
  }
  return result;
}

void replace_in_file(const fs::path& path, const Renamed& renamed) {
  if (!fs::is_regular_file(path)) return;
  const std::string text = read_file(path), after = replaced(text, renamed);
  if (after != text) write_file_atomically(path, after);
}

std::string id_of_text(const fs::path& folder, const std::string& text) {
  const std::string name = record::CellFolder{folder}.config().string();
  return cell_id(read_stored_run(parse_toml_text(text, name)));
}

// How far a run has come, for comparing.
int progress(const record::CellFolder& cell) {
  const record::CellState state = record::read_state(cell);
  if (state == record::CellState::kFinished) return 2;
  return state == record::CellState::kDiverged ? 1 : 0;
}

// The folders that hold other runs than their names say, and these runs' ids. An id may hold that
// of an origin, so this is repeated until nothing changes.
Renamed find_renamed(const fs::path& results, std::vector<Migration>& unreadable) {
  std::map<std::string, std::string> texts;
  for (const fs::path& entry : sorted_entries(results / "cells")) {
    const record::CellFolder cell{entry};
    if (fs::is_regular_file(cell.config())) texts[entry.filename()] = read_file(cell.config());
  }
  Renamed renamed;
  bool changed = true;
  for (std::size_t round = 0; changed && round <= texts.size() + 1; ++round) {
    changed = false;
    for (auto text = texts.begin(); text != texts.end();) {
      const auto& [name, contents] = *text;
      try {
        const std::string id = id_of_text(results / "cells" / name, replaced(contents, renamed));
        if (id != name && std::exchange(renamed[name], id) != id) changed = true;
        ++text;
      } catch (const UserError& error) {
        unreadable.push_back({Migration::Kind::kKeep, name, "", error.what()});
        text = texts.erase(text);
      }
    }
    std::erase_if(texts,
                  [](const auto& text) { return text.second.find("cell:") == std::string::npos; });
  }
  return renamed;
}

fs::path free_name(const fs::path& folder, const std::string& name) {
  fs::path path = folder / name;
  for (int i = 2; fs::exists(path); ++i) path = folder / (name + "-" + std::to_string(i));
  return path;
}

void move_folder(const fs::path& from, const fs::path& to) {
  const auto lock = record::CellLock::take({from});
  if (!lock) {
    throw UserError({from.string()}, "another process is training this run",
                    "wait for it or stop it");
  }
  fs::create_directories(to.parent_path());
  fs::rename(from, to);
}

}  // namespace

std::vector<Migration> plan_migration(const fs::path& results) {
  std::vector<Migration> plan;
  const fs::path cells = results / "cells";
  std::map<std::string, std::vector<std::string>> folders;  // of each new id
  for (const auto& [from, to] : find_renamed(results, plan)) {
    std::vector<std::string>& same = folders[to];
    if (same.empty() && fs::exists(cells / to)) same.push_back(to);
    same.push_back(from);
  }
  for (const auto& [to, same] : folders) {
    const std::string best = *std::ranges::max_element(
        same, {}, [&](const std::string& name) { return progress({cells / name}); });
    for (const std::string& name : same) {
      if (name != best) plan.push_back({Migration::Kind::kSetAside, name, to, ""});
    }
    if (best != to) plan.push_back({Migration::Kind::kRename, best, to, ""});
  }
  return plan;
}

void migrate(const fs::path& results, const std::vector<Migration>& plan) {
  const fs::path cells = results / "cells";
  Renamed renamed;
  for (const Migration& one : plan) {
    if (one.kind != Migration::Kind::kKeep) renamed[one.from] = one.to;
  }
  // Names before folders: if this is killed in between, the folders are still to be renamed.
  for (const fs::path& cell : sorted_entries(cells)) {
    replace_in_file(record::CellFolder{cell}.config(), renamed);
  }
  for (const fs::path& experiment : sorted_entries(results)) {
    for (const char* const file : {"experiment.toml", "cells.txt", "verdicts.json"}) {
      replace_in_file(experiment / file, renamed);
    }
  }
  for (const Migration& one : plan) {
    if (one.kind == Migration::Kind::kRename) move_folder(cells / one.from, cells / one.to);
    if (one.kind == Migration::Kind::kSetAside) {
      move_folder(cells / one.from, free_name(results / "replaced", one.from));
    }
  }
}

bool has_migratable(const fs::path& results, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    const record::CellFolder cell{results / "cells" / name};
    try {
      return id_of_text(cell.root, read_file(cell.config())) != name;
    } catch (const UserError&) {
      return false;  // cannot be read, so cannot be renamed
    }
  });
}

}  // namespace layerlab::config
