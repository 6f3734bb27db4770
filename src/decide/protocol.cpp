#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <optional>

#include "core/json.h"
#include "data/bytes/text.h"
#include "data/formats/jsonl.h"
#include "data/preparation.h"
#include "soba/decide.h"
#include "soba/error.h"

namespace soba {

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

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

// The beginning of a reply, with the id as the caller wrote it.
JsonWriter reply_to(element id) {
  JsonWriter json;
  json.begin_object().key("id");
  std::int64_t integer = 0;
  std::uint64_t large = 0;
  if (id.get(integer) == simdjson::SUCCESS) {
    json.value(integer);
  } else if (id.get(large) == simdjson::SUCCESS) {
    json.value(large);
  } else {
    json.value(id.get_string().value_unsafe());
  }
  return json;
}

// One line, understood. Exactly one of x, correct and forget is there.
struct Event {
  std::string id;
  std::optional<element> written_id;
  std::optional<element> x;
  std::optional<bool> correct;
  bool forget = false;
};

}  // namespace

struct EventProtocol::State {
  State(Model& model, const EventOptions& chosen)
      : options(chosen),
        decider(model, chosen.limits, chosen.journal, chosen.unknown),
        features(model.schema, unknown_of(chosen.unknown, model.schema)),
        preparation(model.schema) {}

  [[noreturn]] void bad_line(std::size_t place, const std::string& message) const {
    throw Error(ErrorKind::kInput,
                fmt::format("{}:{}:{}: {}", options.source, number, place + 1, message));
  }

  void parse(std::string_view line, Event& event);
  Decision decide_on(const Event& event, std::string_view line);  // the x in `block`
  std::string decide(const Event& event, std::string_view line);
  std::string feedback(const Event& event);

  EventOptions options;
  Decider decider;
  JsonFeatures features;
  Preparation preparation;
  simdjson::dom::parser parser;
  Row row;
  Block block;
  std::int64_t number = 0;  // of the line, from 1
  EventCounts counts;
};

void EventProtocol::State::parse(std::string_view line, Event& event) {
  element document;
  const auto code = parser.parse(line.data(), line.size()).get(document);
  if (code != simdjson::SUCCESS) {
    const std::size_t place = json_error_place(line).value_or(0);
    bad_line(place,
             fmt::format("expected JSON, found {}",
                         place < line.size() ? shown(line.substr(place)) : "the end of the line"));
  }
  simdjson::dom::object object;
  if (document.get(object) != simdjson::SUCCESS) {
    bad_line(0, "expected an object such as {\"id\":\"e1\",\"x\":{…}}");
  }
  // First of all, so that a reply can name it whatever else is wrong.
  if (element id; object.at_key("id").get(id) == simdjson::SUCCESS && read_id(id, event.id)) {
    event.written_id = id;
  }
  bool has_id = false, flag = false;
  for (const simdjson::dom::key_value_pair field : object) {
    const auto wrong = [&](const char* expected) {
      bad_line(json_place(line, field.key, {}),
               fmt::format("expected {} under \"{}\"", expected, field.key));
    };
    const bool again = (field.key == "id" && has_id) || (field.key == "x" && event.x) ||
                       (field.key == "correct" && event.correct) ||
                       (field.key == "forget" && event.forget);
    if (again) bad_line(0, fmt::format("\"{}\" is there twice", field.key));
    if (field.key == "id") {
      if (!event.written_id) wrong("a text or a whole number");
      has_id = true;
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
  if (!event.written_id) bad_line(0, "expected a text or a whole number under \"id\"");
  if (event.x.has_value() + event.correct.has_value() + event.forget != 1) {
    bad_line(0, "expected one of \"x\", \"correct\" and \"forget\" beside \"id\"");
  }
}

Decision EventProtocol::State::decide_on(const Event& event, std::string_view line) {
  try {
    return decider.decide(event.id, block.features(0));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    bad_line(json_place(line, "x", {}), error.what());
  }
}

std::string EventProtocol::State::decide(const Event& event, std::string_view line) {
  try {
    decider.check_room(event.id);
  } catch (const Error& error) {
    ++counts.refused;
    return reply_to(*event.written_id).member("error", error.what()).end_object().text();
  }
  Decision decision;
  try {
    if (const auto problem = features.read(*event.x, row)) {
      bad_line(json_place(line, "x", problem->entry), problem->message);
    }
    block.clear();
    preparation.append(row.features(), kNoLabel, block);
    decision = decide_on(event, line);
  } catch (...) {
    features.undo();
    throw;
  }
  counts.ignored = features.ignored();
  ++counts.decisions;
  return reply_to(*event.written_id)
      .member("label", decision.label)
      .member("probability", decision.probability)
      .member("greedy", decision.greedy)
      .end_object()
      .text();
}

std::string EventProtocol::State::feedback(const Event& event) {
  Decider::Feedback result = Decider::Feedback::kTaken;
  try {
    result = event.forget ? decider.forget(event.id) : decider.feedback(event.id, *event.correct);
  } catch (const Error& error) {  // not enough memory allowed: the decision goes on waiting
    ++counts.refused;
    return reply_to(*event.written_id).member("error", error.what()).end_object().text();
  }
  JsonWriter reply = reply_to(*event.written_id);
  if (result == Decider::Feedback::kUnknownId) {
    ++counts.unknown_ids;
    return reply.member("error", "no decision waits under this id").end_object().text();
  }
  ++(event.forget ? counts.forgotten : counts.answers);
  if (!options.acknowledge) return "";
  return reply.member(event.forget ? "forgotten" : "learned", true).end_object().text();
}

EventProtocol::EventProtocol(Model& model, const EventOptions& options)
    : state_(std::make_unique<State>(model, options)) {}
EventProtocol::~EventProtocol() = default;
EventProtocol::EventProtocol(EventProtocol&&) noexcept = default;

std::string EventProtocol::answer(std::string_view line) {
  ++state_->number;
  if (std::all_of(line.begin(), line.end(), is_blank)) return "";
  Event event;
  try {
    state_->parse(line, event);
    return event.x ? state_->decide(event, line) : state_->feedback(event);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    ++state_->counts.bad_lines;
    if (!state_->options.skip_bad) throw;
    JsonWriter reply = event.written_id ? reply_to(*event.written_id) : JsonWriter().begin_object();
    return reply.member("error", error.what()).end_object().text();
  }
}

const EventCounts& EventProtocol::counts() const { return state_->counts; }
std::int64_t EventProtocol::pending() const { return state_->decider.pending(); }

}  // namespace soba
