// A summary as text for documents and for programs.
#pragma once

#include <string>

#include "summary.h"

namespace soba::cli {

// GitHub's Markdown: the best parameters of each contender, and every axis as a table.
std::string report_markdown(const Summary& summary, const std::string& title);

}  // namespace soba::cli
