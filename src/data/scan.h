// What a first look at all of the data finds out.
#pragma once

#include <cstdint>
#include <vector>

#include "data/rows.h"
#include "soba/data.h"

namespace soba {

// The least and the greatest value of each raw feature.
class Ranges {
 public:
  void add(Features raw);
  // Fills schema.low and schema.span for schema.scale, where `examples` rows were added in all: a
  // row without the feature counts as 0. Throws Error{kInput} where a feature is too wide for a
  // double.
  // Words of free text stay as they are.
  void fill(Schema& schema, std::int64_t examples) const;
  // Fills schema.documents and schema.idf.
  void fill_idf(Schema& schema, std::int64_t examples) const;

 private:
  std::vector<double> low_, high_;
  std::vector<std::int64_t> count_;
};

struct Scan {
  std::int64_t examples = 0;
  Index extent = 0;  // one more than the highest raw feature
  NameMap labels;    // in the order of appearance
  Ranges ranges;
};

// Reads all rows. `ranges`: find those too.
Scan scan(GoodRows& rows, bool ranges);

// The label texts in their natural order: by value where all are numbers, else bytewise.
std::vector<std::string> in_natural_order(std::vector<std::string> labels);

}  // namespace soba
