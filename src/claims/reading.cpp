#include "claims/reading.h"

#include "sweep/plan.h"
#include "tasks/catalogue.h"

namespace layerlab::claims {

CellFolders cells_in(const std::filesystem::path& results) {
  return [results](const std::string& id) { return sweep::cell_folder(results, id); };
}

double ChanceLosses::of(const config::Cell& cell) {
  const config::ModelKind kind = cell.config.model.kind;
  const auto [known, is_new] =
      known_.try_emplace({kind, to_toml_value(*cell.settings.find("task"))});
  if (is_new) known->second = tasks::make_task({cell.config.task, kind, {}})->shape().chance_loss;
  return known->second;
}

}  // namespace layerlab::claims
