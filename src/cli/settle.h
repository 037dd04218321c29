// `verify --settle`: more seeds for the claims that are undecided.
#pragma once

#include <string>

#include "cli/command.h"
#include "cli/studies.h"
#include "cli/training.h"
#include "config/variation.h"

namespace layerlab::cli {

// Trains and judges look after look (claims/settle.h) until no claim is open that more seeds could
// close, or `budget` seconds have gone by since the first look; workers that are at work then save
// their state. The first look is the file's own runs and takes what it takes.
// The study is `file` with `variation`; it gets its answers. Returns why training ended, as
// train_missing() does.
int settle(Study& study, const std::string& file, const config::Variation& variation, double budget,
           const TrainOptions& options, const Globals& globals);

}  // namespace layerlab::cli
