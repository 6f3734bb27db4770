// What is proved of a run (soba/lab/theory.h), for programs and browsers; and runs from traces.
#pragma once

#include <string>
#include <vector>

#include "soba/data.h"
#include "soba/lab/theory.h"
#include "soba/play.h"

namespace soba::lab {

// The rounds of a trace with the labels of `schema`. Throws Error{kInput} as read_trace, and on a
// label that the schema has not.
std::vector<Played> trace_rounds(const std::string& path, const Schema& schema);

// `data` is Source::description().
std::string bound_json(const Certificate& certificate, const std::string& data);
// One file, charts and all, that needs no network.
std::string bound_page(const Certificate& certificate, const std::string& data);

}  // namespace soba::lab
