// Soba's own decision log, read on demand: a value that nobody wants is skipped.
#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>

#include "data/bytes/text.h"
#include "data/formats/jsonl.h"
#include "evaluate/log_row.h"

namespace soba {

namespace {

using simdjson::SUCCESS;
using simdjson::ondemand::json_type;

constexpr double kSlack = 1e-6;  // in sums of probabilities that were rounded when written

class JsonLog : public LogFormat {
 public:
  explicit JsonLog(LogWants wants) : wants_(std::move(wants)) {}

  bool parse(std::string_view line, LogRow& row, RowError& error) override {
    row.clear(wants_.policies.size());
    row.line = line;
    line_ = line;
    seen_ = 0;
    error_ = &error;
    if (!read(row)) return false;
    return check(row);
  }

 private:
  using Value = simdjson::ondemand::value;
  enum Key : unsigned {
    kId = 1,
    kX = 2,
    kLabel = 4,
    kProbability = 8,
    kCorrect = 16,
    kGreedy = 32,
    kLabels = 64,
    kDistribution = 128,
    kPolicies = 256,
    kForget = 512,
  };

  bool read(LogRow& row) {
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    const std::size_t padded = line_.size() + LineReader::kPadding;
    if (parser_.iterate(line_.data(), line_.size(), padded).get(document) != SUCCESS ||
        document.get_object().get(object) != SUCCESS) {
      return not_json("expected a JSON object");
    }
    for (auto field : object) {
      simdjson::ondemand::raw_json_string key;
      Value value;
      if (field.error() != SUCCESS || field.key().get(key) != SUCCESS ||
          field.value().get(value) != SUCCESS) {
        return not_json("expected a key and its value");
      }
      if (!take(key, value, row)) return false;
    }
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
      return not_json("expected nothing behind the object");
    return true;
  }

  bool take(simdjson::ondemand::raw_json_string key, Value& value, LogRow& row) {
    const char* const text = key.raw();
    const auto is = [&](std::string_view name) { return key.unsafe_is_equal(name); };
    switch (text[0]) {
      case 'i':
        return !is("id") || (once(kId, "id") && word(value, "id", row.id));
      case 'x':
        return !is("x") || (once(kX, "x") && take_x(value, row));
      case 'l':
        if (is("label")) return once(kLabel, "label") && word(value, "label", row.label);
        return !is("labels") || (once(kLabels, "labels") && take_labels(value, row));
      case 'p':
        if (is("probability")) return once(kProbability, "probability") && take_p(value, row);
        return !is("policies") || (once(kPolicies, "policies") && take_policies(value, row));
      case 'c':
        return !is("correct") || (once(kCorrect, "correct") && take_correct(value, row));
      case 'g':
        return !is("greedy") ||
               (once(kGreedy, "greedy") && word(value, "greedy", row.greedy.emplace()));
      case 'd':
        return !is("distribution") ||
               (once(kDistribution, "distribution") && take_distribution(value, row));
      case 'f':
        return !is("forget") || once(kForget, "forget");
      default:
        return true;
    }
  }

  bool once(Key key, std::string_view name) {
    if ((seen_ & key) != 0)
      return bad_row(*error_, 0, fmt::format("key \"{}\" appears twice", name));
    seen_ |= key;
    return true;
  }

  bool wrong(std::string_view key, std::string_view expected) {
    if (json_error_place(line_)) return not_json(expected);
    return bad_row(*error_, json_place(line_, key, {}),
                   fmt::format("expected {} under \"{}\"", expected, key));
  }

  bool not_json(std::string_view expected) {
    const auto place = json_error_place(line_);
    if (!place) return bad_row(*error_, 0, std::string(expected));
    return bad_row(
        *error_, *place,
        fmt::format("expected JSON, found {}",
                    *place < line_.size() ? shown(line_.substr(*place)) : "the end of the line"));
  }

  // A text, or a whole number or boolean as it is written.
  bool word(Value value, std::string_view key, std::string_view& out) {
    json_type type{};
    if (value.type().get(type) != SUCCESS) return wrong(key, "a text or a whole number");
    if (type == json_type::string) {
      return value.get_string().get(out) == SUCCESS || wrong(key, "a text or a whole number");
    }
    bool whole = type == json_type::boolean;
    if (type == json_type::number) whole = value.is_integer().value_unsafe();
    if (!whole) return wrong(key, "a text or a whole number");
    out = trimmed(value.raw_json_token());
    while (!out.empty() && (out.back() == '\n' || out.back() == '\r')) out.remove_suffix(1);
    return true;
  }

  bool take_x(Value& value, LogRow& row) {
    if (!wants_.x) return true;
    json_type type{};
    if (value.type().get(type) != SUCCESS) return wrong("x", "an object or an array");
    if (type == json_type::object) {
      simdjson::ondemand::object object;
      if (value.get_object().get(object) == SUCCESS && object.raw_json().get(row.x) == SUCCESS) {
        return true;
      }
    } else if (type == json_type::array) {
      simdjson::ondemand::array array;
      if (value.get_array().get(array) == SUCCESS && array.raw_json().get(row.x) == SUCCESS) {
        return true;
      }
    }
    return wrong("x", "an object or an array");
  }

