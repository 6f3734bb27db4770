// The page of apps/report, filled in.
#pragma once

#include <string>

#include "lab/json.h"

namespace soba::lab {

// `report` is what page.js or, where it has a key `bound`, bound.js draws.
std::string filled_page(const Json& report);

}  // namespace soba::lab
