// A small study for tests: a grid of two blocks, some seeds and perhaps some depths, whose records
// are written by hand.
#pragma once

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "claims/evaluate.h"
#include "config/run_config_toml.h"
#include "core/files.h"
#include "core/table_reader.h"
#include "record/record.h"
#include "tests/support/temporary_folder.h"

namespace layerlab::claims {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline TomlNode toml(const std::string& value) { return parse_toml_value(value, {}); }

// "> 0.9" and so on, as the configuration reads it.
inline config::Region above(double low) { return {low, kInf, "> " + std::to_string(low)}; }
inline config::Region below(double high) { return {-kInf, high, "< " + std::to_string(high)}; }

class Study {
 public:
  // Cells are named "post_ln-1" after block and seed, with several depths "post_ln-1-6".
  explicit Study(int seeds, const std::vector<int>& depths = {6}) {
    experiment.axes = {"model.block", "model.depth", "seed"};
    for (const char* const block : {"post_ln", "pre_ln"}) {
      for (int seed = 1; seed <= seeds; ++seed) {
        for (const int depth : depths) {
          config::Cell cell;
          cell.id = block + std::string("-") + std::to_string(seed);
          if (depths.size() > 1) cell.id += "-" + std::to_string(depth);
          TomlNode run{TomlNode::Table{}, {}, {}, {}};
          set_path(run, "seed", to_node(seed));
          set_path(run, "model.block", to_node(std::string(block)));
          set_path(run, "model.depth", to_node(depth));
          cell.config = config::read_run_config(run);
          cell.settings = to_tree(cell.config);
          experiment.cells.push_back(cell);
        }
      }
    }
  }

  // Ends the run of a cell with this final loss.
  void finish(const std::string& cell_id, double loss,
              record::CellState state = record::CellState::kFinished) {
    const record::CellFolder cell = folder(cell_id);
    begin(cell_id);
    std::filesystem::remove(cell.done());  // where it has another end already
    record::Writer writer(cell.record(), 0);
    writer.add(record::ScalarRow{0, "loss", 4});
    writer.add(record::ScalarRow{1, "loss", loss});
    writer.commit();
    record::write_done(cell, {state, 2});
  }
  void begin(const std::string& cell_id) {
    write_file_atomically(folder(cell_id).config(), "seed = 1\n");
  }

  config::Claim& add_claim(const std::string& id, const std::string& block,
                           const config::Region& expect) {
    config::Claim claim;
    claim.id = id;
    claim.where = {{"model.block", {toml(block)}}};
    claim.measure = "final('loss')";
    claim.expect = expect;
    claim.place = {"study.toml", 10, 1};
    claim.measure_place = {"study.toml", 12, 11};
    experiment.claims.push_back(claim);
    return experiment.claims.back();
  }

  std::vector<ClaimResult> evaluate() const {
    return claims::evaluate(prepare(experiment), results());
  }

  std::filesystem::path results() const { return folder_.path(); }
  record::CellFolder folder(const std::string& cell_id) const {
    return record::cell_folder(results(), cell_id);
  }

  config::Experiment experiment;

 private:
  TemporaryFolder folder_;
};

}  // namespace layerlab::claims
