#include <fmt/format.h>

#include <algorithm>

#include "lab/rows.h"
#include "soba/lab/report.h"
#include "soba/lab/text.h"

namespace soba::lab {

namespace {

std::vector<std::string> axis_names(const Summary& summary) {
  std::vector<std::string> names;
  for (const DataSummary& data : summary.data) {
    for (const ContenderSummary& contender : data.contenders) {
      for (const GridPoint& point : contender.points) {
        for (const auto& [axis, value] : point.grid) {
          if (std::find(names.begin(), names.end(), axis) == names.end()) names.push_back(axis);
        }
      }
    }
  }
  return names;
}

std::string estimate_fields(const Estimate& error) {
  return fmt::format("{},{}", error.mean,
                     error.half_width ? fmt::format("{}", *error.half_width) : "");
}

}  // namespace

std::string report_csv(const Summary& summary) {
  const std::vector<std::string> axes = axis_names(summary);
  std::string out = "name,contender,learner,feedback,";
  for (const std::string& axis : axes) out += csv_field("grid." + axis) + ',';
  out +=
      "best,seeds,error,error_ci95,greedy_error,greedy_error_ci95,updates,rounds_per_second,"
      "rounds,classes,features,paper_percent\n";
  for (const DataSummary& data : summary.data) {
    for (const ContenderSummary& contender : data.contenders) {
      for (const GridPoint& point : contender.points) {
        const bool best = &point == &contender.best_point();
        out += fmt::format("{},{},{},{},", csv_field(data.name), csv_field(contender.name),
                           csv_field(contender.learner),
                           contender.full_information ? "full information" : "bandit");
        for (const std::string& axis : axes) {
          const GridValue* value = find_axis(point.grid, axis);
          out += (value != nullptr ? csv_field(grid_value_text(*value)) : "") + ',';
        }
        out += fmt::format(
            "{:d},{},{},{},{},{},{},{},{},{}\n", best, point.seeds, estimate_fields(point.played),
            estimate_fields(point.greedy), point.updates, point.rounds_per_second, data.rounds,
            data.classes, data.features,
            best && contender.paper.percent ? fmt::format("{}", *contender.paper.percent) : "");
      }
    }
  }
  return out;
}

}  // namespace soba::lab
