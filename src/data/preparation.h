// From the features that a file has to the features of an example.
#pragma once

#include <vector>

#include "soba/data.h"

namespace soba {

// Scales, normalises and adds the bias: raw (sorted, sparse) features in, an example's features
// out. Requires: the schema outlives this. Not thread-safe.
class Preparation {
 public:
  explicit Preparation(const Schema& schema);
  // Appends the prepared example to `out`. A caller that knows that no value is zero saves the
  // search for one.
  void append(const Features& raw, Label label, Block& out, bool without_zeros = false);

 private:
  void append_prepared(const Features& raw, Label label, Block& out) const;

  const Schema& schema_;
  bool changes_nothing_;       // but leaves out zeros
  std::vector<Index> filled_;  // raw features whose zero becomes something else (minmax, low < 0)
};

}  // namespace soba
