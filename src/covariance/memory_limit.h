// What a matrix may take at most, and how that is lowered later.
#pragma once

#include <fmt/format.h>

#include <string>

#include "soba/error.h"

namespace soba {

// A number of bytes in a unit that fits: "1.5 GiB", "320 KiB".
inline std::string bytes_text(double bytes) {
  int unit = 0;
  for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, kUnits[unit]);
}

// Throws Error{kUsage} where less is allowed than before, and less than is held. All in bytes.
inline void check_memory_limit(double held, double before, double now) {
  if (now >= before || now >= held) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("option 'memory': {} is less than the {} that the model already holds",
                          bytes_text(now), bytes_text(held)));
}

}  // namespace soba
