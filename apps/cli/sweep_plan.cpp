#include "sweep_plan.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "learner_options.h"
#include "soba/error.h"
#include "soba/parse.h"
#include "soba/registry.h"
#include "text.h"

namespace soba::cli {

namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::kUsage, message); }

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

// "soba:explore=gap,a=2" → its name and options.
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
      refuse(fmt::format("--learner {}: '{}' is not option=value", text, item));
    }
    const auto [place, fresh] =
        out.options.emplace(item.substr(0, equals), item.substr(equals + 1));
    if (!fresh) refuse(fmt::format("--learner {}: '{}' is there twice", text, place->first));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
  }
  return out;
}

Axis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    refuse(fmt::format("--grid {}: expected option=values, such as gamma=2^-14..2^-1", text));
  }
  const std::string option = text.substr(0, equals);
  return {option, parse_values("--grid " + option, std::string_view(text).substr(equals + 1))};
}

// Each axis goes to the learners that have its option, and to one of them at least.
void spread_axes(const std::vector<std::string>& grid, std::vector<SweepLearner>& learners) {
  for (const std::string& text : grid) {
    const Axis axis = parse_axis(text);
    bool taken = false;
    for (SweepLearner& learner : learners) {
      const LearnerInfo& info = *choose_learner(learner.learner, {}).info;
      if (find_option(info, axis.option) == nullptr) continue;
      learner.axes.push_back(axis);
      taken = true;
    }
    if (taken) continue;
    if (learners.size() == 1) choose_learner(learners[0].learner, {{axis.option, ""}});  // says it
    refuse(fmt::format("--grid {}: no learner of the sweep has an option '{}'", text, axis.option));
  }
}

// ---- The JSON file ------------------------------------------------------------------------------

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
  bool flag() const {
    if (!value_.is_boolean()) fail("expected true or false");
    return value_.get<bool>();
  }
  template <class Known>
  void check_keys(const Known& known) const {
    if (!value_.is_object()) fail("expected an object");
    for (const auto& [key, unused] : value_.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::vector<std::string> words(known.begin(), known.end());
      const std::string near = nearest(key, words);
      refuse(fmt::format("{}: unknown key '{}'; {}", name_, key,
                         near.empty() ? fmt::format("it may have {}", sentence_list(words))
                                      : fmt::format("did you mean '{}'?", near)));
    }
  }

 private:
  std::string name_;
  const Json& value_;
};

// What is wrong with an option is said with its place in the file.
SourceOptions checked_options(const std::string& place, const OptionValues& given) {
  try {
    return parse_source_options(given);
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("{}{}{}", place, error.option().empty() ? ": " : ".", error.what()));
  }
}

void add_data(const Place& place, WrittenPlan& out) {
  std::vector<std::string> known = {"name", "data"};
  for (const OptionSpec& option : source_option_specs()) known.push_back(option.name);
  place.check_keys(known);
  OptionValues options;
  for (const OptionSpec& option : source_option_specs()) {
    const auto given = place.member(option.name);
    if (!given) continue;
    options[option.name] =
        option.kind == "flag" ? (given->flag() ? "true" : "false") : given->text();
  }
  const std::string data = place.need("data").text();
  const auto name = place.member("name");
  out.plan.data.push_back(
      {name ? name->text() : data, data, checked_options(place.name(), options)});
  out.data_options.push_back(options);
}

SweepLearner learner_from(const Place& place) {
  if (place.value().is_string()) return parse_learner(place.text());
  place.check_keys(std::array<std::string, 5>{"name", "learner", "options", "grid", "data"});
  SweepLearner out = parse_learner(place.need("learner").text());
  if (const auto name = place.member("name")) out.name = name->text();
  if (const auto data = place.member("data")) {
    for (const Place& name : data->items()) out.data.push_back(name.text());
  }
  if (const auto options = place.member("options")) {
    if (!options->value().is_object()) options->fail("expected an object");
    for (const auto& [key, unused] : options->value().items()) {
      out.options[key] = options->member(key)->text();
    }
  }
  if (const auto grid = place.member("grid")) {
    if (!grid->value().is_object()) grid->fail("expected an object");
    for (const auto& [key, unused] : grid->value().items()) {
      out.axes.push_back({key, grid->member(key)->values()});
    }
  }
  return out;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file || file.bad()) throw Error(ErrorKind::kInput, path + ": cannot be read");
  return text;
}

}  // namespace

