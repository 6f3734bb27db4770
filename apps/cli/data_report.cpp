#include "data_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "soba/options.h"
#include "text.h"

namespace soba::cli {

namespace {

constexpr double kUnitTolerance = 1e-4;   // data files round their values
constexpr double kScaleDisparity = 1000;  // between the features' largest values
constexpr std::size_t kShownLabels = 20;

void add_example(DataReport& report, Features x, Label label) {
  ++report.examples;
  ++report.label_counts[static_cast<std::size_t>(label)];
  if (report.ranges.size() < static_cast<std::size_t>(x.extent())) {
    report.ranges.resize(static_cast<std::size_t>(x.extent()));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = x.value[i];
    report.minimum = report.values == 0 ? value : std::min(report.minimum, value);
    report.maximum = report.values == 0 ? value : std::max(report.maximum, value);
    ++report.values;
    FeatureRange& range = report.ranges[static_cast<std::size_t>(x.feature(i))];
    range.count += value != 0;
    range.largest = std::max(range.largest, std::fabs(value));
  }
  const double norm = std::sqrt(squared_norm(x));
  report.unit_norm += std::fabs(norm - 1) <= kUnitTolerance;
  report.zero += norm == 0;
}

// A label as it would be read by someone who does not look closely.
std::string blurred(const std::string& label) {
  try {
    return to_text(parse_number("label", label, -1e300, 1e300));
  } catch (const Error&) {
    std::string out;
    for (const char c : label) {
      const bool space = c == ' ' || c == '\t';
      if (!space) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
  }
}

void warn_of_similar_labels(const DataReport& report, std::vector<std::string>& out) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const std::string& label : report.labels) {
    groups[blurred(label)].push_back(fmt::format("'{}'", label));
  }
  for (const auto& [key, spellings] : groups) {
    if (spellings.size() > 1) {
      out.push_back(fmt::format("the labels {} differ only in spelling", sentence_list(spellings)));
    }
  }
}

void warn_of_features(const DataReport& report, std::vector<std::string>& out) {
  std::int64_t unused = report.features - static_cast<std::int64_t>(report.ranges.size());
  double largest = 0, smallest = 0;
  for (const FeatureRange& range : report.ranges) {
    if (range.count == 0) {
      ++unused;
      continue;
    }
    largest = std::max(largest, range.largest);
    smallest = smallest == 0 ? range.largest : std::min(smallest, range.largest);
  }
  if (unused > 0) out.push_back(plural(unused, "feature") + " never used");
  if (smallest > 0 && largest / smallest > kScaleDisparity) {
    out.push_back(
        fmt::format("the features' scales differ by a factor of {:.2g} (largest values {:.3g} "
                    "and {:.3g}); --scale maxabs evens them out",
                    largest / smallest, smallest, largest));
  }
}

}  // namespace

double DataReport::density() const {
  const double cells = static_cast<double>(examples) * static_cast<double>(features);
  return cells == 0 ? 0 : static_cast<double>(values) / cells;
}

DataReport examine(Source& source) {
  DataReport report;
  report.labels = source.schema().labels.names();
  report.label_counts.resize(report.labels.size());
  const std::unique_ptr<Stream> stream = source.open();
  while (const Block* block = stream->next()) {
    for (std::size_t i = 0; i < block->size(); ++i) {
      add_example(report, block->features(i), block->label[i]);
    }
  }
  report.data = source.description();
  report.features = source.shape().features;
  report.bad_lines = source.skipped();
  report.first_bad = source.first_skipped();
  return report;
}

std::vector<std::string> warnings(const DataReport& report) {
  std::vector<std::string> out;
  const auto unseen = std::count(report.label_counts.begin(), report.label_counts.end(), 0);
  if (unseen > 0) out.push_back(plural(unseen, "label") + " of the given set never seen");
  warn_of_similar_labels(report, out);
  warn_of_features(report, out);
  if (report.zero > 0) out.push_back(plural(report.zero, "example") + " with every value zero");
  return out;
}

std::string report_text(const DataReport& report) {
  const auto line = [](std::string_view name, const std::string& text) {
    return fmt::format("  {} {}\n", pad_right(name, 10), wrap(text, 13, 13));
  };
  std::string out = report.data + '\n';
  out += line("examples", thousands(report.examples));
  out += line("features",
              fmt::format("{}; density {}", thousands(report.features), percent(report.density())));
  out += line("values", fmt::format("{}, from {} to {}; {}", thousands(report.values),
                                    report.minimum, report.maximum,
                                    report.unit_norm == report.examples && report.examples > 0
                                        ? "every example has norm 1"
                                        : "the norms of the examples are not all 1"));
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < report.labels.size() && i < kShownLabels; ++i) {
    shown.push_back(fmt::format("{} ({})", report.labels[i], thousands(report.label_counts[i])));
  }
  std::string list = fmt::format("{}", fmt::join(shown, ", "));
  if (report.labels.size() > kShownLabels) list += ", …";
  out += line("labels", fmt::format("{}: {}", report.labels.size(), list));
  for (const std::string& warning : warnings(report)) out += line("warning", warning);
  if (report.bad_lines > 0) {
    out += line("BAD", plural(report.bad_lines, "line") + " that cannot be read; the first:");
    out += line("", report.first_bad);
  } else {
    out += line("verdict", "every line can be read");
  }
  return out;
}

Json report_json(const DataReport& report) {
  Json out;
  out["data"] = report.data;
  out["ok"] = report.bad_lines == 0;
  out["examples"] = report.examples;
  out["labels"] = Json::object();
  for (std::size_t i = 0; i < report.labels.size(); ++i) {
    out["labels"][report.labels[i]] = report.label_counts[i];
  }
  out["features"] = report.features;
  out["values"] = report.values;
  out["density"] = report.density();
  out["minimum"] = report.minimum;
  out["maximum"] = report.maximum;
  out["unit_norm"] = report.examples > 0 && report.unit_norm == report.examples;
  out["bad_lines"] = report.bad_lines;
  out["first_bad"] = report.first_bad;
  out["warnings"] = warnings(report);
  return out;
}

}  // namespace soba::cli
