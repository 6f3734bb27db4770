// Lists of values as people write them, and the runs that a plan spans.

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "soba/lab/plan.h"
#include "soba/registry.h"

namespace soba::lab {

namespace {

constexpr std::int64_t kMostValues = 10'000;
constexpr std::size_t kMostRuns = 1'000'000;

// "2^-14" = {"2^", -14}, "12" = {"", 12}: what stays and what counts in a range.
struct RangeEnd {
  std::string_view base;
  std::int64_t number;
};

std::optional<RangeEnd> range_end(std::string_view text) {
  RangeEnd end{text.substr(0, text.find('^') == std::string_view::npos ? 0 : text.find('^') + 1),
               0};
  const std::string_view digits = text.substr(end.base.size());
  const auto [last, failed] =
      std::from_chars(digits.data(), digits.data() + digits.size(), end.number);
  if (failed != std::errc() || last != digits.data() + digits.size()) return std::nullopt;
  return end;
}

[[noreturn]] void refuse(std::string_view option, std::string_view item, std::string_view what) {
  throw Error(ErrorKind::kUsage, fmt::format("{}: '{}' {}", option, item, what));
}

void append_range(std::string_view option, std::string_view item, std::size_t dots,
                  std::vector<std::string>& values) {
  const auto first = range_end(item.substr(0, dots)), last = range_end(item.substr(dots + 2));
  if (!first || !last || first->base != last->base) {
    refuse(option, item,
           "is no range; expected powers of one number (2^-14..2^-1) or whole numbers (1..10)");
  }
  // As unsigned, where no difference overflows.
  const auto from = static_cast<std::uint64_t>(first->number);
  const auto to = static_cast<std::uint64_t>(last->number);
  const bool up = first->number <= last->number;
  const std::uint64_t steps = up ? to - from : from - to;
  if (steps >= static_cast<std::uint64_t>(kMostValues)) {
    refuse(option, item, fmt::format("holds more than {} values", kMostValues));
  }
  for (std::uint64_t i = 0; i <= steps; ++i) {
    const auto number = static_cast<std::int64_t>(up ? from + i : from - i);
    values.push_back(fmt::format("{}{}", first->base, number));
  }
}

// One point of a learner's grid.
struct Point {
  OptionValues grid, options;
};

// Throws Error{kUsage} where options exclude each other, which only making the learner tells: a
// small one will do.
void check_made(const SweepLearner& learner, const OptionValues& options) {
  constexpr Shape kSmall{2, 1};
  const std::string name = choose_learner(learner.learner, {}).info->name;
  try {
    make_learner(settle(choose_learner(name, with_horizon(options, 2)), kSmall), kSmall);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUsage) throw;
    throw Error(ErrorKind::kUsage, fmt::format("{}: {}", learner.name, error.what()));
  }
}

// Every point, the last axis fastest.
std::vector<Point> grid_points(const SweepLearner& learner) {
  const LearnerInfo& info = *choose_learner(learner.learner, {}).info;
  std::vector<OptionValues> given = {learner.options};
  std::set<std::string> options;
  for (const Axis& axis : learner.axes) {
    if (find_option(info, axis.option) == nullptr) {
      choose_learner(learner.learner, {{axis.option, ""}});  // throws: no such option
    }
    if (!options.insert(axis.option).second) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: the axis '{}' is a duplicate", learner.name, axis.option));
    }
    if (learner.options.contains(axis.option)) {
      throw Error(ErrorKind::kUsage, fmt::format("{}: '{}' is fixed and an axis of the grid",
                                                 learner.name, axis.option));
    }
    if (axis.values.empty()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: the axis '{}' has no values", learner.name, axis.option));
    }
    if (given.size() > kMostRuns / axis.values.size()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: more than {} points", learner.name, kMostRuns));
    }
    std::vector<OptionValues> longer;
    for (const OptionValues& point : given) {
      for (const std::string& value : axis.values) {
        longer.push_back(point);
        longer.back()[axis.option] = value;
      }
    }
    given = std::move(longer);
  }
  std::vector<Point> points;
  for (const OptionValues& values : given) {
    Point point{.grid = {}, .options = choose_learner(learner.learner, values).options};
    check_made(learner, point.options);
    for (const std::string& option : options) point.grid[option] = point.options.at(option);
    points.push_back(std::move(point));
  }
  return points;
}

bool plays(const SweepLearner& learner, const std::string& data) {
  return learner.data.empty() ||
         std::find(learner.data.begin(), learner.data.end(), data) != learner.data.end();
}

template <class Item, class Name>
void check_twice(const std::vector<Item>& items, std::string_view message, const Name& name) {
  std::set<std::string> names;
  for (const Item& item : items) {
    if (names.insert(name(item)).second) continue;
    throw Error(ErrorKind::kUsage, fmt::format(fmt::runtime(message), name(item)));
  }
}

