// What a model has learnt, and why it decides as it does, as JSON.
#pragma once

#include "core/json.h"
#include "soba/explain.h"

namespace soba {

void write_json(const Explanation& explanation, JsonWriter& json);

}  // namespace soba
