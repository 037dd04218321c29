#include "worker/conform.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "conform/check.h"
#include "conform/common_mistakes.h"
#include "conform/tensor_names.h"
#include "core/error.h"
#include "worker/conform_model.h"

namespace layerlab::worker {
namespace {

using conform::Comparison;
using conform::SiteName;
using conform::TensorComparison;
using conform::TensorKind;

double largest(const at::Tensor& tensor) {
  return tensor.numel() == 0 ? 0 : tensor.abs().max().item<double>();
}

// Runs the file's inputs through both stacks of an encoder-decoder, or the one there is, and
// compares what the file holds of them.
class Comparer {
 public:
  Comparer(const record::SafeTensors& file, const conform::Fixture& fixture, at::ScalarType dtype)
      : file_(file),
        dtype_(dtype),
        tolerances_(dtype == at::kDouble ? conform::kFloat64 : conform::kFloat32) {
    if (fixture.encoder) add(*fixture.encoder, false);
    add(fixture.main, fixture.embeds);
  }

  Comparison compare() {
    load_weights();
    if (!result_.missing.empty()) return std::move(result_);
    forward();
    compare_values();
    compare_gradients();
    note_unused();
    return std::move(result_);
  }

 private:
  struct ModelSite {
    const ConformModel* model;
    SiteName site;
    int position;
  };

  void add(const conform::StackFixture& stack, bool embeds) {
    models_.push_back(std::make_unique<ConformModel>(stack, embeds, file_, dtype_));
    std::vector<ModelSite> found;
    for (const SiteName& site : conform::sites_of(file_, stack.prefix)) {
      const int position = models_.back()->position(site);
      if (position < 0) {
        result_.unused.push_back(site.name);
      } else {
        found.push_back({models_.back().get(), site, position});
      }
    }
    // A block's output is also the next one's input; it counts as the former.
    std::ranges::stable_sort(found, {}, [](const ModelSite& at) {
      return std::pair(at.position, at.site.kind.starts_with("block_in"));
    });
    sites_.insert(sites_.end(), found.begin(), found.end());
  }

  void load_weights() {
    for (const auto& [name, data] : file_.tensors) {
      if (conform::is_parameter(name)) result_.unused.push_back(name);
    }
    for (const auto& model : models_) model->load(file_, result_.missing, result_.unused);
  }

  // Tensors that neither went in nor were compared; parameters are there already.
  void note_unused() {
    for (const auto& [name, data] : file_.tensors) {
      const bool noted = std::ranges::find(result_.unused, name) != result_.unused.end();
      if (!noted && !conform::is_parameter(name) && !read_.contains(name)) {
        result_.unused.push_back(name);
      }
    }
  }

  bool has(const std::string& name) const { return file_.tensors.contains(name); }
  at::Tensor stored(const std::string& name) {
    read_.insert(name);
    return to_tensor(file_.tensors.at(name), dtype_);
  }
  // With the replica axis, and a gradient where there can be one.
  at::Tensor input(const std::string& name) {
    at::Tensor result = stored(name).unsqueeze(0);
    if (result.is_floating_point()) {
      result.requires_grad_();
      inputs_.emplace_back(name, result);
    }
    return result;
  }

  void forward() {
    at::Tensor memory = has("memory") ? input("memory") : at::Tensor();
    if (models_.size() == 2) memory = models_.front()->forward(memory, {});
    ConformModel& main = *models_.back();
    output_ = hidden_ = main.forward(input(main.embedding() ? "input_ids" : "input"), memory);
    const bool tied = main.embedding() && file_.tensors.at("output").shape.back() ==
                                              main.embedding()->options.vocabulary;
    if (tied) output_ = main.embedding()->logits(hidden_);
  }

  // Compares our tensor with the file's `name`. Undefined agrees with nothing. The error is
  // relative to the file's largest value, and to no less than `scale`.
  const TensorComparison& compare(const std::string& name, TensorKind kind, const at::Tensor& ours,
                                  double scale) {
    const at::Tensor theirs = stored(name);
    const bool values = kind == TensorKind::kValue;
    TensorComparison row{name, kind, std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::quiet_NaN(),
                         values ? tolerances_.values : tolerances_.gradients};
    if (ours.defined() && !is_view(ours.sizes(), theirs.sizes())) {
      throw UserError({}, "expected " + name + " of shape " +
                              conform::shape_text(ours.sizes().vec()) + ", got " +
                              conform::shape_text(theirs.sizes().vec()));
    }
    if (ours.defined()) {
      row.max_error = largest(ours.detach().reshape(theirs.sizes()) - theirs);
      const double relative_to = std::max(scale, largest(theirs));
      // Where all is zero, nothing but zero agrees.
      row.relative_error = row.max_error == 0 ? 0 : row.max_error / relative_to;
    }
    result_.rows.push_back(std::move(row));
    return result_.rows.back();
  }

