#include "report/init_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "config/model_parts.h"
#include "config/run_config.h"
#include "core/error.h"
#include "core/table_reader.h"
#include "record/record.h"
#include "report/layers.h"
#include "tasks/catalogue.h"
#include "theory/batch_shape.h"
#include "theory/depth.h"
#include "theory/model.h"

namespace layerlab::report {
namespace {

constexpr double kAlpha = 0.05;

// Nothing where the values cannot be drawn on a scale of powers.
std::optional<SeedMean> drawable(const std::vector<double>& values) {
  const bool positive =
      std::ranges::all_of(values, [](double value) { return value > 0 && std::isfinite(value); });
  return positive ? std::optional(seed_mean(values)) : std::nullopt;
}

// Over runs, of one quantity of one block.
std::optional<SeedMean> mean_over(const std::vector<std::vector<BlockOutput>>& runs,
                                  std::size_t layer, double BlockOutput::*quantity) {
  std::vector<double> values;
  for (const auto& run : runs) values.push_back(run[layer].*quantity);
  return drawable(values);
}

// Fills in what theory says, or why it says nothing.
void predict(const config::RunConfig& run, std::vector<SideReport>& sides) {
  const auto task = tasks::make_task({run.task, run.model.kind, {}});
  if (task->shape().real) {
    for (SideReport& side : sides) side.no_prediction = "the task's tokens are numbers";
    return;
  }
  const auto predictions =
      theory::predict(run.model, run.block, theory::batch_shape(*task, run.train.batch));
  for (std::size_t i = 0; i < sides.size(); ++i) {
    SideReport& side = sides[i];
    const theory::Prediction& prediction = predictions[i];
    std::vector<double> rms;
    for (std::size_t layer = 0; layer < side.rows.size(); ++layer) {
      const theory::SitePrediction& place = prediction.taps[prediction.blocks[layer]];
      BlockReport& row = side.rows[layer];
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

std::vector<ModelNumber> whole_model(const std::vector<const config::Cell*>& cells,
                                     const std::vector<record::CellFolder>& folders) {
  std::vector<ModelNumber> result;
  const auto add = [&](const std::string& label, const std::string& sql) {
    std::vector<double> values;
    for (const record::CellFolder& folder : folders) {
      for (const auto& row : record::Reader(folder.record()).numbers(sql)) values.push_back(row[0]);
    }
    const bool all = values.size() == folders.size();
    result.push_back({label, all ? drawable(values) : std::nullopt});
  };
  const config::RunConfig& run = cells.front()->config;
  for (const config::Analysis analysis : run.probe.analyses) {
    if (analysis == config::Analysis::kDependency) {
      const std::string own =
          "SELECT value FROM dependency WHERE step = 0 AND (layer, sublayer) = (on_layer, "
          "on_sublayer) AND sublayer = 'ff' AND layer = ";
      add("newest branch's part of the stream, first block", own + "0");
      add("newest branch's part of the stream, last block",
          own + std::to_string(run.model.depth - 1));
    } else {
      const std::string name = name_of(analysis);
      add(name, "SELECT value FROM scalar WHERE step = 0 AND name = '" + name + "'");
    }
  }
  return result;
}

SeedMean seed_mean(const std::vector<double>& values) {
  std::vector<double> logs;
  double sum = 0;
  for (const double value : values) sum += logs.emplace_back(std::log(value));
  SeedMean result{std::exp(sum / static_cast<double>(logs.size())), {}};
  if (logs.size() < 2) return result;
  const stats::Interval of_logs = stats::mean_interval(logs, kAlpha);
  result.interval = stats::Interval{std::exp(of_logs.low), std::exp(of_logs.high)};
  return result;
}

std::vector<SideReport> init_report(const std::vector<const config::Cell*>& cells,
                                    const std::vector<record::CellFolder>& folders) {
  const config::RunConfig& run = cells.front()->config;
  std::vector<SideReport> sides;
  for (const config::ModelPart& part : config::model_parts(run.model, run.block)) {
    SideReport& side = sides.emplace_back();
    side.side = part.side();
    std::vector<std::vector<BlockOutput>> runs;
    for (const record::CellFolder& folder : folders) {
      runs.push_back(block_outputs(record::Reader(folder.record()), /*step=*/0, part.side()));
      if (runs.back().size() == static_cast<std::size_t>(part.model.depth)) continue;
      throw UserError({folder.record().string()}, "expected each block's output at step 0",
                      "remove the run's folder to measure it again");
    }
    std::vector<double> rms, ratios;
    for (std::size_t layer = 0; layer < runs.front().size(); ++layer) {
      BlockReport& row = side.rows.emplace_back();
      row.layer = static_cast<int>(layer);
      row.rms = mean_over(runs, layer, &BlockOutput::rms);
      row.grad_norm = mean_over(runs, layer, &BlockOutput::grad_norm);
      row.token_cosine = mean_over(runs, layer, &BlockOutput::token_cosine);
      if (row.rms) rms.push_back(row.rms->mean);
    }
    for (const auto& one : runs) ratios.push_back(one.back().grad_norm / one.front().grad_norm);
    side.grad_ratio = drawable(ratios);
    const bool grows = rms.size() == side.rows.size() && rms.size() > 1;
    side.rms_exponent =
        grows ? theory::growth_exponent(rms) : std::numeric_limits<double>::quiet_NaN();
  }
  if (run.model.init_from.empty()) {
    predict(run, sides);
  } else {
    for (SideReport& side : sides) side.no_prediction = "the weights are not initial ones";
  }
  return sides;
}

}  // namespace layerlab::report
