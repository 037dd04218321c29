// More seeds for undecided claims, without being wrong more often for analysing again.
//
// Adding runs until a result pleases is wrong more often than each single analysis is. So the
// stages are fixed beforehand and share the error rate: stage k = 1, 2, … has 2^(k-1) times the
// file's seeds and the error rate alpha/2^k, which add up to alpha. By Bonferroni's inequality that
// holds for intervals of every kind, however the stages and claims depend on each other: an
// alpha-spending function (Lan and DeMets 1983, "Discrete sequential boundaries for clinical
// trials") in its plainest form. Within a stage Holm's procedure shares its rate among the claims,
// and those that earlier stages decided count as passed (Maurer and Bretz 2013, "Multiple testing
// in group sequential trials using graphical approaches", with this bound).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "claims/claim_result.h"
#include "claims/evaluate.h"
#include "config/experiment.h"

namespace layerlab::claims {

inline constexpr int kStages = 8;  // the last has 128 times the file's seeds

// The error rate of stage `number`, from 1.
double stage_alpha(int number);

// The seeds of a stage: those of the experiment in their order, then the integers that follow the
// largest.
std::vector<std::uint64_t> stage_seeds(const config::Experiment& experiment, int number);

// More seeds may change the verdict, and that is wanted: it is undecided, not for lack of a number,
// and its author did not expect it to be.
bool is_open(const ClaimResult& result);

// Goes through the stages; the caller trains. A stage's results follow from the records alone, so
// another InterimAnalysis goes on where this one was left.
class InterimAnalysis {
 public:
  // The same experiment with other seeds.
  using WithSeeds = std::function<config::Experiment(const std::vector<std::uint64_t>& seeds)>;

  // Begins with stage 1: the experiment as it is, whose claims were prepared. The experiment must
  // outlive this.
  InterimAnalysis(const config::Experiment& experiment, std::vector<PreparedClaim> claims,
                  WithSeeds with_seeds, std::filesystem::path results);

  // Judges the stage, whose runs are trained. Throws UserError as evaluate() does.
  void analyse();
  // As of the last analyse().
  const std::vector<ClaimResult>& results() const { return judged_; }

  // Goes to the next stage: the runs of the claims that are open, each once. Nothing where none is
  // open, after the last stage, and where open claims name their seeds, so that none can be added.
  std::optional<config::Experiment> next();

  int stage() const { return stage_; }
  std::ptrdiff_t open() const;  // claims

 private:
  std::vector<config::Cell> open_runs() const;

  const config::Experiment& experiment_;
  std::vector<PreparedClaim> claims_;  // of the stage
  WithSeeds with_seeds_;
  std::filesystem::path results_;
  std::vector<ClaimResult> judged_;
  int stage_ = 1;
};

}  // namespace layerlab::claims
