// A summary as a page for a browser: one file, charts and all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "summary.h"

namespace soba::cli {

// What is made from apps/report and experiments/figure1 when the program is built.
extern const std::string_view kPageTemplate;
extern const std::string_view kPaperNumbers;

struct PageFacts {
  std::string title;
  std::vector<std::string> files;    // that the rows are from
  std::vector<std::string> remarks;  // on what was left out
};

std::string report_page(const Summary& summary, const PageFacts& facts);

}  // namespace soba::cli
