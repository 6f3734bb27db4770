#pragma once

#include <string_view>

namespace soba::lab {

// The page of `soba evaluate --html`, with a place for its data.
extern const std::string_view kEvaluationTemplate;

}  // namespace soba::lab
