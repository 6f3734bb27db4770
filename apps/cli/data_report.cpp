#include "data_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text.h"

namespace soba::cli {

namespace {

constexpr std::size_t kShownLabels = 20;

}  // namespace

std::string report_text(const Survey& report) {
  const auto line = [](std::string_view name, const std::string& text) {
    return fmt::format("  {} {}\n", pad_right(name, 10), wrap(text, 13, 13));
  };
  std::string out = report.data + '\n';
  out += line("examples", thousands(report.examples));
  out += line("features",
              fmt::format("{}; density {}", thousands(report.features), percent(report.density())));
  out += line(
      "values",
      fmt::format("{}, from {} to {}; {}", thousands(report.values), report.minimum, report.maximum,
                  report.all_unit_norm() ? "every example has norm 1"
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

Json report_json(const Survey& report) {
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
  out["unit_norm"] = report.all_unit_norm();
  out["bad_lines"] = report.bad_lines;
  out["first_bad"] = report.first_bad;
  out["warnings"] = warnings(report);
  return out;
}

}  // namespace soba::cli
