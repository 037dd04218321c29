#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/terminal.h"
#include "config/experiment.h"
#include "core/exit_code.h"
#include "core/text.h"
#include "core/text_table.h"
#include "tasks/catalogue.h"
#include "tasks/example.h"

namespace layerlab::cli {
namespace {

using tasks::ModelKind;
using Cells = std::vector<std::string>;  // one a position

constexpr int kExamples = 2;
constexpr int kLabel = 9;  // columns of "  Targets"

struct TasksOptions {
  std::string name;
  std::vector<std::string> settings;  // "task.length=8"
};

// Names and what they mean, side by side.
TextTable glossary() { return {{{""}, {.title = "", .wraps = true}}, {}}; }

void print_list() {
  TextTable table = glossary();
  for (const tasks::CatalogueEntry& entry : tasks::catalogue()) {
    table.rows.push_back({entry.name, entry.summary});
  }
  fmt::print("{}", to_text(table, {.width = columns_to_fill()}));
}

void print_keys(const tasks::CatalogueEntry& entry, tasks::TaskConfig task) {
  TextTable table = glossary();
  const auto add = [&](const std::string& key, const auto& field, const char* meaning,
                       const auto&...) {
    if (key == "name" || !entry.uses(key)) return;
    table.rows.push_back({"task." + key + " = " + to_toml_value(to_node(field)), meaning});
  };
  tasks::describe(add, task);
  fmt::print("{}", to_text(table, {.width = columns_to_fill(), .indent = 2}));
}

std::string shape_text(const tasks::TaskShape& shape) {
  std::string text = fmt::format("{} tokens", shape.tokens);
  if (shape.source_tokens > 0) text = fmt::format("{} of source, ", shape.source_tokens) + text;
  text += shape.features > 0 ? fmt::format(" of {} numbers", shape.features)
                             : fmt::format(" of {} ids", shape.vocabulary);
  text += shape.real ? std::string(", a real answer") : fmt::format(", {} classes", shape.outputs);
  return text + fmt::format(", chance loss {:.4g}", shape.chance_loss);
}

Cells cells_of(const tasks::Task& task, const std::vector<std::int64_t>& ids) {
  Cells cells;
  for (const std::int64_t id : ids) {
    cells.push_back(id == tasks::kIgnored ? "." : task.text_of(id));
  }
  return cells;
}

// Points, by their first number.
Cells cells_of(const std::vector<float>& numbers, std::size_t each) {
  Cells cells;
  for (std::size_t i = 0; i < numbers.size(); i += each) {
    cells.push_back(std::isnan(numbers[i]) ? "." : fmt::format("{:.2f}", numbers[i]));
    if (each > 1) cells.back() += "…";
  }
  return cells;
}

// Positions under each other, as many as fit.
void print_example(const tasks::Task& task, const tasks::Example& example) {
  const tasks::TaskShape& shape = task.shape();
  const std::pair<const char*, Cells> lines[] = {
      {"Source", cells_of(task, example.source)},
      {"Inputs", shape.features > 0
                     ? cells_of(example.features, static_cast<std::size_t>(shape.features))
                     : cells_of(task, example.inputs)},
      {"Targets", shape.real ? cells_of(example.values, 1) : cells_of(task, example.targets)}};
  int width = 1;
  std::size_t positions = 0;
  for (const auto& [label, cells] : lines) {
    positions = std::max(positions, cells.size());
    for (const std::string& cell : cells) width = std::max(width, display_width(visible(cell)));
  }
  const int fit = std::max((columns_to_fill() - kLabel) / (width + 2), 2);
  const std::size_t shown = std::min(positions, static_cast<std::size_t>(fit));
  TextTable table{{{""}}, {}};
  table.columns.resize(1 + shown, {.title = "", .right = true});
  for (const auto& [label, cells] : lines) {
    if (cells.empty()) continue;
    auto& row = table.rows.emplace_back(std::vector<TextCell>{label});
    for (std::size_t i = 0; i < shown; ++i) {
      const bool cut = i + 1 == shown && cells.size() > shown;
      row.emplace_back(cut ? "…" : i < cells.size() ? cells[i] : "");
    }
  }
  fmt::print("{}", to_text(table, {.width = columns_to_fill(), .indent = 2}));
}

void print_kind(const tasks::Task& task, ModelKind kind) {
  fmt::print("\n{}: {}\n", name_of(kind), shape_text(task.shape()));
  RandomStream stream(1, Purpose::kBatch, std::uint64_t{0});
  for (int i = 0; i < kExamples; ++i) {
    tasks::Example example(task.shape());
    task.draw(stream, tasks::Split::kTraining, example.row());
    print_example(task, example);
  }
}

// Without the place: no file gives the kind of model.
std::string reason(const UserError& error) {
  const std::string line = error.what(), place = error.place().text() + ": ";
  return line.starts_with(place) ? line.substr(place.size()) : line;
}

config::RunConfig read(const TasksOptions& options, ModelKind kind) {
  config::Overrides overrides{.settings = options.settings};
  overrides.command_settings = {"task.name=" + options.name, "model.kind=" + name_of(kind)};
  return config::load_experiment("", overrides).cells.front().config;
}

int show(const TasksOptions& options) {
  const tasks::CatalogueEntry entry = tasks::find_task(options.name);
  const bool needs_file =
      entry.uses("path") && std::ranges::none_of(options.settings, [](const std::string& text) {
        return text.starts_with("task.path=");
      });
  if (needs_file) {
    fmt::print("{}: {}\n\n", entry.name, entry.summary);
    print_keys(entry, {});
    fmt::print("\nFor examples: layerlab tasks {} task.path=FILE\n", entry.name);
    return exit_code::kDone;
  }
  bool shown = false;
  std::vector<std::pair<ModelKind, UserError>> refused;
  for (const ModelKind kind :
       {ModelKind::kEncoder, ModelKind::kDecoder, ModelKind::kEncoderDecoder}) {
    try {
      const config::RunConfig run = read(options, kind);
      const std::unique_ptr<tasks::Task> task = tasks::make_task({run.task, kind, {}});
      if (!shown) fmt::print("{}: {}\n\n", entry.name, entry.summary);
      if (!shown) print_keys(entry, run.task);
      shown = true;
      print_kind(*task, kind);
    } catch (const UserError& error) {
      refused.emplace_back(kind, error);
    }
  }
  if (!shown) throw refused.back().second;  // not the kind's fault
  for (const auto& [kind, error] : refused) {
    fmt::print("\n{}: not possible. {}\n", name_of(kind), reason(error));
  }
  return exit_code::kDone;
}

}  // namespace

Command make_tasks(CLI::App& program) {
  CLI::App* app = program.add_subcommand("tasks", "List tasks, or show examples of one");
  const auto options = std::make_shared<TasksOptions>();
  app->add_option("NAME", options->name, "The task to show; without one, all are listed");
  app->add_option("settings", options->settings, "Settings, such as task.length=8")
      ->option_text("[key=value]...");
  return {app, [options] {
            if (!options->name.empty()) return show(*options);
            print_list();
            return exit_code::kDone;
          }};
}

}  // namespace layerlab::cli
