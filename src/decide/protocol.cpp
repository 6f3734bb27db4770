#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>

#include "core/json.h"
#include "data/bytes/text.h"
#include "data/formats/jsonl.h"
#include "data/preparation.h"
#include "model/explain_json.h"
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

// The beginning of a reply, with the id as the caller wrote it, if there was one.
JsonWriter reply_to(const std::optional<element>& written) {
  JsonWriter json;
  json.begin_object();
  if (!written) return json;
  const element id = *written;
  json.key("id");
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

// A change of the model's labels.
struct LabelChange {
  enum class Kind { kAdd, kRename, kRetire } kind;
  std::string label, to;  // `to` of a renamed one
};

// One line, understood. Exactly one of x, correct, forget and change is there.
struct Event {
  std::string id;
  std::optional<element> written_id;
  std::optional<element> x;
  std::optional<bool> correct;
  bool forget = false;
  std::optional<LabelChange> change;
  std::string_view change_key;  // its name in the line
  std::vector<std::string> allowed;
};

constexpr std::array<std::string_view, 8> kKeys = {
    "id", "x", "correct", "forget", "allowed", "add_label", "rename_label", "retire_label"};

// The label that a text or a whole number names.
bool read_label(element value, std::string& label) { return read_id(value, label); }

// {"from": …, "to": …} for a new name, a label otherwise.
bool read_change(element value, LabelChange& change) {
  if (change.kind != LabelChange::Kind::kRename) return read_label(value, change.label);
  element from, to;
  return value.at_key("from").get(from) == simdjson::SUCCESS &&
         value.at_key("to").get(to) == simdjson::SUCCESS && read_label(from, change.label) &&
         read_label(to, change.to);
}

bool read_allowed(element value, std::vector<std::string>& allowed) {
  simdjson::dom::array labels;
  if (value.get(labels) != simdjson::SUCCESS || labels.size() == 0) return false;
  for (const element label : labels) {
    if (!read_label(label, allowed.emplace_back())) return false;
  }
  return true;
}

// Takes one of kKeys. Returns what was expected where the value is something else, null otherwise.
const char* read_field(std::string_view key, element value, Event& event) {
  bool flag = false;
  if (key == "id") return event.written_id ? nullptr : "a text or a whole number";
  if (key == "x") {
    event.x = value;
  } else if (key == "correct") {
    if (value.get(flag) != simdjson::SUCCESS) return "true or false";
    event.correct = flag;
  } else if (key == "forget") {
    if (value.get(flag) != simdjson::SUCCESS || !flag) return "true";
    event.forget = true;
  } else if (key == "allowed") {
    if (!read_allowed(value, event.allowed)) return "an array of labels";
  } else {
    using Kind = LabelChange::Kind;
    const Kind kind = key == "add_label"      ? Kind::kAdd
                      : key == "rename_label" ? Kind::kRename
                                              : Kind::kRetire;
    if (event.change) return "the only change of a label in the line";
    event.change = LabelChange{kind, "", ""};
    event.change_key = key;
    if (!read_change(value, *event.change)) {
      return kind == Kind::kRename ? "{\"from\":…,\"to\":…}" : "a label";
    }
  }
  return nullptr;
}

}  // namespace

struct EventProtocol::State {
  State(Model& decided, const EventOptions& chosen)
      : options(chosen),
        model(decided),
        decider(decided, chosen.limits, chosen.journal, chosen.unknown),
        features(decided.schema, unknown_of(chosen.unknown, decided.schema)),
        preparation(decided.schema) {}

  [[noreturn]] void bad_line(std::size_t place, const std::string& message) const {
    throw Error(ErrorKind::kInput,
                fmt::format("{}:{}:{}: {}", options.source, number, place + 1, message));
  }

  void parse(std::string_view line, Event& event);
  void check_parts(const Event& event) const;
  void expire();
  // The reply to a decision on x, under the id as it was written.
  std::string told(JsonWriter reply, const Decision& decision, const Features& x,
                   std::span<const Label> allowed) const;
  std::string change(const Event& event, std::string_view line);
  // On the x in `block`.
  Decision decide_on(const Event& event, std::span<const Label> allowed, std::string_view line);
  std::string decide(const Event& event, std::string_view line);
  std::string feedback(const Event& event);

  EventOptions options;
  Model& model;
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
  unsigned seen = 0;
  for (const simdjson::dom::key_value_pair field : object) {
    const auto key = std::ranges::find(kKeys, field.key);
    if (key == kKeys.end()) continue;
    const unsigned bit = 1U << (key - kKeys.begin());
    if ((seen & bit) != 0) bad_line(0, fmt::format("\"{}\" is there twice", field.key));
    seen |= bit;
    if (const char* const expected = read_field(field.key, field.value, event)) {
      bad_line(json_place(line, field.key, {}),
               fmt::format("expected {} under \"{}\"", expected, field.key));
    }
  }
  check_parts(event);
}

