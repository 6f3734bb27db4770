#include "lab/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "data/bytes/input.h"
#include "data/formats/jsonl.h"
#include "lab/json.h"
#include "soba/error.h"
#include "soba/lab/text.h"
#include "soba/options.h"

namespace soba::lab {

namespace {

constexpr double kRounding = 1e-9;  // of an error that was written with fewer digits

// The grid that a row holds as JSON. Requires: an object of numbers and words.
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

  // Options as text: words as they are, numbers as JSON writes them.
  OptionValues options(const char* key) const {
    OptionValues out;
    for (const auto& [name, entry] : object(key).object_.items()) {
      if (!entry.is_number() && !entry.is_string()) wrong(name, "a number or a word", entry);
      out[name] = entry.is_string() ? entry.get<std::string>() : entry.dump();
    }
    return out;
  }

  std::uint64_t fingerprint() const {
    const std::string digits = text("fingerprint");
    std::uint64_t sum = 0;
    const char* const end = digits.data() + digits.size();
    const auto [last, failed] = std::from_chars(digits.data(), end, sum, 16);
    if (digits.size() != 16 || failed != std::errc() || last != end) {
      wrong("fingerprint", "16 hexadecimal digits", value("fingerprint"));
    }
    return sum;
  }

  template <class Number>
  Number small(const char* key, std::int64_t min) const {
    const std::int64_t found = count(key, min);
    if (found > std::numeric_limits<Number>::max()) wrong(key, "a smaller number", value(key));
    return static_cast<Number>(found);
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

std::vector<Tally> parse_curve(const RowFields& fields) {
  const std::vector<std::int64_t> round = fields.counts("round"),
                                  mistakes = fields.counts("mistakes"),
                                  greedy = fields.counts("greedy_mistakes"),
                                  updates = fields.counts("updates");
  const std::size_t size = round.size();
  if (size == 0 || mistakes.size() != size || greedy.size() != size || updates.size() != size) {
    fields.fail("the lists of \"curve\" must have the same length, and at least one entry");
  }
  std::vector<Tally> out;
  for (std::size_t i = 0; i < size; ++i) {
    out.push_back({round[i], round[i], mistakes[i], greedy[i], updates[i]});
  }
  return out;
}

void check_curve(const RunResult& result, const RowFields& fields) {
  std::int64_t before = 0;
  for (const Tally& at : result.curve) {
    if (at.rounds <= before) fields.fail("the rounds of \"curve\" must ascend");
    if (at.mistakes > at.rounds || at.greedy_mistakes > at.rounds) {
      fields.fail(fmt::format("\"curve\" has more mistakes than rounds at {}", at.rounds));
    }
    before = at.rounds;
  }
  if (result.curve.back() != result.tally) {
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
bool same_result(const RunResult& a, const RunResult& b) {
  return a.fingerprint == b.fingerprint && a.tally == b.tally && a.curve == b.curve;
}

Json curve_json(const std::vector<Tally>& curve) {
  Json out = {{"round", Json::array()},
              {"mistakes", Json::array()},
              {"greedy_mistakes", Json::array()},
              {"updates", Json::array()}};
  for (const Tally& at : curve) {
    out["round"].push_back(at.rounds);
    out["mistakes"].push_back(at.mistakes);
    out["greedy_mistakes"].push_back(at.greedy_mistakes);
    out["updates"].push_back(at.updates);
  }
  return out;
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
    const std::optional<std::size_t> same = find(row);
    if (!same) {
      const std::size_t number = rows_.size();
      commands_.emplace(title(row, row.command), number);
      if (!row.key.empty()) keys_.emplace(title(row, row.key), number);
      rows_.push_back(std::move(row));
      return;
    }
    const ResultRow& first = rows_[*same];
    if (!same_result(first.result, row.result)) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: the same run as {} with another result ({} instead of {}): {}",
                              row.place, first.place, plural(row.result.tally.mistakes, "mistake"),
                              thousands(first.result.tally.mistakes), row.command));
    }
    ++repeated_;
  }

  std::vector<ResultRow> take() { return std::move(rows_); }
  std::int64_t repeated() const { return repeated_; }

 private:
  // A run is known by its key; sweeps may give it several titles.
  using Title = std::tuple<std::string, std::string, std::string>;
  static Title title(const ResultRow& row, const std::string& identity) {
    return {row.name, row.contender, identity};
  }
  // The row of the same run: by its key, or by its command where one of the two has no key.
  std::optional<std::size_t> find(const ResultRow& row) const {
    const auto by_key = keys_.find(title(row, row.key));
    if (by_key != keys_.end()) return by_key->second;
    const auto by_command = commands_.find(title(row, row.command));
    if (by_command == commands_.end()) return std::nullopt;
    const bool lacks_key = row.key.empty() || rows_[by_command->second].key.empty();
    return lacks_key ? std::optional(by_command->second) : std::nullopt;
  }

  std::vector<ResultRow> rows_;
  std::map<Title, std::size_t> keys_, commands_;
  std::int64_t repeated_ = 0;
};

}  // namespace

