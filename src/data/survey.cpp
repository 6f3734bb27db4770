#include "soba/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "core/fields.h"
#include "data/bytes/text.h"
#include "data/source.h"

namespace soba {

namespace {

constexpr double kUnitTolerance = 1e-4;   // data files round their values
constexpr double kScaleDisparity = 1000;  // between the features' largest values

void add_example(Survey& found, Features x, Label label) {
  ++found.examples;
  ++found.label_counts[static_cast<std::size_t>(label)];
  if (found.ranges.size() < static_cast<std::size_t>(x.extent())) {
    found.ranges.resize(static_cast<std::size_t>(x.extent()));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = x.value[i];
    found.minimum = found.values == 0 ? value : std::min(found.minimum, value);
    found.maximum = found.values == 0 ? value : std::max(found.maximum, value);
    ++found.values;
    FeatureRange& range = found.ranges[static_cast<std::size_t>(x.feature(i))];
    range.count += value != 0;
    range.largest = std::max(range.largest, std::fabs(value));
  }
  const double norm = std::sqrt(squared_norm(x));
  found.unit_norm += std::fabs(norm - 1) <= kUnitTolerance;
  found.zero += norm == 0;
}

// A label as it would be read by someone who does not look closely.
std::string blurred(const std::string& label) {
  if (const auto number = read_number(label, {.min = -1e300, .max = 1e300})) {
    return to_text(*number);
  }
  std::string out;
  for (const char c : label) {
    if (!is_blank(c)) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

void warn_of_similar_labels(const Survey& found, std::vector<std::string>& out) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const std::string& label : found.labels) {
    groups[blurred(label)].push_back(fmt::format("'{}'", label));
  }
  for (const auto& [key, spellings] : groups) {
    if (spellings.size() > 1) {
      out.push_back(fmt::format("the labels {} differ only in spelling", in_words(spellings)));
    }
  }
}

void warn_of_features(const Survey& found, std::vector<std::string>& out) {
  std::int64_t unused = found.features - static_cast<std::int64_t>(found.ranges.size());
  double largest = 0, smallest = 0;
  for (const FeatureRange& range : found.ranges) {
    if (range.count == 0) {
      ++unused;
      continue;
    }
    largest = std::max(largest, range.largest);
    smallest = smallest == 0 ? range.largest : std::min(smallest, range.largest);
  }
  if (unused > 0) out.push_back(counted(unused, "feature") + " never used");
  if (smallest > 0 && largest / smallest > kScaleDisparity) {
    out.push_back(
        fmt::format("the features' scales differ by a factor of {:.2g} (largest values {:.3g} "
                    "and {:.3g}); scale maxabs evens them out",
                    largest / smallest, smallest, largest));
  }
}

}  // namespace

std::string ColumnSurvey::text() const {
  std::string out = fmt::format("{}: {}, {}{} distinct", name, type,
                                distinct < kMostDistinct ? "" : "at least ", distinct);
  if (missing > 0) {
    const auto cells = static_cast<double>(missing + values);
    out += fmt::format(", {:.2f} % missing", 100 * static_cast<double>(missing) / cells);
  }
  if (numbers > 0 && type == "number") out += fmt::format(", from {} to {}", minimum, maximum);
  return found.empty() ? out : fmt::format("{} ({})", out, found);
}

double Survey::density() const {
  const double cells = static_cast<double>(examples) * static_cast<double>(features);
  return cells == 0 ? 0 : static_cast<double>(values) / cells;
}

Survey survey(Source& source) {
  Survey found;
  found.labels = source.schema().labels.names();
  found.label_counts.resize(found.labels.size());
  source.impl_->notes().wanted = true;
  const std::unique_ptr<Stream> stream = source.open();
  while (const Block* block = stream->next()) {
    for (std::size_t i = 0; i < block->size(); ++i) {
      add_example(found, block->features(i), block->label[i]);
    }
  }
  found.data = source.description();
  found.features = source.shape().features;
  found.columns = source.impl_->notes().columns;
  found.bad_lines = source.skipped();
  found.first_bad = source.first_skipped();
  return found;
}

std::vector<std::string> warnings(const Survey& found) {
  std::vector<std::string> out;
  const auto unseen = std::count(found.label_counts.begin(), found.label_counts.end(), 0);
  if (unseen > 0) out.push_back(counted(unseen, "label") + " of the given set never seen");
  warn_of_similar_labels(found, out);
  warn_of_features(found, out);
  for (const ColumnSurvey& column : found.columns) {
    for (const std::string& flag : column.flags) {
      out.push_back(fmt::format("column '{}': {}", column.name, flag));
    }
  }
  if (found.zero > 0) out.push_back(counted(found.zero, "example") + " with every value zero");
  return out;
}

}  // namespace soba