void EventProtocol::State::check_parts(const Event& event) const {
  const int parts = event.x.has_value() + event.correct.has_value() + event.forget;
  if (event.change && parts == 0 && event.allowed.empty()) return;
  if (!event.written_id) bad_line(0, "expected a text or a whole number under \"id\"");
  if (event.change || parts != 1) {
    bad_line(0, "expected one of \"x\", \"correct\" and \"forget\" beside \"id\"");
  }
  if (!event.allowed.empty() && !event.x) bad_line(0, "\"allowed\" belongs beside \"x\"");
}

void EventProtocol::State::expire() {
  const bool by_time = options.limits.expire_seconds > 0;
  if (!by_time && options.limits.expire_decisions == 0) return;
  const std::int64_t now = !by_time        ? 0
                           : options.clock ? options.clock()
                                           : static_cast<std::int64_t>(std::time(nullptr));
  counts.expired += decider.expire(now);
}

std::string EventProtocol::State::change(const Event& event, std::string_view line) {
  const LabelChange& change = *event.change;
  JsonWriter reply = reply_to(event.written_id);
  try {
    switch (change.kind) {
      case LabelChange::Kind::kAdd:
        decider.add_label(change.label);
        reply.member("added_label", change.label);
        break;
      case LabelChange::Kind::kRename:
        decider.rename_label(change.label, change.to);
        reply.member("renamed_label", change.label).member("to", change.to);
        break;
      case LabelChange::Kind::kRetire:
        decider.retire_label(change.label);
        reply.member("retired_label", change.label);
        break;
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kUsage) {
      bad_line(json_place(line, event.change_key, {}), error.what());
    }
    ++counts.refused;  // not enough memory allowed
    return reply_to(event.written_id).member("error", error.what()).end_object().text();
  }
  ++counts.label_changes;
  return reply.end_object().text();
}

Decision EventProtocol::State::decide_on(const Event& event, std::span<const Label> allowed,
                                         std::string_view line) {
  try {
    return decider.decide(event.id, block.features(0), allowed);
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
    return reply_to(event.written_id).member("error", error.what()).end_object().text();
  }
  std::vector<Label> allowed;
  if (!event.allowed.empty()) {
    try {
      allowed = allowed_labels(model, event.allowed);
    } catch (const Error& error) {
      bad_line(json_place(line, "allowed", {}), error.what());
    }
  }
  std::string reply;
  try {
    if (const auto problem = features.read(*event.x, row)) {
      bad_line(json_place(line, "x", problem->entry), problem->message);
    }
    block.clear();
    preparation.append(row.features(), kNoLabel, block);
    const Decision decision = decide_on(event, allowed, line);
    reply = told(reply_to(event.written_id), decision, block.features(0), allowed);
    if (!options.limits.keep) features.undo();
  } catch (...) {
    features.undo();
    throw;
  }
  counts.ignored = features.ignored();
  ++counts.decisions;
  return reply;
}

std::string EventProtocol::State::told(JsonWriter reply, const Decision& decision,
                                       const Features& x, std::span<const Label> allowed) const {
  reply.member("label", decision.label)
      .member("probability", decision.probability)
      .member("greedy", decision.greedy);
  if (options.explain > 0) {
    write_json(explain(model, x, options.explain, allowed), reply.key("because"));
  }
  return reply.end_object().text();
}

std::string EventProtocol::State::feedback(const Event& event) {
  Decider::Feedback result = Decider::Feedback::kTaken;
  try {
    result = event.forget ? decider.forget(event.id) : decider.feedback(event.id, *event.correct);
  } catch (const Error& error) {  // not enough memory allowed: the decision goes on waiting
    ++counts.refused;
    return reply_to(event.written_id).member("error", error.what()).end_object().text();
  }
  JsonWriter reply = reply_to(event.written_id);
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
    state_->expire();
    if (event.change) return state_->change(event, line);
    return event.x ? state_->decide(event, line) : state_->feedback(event);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    ++state_->counts.bad_lines;
    if (!state_->options.skip_bad) throw;
    return reply_to(event.written_id).member("error", error.what()).end_object().text();
  }
}

std::string EventProtocol::answer(const Features& x, std::int64_t row) {
  State& state = *state_;
  state.expire();
  const std::string id = fmt::format("{}:{}", state.options.source, row);
  JsonWriter reply;
  reply.begin_object().member("id", id);
  try {
    state.decider.check_room(id);
  } catch (const Error& error) {
    ++state.counts.refused;
    return reply.member("error", error.what()).end_object().text();
  }
  const Decision decision = state.decider.decide(id, x);
  ++state.counts.decisions;
  return state.told(std::move(reply), decision, x, {});
}

const EventCounts& EventProtocol::counts() const { return state_->counts; }
std::int64_t EventProtocol::pending() const { return state_->decider.pending(); }

}  // namespace soba