void check_names(const SweepPlan& plan) {
  const auto unnamed = [](const auto& item) { return item.name.empty(); };
  if (std::any_of(plan.data.begin(), plan.data.end(), unnamed) ||
      std::any_of(plan.learners.begin(), plan.learners.end(), unnamed)) {
    throw Error(ErrorKind::kUsage, "a name is empty");
  }
  for (const SweepData& data : plan.data) {
    if (simdjson::validate_utf8(data.name) && simdjson::validate_utf8(data.data)) continue;
    throw Error(ErrorKind::kUsage,
                "data: a name that is not UTF-8 cannot stand in a row; rename the file");
  }
  check_twice(plan.seeds, "seed {} is a duplicate",
              [](std::uint64_t seed) { return std::to_string(seed); });
  check_twice(plan.data, "two data sets are called '{}'",
              [](const SweepData& data) { return data.name; });
  for (const SweepLearner& learner : plan.learners) {
    for (const std::string& name : learner.data) {
      const bool known = std::any_of(plan.data.begin(), plan.data.end(),
                                     [&](const SweepData& data) { return data.name == name; });
      if (known) continue;
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: no data set is called '{}'", learner.name, name));
    }
  }
}

// On one data set no contender is a duplicate, by name or by what it does.
void check_contenders(const SweepPlan& plan, const std::vector<std::vector<Point>>& points,
                      const std::string& data) {
  std::vector<std::string> names;
  for (const SweepLearner& learner : plan.learners) {
    if (plays(learner, data)) names.push_back(learner.name);
  }
  check_twice(names, "two learners are called '{}'", [](const std::string& name) { return name; });

  std::map<std::pair<std::string, OptionValues>, std::string> taken;
  for (std::size_t i = 0; i < plan.learners.size(); ++i) {
    const SweepLearner& learner = plan.learners[i];
    if (!plays(learner, data)) continue;
    const std::string real = choose_learner(learner.learner, {}).info->name;
    for (const Point& point : points[i]) {
      const auto [place, fresh] = taken.try_emplace({real, point.options}, learner.name);
      if (fresh) continue;
      throw Error(ErrorKind::kUsage,
                  place->second == learner.name
                      ? fmt::format("{}: two points of its grid are the same", learner.name)
                      : fmt::format("'{}' and '{}' are the same learner with the same options",
                                    place->second, learner.name));
    }
  }
}

}  // namespace

std::vector<std::string> parse_values(std::string_view option, std::string_view text) {
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    if (item.empty()) refuse(option, text, "holds an empty value");
    const std::size_t dots = item.find("..");
    if (dots == std::string_view::npos) {
      values.emplace_back(item);
    } else {
      append_range(option, item, dots, values);
    }
    begin = end + 1;
  }
  return values;
}

SweepPlan make_plan(const std::vector<std::string>& data, const OptionValues& reading,
                    const std::vector<std::string>& learners, const std::vector<std::string>& grid,
                    std::vector<std::uint64_t> seeds) {
  SweepPlan plan;
  for (const std::string& text : data) plan.data.push_back({text, text, reading});
  for (const std::string& text : learners) plan.learners.push_back(parse_learner(text));
  for (const std::string& text : grid) add_axis(text, plan.learners);
  plan.seeds = std::move(seeds);
  return plan;
}

std::vector<SweepRun> list_runs(const SweepPlan& plan) {
  std::vector<std::vector<Point>> points;
  std::size_t each = 0;
  for (const SweepLearner& learner : plan.learners) {
    points.push_back(grid_points(learner));
    each += points.back().size();
  }
  check_names(plan);
  for (const SweepData& data : plan.data) check_contenders(plan, points, data.name);
  if (plan.data.empty() || plan.seeds.empty() || each == 0) {
    throw Error(ErrorKind::kUsage, "a sweep needs data, a learner and a seed");
  }
  if (each > kMostRuns / plan.data.size() / plan.seeds.size()) {
    throw Error(ErrorKind::kUsage, fmt::format("the sweep has more than {} runs", kMostRuns));
  }
  std::vector<SweepRun> runs;
  for (std::size_t d = 0; d < plan.data.size(); ++d) {
    const SourceOptions options = parse_source_options(plan.data[d].options);
    for (const std::uint64_t seed : plan.seeds) {
      Order order{.shuffle = options.shuffle, .limit = options.limit, .passes = options.passes};
      if (order.shuffle) *order.shuffle += seed - plan.seeds.front();
      for (std::size_t l = 0; l < plan.learners.size(); ++l) {
        if (!plays(plan.learners[l], plan.data[d].name)) continue;
        for (const Point& point : points[l]) {
          runs.push_back({d, l, point.grid, point.options, seed, order});
        }
      }
    }
  }
  return runs;
}

}  // namespace soba::lab
