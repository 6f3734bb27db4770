#include "evaluate/learners.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "soba/error.h"

namespace soba {

LogLearner::LogLearner(const PolicyChoice& choice, const NameMap& labels, std::uint64_t seed)
    : model_(new_model(choice.name, choice.options, named_schema(labels.names()), seed)),
      x_(model_.schema),
      play_(predictor(model_.learner)) {
  if (!std::holds_alternative<std::unique_ptr<Learner>>(model_.learner)) {
    throw Error(
        ErrorKind::kUsage, "learner",
        fmt::format("'{}' must be told the true label, which no log of decisions has; choose "
                    "one with bandit feedback",
                    choice.name));
  }
}

std::span<const double> LogLearner::look(const Case& now) {
  features_ = x_.read(now.row, now.log);
  return play_.distribution(predictor(model_.learner), features_, model_.tally.rounds + 1,
                            now.allowed);
}

void LogLearner::learn(const Case& now, double p, bool correct) {
  Learner& learner = *std::get<std::unique_ptr<Learner>>(model_.learner);
  learner.reserve(features_);
  // Labels are numbered as in the log.
  const Learned learned = learner.learn(
      {features_, play_.scores(), play_.workings(), play_.greedy(), now.label, p, now.allowed},
      correct);
  Tally& tally = model_.tally;
  ++tally.rounds;
  ++tally.answers;
  tally.mistakes += !correct;
  tally.updates += learned.updated;
  tally.skipped += learned.skipped;
}

OnlineLearner::OnlineLearner(const PolicyChoice& choice, const NameMap& labels, std::uint64_t seed,
                             double least)
    : LogLearner(choice, labels, seed),
      relaxed_(choice.relaxed),
      c_(least),
      rng_(seed, Purpose::kAcceptance) {}

void OnlineLearner::take(const Case& now, bool correct) {
  const double p = now.row.probability;
  const double own = look(now)[static_cast<std::size_t>(now.label)];
  ++rows_;
  if (relaxed_) {
    if (rows_ > kFirst) column_.push(own / p, correct);
    relax(own > 0 ? p / own : 1e9);
  }
  if (!(rng_.uniform(static_cast<std::uint64_t>(rows_)) < c_ * own / p)) return;
  learn(now, own, correct);
  if (!relaxed_) column_.push(1, correct);
}

void OnlineLearner::relax(double ratio) {
  const int bin = kBins / 2 + static_cast<int>(std::floor(std::log2(ratio) * kBinsEach));
  ++ratios_[static_cast<std::size_t>(std::clamp(bin, 0, kBins - 1))];
  if (rows_ < kFirst || rows_ % kFirst != 0) return;
  std::int64_t below = 0;
  int at = 0;
  while ((below += ratios_[static_cast<std::size_t>(at)]) * 20 < rows_) ++at;
  c_ = std::exp2(static_cast<double>(at - kBins / 2) / kBinsEach);
}

double TrainedLearner::play(const Case& now, std::span<double> all) {
  look(now);
  const Label greedy = play_.greedy();
  std::fill(all.begin(), all.end(), 0.0);
  if (!all.empty()) all[static_cast<std::size_t>(greedy)] = 1;
  return greedy == now.label ? 1 : 0;
}

}  // namespace soba
