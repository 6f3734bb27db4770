// What a matrix may take at most, and how that is lowered later.
#pragma once

#include <fmt/format.h>

#include "soba/error.h"

namespace soba {

// Throws Error{kUsage} where less is allowed than before, and less than is held. All in bytes.
inline void check_memory_limit(double held, double before, double now) {
  if (now >= before || now >= held) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("option 'memory': {} MiB are less than the {:.1f} MiB that the model "
                          "already holds",
                          now / 0x1p20, held / 0x1p20));
}

}  // namespace soba
