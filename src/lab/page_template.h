// What is made from apps/report when the library is built.
#pragma once

#include <string_view>

namespace soba::lab {

extern const std::string_view kPageTemplate;

}  // namespace soba::lab
