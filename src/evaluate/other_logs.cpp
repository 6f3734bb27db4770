// Logs that other programs have: CSV by named columns, and Vowpal Wabbit's dsjson.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/json.h"
#include "data/bytes/text.h"
#include "data/formats/jsonl.h"
#include "evaluate/log_row.h"
#include "soba/error.h"
#include "soba/parse.h"

namespace soba {

namespace {

// ---- CSV ----------------------------------------------------------------------------------------

struct Cell {
  std::string_view text;
  std::size_t at = 0;  // in the line
};

// The cells of a line; text with quotes goes into `unquoted`. False where a quote is not closed.
bool split(std::string_view line, char separator, std::vector<Cell>& cells, std::string& unquoted) {
  cells.clear();
  unquoted.clear();
  unquoted.reserve(line.size());  // its views stay where they are
  for (std::size_t at = 0;;) {
    const std::size_t begin = at;
    if (at < line.size() && line[at] == '"') {
      const std::size_t first = unquoted.size();
      for (++at;; ++at) {
        if (at >= line.size()) return false;
        if (line[at] == '"' && (at + 1 >= line.size() || line[at + 1] != '"')) break;
        at += line[at] == '"';
        unquoted += line[at];
      }
      ++at;
      if (at < line.size() && line[at] != separator) return false;
      cells.push_back({std::string_view(unquoted).substr(first), begin});
    } else {
      at = std::min(line.find(separator, at), line.size());
      cells.push_back({trimmed(line.substr(begin, at - begin)), begin});
    }
    if (at >= line.size()) return true;
    ++at;
  }
}

constexpr std::array<std::string_view, 1> kLabel = {"label"}, kProbability = {"probability"},
                                          kCorrect = {"correct"};
constexpr std::array<std::string_view, 2> kObpLabel = {"item_id", "action"},
                                          kObpProbability = {"propensity_score", "pscore"},
                                          kObpReward = {"click", "reward"};

class CsvLog : public LogFormat {
 public:
  CsvLog(LogWants wants, const LogOptions& options, bool obp, std::string_view header,
         const std::string& name)
      : wants_(std::move(wants)) {
    separator_ = header.find(',') != std::string_view::npos    ? ','
                 : header.find('\t') != std::string_view::npos ? '\t'
                 : header.find(';') != std::string_view::npos  ? ';'
                                                               : ',';
    if (!split(header, separator_, cells_, text_)) {
      throw Error(ErrorKind::kInput, name + ":1:1: a quote in the header is not closed");
    }
    for (const Cell& cell : cells_) names_.emplace_back(cell.text);
    const auto need = [&](const std::string& given, auto usual, const char* option) {
      if (!given.empty()) return required(given, name, option);
      for (const std::string_view one : usual) {
        if (const auto at = find(one)) return *at;
      }
      return required(std::string(usual[0]), name, option);
    };
    if (obp) {
      label_ = need(options.label_column, kObpLabel, "label-column");
      probability_ = need(options.probability_column, kObpProbability, "probability-column");
      correct_ = need(options.reward_column, kObpReward, "reward-column");
    } else {
      label_ = need(options.label_column, kLabel, "label-column");
      probability_ = need(options.probability_column, kProbability, "probability-column");
      correct_ = need(options.reward_column, kCorrect, "reward-column");
    }
    id_ = find("id");
    greedy_ = find("greedy");
    for (const std::string& policy : wants_.policies) {
      policies_.push_back(required(policy, name, "policy"));
    }
    is_x_.assign(names_.size(), true);
    for (const std::size_t at : {label_, probability_, correct_}) is_x_[at] = false;
    for (const auto& at : {id_, greedy_}) {
      if (at) is_x_[*at] = false;
    }
    for (const std::size_t at : policies_) is_x_[at] = false;
  }

