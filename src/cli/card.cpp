#include "cli/card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "config/model_parts.h"
#include "core/error.h"
#include "record/record.h"
#include "tasks/catalogue.h"
#include "theory/depth.h"
#include "theory/model.h"

namespace layerlab::cli {
namespace {

constexpr double kAlpha = 0.05;

// One run's rows of layer, rms, grad_norm and token_cosine, from the first block to the last.
std::vector<std::vector<double>> outputs_of(const record::CellFolder& folder,
                                            const std::string& side) {
  const record::Reader reader(folder.record());
  return reader.numbers(
      fmt::format("SELECT layer, rms, grad_norm, token_cosine FROM site s WHERE step = 0 "
                  "AND side = '{}' AND layer >= 0 AND site = 'out' AND sublayer = "
                  "(SELECT max(sublayer) FROM site WHERE step = 0 AND site = 'out' "
                  "AND side = s.side AND layer = s.layer) ORDER BY layer",
                  side));
}

std::optional<Spread> spread_of_column(const std::vector<std::vector<std::vector<double>>>& runs,
                                       std::size_t row, std::size_t column) {
  std::vector<double> values;
  for (const auto& run : runs) values.push_back(run[row][column]);
  const bool drawable = std::ranges::all_of(values, [](double value) { return value > 0; });
  return drawable ? std::optional(spread_of(values)) : std::nullopt;
}

// What the model reads and is scored on, from one example of its task.
theory::Layout layout_of(const config::RunConfig& run) {
  const auto task = tasks::make_task({run.task, run.model.kind, {}});
  const tasks::TaskShape& shape = task->shape();
  std::vector<std::int64_t> source(shape.source_tokens), inputs(shape.tokens),
      targets(shape.tokens);
  RandomStream stream(1, Purpose::kBatch, std::uint64_t{0});
  task->draw(stream, tasks::Split::kTraining, {source, inputs, {}, targets, {}});
  const auto ignored = std::ranges::count(targets, tasks::kIgnored);
  return {run.train.batch,     shape.tokens,
          shape.source_tokens, shape.tokens - static_cast<int>(ignored),
          shape.vocabulary,    shape.outputs};
}

// Fills in what theory says, or why it says nothing.
void predict(const config::RunConfig& run, std::vector<CardSide>& sides) {
  const auto parts = config::model_parts(run.model, run.block);
  if (tasks::make_task({run.task, run.model.kind, {}})->shape().real) {
    for (CardSide& side : sides) side.no_prediction = "the task's tokens are numbers";
    return;
  }
  const auto predictions = theory::predict(run.model, run.block, layout_of(run));
  for (std::size_t i = 0; i < sides.size(); ++i) {
    CardSide& side = sides[i];
    const auto program = equation::compile(parts[i].block, parts[i].sizes);
    const std::vector<int> taps = theory::block_outputs(program);
    std::vector<double> rms;
    for (std::size_t layer = 0; layer < side.rows.size(); ++layer) {
      const theory::Place& place = predictions[i].taps[taps[layer]];
      CardRow& row = side.rows[layer];
      row.predicted_rms = place.rms;
      row.predicted_cosine = place.token_cosine;
      row.predicted_grad_norm = place.grad_norm;
      if (place.rms) rms.push_back(*place.rms);
      if (!place.rms && side.no_prediction.empty()) side.no_prediction = place.no_value;
      if (!place.grad_norm && side.no_prediction.empty()) side.no_prediction = place.no_gradient;
    }
    const auto first = side.rows.front().predicted_grad_norm,
               last = side.rows.back().predicted_grad_norm;
    if (first && last) side.predicted_grad_ratio = *last / *first;
    if (rms.size() == side.rows.size() && rms.size() > 1) {
      side.predicted_rms_exponent = theory::growth_exponent(rms);
    }
  }
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  std::vector<double> logs;
  double sum = 0;
  for (const double value : values) sum += logs.emplace_back(std::log(value));
  Spread result{std::exp(sum / static_cast<double>(logs.size())), {}};
  if (logs.size() < 2) return result;
  const stats::Interval of_logs = stats::mean_interval(logs, kAlpha);
  result.interval = stats::Interval{std::exp(of_logs.low), std::exp(of_logs.high)};
  return result;
}

std::vector<CardSide> make_card(const std::vector<const config::Cell*>& cells,
                                const std::vector<record::CellFolder>& folders) {
  const config::RunConfig& run = cells.front()->config;
  std::vector<CardSide> sides;
  for (const config::ModelPart& part : config::model_parts(run.model, run.block)) {
    CardSide& side = sides.emplace_back();
    side.side = part.side;
    std::vector<std::vector<std::vector<double>>> runs;
    for (const record::CellFolder& folder : folders) {
      runs.push_back(outputs_of(folder, part.side));
      if (runs.back().size() == static_cast<std::size_t>(part.model.depth)) continue;
      throw UserError({folder.record().string()}, "expected each block's output at step 0",
                      "remove the run's folder to measure it again");
    }
    std::vector<double> rms, ratios;
    for (std::size_t layer = 0; layer < runs.front().size(); ++layer) {
      CardRow& row = side.rows.emplace_back();
      row.layer = static_cast<int>(layer);
      row.rms = spread_of_column(runs, layer, 1);
      row.grad_norm = spread_of_column(runs, layer, 2);
      row.token_cosine = spread_of_column(runs, layer, 3);
      if (row.rms) rms.push_back(row.rms->mean);
    }
    for (const auto& one : runs) ratios.push_back(one.back()[2] / one.front()[2]);
    if (std::ranges::all_of(ratios, [](double r) { return r > 0 && std::isfinite(r); })) {
      side.grad_ratio = spread_of(ratios);
    }
    const bool grows = rms.size() == side.rows.size() && rms.size() > 1;
    side.rms_exponent =
        grows ? theory::growth_exponent(rms) : std::numeric_limits<double>::quiet_NaN();
  }
  if (run.model.init_from.empty()) {
    predict(run, sides);
  } else {
    for (CardSide& side : sides) side.no_prediction = "the weights are not initial ones";
  }
  return sides;
}

}  // namespace layerlab::cli
