// What soba check prints of a survey.
#pragma once

#include <string>

#include "output.h"
#include "soba/survey.h"

namespace soba::cli {

std::string report_text(const Survey& report);
Json report_json(const Survey& report);

}  // namespace soba::cli
