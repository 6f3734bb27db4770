// Whether the probabilities of a log can be true, before anything is computed with them.
#pragma once

#include <vector>

#include "evaluate/column.h"
#include "evaluate/decision_reader.h"
#include "soba/data.h"
#include "soba/evaluate.h"

namespace soba {

class Auditor {
 public:
  void answered(Label label, double p, bool correct);
  void unanswered(double p) {
    ++unanswered_;
    p_unanswered_ += p;
  }
  double least() const { return least_; }
  // `allowed`: the mean number of allowed labels.
  Audit audit(const NameMap& labels, double allowed, const LogCounts& counts) const;

 private:
  struct Inverse {
    std::int64_t count = 0;
    double sum = 0, squares = 0;  // of 1/p
  };

  std::vector<Inverse> by_label_;
  Inverse all_;
  std::int64_t right_ = 0, certain_ = 0, unanswered_ = 0;
  double least_ = 1, p_answered_ = 0, pp_answered_ = 0, p_unanswered_ = 0;
};

// Why the weights of a policy cannot be those of a distribution over labels that the log could
// play; empty where they can. `least`: the smallest probability in the log.
std::string weight_refusal(const Column& column, double least);

}  // namespace soba
