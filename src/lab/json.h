// JSON as the lab writes it: keys in the order in which they are added.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "soba/options.h"

namespace soba::lab {

using Json = nlohmann::ordered_json;

// On one line; bytes that are not UTF-8 are replaced.
std::string compact(const Json& value);
// On one line, and able to stand inside a script element: no "</script" and no "<!--" in it.
std::string script_json(const Json& value);
// Indented, with a newline behind it.
std::string indented(const Json& value);

// Options as JSON: numbers where the learner's table says so, words elsewhere.
Json options_json(const std::string& learner, const OptionValues& values);

}  // namespace soba::lab
