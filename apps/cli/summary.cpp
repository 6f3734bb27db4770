#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "output.h"
#include "soba/error.h"
#include "text.h"

namespace soba::cli {

namespace {

using RowPointers = std::vector<const ResultRow*>;

struct Group {
  std::string name;
  RowPointers rows;
};

// Rows by one of their names, groups in the order in which they come.
std::vector<Group> grouped(const RowPointers& rows, std::string ResultRow::*name) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> place;
  for (const ResultRow* row : rows) {
    const auto [found, is_new] = place.try_emplace(row->*name, groups.size());
    if (is_new) groups.push_back({row->*name, {}});
    groups[found->second].rows.push_back(row);
  }
  return groups;
}

std::vector<std::string> distinct(const RowPointers& rows, std::string ResultRow::*member) {
  std::vector<std::string> out;
  for (const Group& group : grouped(rows, member)) out.push_back(group.name);
  return out;
}

[[noreturn]] void contradiction(const ResultRow& row, const ResultRow& first,
                                const std::string& what) {
  throw Error(ErrorKind::kInput, fmt::format("{}: {} at {}", row.place, what, first.place));
}

void check_same_data(const RowPointers& rows) {
  const ResultRow& first = *rows.front();
  for (const ResultRow* row : rows) {
    if (row->rounds == first.rounds && row->classes == first.classes &&
        row->features == first.features) {
      continue;
    }
    contradiction(
        *row, first,
        fmt::format("'{}' has {}, {} classes and {}, but {}, {} and {}", row->name,
                    plural(row->rounds, "round"), row->classes, plural(row->features, "feature"),
                    thousands(first.rounds), first.classes, thousands(first.features)));
  }
}

void check_same_contender(const RowPointers& rows) {
  const ResultRow& first = *rows.front();
  std::map<std::tuple<Grid, std::string, std::uint64_t>, const ResultRow*> seeds;
  for (const ResultRow* row : rows) {
    if (row->learner != first.learner || row->feedback != first.feedback) {
      contradiction(*row, first,
                    fmt::format("'{}' is {} ({}), but {} ({})", row->contender, row->learner,
                                row->feedback, first.learner, first.feedback));
    }
    const auto [found, is_new] = seeds.try_emplace({row->grid, row->data, row->seed}, row);
    if (!is_new) {
      contradiction(
          *row, *found->second,
          fmt::format("'{}' with {}seed {} by '{}', but by another command", row->contender,
                      row->grid.empty() ? "" : grid_text(row->grid) + ", ", row->seed,
                      row->command));
    }
  }
}

template <class Value>
std::vector<double> values(const RowPointers& rows, Value value) {
  std::vector<double> out;
  for (const ResultRow* row : rows) out.push_back(value(*row));
  return out;
}

GridPoint summarize_point(const Grid& grid, const RowPointers& rows) {
  GridPoint point;
  point.grid = grid;
  point.seeds = static_cast<std::int64_t>(rows.size());
  point.played = estimate(
      values(rows, [](const ResultRow& row) { return fraction(row.mistakes, row.rounds); }));
  point.greedy = estimate(
      values(rows, [](const ResultRow& row) { return fraction(row.greedy_mistakes, row.rounds); }));
  point.updates = estimate(values(rows, [](const ResultRow& row) {
                    return static_cast<double>(row.updates);
                  })).mean;
  point.rounds_per_second =
      median(values(rows, [](const ResultRow& row) { return row.rounds_per_second; }));
  return point;
}

std::vector<CurvePoint> mean_curve(const RowPointers& rows) {
  const ResultRow& first = *rows.front();
  for (const ResultRow* row : rows) {
    if (row->curve.round != first.curve.round) {
      contradiction(*row, first, "\"curve\" has other rounds than");
    }
  }
  std::vector<CurvePoint> curve;
  for (std::size_t i = 0; i < first.curve.round.size(); ++i) {
    const std::int64_t round = first.curve.round[i];
    curve.push_back(
        {round,
         estimate(values(
             rows, [&](const ResultRow& row) { return fraction(row.curve.mistakes[i], round); })),
         estimate(values(rows, [&](const ResultRow& row) {
           return fraction(row.curve.greedy_mistakes[i], round);
         }))});
  }
  return curve;
}

ContenderSummary summarize_contender(const Group& group) {
  check_same_contender(group.rows);
  ContenderSummary contender;
  contender.name = group.name;
  contender.learner = group.rows.front()->learner;
  contender.full_information = group.rows.front()->feedback == "full information";
  std::map<Grid, RowPointers> by_grid;
  for (const ResultRow* row : group.rows) by_grid[row->grid].push_back(row);
  const RowPointers* best_rows = nullptr;
  for (auto& [grid, rows] : by_grid) {
    // So that sums do not depend on the order in which runs ended.
    std::sort(rows.begin(), rows.end(), [](const ResultRow* a, const ResultRow* b) {
      return std::tie(a->seed, a->data) < std::tie(b->seed, b->data);
    });
    contender.points.push_back(summarize_point(grid, rows));
    if (best_rows == nullptr ||
        contender.points.back().played.mean < contender.best_point().played.mean) {
      contender.best = contender.points.size() - 1;
      best_rows = &rows;
    }
  }
  contender.curve = mean_curve(*best_rows);
  return contender;
}

AxisLine line_along(const std::string& axis, const ContenderSummary& contender, std::size_t place) {
  std::map<GridValue, std::size_t> best;
  for (std::size_t i = 0; i < contender.points.size(); ++i) {
    const GridValue* value = find_axis(contender.points[i].grid, axis);
    if (value == nullptr) continue;
    std::size_t& point = best.try_emplace(*value, i).first->second;
    if (contender.points[i].played.mean < contender.points[point].played.mean) point = i;
  }
  AxisLine line;
  line.contender = place;
  for (const auto& [value, point] : best) line.points.push_back(point);
  return line;
}

std::vector<VariedAxis> varied_axes(const std::vector<ContenderSummary>& contenders) {
  std::vector<std::string> names;
  for (const ContenderSummary& contender : contenders) {
    for (const GridPoint& point : contender.points) {
      for (const auto& [axis, value] : point.grid) {
        if (std::find(names.begin(), names.end(), axis) == names.end()) names.push_back(axis);
      }
    }
  }
  std::vector<VariedAxis> axes;
  for (const std::string& name : names) {
    VariedAxis axis;
    axis.name = name;
    bool varies = false;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      AxisLine line = line_along(name, contenders[i], i);
      varies = varies || line.points.size() > 1;
      if (!line.points.empty()) axis.lines.push_back(std::move(line));
    }
    if (varies) axes.push_back(std::move(axis));
  }
  return axes;
}

