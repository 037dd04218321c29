#include "claims/chance_losses.h"

#include "tasks/catalogue.h"

namespace layerlab::claims {

double ChanceLosses::of(const config::Cell& cell) {
  const config::ModelKind kind = cell.config.model.kind;
  const auto [known, is_new] =
      known_.try_emplace({kind, to_toml_value(*cell.settings.find("task"))});
  if (is_new) known->second = tasks::make_task({cell.config.task, kind, {}})->shape().chance_loss;
  return known->second;
}

}  // namespace layerlab::claims
