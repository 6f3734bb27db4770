// Changes of a model's labels, with a word in between (soba/model.h has them without).
#pragma once

#include <functional>
#include <string_view>

#include "soba/model.h"

namespace soba {

// Each checks, and prepares all that may fail; then calls `record`, if there is one; then changes
// the model, which cannot fail. Where something throws, nothing has changed.
using Record = std::function<void()>;
Label add_label(Model& model, std::string_view name, const Record& record);
void rename_label(Model& model, std::string_view from, std::string_view to, const Record& record);
void retire_label(Model& model, std::string_view name, const Record& record);

}  // namespace soba
