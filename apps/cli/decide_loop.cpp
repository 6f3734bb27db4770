#include "decide_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "data/text.h"
#include "soba/error.h"

namespace soba::cli {

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

[[noreturn]] void bad_line(std::int64_t number, std::size_t place, const std::string& message) {
  throw Error(ErrorKind::kInput, fmt::format("<stdin>:{}:{}: {}", number, place + 1, message));
}

// The text under which a decision waits: that of a text, or of a whole number.
bool read_id(element value, std::string& id) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    id = text;
    return true;
  }
  const bool whole = value.type() == element_type::INT64 || value.type() == element_type::UINT64;
  if (whole) id = simdjson::minify(value);
  return whole;
}

// An id as the caller wrote it.
Json written(element id) {
  std::int64_t integer = 0;
  std::uint64_t large = 0;
  if (id.get(integer) == simdjson::SUCCESS) return integer;
  if (id.get(large) == simdjson::SUCCESS) return large;
  return std::string(std::string_view(id));
}

}  // namespace

// One line, understood. Exactly one of x, correct and forget is there.
struct DecideLoop::Event {
  std::int64_t number = 0;
  std::string id;
  element written_id;
  std::optional<element> x;
  std::optional<bool> correct;
  bool forget = false;
};

DecideLoop::DecideLoop(Model& model, bool acknowledge, bool skip_bad)
    : model_(model),
      decider_(model),
      features_(model.schema),
      preparation_(model.schema),
      acknowledge_(acknowledge),
      skip_bad_(skip_bad) {}

DecideLoop::Event DecideLoop::parse(std::string_view line, std::int64_t number) {
  element document;
  const auto code = parser_.parse(line.data(), line.size()).get(document);
  if (code != simdjson::SUCCESS) {
    const std::size_t place = json_error_place(line).value_or(0);
    bad_line(number, place,
             fmt::format("expected JSON, found {}",
                         place < line.size() ? shown(line.substr(place)) : "the end of the line"));
  }
  simdjson::dom::object object;
  if (document.get(object) != simdjson::SUCCESS) {
    bad_line(number, 0, "expected an object such as {\"id\":\"e1\",\"x\":{…}}");
  }
  Event event;
  event.number = number;
  bool has_id = false, flag = false;
  for (const simdjson::dom::key_value_pair field : object) {
    const auto wrong = [&](const char* expected) {
      bad_line(number, json_place(line, field.key, {}),
               fmt::format("expected {} under \"{}\"", expected, field.key));
    };
    const bool again = (field.key == "id" && has_id) || (field.key == "x" && event.x) ||
                       (field.key == "correct" && event.correct) ||
                       (field.key == "forget" && event.forget);
    if (again) bad_line(number, 0, fmt::format("\"{}\" is there twice", field.key));
    if (field.key == "id") {
      event.written_id = field.value;
      has_id = read_id(field.value, event.id);
      if (!has_id) wrong("a text or a whole number");
    } else if (field.key == "x") {
      event.x = field.value;
    } else if (field.key == "correct") {
      if (field.value.get(flag) != simdjson::SUCCESS) wrong("true or false");
      event.correct = flag;
    } else if (field.key == "forget") {
      if (field.value.get(flag) != simdjson::SUCCESS || !flag) wrong("true");
      event.forget = true;
    }
  }
  if (!has_id) bad_line(number, 0, "expected a text or a whole number under \"id\"");
  if (event.x.has_value() + event.correct.has_value() + event.forget != 1) {
    bad_line(number, 0, "expected one of \"x\", \"correct\" and \"forget\" beside \"id\"");
  }
  return event;
}

Json DecideLoop::decide(const Event& event, std::string_view line) {
  if (const auto problem = features_.read(*event.x, true, row_)) {
    bad_line(event.number, json_place(line, "x", problem->entry), problem->message);
  }
  block_.clear();
  preparation_.append(row_.features(), kNoLabel, block_);
  Decider::Decision decision{};
  try {
    decision = decider_.decide(event.id, block_.features(0));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    bad_line(event.number, json_place(line, "x", {}), error.what());
  }
  ++counts_.decisions;
  return {{"id", written(event.written_id)},
          {"label", model_.schema.labels.name(decision.label)},
          {"probability", decision.probability},
          {"greedy", model_.schema.labels.name(decision.greedy)}};
}

Json DecideLoop::feedback(const Event& event) {
  const Decider::Feedback result =
      event.forget ? decider_.forget(event.id) : decider_.feedback(event.id, *event.correct);
  if (result == Decider::Feedback::kUnknownId) {
    ++counts_.unknown_ids;
    return {{"id", written(event.written_id)}, {"error", "no decision waits under this id"}};
  }
  ++(event.forget ? counts_.forgotten : counts_.answers);
  if (!acknowledge_) return nullptr;
  return {{"id", written(event.written_id)}, {event.forget ? "forgotten" : "learned", true}};
}

std::string DecideLoop::answer(std::string_view line, std::int64_t number) {
  if (std::all_of(line.begin(), line.end(), is_blank)) return "";
  try {
    const Event event = parse(line, number);
    const Json reply = event.x ? decide(event, line) : feedback(event);
    return reply.is_null() ? "" : json_line(reply);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    ++counts_.bad_lines;
    if (!skip_bad_) throw;
    return json_line({{"error", error.what()}});
  }
}

}  // namespace soba::cli
