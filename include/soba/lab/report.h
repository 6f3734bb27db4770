// A summary as a table for programs, tables in Markdown, and a page for a browser.
#pragma once

#include <string>
#include <vector>

#include "soba/lab/summary.h"

namespace soba::lab {

// A line for each data set, contender and grid point.
std::string report_csv(const Summary& summary);
std::string report_markdown(const Summary& summary, const std::string& title);

struct PageFacts {
  std::string title;
  std::vector<std::string> files;    // that the rows are from
  std::vector<std::string> remarks;  // on what was left out
};
// One file, charts and all, that needs no network.
std::string report_page(const Summary& summary, const PageFacts& facts);

// "Results on SynSep and Covtype".
std::string default_title(const Summary& summary);

}  // namespace soba::lab
