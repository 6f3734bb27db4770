// The writers behind open_writer, on any sink.
#pragma once

#include <memory>
#include <string_view>

#include "data/bytes/sink.h"
#include "soba/data.h"

namespace soba {

// Throws Error{kUsage} on an unknown format, and Error{kInput} where names or labels do not fit it.
// Requires: `schema` outlives the writer.
std::unique_ptr<Writer> make_writer(std::unique_ptr<ByteSink> sink, std::string_view format,
                                    const Schema& schema, Index features);

}  // namespace soba
