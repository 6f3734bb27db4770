// The rows of a cache, for whoever reads rows of any format.
#include <algorithm>

#include "data/formats/cache/cache.h"
#include "data/schema.h"

namespace soba {

bool same_features(const CacheFile& file, const Schema& schema) {
  if (!file.named() || !schema.named_features) return file.named() == schema.named_features;
  const std::vector<std::string>& here = file.features().names();
  const std::vector<std::string>& known = schema.features.names();
  const auto common = static_cast<std::ptrdiff_t>(std::min(here.size(), known.size()));
  return std::equal(here.begin(), here.begin() + common, known.begin());
}

void add_features(const CacheFile& file, Index extent, Schema& schema) {
  if (!file.named()) return;
  for (Index j = schema.features.size(); j < extent; ++j) {
    schema.features.add(file.features().name(j));
  }
}

CacheReader::CacheReader(const CacheFile& file, Schema& schema, bool need_labels)
    : file_(file),
      schema_(schema),
      need_labels_(need_labels),
      same_features_(same_features(file, schema)) {
  if (same_features_) return;
  values_.emplace(schema);
  feature_.assign(file.features().names().size(), -1);
}

RowStatus CacheReader::next(Row& row, RowError& error) {
  const Block& block = block_.examples;
  if (in_block_ >= block.size()) {
    if (next_block_ == file_.blocks()) return RowStatus::kEnd;
    file_.read(next_block_, block_);
    ++next_block_;
    in_block_ = 0;
  }
  const std::size_t i = in_block_++;
  const Features x = block.features(i);
  row.line = ++number_;
  row.index.assign(x.index.begin(), x.index.end());
  row.value.assign(x.value.begin(), x.value.end());
  row.has_label = block.label[i] != kNoLabel;
  if (row.has_label) {
    row.label = file_.labels().name(block.label[i]);
  } else if (need_labels_) {
    error = {number_, 1, "expected a label, but the example has none"};
    return RowStatus::kBad;
  }
  if (same_features_) {
    add_features(file_, x.extent(), schema_);
    return RowStatus::kRow;
  }
  return rename(row, error) ? RowStatus::kRow : RowStatus::kBad;
}

bool CacheReader::rename(Row& row, RowError& error) {
  for (Index& j : row.index) {
    Index& feature = feature_[static_cast<std::size_t>(j)];
    if (feature < 0) {
      const std::string& name = file_.features().name(j);
      const std::optional<Index> known = values_->add_named(name);
      if (!known) {
        error = {number_, 1, no_feature(schema_, name)};
        return false;
      }
      feature = *known;
    }
    j = feature;
  }
  if (sorter_.sort(row)) {
    error = {number_, 1, "two features of the example are the same feature of the model"};
    return false;
  }
  return true;
}

}  // namespace soba
