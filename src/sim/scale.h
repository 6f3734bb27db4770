// The scale of the input, for messages.
#pragma once

#include <string>

#include "soba/data.h"

namespace soba {

// The feature with the largest value of the block, and that value, in words.
std::string largest_feature(const Schema& schema, const Block& block);

}  // namespace soba
