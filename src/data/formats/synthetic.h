// The two synthetic streams of the Banditron and SOBA papers (Kakade, Shalev-Shwartz and Tewari,
// "Efficient bandit algorithms for online multiclass prediction", ICML 2008, section 4).
//
// 9 classes, 400 binary features. A class is a vector with 20 to 40 ones among the first 120
// features. An example: a class drawn uniformly, its vector with 5 of the ones turned off, and 20
// of the last 280 features turned on. With probability `noise` the label is replaced by one drawn
// from all 9, which may be the same one: at noise 0.05, 4.44 % of the labels are wrong.
//
// Example i is a pure function of (seed, i), and its features do not depend on the noise.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/bytes/lines.h"
#include "soba/types.h"

namespace soba {

struct SyntheticOptions {
  std::string name;  // synsep or synnonsep
  std::int64_t n = 1000000;
  std::uint64_t seed = 1;
  double noise = 0;
};

class Synthetic {
 public:
  static constexpr Label kClasses = 9;
  static constexpr Index kFeatures = 400;
  // Of the examples that a description stands for: other examples, another version.
  static constexpr int kVersion = 1;

  explicit Synthetic(const SyntheticOptions& options);

  const SyntheticOptions& options() const { return options_; }
  // Example i: its features into `row`, its label (0 … 8) as the result. Requires: 0 <= i < n.
  Label example(std::int64_t i, Row& row) const;
  // The text that describes exactly these examples.
  std::string description() const;

 private:
  static constexpr Index kTopicFeatures = 120;
  static constexpr std::size_t kWords = (kFeatures + 63) / 64;

  SyntheticOptions options_;
  std::array<std::vector<Index>, kClasses> topics_;                 // the ones of each class
  std::array<std::array<std::uint64_t, kWords>, kClasses> bits_{};  // the same as a bit set
};

// "1" … "9"
std::string_view synthetic_label(Label label);

// What `data` describes, if it is a generator: "synsep", "synnonsep:n=1e6,seed=1,noise=0.05".
// Throws Error{kUsage} on a wrong parameter.
std::optional<SyntheticOptions> parse_synthetic(std::string_view data, std::uint64_t seed);
// A generator whose name is near that of `data`, for "did you mean …"; or empty.
std::string nearest_synthetic(std::string_view data);

// The examples in order; the line of a row is the number of the example, from 1.
class SyntheticReader : public RowReader {
 public:
  // Requires: `synthetic` outlives the reader.
  explicit SyntheticReader(const Synthetic& synthetic) : synthetic_(synthetic) {}
  RowStatus next(Row& row, RowError& error) override;
  std::int64_t label_column() const override { return 1; }

 private:
  const Synthetic& synthetic_;
  std::int64_t next_ = 0;
};

}  // namespace soba
