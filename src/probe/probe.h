// Measures every place of the equation and every parameter during one training step.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "equation/program.h"
#include "models/parameters.h"
#include "models/tap.h"
#include "record/record.h"

namespace layerlab::probe {

// The measurements of one step, for one replica.
struct Readings {
  std::vector<record::SiteRow> sites;
  std::vector<record::ParamRow> params;
};

// Used around a step in this order:
//   begin(); forward with tap(); backward; before_clip(); after_clip(); after_update(); read().
// It never changes a value that training uses, and waits for the device in read() only.
class Probe {
 public:
  // Both must outlive the probe.
  Probe(const std::vector<equation::Tap>& taps, const models::Parameters& parameters);

  void begin();
  models::TapFunction tap();
  void before_clip();   // gradients as backward left them; weights before the update
  void after_clip();    // gradients that the optimiser will see
  void after_update();  // weights after the update

  // One copy to the host, then one element a replica.
  std::vector<Readings> read(std::int64_t step);

 private:
  enum class Table { kSite, kParam };
  struct Measured {
    Table table;
    std::size_t place;     // index into the taps or parameters.slots()
    std::size_t quantity;  // column of the table
    at::Tensor values;     // [R]
  };

  void add(Table table, std::size_t place, std::string_view quantity, const at::Tensor& values);
  void measure_value(std::size_t tap, const at::Tensor& value);
  void measure_parameters(std::string_view quantity, const at::Tensor& flat);

  const std::vector<equation::Tap>& taps_;
  const models::Parameters& parameters_;
  std::vector<Measured> measured_;
  at::Tensor before_;  // [R, P], weights before the update
};

}  // namespace layerlab::probe
