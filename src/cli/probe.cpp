#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/parse_arguments.h"
#include "cli/terminal.h"
#include "cli/training.h"
#include "core/exit_code.h"
#include "core/names.h"
#include "core/table_reader.h"
#include "core/text_table.h"
#include "report/init_report.h"
#include "sweep/plan.h"

namespace layerlab::cli {
namespace {

constexpr int kUsualSeeds = 3;
constexpr std::size_t kMostRows = 12;  // of a deep stack, unless all are asked for

struct ProbeOptions {
  std::vector<std::string> words;
  config::Overrides overrides;
  std::string weights;
  bool all = false;
  TrainOptions train;
};

std::string text_of(const std::optional<report::SeedMean>& spread) {
  if (!spread) return "-";
  if (!spread->interval) return fmt::format("{:.3g}", spread->mean);
  const double half = (spread->interval->high - spread->interval->low) / 2;
  const double percent = 100 * half / spread->mean;
  if (percent > 99) return fmt::format("{:.3g} ±>99%", spread->mean);  // two seeds say that little
  return fmt::format("{:.3g} ±{:.0f}%", spread->mean, percent);
}

std::string text_of(const std::optional<double>& value) {
  return value ? fmt::format("{:.3g}", *value) : "-";
}

void print_side(const report::SideReport& side, bool all) {
  TextTable table;
  for (const char* title :
       {"layer", "rms", "theory", "grad norm", "theory", "token cosine", "theory"}) {
    table.columns.push_back({.title = title, .right = true});
  }
  const std::size_t rows = side.rows.size();
  const std::size_t shown = all ? rows : std::min(rows, kMostRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const report::BlockReport& row = side.rows[shown > 1 ? i * (rows - 1) / (shown - 1) : 0];
    table.rows.push_back({std::to_string(row.layer), text_of(row.rms), text_of(row.predicted_rms),
                          text_of(row.grad_norm), text_of(row.predicted_grad_norm),
                          text_of(row.token_cosine), text_of(row.predicted_cosine)});
  }
  if (!side.side.empty()) fmt::print("{}\n", side.side);
  TextStyle style = table_style();
  style.indent = 2;
  fmt::print("{}", to_text(table, style));
  fmt::print("  gradient, last over first   {}   theory {}\n", text_of(side.grad_ratio),
             text_of(side.predicted_grad_ratio));
  if (rows > 1) {
    fmt::print("  rms grows as layer^{:.2f}{}\n", side.rms_exponent,
               side.predicted_rms_exponent
                   ? fmt::format("   theory ^{:.2f}", *side.predicted_rms_exponent)
                   : "");
  }
  if (!side.no_prediction.empty()) fmt::print("  no theory: {}\n", side.no_prediction);
}

// What tells a group of runs from the others: its values on the grid's axes, the seed aside.
std::string title_of(const config::Experiment& experiment, const config::Cell& cell) {
  std::string title;
  for (const std::string& axis : experiment.axes) {
    if (axis == "seed") continue;
    const TomlNode* value = find_path(cell.settings, axis);
    title += (title.empty() ? "" : ", ") + axis + " = " + to_toml_value(*value);
  }
  if (title.empty()) title = cell.config.block.name;
  return title;
}

void print_cards(const config::Experiment& experiment, const ProbeOptions& options) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const config::Cell*>> groups;
  for (const config::Cell& cell : experiment.cells) {
    const std::string title = title_of(experiment, cell);
    if (!groups.contains(title)) order.push_back(title);
    groups[title].push_back(&cell);
  }
  for (const std::string& title : order) {
    std::vector<record::CellFolder> folders;
    for (const config::Cell* cell : groups[title]) {
      folders.push_back(record::cell_folder(options.train.results, cell->id));
    }
    fmt::print("{}{}: {}\n", title == order.front() ? "" : "\n", title,
               counted(std::ssize(folders), "seed"));
    for (const report::SideReport& side : report::init_report(groups[title], folders))
      print_side(side, options.all);
    for (const report::ModelNumber& number : report::whole_model(groups[title], folders)) {
      fmt::print("  {}   {}\n", number.label, text_of(number.value));
    }
  }
}

int probe(const ProbeOptions& options, const Globals& globals) {
  config::Overrides overrides = options.overrides;
  // One measured step, whose update nobody looks at.
  overrides.command_settings = {"train.steps=1", "train.eval_batches=1", "probe.schedule=init"};
  if (!options.weights.empty()) {
    overrides.command_settings.push_back("model.init_from=" +
                                         to_toml_value(to_node(options.weights)));
  }
  config::Experiment experiment = parse_arguments(options.words, overrides);
  const bool seed_given = std::ranges::any_of(options.words, [](const std::string& word) {
    return word.starts_with("seed=") || word.starts_with("grid.seed=");
  });
  const bool one = experiment.cells.size() == 1 && overrides.seeds == 0 && !seed_given &&
                   options.weights.empty();
  const bool unasked = std::ranges::all_of(experiment.cells, [](const config::Cell& cell) {
    return cell.config.probe.analyses.empty();
  });
  if (unasked) overrides.command_settings.emplace_back("probe.analyses=amplification");
  if (one) overrides.seeds = kUsualSeeds;
  if (one || unasked) experiment = parse_arguments(options.words, overrides);
  experiment.claims.clear();
  experiment.search.reset();  // initialisation has nothing to pass
  const TrainOutcome outcome = train_missing({&experiment}, options.train, globals);
  if (outcome.code != exit_code::kDone) return outcome.code;
  print_cards(experiment, options);
  return exit_code::kDone;
}

}  // namespace

Command make_probe(CLI::App& program, const Globals& globals) {
  CLI::App* app = program.add_subcommand(
      "probe", "Show where values and gradients go at initialisation, measured and predicted");
  const auto options = std::make_shared<ProbeOptions>();
  app->add_option("words", options->words,
                  "An experiment (or its folder), and settings that replace its own")
      ->option_text("[FILE] [key=value]...");
  app->add_option("--seeds", options->overrides.seeds, "Measure seeds 1 to N (usually 3)")
      ->check(CLI::Range(1, 100000));
  add_override_options(*app, options->overrides);
  app->add_option("--weights", options->weights,
                  "A safetensors file to measure instead of initial weights");
  app->add_flag("--all", options->all, "Show every block of deep stacks");
  add_train_options(*app, options->train);
  return {app, [options, &globals] { return probe(*options, globals); }};
}

}  // namespace layerlab::cli
