// What `soba evaluate` found, for programs and for a browser.
#pragma once

#include <string>

#include "soba/evaluate.h"

namespace soba::lab {

// One JSON object, indented (docs/formats.md).
std::string evaluation_json(const Evaluation& evaluation);
std::string replay_json(const Replay& replay);

// One file, charts and all, that needs no network.
std::string evaluation_page(const Evaluation& evaluation, const std::string& title);

}  // namespace soba::lab
