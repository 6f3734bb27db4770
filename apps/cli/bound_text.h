// What soba bound prints for people.
#pragma once

#include <string>

#include "soba/lab/theory.h"

namespace soba::cli {

std::string bound_text(const Certificate& certificate, const std::string& data);

}  // namespace soba::cli