std::string grid_value_text(const GridValue& value) {
  const double* number = std::get_if<double>(&value);
  return number != nullptr ? to_text(*number) : std::get<std::string>(value);
}

const GridValue* find_axis(const Grid& grid, std::string_view axis) {
  for (const auto& [name, value] : grid) {
    if (name == axis) return &value;
  }
  return nullptr;
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

Grid grid_of(const std::string& learner, const OptionValues& options) {
  return json_grid(options_json(learner, options));
}

std::string row_line(const ResultRow& row) {
  const RunResult& result = row.result;
  const Tally& tally = result.tally;
  Json out;
  out["format"] = kRowFormat;
  out["soba"] = row.version;
  out["key"] = row.key;
  out["command"] = row.command;
  out["name"] = row.name;
  out["data"] = result.data;
  out["reading"] = Json::parse(row.reading);
  out["fingerprint"] = fmt::format("{:016x}", result.fingerprint);
  out["contender"] = row.contender;
  out["learner"] = result.learner;
  out["feedback"] = result.feedback;
  out["grid"] = Json::object();
  for (const auto& [axis, value] : row.grid) {
    const std::string text = grid_value_text(value);
    if (std::holds_alternative<double>(value)) {
      out["grid"][axis] = Json::parse(text);  // 1, not 1.0
    } else {
      out["grid"][axis] = text;
    }
  }
  out["options"] = options_json(result.learner, result.options);
  out["seed"] = result.seed;
  out["number"] = row.number;
  out["rounds"] = tally.rounds;
  out["classes"] = result.shape.classes;
  out["features"] = result.shape.features;
  out["mistakes"] = tally.mistakes;
  out["greedy_mistakes"] = tally.greedy_mistakes;
  out["error"] = result.error();
  out["greedy_error"] = result.greedy_error();
  if (row.constant_error) out["constant_error"] = *row.constant_error;
  out["updates"] = tally.updates;
  out["curve"] = curve_json(result.curve);
  out["model_bytes"] = result.model_bytes;
  out["measured"] = {{"learn_seconds", result.learn_seconds},
                     {"rounds_per_second", row.rounds_per_second},
                     {"peak_memory_bytes", row.peak_memory_bytes}};
  return compact(out) + '\n';
}

ResultRow parse_row(std::string_view line, const std::string& place) {
  const Json object = parse_object(line, place);
  const RowFields fields(object, place);
  ResultRow row;
  row.place = place;
  row.format = fields.count("format");
  if (row.format < 1 || row.format > kRowFormat) {
    fields.fail(fmt::format("rows of format {} are not known; this program reads formats 1 to {}",
                            row.format, kRowFormat));
  }
  row.version = fields.text("soba");
  if (row.format >= 2) {
    row.key = fields.name("key");
    static_cast<void>(fields.object("reading"));
    row.reading = compact(fields.value("reading"));
  }
  row.command = fields.name("command");
  row.name = fields.name("name");
  row.contender = fields.name("contender");
  row.grid = fields.grid();
  row.number = fields.count("number", 1);
  RunResult& result = row.result;
  result.data = fields.text("data");
  result.fingerprint = fields.fingerprint();
  result.learner = fields.name("learner");
  result.feedback = fields.text("feedback");
  if (result.feedback != "bandit" && result.feedback != "full information") {
    fields.fail("\"feedback\" must be \"bandit\" or \"full information\"");
  }
  result.options = fields.options("options");
  result.seed = fields.seed("seed");
  Tally& tally = result.tally;
  tally.rounds = tally.answers = fields.count("rounds", 1);
  result.shape = {fields.small<Label>("classes", 1), fields.small<Index>("features", 0)};
  tally.mistakes = fields.count("mistakes");
  tally.greedy_mistakes = fields.count("greedy_mistakes");
  check_error(fields, "error", tally.mistakes, tally.rounds);
  check_error(fields, "greedy_error", tally.greedy_mistakes, tally.rounds);
  if (object.contains("constant_error")) row.constant_error = fields.number("constant_error");
  tally.updates = fields.count("updates");
  result.lifetime = tally;
  result.curve = parse_curve(fields.object("curve"));
  check_curve(result, fields);
  result.model_bytes = fields.count("model_bytes");
  const RowFields measured = fields.object("measured");
  result.learn_seconds = measured.number("learn_seconds");
  row.rounds_per_second = measured.number("rounds_per_second");
  row.peak_memory_bytes = measured.count("peak_memory_bytes");
  return row;
}

ResultRows read_rows(const std::vector<std::string>& paths) {
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
        collection.add(parse_row(line, place));
      } else {
        out.remarks.push_back(place + ": left out, it is incomplete");
      }
    }
  }
  if (collection.repeated() > 0) {
    out.remarks.push_back(
        fmt::format("left out {} of runs that came before", plural(collection.repeated(), "row")));
  }
  out.rows = collection.take();
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [](const ResultRow& a, const ResultRow& b) { return a.number < b.number; });
  return out;
}

}  // namespace soba::lab
