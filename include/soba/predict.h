// What a model says of examples whose answer nobody will give: no exploration, nothing learnt.
#pragma once

#include <functional>
#include <span>

#include "soba/data.h"
#include "soba/model.h"

namespace soba {

// What to give beside the label: nothing, the score of each label, or the probability with which
// the model would play each label if it were asked to decide now.
enum class Forecast { kLabel, kScores, kProbabilities };

// The label with the highest score, which ties give to the first, and the k numbers asked for; none
// for kLabel. The numbers are valid until the next call.
using OnForecast = std::function<void(Label greedy, std::span<const double> numbers)>;

// Calls on_row for each example of the block, in order. Retired labels have probability 0, and −∞
// or 0 for a score. Features that the model has never met do
// not count. `allowed`: the labels to choose from, as Decider takes them; empty: all in use.
// Threads: only reads the model.
void predict(const Model& model, const Block& block, Forecast forecast, const OnForecast& on_row,
             std::span<const Label> allowed = {});

}  // namespace soba
