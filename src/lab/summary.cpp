#include "soba/lab/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "lab/estimate.h"
#include "lab/json.h"
#include "soba/error.h"
#include "soba/lab/text.h"

namespace soba::lab {

namespace {

using RowPointers = std::vector<const ResultRow*>;

struct Group {
  std::string name;
  RowPointers rows;
};

// Rows by what `name` says of them, groups in the order in which they come.
template <class Name>
std::vector<Group> grouped(const RowPointers& rows, const Name& name) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> place;
  for (const ResultRow* row : rows) {
    const auto [found, is_new] = place.try_emplace(name(*row), groups.size());
    if (is_new) groups.push_back({name(*row), {}});
    groups[found->second].rows.push_back(row);
  }
  return groups;
}

template <class Name>
std::vector<std::string> distinct(const RowPointers& rows, const Name& name) {
  std::vector<std::string> out;
  for (const Group& group : grouped(rows, name)) out.push_back(group.name);
  return out;
}

[[noreturn]] void contradiction(const ResultRow& row, const ResultRow& first,
                                const std::string& what) {
  throw Error(ErrorKind::kInput, fmt::format("{}: {} at {}", row.place, what, first.place));
}

void check_same_data(const RowPointers& rows) {
  const ResultRow& first = *rows.front();
  for (const ResultRow* row : rows) {
    const RunResult &one = row->result, &other = first.result;
    if (one.tally.rounds == other.tally.rounds && one.shape == other.shape) continue;
    contradiction(*row, first,
                  fmt::format("'{}' has {}, {} classes and {}, but {}, {} and {}", row->name,
                              plural(one.tally.rounds, "round"), one.shape.classes,
                              plural(one.shape.features, "feature"), thousands(other.tally.rounds),
                              other.shape.classes, thousands(other.shape.features)));
  }
}

void check_same_contender(const RowPointers& rows) {
  const ResultRow& first = *rows.front();
  std::map<std::tuple<Grid, std::string, std::uint64_t>, const ResultRow*> seeds;
  for (const ResultRow* row : rows) {
    const RunResult &one = row->result, &other = first.result;
    if (one.learner != other.learner || one.feedback != other.feedback) {
      contradiction(*row, first,
                    fmt::format("'{}' is {} ({}), but {} ({})", row->contender, one.learner,
                                one.feedback, other.learner, other.feedback));
    }
    const auto [found, is_new] = seeds.try_emplace({row->grid, one.data, one.seed}, row);
    if (!is_new) {
      contradiction(
          *row, *found->second,
          fmt::format("'{}' with {}seed {} ('{}') is a different run from the one", row->contender,
                      row->grid.empty() ? "" : grid_text(row->grid) + ", ", one.seed,
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
  point.played = estimate(values(rows, [](const ResultRow& row) { return row.result.error(); }));
  point.greedy =
      estimate(values(rows, [](const ResultRow& row) { return row.result.greedy_error(); }));
  point.updates = estimate(values(rows, [](const ResultRow& row) {
                    return static_cast<double>(row.result.tally.updates);
                  })).mean;
  point.rounds_per_second =
      median(values(rows, [](const ResultRow& row) { return row.rounds_per_second; }));
  return point;
}

std::vector<CurvePoint> mean_curve(const RowPointers& rows) {
  const std::vector<Tally>& first = rows.front()->result.curve;
  for (const ResultRow* row : rows) {
    const std::vector<Tally>& other = row->result.curve;
    const bool same =
        std::equal(first.begin(), first.end(), other.begin(), other.end(),
                   [](const Tally& a, const Tally& b) { return a.rounds == b.rounds; });
    if (!same) contradiction(*row, *rows.front(), "\"curve\" has other rounds than");
  }
  std::vector<CurvePoint> curve;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::int64_t round = first[i].rounds;
    curve.push_back({round,
                     estimate(values(rows,
                                     [&](const ResultRow& row) {
                                       return fraction(row.result.curve[i].mistakes, round);
                                     })),
                     estimate(values(rows, [&](const ResultRow& row) {
                       return fraction(row.result.curve[i].greedy_mistakes, round);
                     }))});
  }
  return curve;
}

ContenderSummary summarize_contender(const Group& group) {
  check_same_contender(group.rows);
  ContenderSummary contender;
  contender.name = group.name;
  contender.learner = group.rows.front()->result.learner;
  contender.full_information = group.rows.front()->result.feedback == "full information";
  std::map<Grid, RowPointers> by_grid;
  for (const ResultRow* row : group.rows) by_grid[row->grid].push_back(row);
  const RowPointers* best_rows = nullptr;
  for (auto& [grid, rows] : by_grid) {
    // So that sums do not depend on the order in which runs ended.
    std::sort(rows.begin(), rows.end(), [](const ResultRow* a, const ResultRow* b) {
      return std::tie(a->result.seed, a->result.data) < std::tie(b->result.seed, b->result.data);
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

// Axes of numbers, of at least three values, on whose first or last one the best point lies.
std::vector<std::string> best_edges(const ContenderSummary& contender) {
  std::vector<std::string> edges;
  for (const auto& [axis, best] : contender.best_point().grid) {
    if (!std::holds_alternative<double>(best)) continue;
    std::set<GridValue> values;
    for (const GridPoint& point : contender.points) {
      if (const GridValue* value = find_axis(point.grid, axis)) values.insert(*value);
    }
    const bool edge = best == *values.begin() || best == *values.rbegin();
    if (values.size() > 2 && edge) edges.push_back(axis);
  }
  return edges;
}

// What stands out of a contender beside the others. Requires: all else of `data` is complete.
void judge(DataSummary& data) {
  for (const ContenderSummary& contender : data.contenders) {
    for (const GridPoint& point : contender.points) data.seeds = std::max(data.seeds, point.seeds);
  }
  for (ContenderSummary& contender : data.contenders) {
    const GridPoint& best = contender.best_point();
    contender.edges = best_edges(contender);
    contender.fewer_seeds = best.seeds < data.seeds;
    contender.no_better =
        data.constant_error &&
        best.played.mean + best.played.half_width.value_or(0) >= *data.constant_error;
  }
}

DataSummary summarize_data(const Group& group) {
  check_same_data(group.rows);
  const ResultRow& first = *group.rows.front();
  DataSummary data;
  data.name = group.name;
  data.data = distinct(group.rows, [](const ResultRow& row) { return row.result.data; });
  data.fingerprints = distinct(group.rows, [](const ResultRow& row) {
    return fmt::format("{:016x}", row.result.fingerprint);
  });
  data.rounds = first.result.tally.rounds;
  data.classes = first.result.shape.classes;
  data.features = first.result.shape.features;
  data.runs = static_cast<std::int64_t>(group.rows.size());
  for (const Group& contender :
       grouped(group.rows, [](const ResultRow& row) { return row.contender; })) {
    data.contenders.push_back(summarize_contender(contender));
  }
  data.axes = varied_axes(data.contenders);
  if (std::all_of(group.rows.begin(), group.rows.end(),
                  [](const ResultRow* row) { return row->constant_error.has_value(); })) {
    data.constant_error =
        estimate(values(group.rows, [](const ResultRow& row) { return *row.constant_error; })).mean;
  }
  judge(data);
  return data;
}

}  // namespace

Summary summarize(const std::vector<ResultRow>& rows) {
  RowPointers pointers;
  for (const ResultRow& row : rows) pointers.push_back(&row);
  Summary summary;
  summary.versions = distinct(pointers, [](const ResultRow& row) { return row.version; });
  summary.runs = static_cast<std::int64_t>(rows.size());
  for (const Group& group : grouped(pointers, [](const ResultRow& row) { return row.name; })) {
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

}  // namespace soba::lab