  bool parse(std::string_view line, LogRow& row, RowError& error) override {
    row.clear(wants_.policies.size());
    row.line = line;
    if (!split(line, separator_, cells_, text_)) {
      return bad_row(error, 0, "a quote is not closed, or something follows it, on this line");
    }
    if (cells_.size() != names_.size()) {
      return bad_row(error, 0,
                     fmt::format("expected {} cells as in the header, found {}", names_.size(),
                                 cells_.size()));
    }
    if (id_) row.id = cells_[*id_].text;
    if (greedy_ && !cells_[*greedy_].text.empty()) row.greedy = cells_[*greedy_].text;
    row.label = cells_[label_].text;
    if (row.label.empty())
      return bad_row(error, cells_[label_].at, "expected a label, found nothing");
    if (!number(probability_, "a probability", row.probability, error)) return false;
    if (const auto problem = probability_problem(row.probability)) {
      return bad_row(error, cells_[probability_].at, *problem);
    }
    if (!read_correct(row, error)) return false;
    for (std::size_t i = 0; i < policies_.size(); ++i) {
      double p = 0;
      if (!number(policies_[i], "a probability", p, error)) return false;
      if (!(p >= 0 && p <= 1)) {
        return bad_row(error, cells_[policies_[i]].at, "expected a probability from 0 to 1");
      }
      row.policies[i].probability = p;
    }
    if (wants_.x) write_x(row);
    return true;
  }

 private:
  std::optional<std::size_t> find(std::string_view name) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(at - names_.begin());
  }
  std::size_t required(const std::string& column, const std::string& file,
                       const char* option) const {
    if (const auto at = find(column)) return *at;
    const std::string near = nearest(column, names_);
    throw Error(ErrorKind::kInput,
                fmt::format("{}:1:1: there is no column {}{}; option {} names another, and the "
                            "columns are {}",
                            file, shown(column),
                            near.empty() ? "" : fmt::format(", did you mean {}?", shown(near)),
                            option, listing(names_)));
  }

  bool number(std::size_t column, const char* what, double& out, RowError& error) const {
    const auto value = parse_number(cells_[column].text);
    if (value) out = *value;
    return value || bad_row(error, cells_[column].at,
                            fmt::format("expected {} under {}, found {}", what,
                                        shown(names_[column]), shown(cells_[column].text)));
  }

  bool read_correct(LogRow& row, RowError& error) const {
    const std::string_view text = cells_[correct_].text;
    const auto value = parse_number(text);
    if (text == "true" || text == "True" || (value && *value == 1)) {
      row.correct = true;
    } else if (text == "false" || text == "False" || (value && *value == 0)) {
      row.correct = false;
    } else if (!text.empty()) {
      return bad_row(error, cells_[correct_].at,
                     fmt::format("expected 1 (right), 0 (wrong) or nothing (no answer) under {}, "
                                 "found {}",
                                 shown(names_[correct_]), shown(text)));
    }
    return true;
  }

  void write_x(LogRow& row) {
    JsonWriter json;
    json.begin_object();
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const std::string_view text = cells_[i].text;
      if (!is_x_[i] || text.empty()) continue;
      if (const auto value = parse_number(text)) {
        json.member(names_[i], *value);
      } else {
        json.member(names_[i], text);
      }
    }
    x_ = json.end_object().text();
    row.x = x_;
  }

  LogWants wants_;
  char separator_ = ',';
  std::vector<std::string> names_;
  std::size_t label_ = 0, probability_ = 0, correct_ = 0;
  std::optional<std::size_t> id_, greedy_;
  std::vector<std::size_t> policies_;
  std::vector<bool> is_x_;
  std::vector<Cell> cells_;
  std::string text_, x_;
};

// ---- dsjson -------------------------------------------------------------------------------------

// An interaction a line: "_label_cost" (0 or −1), "a" and "p" of all actions, the one that was
// played first, the context under "c".
class DsjsonLog : public LogFormat {
 public:
  explicit DsjsonLog(LogWants wants) : wants_(std::move(wants)) {}