DataSummary summarize_data(const Group& group) {
  check_same_data(group.rows);
  const ResultRow& first = *group.rows.front();
  DataSummary data;
  data.name = group.name;
  data.data = distinct(group.rows, &ResultRow::data);
  data.fingerprints = distinct(group.rows, &ResultRow::fingerprint);
  data.rounds = first.rounds;
  data.classes = first.classes;
  data.features = first.features;
  data.runs = static_cast<std::int64_t>(group.rows.size());
  for (const Group& contender : grouped(group.rows, &ResultRow::contender)) {
    data.contenders.push_back(summarize_contender(contender));
  }
  data.axes = varied_axes(data.contenders);
  return data;
}

}  // namespace

Summary summarize(const std::vector<ResultRow>& rows) {
  RowPointers pointers;
  for (const ResultRow& row : rows) pointers.push_back(&row);
  Summary summary;
  summary.versions = distinct(pointers, &ResultRow::version);
  summary.runs = static_cast<std::int64_t>(rows.size());
  for (const Group& group : grouped(pointers, &ResultRow::name)) {
    summary.data.push_back(summarize_data(group));
  }
  return summary;
}

void add_paper_claims(Summary& summary, std::string_view paper) {
  const Json claims = Json::parse(paper);
  for (DataSummary& data : summary.data) {
    const Json claim = claims.value(data.name, Json::object());
    if (claim.value("rounds", std::int64_t{-1}) != data.rounds) continue;
    const Json errors = claim.value("error", Json::object());
    const Json statements = claim.value("statement", Json::object());
    for (ContenderSummary& contender : data.contenders) {
      if (errors.contains(contender.name)) contender.paper.percent = errors[contender.name];
      contender.paper.statement = statements.value(contender.name, "");
    }
  }
}

std::string shown_value(const GridValue& value) {
  const double* number = std::get_if<double>(&value);
  int exponent = 0;
  const bool power = number != nullptr && *number > 0 && std::frexp(*number, &exponent) == 0.5;
  // x = 0.5·2^exponent
  return power && exponent < -1 ? fmt::format("2^{}", exponent - 1) : grid_value_text(value);
}

std::string grid_text(const Grid& grid) {
  std::string out;
  for (const auto& [axis, value] : grid) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", axis, shown_value(value));
  }
  return out;
}

const GridValue* find_axis(const Grid& grid, std::string_view axis) {
  for (const auto& [name, value] : grid) {
    if (name == axis) return &value;
  }
  return nullptr;
}

}  // namespace soba::cli
