// Plans as people write them: the JSON file, and the words of a command line.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "core/fields.h"
#include "data/bytes/input.h"
#include "lab/json.h"
#include "soba/error.h"
#include "soba/lab/plan.h"
#include "soba/lab/text.h"
#include "soba/registry.h"

namespace soba::lab {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // of a plan

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::kUsage, message); }

// What a message calls a place of the file, and what is expected there.
class Place {
 public:
  Place(std::string name, const Json& value) : name_(std::move(name)), value_(value) {}

  const std::string& name() const { return name_; }
  const Json& value() const { return value_; }
  [[noreturn]] void fail(std::string_view what) const {
    refuse(fmt::format("{}: {}, not {}", name_, what,
                       value_.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 60)));
  }
  std::vector<Place> items() const {
    if (!value_.is_array() || value_.empty()) fail("expected a list that is not empty");
    std::vector<Place> out;
    for (std::size_t i = 0; i < value_.size(); ++i) {
      out.emplace_back(fmt::format("{}[{}]", name_, i), value_[i]);
    }
    return out;
  }
  std::optional<Place> member(const std::string& key) const {
    if (!value_.contains(key)) return std::nullopt;
    return Place(name_ + "." + key, value_.at(key));
  }
  Place need(const std::string& key) const {
    if (const auto found = member(key)) return *found;
    refuse(fmt::format("{}: '{}' is missing", name_, key));
  }
  // Words and numbers as they would be written on the command line.
  std::string text() const {
    if (value_.is_string()) return value_.get<std::string>();
    if (value_.is_number()) return value_.dump();
    fail("expected a text or a number");
  }
  // The same of a list, or of a text that is one.
  std::vector<std::string> values() const {
    if (!value_.is_array()) return parse_values(name_, text());
    std::vector<std::string> out;
    for (const Place& item : items()) out.push_back(item.text());
    return out;
  }
  std::string flag() const {
    if (!value_.is_boolean()) fail("expected true or false");
    return value_.get<bool>() ? "true" : "false";
  }
  // Every entry of an object, by its key.
  std::vector<std::pair<std::string, Place>> entries() const {
    if (!value_.is_object()) fail("expected an object");
    std::vector<std::pair<std::string, Place>> out;
    for (const auto& [key, entry] : value_.items()) {
      out.emplace_back(key, Place(name_ + "." + key, entry));
    }
    return out;
  }
  void check_keys(const std::vector<std::string>& known) const {
    for (const auto& [key, unused] : entries()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::string near = nearest(key, known);
      refuse(fmt::format("{}: unknown key '{}'; {}", name_, key,
                         near.empty() ? fmt::format("it may have {}", sentence_list(known))
                                      : fmt::format("did you mean '{}'?", near)));
    }
  }

 private:
  std::string name_;
  const Json& value_;
};

SweepData data_from(const Place& place) {
  std::vector<std::string> known = {"name", "data"};
  for (const OptionSpec& spec : source_option_specs()) known.push_back(spec.name);
  place.check_keys(known);
  const auto name = place.member("name");
  SweepData out{.name = "", .data = place.need("data").text(), .options = {}};
  out.name = name ? name->text() : out.data;
  for (const OptionSpec& spec : source_option_specs()) {
    const auto given = place.member(spec.name);
    if (!given) continue;
    const bool list = spec.kind == "list" && given->value().is_array();
    out.options[spec.name] = spec.kind == "flag" ? given->flag()
                             : list              ? list_text(given->values())
                                                 : given->text();
  }
  try {
    parse_source_options(out.options);
  } catch (const Error& error) {
    refuse(fmt::format("{}: {}", place.name(), error.what()));
  }
  return out;
}