  bool take_p(Value& value, LogRow& row) {
    if (value.get_double().get(row.probability) != SUCCESS) return wrong("probability", "a number");
    if (const auto problem = probability_problem(row.probability)) {
      return bad_row(*error_, json_place(line_, "probability", {}), *problem);
    }
    return true;
  }

  bool take_correct(Value& value, LogRow& row) {
    bool flag = false;
    if (value.get_bool().get(flag) == SUCCESS) {
      row.correct = flag;
      return true;
    }
    if (value.is_null()) return true;
    return wrong("correct", "true, false or null");
  }

  bool take_labels(Value& value, LogRow& row) {
    simdjson::ondemand::array array;
    if (value.get_array().get(array) != SUCCESS) return wrong("labels", "a list of labels");
    for (auto one : array) {
      Value label;
      if (one.get(label) != SUCCESS) return wrong("labels", "a list of labels");
      if (!word(label, "labels", row.allowed.emplace_back())) return false;
    }
    return !row.allowed.empty() || wrong("labels", "a list of one label or more");
  }

  bool take_distribution(Value& value, LogRow& row) {
    simdjson::ondemand::object object;
    if (value.get_object().get(object) != SUCCESS) {
      return wrong("distribution", "an object of probabilities");
    }
    for (auto field : object) {
      std::string_view label;
      double p = 0;
      if (field.unescaped_key().get(label) != SUCCESS ||
          field.value().get_double().get(p) != SUCCESS || !(p >= 0 && p <= 1 + kSlack)) {
        return wrong("distribution", "an object of probabilities");
      }
      row.distribution.emplace_back(label, p);
    }
    return true;
  }

  bool take_policies(Value& value, LogRow& row) {
    if (wants_.policies.empty()) return true;
    simdjson::ondemand::object object;
    if (value.get_object().get(object) != SUCCESS) return wrong("policies", "an object");
    for (auto field : object) {
      simdjson::ondemand::raw_json_string key;
      Value play;
      if (field.error() != SUCCESS || field.key().get(key) != SUCCESS ||
          field.value().get(play) != SUCCESS) {
        return wrong("policies", "an object");
      }
      for (std::size_t i = 0; i < wants_.policies.size(); ++i) {
        if (!(key == wants_.policies[i])) continue;
        if (!take_policy(play, row.policies[i])) return false;
        break;
      }
    }
    return true;
  }

  bool take_policy(Value& play, LoggedPolicy& out) {
    if (out.probability || out.label) return wrong("policies", "each policy once");
    double p = 0;
    std::string_view label;
    if (play.get_double().get(p) == SUCCESS) {
      if (!(p >= 0 && p <= 1)) return wrong("policies", "probabilities from 0 to 1, or labels");
      out.probability = p;
      return true;
    }
    if (play.get_string().get(label) != SUCCESS) {
      return wrong("policies", "probabilities from 0 to 1, or labels");
    }
    out.label = label;
    return true;
  }

  // What the keys say together.
  bool check(LogRow& row) {
    if ((seen_ & kLabel) == 0) {
      if ((seen_ & kForget) != 0)
        row.kind = LogRow::Kind::kForgotten;
      else if (row.correct)
        row.kind = LogRow::Kind::kAnswer;
      else
        return bad_row(*error_, 0,
                       "expected a decision with \"label\" and \"probability\", or an "
                       "answer with \"id\" and \"correct\"");
      return !row.id.empty() || bad_row(*error_, 0,
                                        "expected an \"id\" in an answer without its "
                                        "decision");
    }
    if ((seen_ & kProbability) == 0) {
      return bad_row(*error_, 0,
                     "expected \"probability\": the one with which the label was drawn, without "
                     "which nothing can be said of another policy");
    }
    return check_distribution(row);
  }

  bool check_distribution(const LogRow& row) {
    if (row.distribution.empty()) return true;
    double sum = 0, own = 0;
    for (const auto& [label, p] : row.distribution) {
      sum += p;
      if (label == row.label) own = p;
    }
    const std::size_t place = json_place(line_, "distribution", {});
    if (!(std::fabs(sum - 1) <= kSlack)) {
      return bad_row(*error_, place,
                     fmt::format("the distribution adds up to {:.6g}, not to 1", sum));
    }
    if (!(std::fabs(own - row.probability) <= kSlack)) {
      return bad_row(
          *error_, place,
          fmt::format("the distribution plays {} with {:.6g}, but \"probability\" is {:.6g}",
                      shown(row.label), own, row.probability));
    }
    return true;
  }

  LogWants wants_;
  simdjson::ondemand::parser parser_;
  std::string_view line_;
  unsigned seen_ = 0;
  RowError* error_ = nullptr;
};

}  // namespace

std::optional<std::string> probability_problem(double p) {
  constexpr double kLeast = 1e-12;
  if (p >= kLeast && p <= 1) return std::nullopt;
  if (p > 0 && p < kLeast) {
    return fmt::format(
        "a probability of {:g} is too small for any log to tell; expected 1e-12 or "
        "more",
        p);
  }
  return fmt::format("a label that was played has a probability above 0 and up to 1, not {:g}", p);
}

std::unique_ptr<LogFormat> json_log(LogWants wants) {
  return std::make_unique<JsonLog>(std::move(wants));
}

}  // namespace soba
