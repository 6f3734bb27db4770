// Parts of result rows.
#pragma once

#include <string>
#include <string_view>

#include "soba/lab/rows.h"

namespace soba::lab {

std::string grid_value_text(const GridValue& value);
// As grid_text() shows it.
std::string shown_value(const GridValue& value);
// The options of a grid point of this learner, numbers where its table says so.
Grid grid_of(const std::string& learner, const OptionValues& options);

// Throws Error{kInput} that starts with `place` and says what is wrong.
ResultRow parse_row(std::string_view line, const std::string& place);

}  // namespace soba::lab
