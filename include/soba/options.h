// Options as text, and what an interface must know to show and accept them. The tables that they
// come from are in src/core/fields.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "soba/error.h"

namespace soba {

// An exploration rate as the user gives it: a number in [0, 1], or the name of a rule.
struct Rate {
  enum class Rule { kFixed, kAdaptive, kTheory };
  Rule rule = Rule::kFixed;
  double value = 0;  // for kFixed
  friend bool operator==(const Rate&, const Rate&) = default;
};

// What an interface needs to show and accept an option.
struct OptionSpec {
  std::string name;
  // "number", "integer", "rate" (see Rate), "choice" (one of several words), "text", "flag" ("true"
  // or "false"), "seed" (a whole number, or empty for none) or "list" (words with commas between
  // them).
  std::string kind;
  std::string default_value;  // as text
  std::string range;          // "[0, 1]", "> 0", "exact | diagonal"
  std::string help;
  std::string group;        // of options that belong together; empty where there are none
  std::string placeholder;  // for the value in a usage line: "N", "A,B,C"; may be empty
  bool live = false;        // may change on a model that has learnt; needs reconfigure()
  std::string version1;     // its value in model files of version 1, which lack it; empty: default
};

// Options as text, by name: what interfaces hand over and what a model file keeps.
using OptionValues = std::map<std::string, std::string>;

// The shortest text that parses back to the same value.
std::string to_text(double value);
std::string to_text(std::int64_t value);
std::string to_text(const Rate& value);
std::string to_text(const std::string& value);

}  // namespace soba