void add_plan_arguments(CLI::App& command, PlanArguments& arguments) {
  command
      .add_option("DATA", arguments.data,
                  "Files or generators, as for soba run. A generator that names no seed makes "
                  "other examples for every seed.")
      ->group("Arguments");
  command
      .add_option("--learner", arguments.learners,
                  "A learner, with options that stay fixed: sobadiag, soba:explore=gap,a=2. Give "
                  "it several times for several learners.")
      ->type_name("NAME")
      ->expected(1)
      ->take_all()
      ->group("Sweep");
  command
      .add_option("--grid", arguments.grid,
                  "An option and its values: gamma=2^-14..2^-1, a=0.1,1,10, explore=uniform,gap. "
                  "It counts for the learners that have this option. Several axes span a grid.")
      ->type_name("OPTION=VALUES")
      ->expected(1)
      ->take_all()
      ->group("Sweep");
  add_text_option(command, "--seeds", arguments.seeds, "LIST",
                  "The seeds, such as 1..10. --shuffle N is the order of the first of them; the "
                  "next seed has the next order. Default: 1.",
                  "Sweep");
  add_text_option(command, "--plan", arguments.file, "FILE",
                  "All of this from a JSON file instead, which can give each data set and each "
                  "learner options of its own (docs/formats.md).",
                  "Sweep");
  add_data_options(command, arguments.data_options);
}

WrittenPlan plan_of(const PlanArguments& arguments) {
  if (arguments.file) {
    if (!arguments.data.empty() || !arguments.learners.empty() || !arguments.grid.empty() ||
        arguments.seeds || !arguments.data_options.empty()) {
      refuse("--plan says everything; leave out data, --learner, --grid, --seeds and data options");
    }
    return parse_plan(read_text(*arguments.file), *arguments.file);
  }
  for (const std::string& data : arguments.data) {
    if (!simdjson::validate_utf8(data))
      refuse("DATA: a name that is not UTF-8 cannot stand in a row; rename the file");
  }
  if (arguments.data.empty()) refuse("DATA is missing; or give --plan FILE");
  if (arguments.learners.empty()) {
    refuse("--learner is missing; 'soba algorithms' lists the learners");
  }
  WrittenPlan out;
  for (const std::string& data : arguments.data) {
    out.plan.data.push_back({data, data, parse_source_options(arguments.data_options)});
    out.data_options.push_back(arguments.data_options);
  }
  for (const std::string& text : arguments.learners) {
    out.plan.learners.push_back(parse_learner(text));
  }
  spread_axes(arguments.grid, out.plan.learners);
  out.plan.seeds = parse_seeds("--seeds", parse_values("--seeds", arguments.seeds.value_or("1")));
  return out;
}

WrittenPlan parse_plan(std::string_view text, const std::string& name) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorKind::kInput, fmt::format("{}: {}", name, error.what()));
  }
  const Place whole(name, json);
  whole.check_keys(std::array<std::string, 4>{"comment", "data", "learners", "seeds"});
  WrittenPlan out;
  for (const Place& place : whole.need("data").items()) add_data(place, out);
  for (const Place& place : whole.need("learners").items()) {
    out.plan.learners.push_back(learner_from(place));
  }
  const auto seeds = whole.member("seeds");
  out.plan.seeds =
      parse_seeds(name + ".seeds", seeds ? seeds->values() : std::vector<std::string>{"1"});
  return out;
}

void set_data(WrittenPlan& written, const std::string& name, const std::string& data) {
  for (SweepData& one : written.plan.data) {
    if (one.name == name) one.data = data;
  }
}

void limit_data(WrittenPlan& written, const std::string& limit) {
  for (std::size_t i = 0; i < written.plan.data.size(); ++i) {
    written.data_options[i]["limit"] = limit;
    written.plan.data[i].options = parse_source_options(written.data_options[i]);
  }
}

void drop_data(WrittenPlan& written, const std::string& name) {
  std::vector<SweepData>& data = written.plan.data;
  for (std::size_t i = data.size(); i-- > 0;) {
    if (data[i].name != name) continue;
    data.erase(data.begin() + static_cast<std::ptrdiff_t>(i));
    written.data_options.erase(written.data_options.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::erase_if(written.plan.learners, [&](SweepLearner& learner) {
    return std::erase(learner.data, name) > 0 && learner.data.empty();  // it played nothing else
  });
}

std::string run_command(const WrittenPlan& written, const SweepRun& run) {
  const SweepLearner& learner = written.plan.learners[run.learner];
  OptionValues options = written.data_options[run.data];
  if (run.order.shuffle) options["shuffle"] = fmt::format("{}", *run.order.shuffle);
  std::string out =
      fmt::format("soba run {}{} --learner {}", shell_word(written.plan.data[run.data].data),
                  data_arguments(options), learner.learner);
  for (const auto& [option, text] : run.options) {
    if (learner.options.contains(option) || run.grid.contains(option)) {
      out += fmt::format(" --{} {}", option, shell_word(text));
    }
  }
  return out + fmt::format(" --seed {}", run.seed);
}

}  // namespace soba::cli
