// More seeds for undecided claims, without being wrong more often for looking again.
//
// Whoever adds runs until a result pleases is wrong more often than each of the looks is. So the
// looks are a fixed schedule that shares the error rate: look k = 1, 2, … has 2^(k-1) times the
// file's seeds and the error rate alpha/2^k, of which there is alpha in all. By Bonferroni's
// inequality that holds for intervals of every kind, whatever the looks have to do with each other:
// an alpha-spending function (Lan and DeMets 1983, "Discrete sequential boundaries for clinical
// trials") in its plainest form. Within a look Holm's procedure shares its rate among the claims,
// and those that earlier looks decided count as passed (Maurer and Bretz 2013, "Multiple testing in
// group sequential trials using graphical approaches", with this bound).
//
// Which look comes next, and what it says, follows from the records alone: whoever stops anywhere
// goes on there.
#pragma once

#include <cstdint>
#include <vector>

#include "claims/answer.h"
#include "claims/evaluate.h"
#include "config/experiment.h"

namespace layerlab::claims {

inline constexpr int kMostLooks = 8;  // 128 times the file's seeds

double look_alpha(int number);

// The seeds of a look, of an experiment as its file has it: its own in their order, then the
// integers that follow the largest.
std::vector<std::uint64_t> look_seeds(const config::Experiment& experiment, int number);

// More seeds may change the verdict, and that is wanted: it is undecided, not for lack of a number,
// and its author did not expect it to be.
bool is_open(const Answer& answer);

// Judges the questions of look `number`; `before` is what the look before gave, none for the first.
std::vector<Answer> take_look(const std::vector<Question>& questions, const CellFolders& folders,
                              int number, std::vector<Answer> before);

// The runs of the open claims, each once.
std::vector<config::Cell> open_runs(const std::vector<Question>& questions,
                                    const std::vector<Answer>& answers);

}  // namespace layerlab::claims
