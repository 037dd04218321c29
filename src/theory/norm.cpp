#include "theory/norm.h"

#include <cmath>

namespace layerlab::theory {

using equation::NormType;

bool is_pointwise(const equation::Norm& norm) { return norm.type == NormType::kDyT; }

bool centres(const equation::Norm& norm, const config::ModelConfig& model) {
  return norm.type == NormType::kLayerNorm ||
         (norm.type == NormType::kModel && model.norm == config::NormKind::kLayerNorm);
}

double norm_factor(const equation::Norm& norm, const config::ModelConfig& model, int features,
                   double square) {
  const double eps = norm.eps < 0 ? model.norm_eps : norm.eps;
  const double length = std::sqrt(features * square);
  switch (norm.type) {
    case NormType::kLayerNorm:
    case NormType::kRmsNorm:
    case NormType::kModel: {
      const double counted = norm.unbiased ? square * features / (features - 1.0) : square;
      const double root = norm.eps_outside ? std::sqrt(counted) + eps : std::sqrt(counted + eps);
      return root > 0 ? 1 / root : 0;
    }
    case NormType::kL2:
      return length > 0 ? 1 / length : 0;
    case NormType::kScaleNorm:  // its g is sqrt(D) at first
      return length > 0 ? std::sqrt(features) / length : 0;
    case NormType::kDyT:
      break;
  }
  return 1;
}

}  // namespace layerlab::theory