  bool parse(std::string_view line, LogRow& row, RowError& error) override {
    row.clear(wants_.policies.size());
    row.line = line;
    simdjson::dom::element document;
    if (parser_.parse(line.data(), line.size()).get(document) != simdjson::SUCCESS ||
        !document.is_object()) {
      return bad_row(error, json_error_place(line).value_or(0), "expected a JSON object");
    }
    const auto wrong = [&](std::string_view key, std::string_view expected) {
      return bad_row(error, json_place(line, key, {}),
                     fmt::format("expected {} under \"{}\"", expected, key));
    };
    simdjson::dom::array actions, probabilities;
    if (document["a"].get(actions) != simdjson::SUCCESS || actions.size() == 0) {
      return wrong("a", "the list of actions, the played one first,");
    }
    if (document["p"].get(probabilities) != simdjson::SUCCESS ||
        probabilities.size() != actions.size()) {
      return wrong("p",
                   "a probability for each action; without them nothing can be said of "
                   "another policy,");
    }
    names_.clear();
    names_.reserve(actions.size());
    for (const simdjson::dom::element action : actions) {
      names_.push_back(std::string(simdjson::minify(action)));
      row.allowed.push_back(names_.back());
    }
    std::size_t i = 0;
    for (const simdjson::dom::element one : probabilities) {
      double p = 0;
      if (one.get(p) != simdjson::SUCCESS || !(p >= 0 && p <= 1)) {
        return wrong("p", "probabilities");
      }
      if (i == 0) row.probability = p;
      row.distribution.emplace_back(row.allowed[i++], p);
    }
    row.label = row.allowed[0];
    if (const auto problem = probability_problem(row.probability)) {
      return bad_row(error, json_place(line, "p", {}), *problem);
    }
    std::string_view id;
    if (document["EventId"].get(id) == simdjson::SUCCESS) row.id = id;
    double cost = 0;
    if (document["_label_cost"].get(cost) == simdjson::SUCCESS) {
      if (cost != 0 && cost != -1) {
        return wrong("_label_cost", "0 (wrong) or -1 (right), as an answer is one bit,");
      }
      row.correct = cost != 0;
    }
    if (!wants_.policies.empty()) {
      return bad_row(error, 0,
                     "dsjson has no probabilities of other policies; option policy names "
                     "none here");
    }
    if (wants_.x) write_x(document, row);
    return true;
  }

 private:
  void write_x(simdjson::dom::element document, LogRow& row) {
    JsonWriter json;
    json.begin_object();
    simdjson::dom::object context;
    if (document["c"].get(context) == simdjson::SUCCESS) {
      for (const simdjson::dom::key_value_pair one : context) {
        if (one.key.starts_with('_')) continue;  // of the actions
        simdjson::dom::object group;
        if (one.value.get(group) != simdjson::SUCCESS) {
          put(json, std::string(one.key), one.value);
          continue;
        }
        for (const simdjson::dom::key_value_pair inner : group) {
          put(json, fmt::format("{}.{}", one.key, inner.key), inner.value);
        }
      }
    }
    x_ = json.end_object().text();
    row.x = x_;
  }

  // Numbers, texts and booleans are features; anything deeper has no name here.
  static void put(JsonWriter& json, const std::string& name, simdjson::dom::element value) {
    double number = 0;
    std::string_view text;
    bool flag = false;
    if (value.get(number) == simdjson::SUCCESS) json.member(name, number);
    if (value.get(text) == simdjson::SUCCESS) json.member(name, text);
    if (value.get(flag) == simdjson::SUCCESS) json.member(name, flag);
  }

  LogWants wants_;
  simdjson::dom::parser parser_;
  std::vector<std::string> names_;
  std::string x_;
};

}  // namespace

std::unique_ptr<LogFormat> csv_log(LogWants wants, const LogOptions& options, bool obp,
                                   std::string_view header, const std::string& name) {
  return std::make_unique<CsvLog>(std::move(wants), options, obp, header, name);
}

std::unique_ptr<LogFormat> dsjson_log(LogWants wants) {
  return std::make_unique<DsjsonLog>(std::move(wants));
}

}  // namespace soba
