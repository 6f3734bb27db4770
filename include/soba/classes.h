// How well a run went, label by label: what one error rate hides where a label is rare.
#pragma once

#include <cstdint>
#include <vector>

#include "soba/play.h"
#include "soba/types.h"

namespace soba {

// The confusion matrix is kept up to this many cells: 2,000 labels.
inline constexpr std::int64_t kConfusionCells = 4'000'000;

// Counts of rounds by label. Threads: as a std::vector.
struct ClassCounts {
  // Rounds in which the label was the right one; was played; both; and in which it was right and
  // had the highest score.
  std::vector<std::int64_t> examples, played, right, greedy_right;
  // Rounds with the right label y in which z was played, at y·k + z. Empty beyond kConfusionCells.
  std::vector<std::int64_t> confusion;

  explicit ClassCounts(Label classes = 0);
  void count(const Played& round) {
    const auto y = static_cast<std::size_t>(round.label),
               z = static_cast<std::size_t>(round.played);
    ++examples[y];
    ++played[z];
    right[y] += round.correct;
    greedy_right[y] += round.greedy == round.label;
    if (!confusion.empty()) ++confusion[y * examples.size() + z];
  }

  Label classes() const { return static_cast<Label>(examples.size()); }
  std::int64_t rounds() const;
  // Shares, 0 where there is nothing to share: of the label's examples those that were played right
  // (or had it on top of the scores); of the rounds in which it was played those that were right.
  double recall(Label label) const;
  double greedy_recall(Label label) const;
  double precision(Label label) const;
  // The labels, most examples first; of equals the first.
  std::vector<Label> by_frequency() const;

  // What the error would be without learning: of always playing the most frequent label, known in
  // hindsight, and of playing each label equally often.
  Label constant() const;  // that label. Requires: classes() >= 1
  double constant_error() const;
  double guess_error() const;
  // Whether the labels that were played, or those with the highest score, were right more often
  // than the constant one, by more than chance explains (McNemar's test, one-sided, at 2.3 %).
  bool beats_constant() const;
  bool greedy_beats_constant() const;
};

}  // namespace soba
