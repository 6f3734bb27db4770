// A first look at LIBSVM text that does not read it all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "data/bytes/input.h"
#include "data/scan.h"
#include "soba/data.h"

namespace soba {

// What the first and the last word of each line tell: how many examples there are, with which
// labels, and up to which feature if each line's indices ascend. A small part of the cost of
// reading them; what else is wrong with a line shows when it is read. Nothing where a line is not
// plain enough for it, so that all must be read.
std::optional<Scan> glance_libsvm(std::unique_ptr<ByteSource> bytes, const Schema& schema);
// The same of a whole input; a large file in pieces of about this size, two at a time, and then the
// labels come in any order.
inline constexpr std::uint64_t kGlancePiece = std::uint64_t{8} << 20;
std::optional<Scan> glance_libsvm(Input& input, const Schema& schema);

}  // namespace soba
