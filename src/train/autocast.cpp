#include "train/autocast.h"

#include <ATen/autocast_mode.h>

namespace layerlab::train {

namespace autocast = at::autocast;

Autocast::Autocast(at::Device device, bool enabled)
    : type_(device.type()),
      was_enabled_(autocast::is_autocast_enabled(type_)),
      dtype_was_(autocast::get_autocast_dtype(type_)) {
  autocast::increment_nesting();
  autocast::set_autocast_enabled(type_, enabled);
  autocast::set_autocast_dtype(type_, at::kBFloat16);
}

Autocast::~Autocast() {
  // The outermost drops the casts of parameters, which the next update makes stale.
  if (autocast::decrement_nesting() == 0) autocast::clear_cache();
  autocast::set_autocast_enabled(type_, was_enabled_);
  autocast::set_autocast_dtype(type_, dtype_was_);
}

}  // namespace layerlab::train
