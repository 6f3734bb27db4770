#include <fmt/format.h>

#include "lab/json.h"
#include "lab/page.h"
#include "soba/lab/report.h"
#include "soba/version.h"

namespace soba::lab {

namespace {

// More digits than a page can show only make it longer.
double rounded(double value) { return std::stod(fmt::format("{:.7g}", value)); }

Json estimate_json(const Estimate& error) {
  return {rounded(error.mean), error.half_width ? Json(rounded(*error.half_width)) : Json()};
}

Json point_json(const GridPoint& point) {
  Json grid = Json::object();
  for (const auto& [axis, value] : point.grid) {
    std::visit([&grid, &name = axis](const auto& v) { grid[name] = v; }, value);
  }
  return {{"grid", grid},
          {"seeds", point.seeds},
          {"played", estimate_json(point.played)},
          {"greedy", estimate_json(point.greedy)},
          {"updates", rounded(point.updates)},
          {"speed", rounded(point.rounds_per_second)}};
}

Json contender_json(const ContenderSummary& contender) {
  Json points = Json::array(), curve = Json::array();
  for (const GridPoint& point : contender.points) points.push_back(point_json(point));
  for (const CurvePoint& point : contender.curve) {
    curve.push_back({{"round", point.round},
                     {"played", estimate_json(point.played)},
                     {"greedy", estimate_json(point.greedy)}});
  }
  return {{"name", contender.name},
          {"learner", contender.learner},
          {"full_information", contender.full_information},
          {"points", std::move(points)},
          {"best", contender.best},
          {"edge", !contender.edges.empty()},
          {"fewer_seeds", contender.fewer_seeds},
          {"curve", std::move(curve)},
          {"paper", contender.paper.percent ? Json(*contender.paper.percent) : Json()},
          {"paper_statement", contender.paper.statement}};
}

Json data_json(const DataSummary& data) {
  Json contenders = Json::array(), axes = Json::array();
  for (const ContenderSummary& contender : data.contenders) {
    contenders.push_back(contender_json(contender));
  }
  for (const VariedAxis& axis : data.axes) {
    Json lines = Json::array();
    for (const AxisLine& line : axis.lines) {
      lines.push_back({{"contender", line.contender}, {"points", line.points}});
    }
    axes.push_back({{"name", axis.name}, {"lines", std::move(lines)}});
  }
  return {{"name", data.name},
          {"data", data.data},
          {"fingerprints", data.fingerprints},
          {"rounds", data.rounds},
          {"classes", data.classes},
          {"features", data.features},
          {"runs", data.runs},
          {"seeds", data.seeds},
          {"constant_error", data.constant_error ? Json(rounded(*data.constant_error)) : Json()},
          {"guess_error", rounded(data.guess_error())},
          {"findings", findings(data)},
          {"contenders", std::move(contenders)},
          {"axes", std::move(axes)}};
}

Json page_json(const Summary& summary, const PageFacts& facts) {
  Json data = Json::array();
  for (const DataSummary& one : summary.data) data.push_back(data_json(one));
  return {{"title", facts.title},    {"program", version()},      {"versions", summary.versions},
          {"files", facts.files},    {"remarks", facts.remarks},  {"runs", summary.runs},
          {"data", std::move(data)}, {"csv", report_csv(summary)}};
}

}  // namespace

std::string report_page(const Summary& summary, const PageFacts& facts) {
  return filled_page(page_json(summary, facts));
}

}  // namespace soba::lab
