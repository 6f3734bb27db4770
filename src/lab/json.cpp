#include "lab/json.h"

#include "soba/registry.h"

namespace soba::lab {

std::string compact(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string script_json(const Json& value) {
  std::string out;
  for (const char c : compact(value)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string indented(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json options_json(const std::string& learner, const OptionValues& values) {
  Json out = Json::object();
  const LearnerInfo* info = nullptr;
  for (const LearnerInfo& known : learners()) {
    if (known.name == learner) info = &known;
  }
  for (const auto& [name, text] : values) {
    const OptionSpec* spec = info == nullptr ? nullptr : find_option(*info, name);
    const bool word = spec == nullptr || spec->kind == "choice" || spec->kind == "text";
    const Json number = word ? Json() : Json::parse(text, nullptr, false);
    if (number.is_number()) {
      out[name] = number;
    } else {
      out[name] = text;
    }
  }
  return out;
}

}  // namespace soba::lab
