#include "result_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "data/bytes/input.h"
#include "data/formats/jsonl.h"
#include "output.h"
#include "soba/error.h"
#include "soba/options.h"
#include "text.h"

namespace soba::cli {

namespace {

constexpr double kRounding = 1e-9;  // of an error that was written with fewer digits

// The fields of one object, with the type that each must have.
class RowFields {
 public:
  RowFields(const Json& object, std::string place) : object_(object), place_(std::move(place)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::kInput, place_ + ": " + what);
  }

  const Json& value(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) fail(fmt::format("\"{}\" is missing", key));
    return *found;
  }

  std::string text(const char* key) const {
    const Json& found = value(key);
    if (!found.is_string()) wrong(key, "a text", found);
    return found.get<std::string>();
  }

  std::string name(const char* key) const {
    std::string found = text(key);
    if (found.empty()) fail(fmt::format("\"{}\" is empty", key));
    return found;
  }

  std::uint64_t seed(const char* key) const {
    const Json& found = value(key);
    if (!found.is_number_unsigned()) wrong(key, "a whole number from 0", found);
    return found.get<std::uint64_t>();
  }

  std::int64_t count(const char* key, std::int64_t min = 0) const {
    const Json& found = value(key);
    if (!is_count(found) || found.get<std::int64_t>() < min) {
      wrong(key, fmt::format("a whole number from {}", min), found);
    }
    return found.get<std::int64_t>();
  }

  std::vector<std::int64_t> counts(const char* key) const {
    const Json& found = value(key);
    if (!found.is_array()) wrong(key, "a list of whole numbers", found);
    std::vector<std::int64_t> out;
    for (const Json& entry : found) {
      if (!is_count(entry)) wrong(key, "a list of whole numbers from 0", entry);
      out.push_back(entry.get<std::int64_t>());
    }
    return out;
  }

  double number(const char* key) const {
    const Json& found = value(key);
    if (!found.is_number() || found.get<double>() < 0) wrong(key, "a number from 0", found);
    return found.get<double>();
  }

  RowFields object(const char* key) const {
    const Json& found = value(key);
    if (!found.is_object()) wrong(key, "an object", found);
    return {found, place_};
  }

  Grid grid() const {
    const Json& object = this->object("grid").object_;
    for (const auto& [axis, entry] : object.items()) {
      if (!entry.is_number() && !entry.is_string()) wrong(axis, "a number or a word", entry);
    }
    return json_grid(object);
  }

 private:
  static bool is_count(const Json& found) {
    return found.is_number_unsigned() &&
           found.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX);
  }

  [[noreturn]] void wrong(std::string_view key, std::string_view wanted, const Json& found) const {
    std::string text = found.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > 40) text = text.substr(0, 40) + "…";
    fail(fmt::format("\"{}\" must be {}, found {}", key, wanted, text));
  }

  const Json& object_;
  std::string place_;
};

Json parse_object(std::string_view line, const std::string& place) {
  Json object = Json::parse(line, nullptr, false);
  if (object.is_discarded()) {
    throw Error(ErrorKind::kInput, fmt::format("{}:{}: this is not JSON", place,
                                               json_error_place(line).value_or(0) + 1));
  }
  if (!object.is_object()) {
    throw Error(ErrorKind::kInput, place + ": expected a result row: a JSON object");
  }
  return object;
}

RowCurve parse_curve(const RowFields& fields) {
  return {fields.counts("round"), fields.counts("mistakes"), fields.counts("greedy_mistakes"),
          fields.counts("updates")};
}

void check_curve(const ResultRow& row, const RowFields& fields) {
  const RowCurve& curve = row.curve;
  const std::size_t size = curve.round.size();
  if (size == 0 || curve.mistakes.size() != size || curve.greedy_mistakes.size() != size ||
      curve.updates.size() != size) {
    fields.fail("the lists of \"curve\" must have the same length, and at least one entry");
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (curve.round[i] <= (i == 0 ? 0 : curve.round[i - 1])) {
      fields.fail("the rounds of \"curve\" must ascend");
    }
    if (curve.mistakes[i] > curve.round[i] || curve.greedy_mistakes[i] > curve.round[i]) {
      fields.fail(fmt::format("\"curve\" has more mistakes than rounds at {}", curve.round[i]));
    }
  }
  if (curve.round.back() != row.rounds || curve.mistakes.back() != row.mistakes ||
      curve.greedy_mistakes.back() != row.greedy_mistakes || curve.updates.back() != row.updates) {
    fields.fail("the last point of \"curve\" is not the result");
  }
}

void check_error(const RowFields& fields, const char* key, std::int64_t mistakes,
                 std::int64_t rounds) {
  const double error = static_cast<double>(mistakes) / static_cast<double>(rounds);
  if (std::abs(fields.number(key) - error) <= kRounding) return;
  fields.fail(fmt::format("\"{}\" is not {} mistakes in {} rounds", key, mistakes, rounds));
}

