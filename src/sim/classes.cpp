#include "soba/classes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace soba {

namespace {

constexpr double kDeviations = 2;  // of McNemar's statistic from 0, beyond chance

std::size_t place(Label label) { return static_cast<std::size_t>(label); }

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// `right`: for each label, rounds in which it was the right one and found.
bool beats(const ClassCounts& counts, const std::vector<std::int64_t>& right) {
  if (counts.rounds() == 0) return false;
  const std::size_t constant = place(counts.constant());
  const std::int64_t lost = counts.examples[constant] - right[constant];
  const std::int64_t won =
      std::accumulate(right.begin(), right.end(), std::int64_t{0}) - right[constant];
  return static_cast<double>(won - lost) > kDeviations * std::sqrt(static_cast<double>(won + lost));
}

}  // namespace

ClassCounts::ClassCounts(Label classes)
    : examples(place(classes)),
      played(place(classes)),
      right(place(classes)),
      greedy_right(place(classes)) {
  const std::int64_t cells = std::int64_t{classes} * classes;
  if (cells <= kConfusionCells) confusion.resize(static_cast<std::size_t>(cells));
}

std::int64_t ClassCounts::rounds() const {
  return std::accumulate(examples.begin(), examples.end(), std::int64_t{0});
}

double ClassCounts::recall(Label label) const {
  return share(right[place(label)], examples[place(label)]);
}

double ClassCounts::greedy_recall(Label label) const {
  return share(greedy_right[place(label)], examples[place(label)]);
}

double ClassCounts::precision(Label label) const {
  return share(right[place(label)], played[place(label)]);
}

std::vector<Label> ClassCounts::by_frequency() const {
  std::vector<Label> labels(examples.size());
  std::iota(labels.begin(), labels.end(), Label{0});
  std::stable_sort(labels.begin(), labels.end(),
                   [&](Label a, Label b) { return examples[place(a)] > examples[place(b)]; });
  return labels;
}

Label ClassCounts::constant() const {
  return static_cast<Label>(std::max_element(examples.begin(), examples.end()) - examples.begin());
}

double ClassCounts::constant_error() const {
  const std::int64_t all = rounds();
  return all == 0 ? 0 : share(all - examples[place(constant())], all);
}

double ClassCounts::guess_error() const {
  return classes() == 0 ? 0 : 1 - 1 / static_cast<double>(classes());
}

bool ClassCounts::beats_constant() const { return beats(*this, right); }
bool ClassCounts::greedy_beats_constant() const { return beats(*this, greedy_right); }

}  // namespace soba
