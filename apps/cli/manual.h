// The manual page and the completion of bash, from the verbs and their options.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>

#include "verbs.h"

namespace soba::cli {

struct Verb {
  std::string_view name;  // one word or several
  std::string_view arguments;
  std::string_view summary;
  Action (*define)(CLI::App&);
};

// For man: soba.1.
std::string man_page(std::span<const Verb> verbs);
// A script that bash reads.
std::string bash_completion(std::span<const Verb> verbs);

}  // namespace soba::cli