// Rows of one run say the same; what was measured may differ.
bool same_result(const ResultRow& a, const ResultRow& b) {
  return a.fingerprint == b.fingerprint && a.mistakes == b.mistakes &&
         a.greedy_mistakes == b.greedy_mistakes && a.updates == b.updates && a.curve == b.curve;
}

std::string read_all(const std::string& path) {
  Input input = Input::open_path(path);
  return read_up_to(*input.open(), std::numeric_limits<std::size_t>::max());
}

// Rows, each run once.
class RowCollection {
 public:
  // Throws Error{kInput} where the run is there with another result.
  void add(ResultRow row) {
    const auto [found, is_new] =
        known_.try_emplace({row.name, row.contender, row.command}, rows_.size());
    if (is_new) {
      rows_.push_back(std::move(row));
      return;
    }
    const ResultRow& first = rows_[found->second];
    if (!same_result(first, row)) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: the same run as {} with another result ({} instead of {}): {}",
                              row.place, first.place, plural(row.mistakes, "mistake"),
                              thousands(first.mistakes), row.command));
    }
    ++repeated_;
  }

  std::vector<ResultRow> take() { return std::move(rows_); }
  std::int64_t repeated() const { return repeated_; }

 private:
  std::vector<ResultRow> rows_;
  // A run is known by its command; sweeps may give it several titles.
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> known_;
  std::int64_t repeated_ = 0;
};

}  // namespace

std::string grid_value_text(const GridValue& value) {
  const double* number = std::get_if<double>(&value);
  return number != nullptr ? to_text(*number) : std::get<std::string>(value);
}

Grid json_grid(const Json& object) {
  Grid out;
  for (const auto& [axis, entry] : object.items()) {
    if (entry.is_number()) {
      out.emplace_back(axis, entry.get<double>());
    } else {
      out.emplace_back(axis, entry.get<std::string>());
    }
  }
  return out;
}

ResultRow parse_result_row(std::string_view line, const std::string& place) {
  const Json object = parse_object(line, place);
  const RowFields fields(object, place);
  if (fields.count("format") != kRowFormat) {
    fields.fail(fmt::format("rows of format {} are not known; this program reads format {}",
                            fields.count("format"), kRowFormat));
  }
  ResultRow row;
  row.place = place;
  row.version = fields.text("soba");
  row.command = fields.name("command");
  row.name = fields.name("name");
  row.data = fields.text("data");
  row.fingerprint = fields.text("fingerprint");
  row.contender = fields.name("contender");
  row.learner = fields.name("learner");
  row.feedback = fields.text("feedback");
  if (row.feedback != "bandit" && row.feedback != "full information") {
    fields.fail("\"feedback\" must be \"bandit\" or \"full information\"");
  }
  row.grid = fields.grid();
  static_cast<void>(fields.object("options"));
  row.seed = fields.seed("seed");
  row.number = fields.count("number", 1);
  row.rounds = fields.count("rounds", 1);
  row.classes = fields.count("classes", 1);
  row.features = fields.count("features");
  row.mistakes = fields.count("mistakes");
  row.greedy_mistakes = fields.count("greedy_mistakes");
  check_error(fields, "error", row.mistakes, row.rounds);
  check_error(fields, "greedy_error", row.greedy_mistakes, row.rounds);
  row.updates = fields.count("updates");
  row.curve = parse_curve(fields.object("curve"));
  check_curve(row, fields);
  fields.count("model_bytes");
  const RowFields measured = fields.object("measured");
  measured.number("learn_seconds");
  row.rounds_per_second = measured.number("rounds_per_second");
  measured.count("peak_memory_bytes");
  return row;
}

ResultRows read_result_rows(const std::vector<std::string>& paths) {
  ResultRows out;
  RowCollection collection;
  for (const std::string& path : paths) {
    const std::string all = read_all(path);
    std::string_view rest = all;
    for (std::int64_t number = 1; !rest.empty(); ++number) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      const bool ended = end != std::string_view::npos;
      rest.remove_prefix(ended ? end + 1 : rest.size());
      const std::string place = fmt::format("{}:{}", path, number);
      if (ended || Json::accept(line)) {
        collection.add(parse_result_row(line, place));
      } else {
        out.remarks.push_back(place + ": left out, it was not written to its end");
      }
    }
  }
  if (collection.repeated() > 0) {
    out.remarks.push_back(fmt::format("left out {} of runs that are there already",
                                      plural(collection.repeated(), "row")));
  }
  out.rows = collection.take();
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [](const ResultRow& a, const ResultRow& b) { return a.number < b.number; });
  return out;
}

}  // namespace soba::cli