  void compare_values() {
    const ModelSite* last = nullptr;  // that agrees
    for (const ModelSite& at : sites_) {
      const bool agrees =
          compare(at.site.name, TensorKind::kValue, at.model->value(at.site), 0).agrees();
      if (!agrees && result_.difference.empty()) result_.difference = difference(last, at);
      if (agrees) last = &at;
    }
    const auto end = [&](const char* name, const at::Tensor& value, double scale = 0) {
      if (!has(name)) return;
      if (!compare(name, TensorKind::kValue, value, scale).agrees() && result_.difference.empty()) {
        result_.difference =
            std::string(name) + (last == nullptr ? "" : "; " + last->site.name + " agrees");
      }
    };
    end("final_hidden", hidden_[0]);
    end("output", output_[0]);
    if (!has("loss_weight")) return;
    const at::Tensor terms = output_[0] * stored("loss_weight");
    loss_ = terms.sum();
    end("loss", loss_, terms.abs().sum().item<double>());  // the terms cancel, their errors do not
  }

  // Where values differ first, and what the equation computes from there back to the last site
  // that agrees.
  static std::string difference(const ModelSite* last, const ModelSite& at) {
    const bool known = last != nullptr && last->model == at.model;
    std::string text = at.site.name;
    if (last != nullptr) text += "; " + last->site.name + " agrees";
    std::string nodes;
    const auto& taps = at.model->program().taps;
    for (int i = known ? last->position + 1 : 0; i <= at.position; ++i) {
      const equation::Site& site = taps[i].sites.front();
      if (site.layer < 0) continue;
      nodes += (nodes.empty() ? "" : ", ") + std::to_string(site.layer) + "." + site.sublayer +
               "." + site.role;
    }
    return nodes.empty() ? text : text + "; on the way: " + nodes;
  }

  void compare_gradients() {
    const auto is_gradient = [](const auto& entry) { return entry.first.starts_with("grad."); };
    if (std::ranges::none_of(file_.tensors, is_gradient)) return;
    if (!loss_.defined()) {
      throw UserError({}, "expected a tensor loss_weight beside gradients",
                      "they are those of sum(output * loss_weight)");
    }
    loss_.backward();
    double scale = 0;  // a hundredth of the largest parameter gradient
    for (const auto& model : models_) {
      for (const std::string& name : model->parameters()) {
        if (has("grad." + name)) scale = std::max(scale, 0.01 * largest(stored("grad." + name)));
      }
    }
    const std::size_t first = result_.rows.size();
    for (const ModelSite& at : sites_)
      compare_gradient(at.site.name, at.model->gradient(at.site), scale);
    for (const auto& [name, tensor] : inputs_) compare_gradient(name, tensor.grad(), scale);
    for (const auto& model : models_) {
      for (const std::string& name : model->parameters()) {
        compare_gradient(name, model->parameter_gradient(name), scale);
      }
    }
    for (std::size_t i = first; i < result_.rows.size() && result_.difference.empty(); ++i) {
      if (result_.rows[i].agrees()) continue;
      result_.difference = result_.rows[i].tensor + "; all values agree";
    }
  }

  void compare_gradient(const std::string& name, const at::Tensor& ours, double scale) {
    if (has("grad." + name)) compare("grad." + name, TensorKind::kGradient, ours, scale);
  }

  const record::SafeTensors& file_;
  std::set<std::string> read_;  // tensors that went in or were compared
  at::ScalarType dtype_;
  conform::Tolerances tolerances_;
  std::vector<std::unique_ptr<ConformModel>> models_;
  std::vector<ModelSite> sites_;  // in the order in which the model computes them
  std::vector<std::pair<std::string, at::Tensor>> inputs_;
  at::Tensor hidden_, output_, loss_;
  Comparison result_;
};

}  // namespace

Comparison compare(const record::SafeTensors& file, const conform::Fixture& fixture,
                   at::ScalarType dtype) {
  return Comparer(file, fixture, dtype).compare();
}

Comparison conform_file(const std::filesystem::path& path, const conform::Choice& choice,
                        at::ScalarType dtype) {
  const record::SafeTensors file = record::read_safetensors(path);
  const TomlNode description = conform::describe(file, path, choice);
  Comparison result = compare(file, conform::make_fixture(description, file, path), dtype);
  if (result.agrees()) return result;
  std::vector<conform::Hypothesis> changes = conform::common_mistakes(description);
  std::ranges::move(conform::transpositions(description, file), std::back_inserter(changes));
  for (const conform::Hypothesis& change : changes) {
    try {
      record::SafeTensors transposed;
      if (!change.transposed.empty()) transposed = conform::transposed(file, change.transposed);
      const record::SafeTensors& changed = change.transposed.empty() ? file : transposed;
      const auto fixture = conform::make_fixture(change.description, changed, path);
      if (compare(changed, fixture, dtype).agrees()) result.explanations.push_back(change.text);
      ++result.tried;
    } catch (const UserError&) {
      // It does not fit this block.
    }
  }
  return result;
}

}  // namespace layerlab::worker
