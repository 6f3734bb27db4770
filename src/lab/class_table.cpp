// Recall, precision and confusion of a run, as tables for a terminal.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/class_names.h"
#include "soba/lab/describe.h"
#include "soba/lab/text.h"

namespace soba::lab {

namespace {

constexpr std::size_t kLabels = 20;  // that a table shows
constexpr std::size_t kNameWidth = 14;
constexpr std::size_t kInsteads = 2;  // labels named as played instead
constexpr std::size_t kInsteadWidth = 7;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// The text in exactly so many columns: cut with "…" or followed by spaces.
std::string fitted(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  const auto columns = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return starts_character(c); }));
  const std::size_t kept = columns > width ? width - 1 : columns;
  for (const char c : text) {
    if (starts_character(c) && ++used > kept) break;
    out += c;
  }
  if (columns > width) out += "…";
  return out + std::string(width - std::min(columns, width), ' ');
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string whole_percent(double share) {
  return share < 0.005 ? "<1 %" : fmt::format("{:.0f} %", 100 * share);
}

std::string name_of(const RunResult& result, Label label) {
  return printable(class_name(result, label));
}

// The labels that were played most where `label` was right, with their shares of its examples.
std::string played_instead(const RunResult& result, Label label) {
  const ClassCounts& counts = result.by_class;
  if (counts.confusion.empty()) return "";
  const auto k = static_cast<std::size_t>(counts.classes()), y = static_cast<std::size_t>(label);
  std::vector<std::size_t> others;
  for (std::size_t z = 0; z < k; ++z) {
    if (z != y && counts.confusion[y * k + z] > 0) others.push_back(z);
  }
  std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
    return counts.confusion[y * k + a] > counts.confusion[y * k + b];
  });
  std::string out;
  for (std::size_t i = 0; i < std::min(others.size(), kInsteads); ++i) {
    const std::size_t z = others[i];
    out += fmt::format("{}{} ({})", i == 0 ? "" : ", ",
                       trimmed(fitted(name_of(result, static_cast<Label>(z)), kInsteadWidth)),
                       whole_percent(fraction(counts.confusion[y * k + z], counts.examples[y])));
  }
  return out;
}

// The most frequent labels of the run, as many as a table shows, and a line on the rest.
std::vector<Label> shown_labels(const ClassCounts& counts, std::string& rest) {
  std::vector<Label> labels = counts.by_frequency();
  if (labels.size() > kLabels) {
    rest = fmt::format("  … and {} with fewer examples; --json has every label\n",
                       plural(static_cast<std::int64_t>(labels.size() - kLabels), "label"));
    labels.resize(kLabels);
  }
  return labels;
}

}  // namespace

std::string class_table(const RunResult& result) {
  const ClassCounts& counts = result.by_class;
  std::string rest;
  const std::vector<Label> labels = shown_labels(counts, rest);
  std::string out = fmt::format("  {} {:>9} {:>8} {:>10}   {}\n", fitted("label", kNameWidth),
                                "examples", "recall", "precision", "played instead");
  for (const Label label : labels) {
    const auto y = static_cast<std::size_t>(label);
    out += trimmed(fmt::format("  {} {:>9} {:>8} {:>10}   {}",
                               fitted(name_of(result, label), kNameWidth),
                               thousands(counts.examples[y]),
                               counts.examples[y] > 0 ? percent(counts.recall(label)) : "–",
                               counts.played[y] > 0 ? percent(counts.precision(label)) : "–",
                               played_instead(result, label))) +
           '\n';
  }
  return out + rest;
}

std::string confusion_table(const RunResult& result) {
  const ClassCounts& counts = result.by_class;
  if (counts.confusion.empty()) {
    return fmt::format("  no confusion matrix is kept for more than {} labels\n",
                       thousands(std::llround(std::sqrt(kConfusionCells))));
  }
  std::string rest;
  const std::vector<Label> labels = shown_labels(counts, rest);
  const auto k = static_cast<std::size_t>(counts.classes());
  std::string out = "  of each label's examples, the percentage on which each label was played\n";
  out += "     " + fitted("label", kNameWidth - 1);
  for (std::size_t i = 0; i < labels.size(); ++i) out += fmt::format("{:>3}", i + 1);
  out += '\n';
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto y = static_cast<std::size_t>(labels[i]);
    out += fmt::format("  {:>2} {}", i + 1, fitted(name_of(result, labels[i]), kNameWidth - 1));
    for (const Label other : labels) {
      const std::int64_t rounds = counts.confusion[y * k + static_cast<std::size_t>(other)];
      out +=
          rounds == 0 ? "  ·" : fmt::format("{:>3.0f}", 100 * fraction(rounds, counts.examples[y]));
    }
    out += '\n';
  }
  return out + rest;
}

}  // namespace soba::lab