SweepLearner learner_from(const Place& place) {
  if (place.value().is_string()) return parse_learner(place.text());
  place.check_keys({"name", "learner", "options", "grid", "data"});
  SweepLearner out = parse_learner(place.need("learner").text());
  if (const auto name = place.member("name")) out.name = name->text();
  if (const auto data = place.member("data")) {
    for (const Place& name : data->items()) out.data.push_back(name.text());
  }
  if (const auto options = place.member("options")) {
    for (const auto& [key, entry] : options->entries()) out.options[key] = entry.text();
  }
  if (const auto grid = place.member("grid")) {
    for (const auto& [key, entry] : grid->entries()) out.axes.push_back({key, entry.values()});
  }
  return out;
}

}  // namespace

std::vector<std::uint64_t> parse_seeds(std::string_view option,
                                       const std::vector<std::string>& values) {
  std::vector<std::uint64_t> seeds;
  seeds.reserve(values.size());
  for (const std::string& value : values) {
    seeds.push_back(static_cast<std::uint64_t>(parse_integer(
        option, value, 0, static_cast<double>(std::numeric_limits<std::int64_t>::max()))));
  }
  return seeds;
}

SweepLearner parse_learner(const std::string& text) {
  const std::size_t colon = text.find(':');
  SweepLearner out{
      .name = text, .learner = text.substr(0, colon), .options = {}, .axes = {}, .data = {}};
  if (colon == std::string::npos) return out;
  std::string_view rest = std::string_view(text).substr(colon + 1);
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      refuse(fmt::format("learner {}: '{}' is not option=value", text, item));
    }
    const auto [place, fresh] =
        out.options.emplace(item.substr(0, equals), item.substr(equals + 1));
    if (!fresh) refuse(fmt::format("learner {}: '{}' is a duplicate", text, place->first));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
  }
  return out;
}

void add_axis(const std::string& text, std::vector<SweepLearner>& learners) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    refuse(fmt::format("grid {}: expected option=values, such as gamma=2^-14..2^-1", text));
  }
  const std::string option = text.substr(0, equals);
  const Axis axis{option,
                  parse_values("grid " + option, std::string_view(text).substr(equals + 1))};
  bool taken = false;
  for (SweepLearner& learner : learners) {
    const LearnerInfo& info = *choose_learner(learner.learner, {}).info;
    if (find_option(info, option) == nullptr) continue;
    learner.axes.push_back(axis);
    taken = true;
  }
  if (taken) return;
  if (learners.size() == 1)
    choose_learner(learners[0].learner, {{option, ""}});  // throws: no such option
  refuse(fmt::format("grid {}: no learner of the sweep has an option '{}'", text, option));
}

SweepPlan parse_plan(std::string_view text, const std::string& name) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorKind::kInput, fmt::format("{}: {}", name, error.what()));
  }
  const Place whole(name, json);
  whole.check_keys({"comment", "data", "learners", "seeds"});
  SweepPlan out;
  for (const Place& place : whole.need("data").items()) out.data.push_back(data_from(place));
  for (const Place& place : whole.need("learners").items()) {
    out.learners.push_back(learner_from(place));
  }
  const auto seeds = whole.member("seeds");
  out.seeds = parse_seeds(name + ".seeds", seeds ? seeds->values() : std::vector<std::string>{"1"});
  return out;
}

SweepPlan read_plan(const std::string& path) {
  Input input = Input::open_path(path);
  return parse_plan(read_up_to(*input.open(), kMostBytes), path);
}

void drop_data(SweepPlan& plan, const std::string& name) {
  std::erase_if(plan.data, [&](const SweepData& data) { return data.name == name; });
  std::erase_if(plan.learners, [&](SweepLearner& learner) {
    return std::erase(learner.data, name) > 0 && learner.data.empty();  // it played nothing else
  });
}

void rename_data(SweepPlan& plan, const std::string& name, const std::string& better) {
  for (SweepData& data : plan.data) {
    if (data.name == name) data.name = better;
  }
  for (SweepLearner& learner : plan.learners) {
    std::replace(learner.data.begin(), learner.data.end(), name, better);
  }
}

}  // namespace soba::lab
