#include <cmath>

#include "soba/play.h"

namespace soba {

std::int64_t next_curve_round(std::int64_t round) {
  for (int i = 0;; ++i) {
    const double point = std::exp2(0.5 * i);
    const auto next = static_cast<std::int64_t>(std::llround(point));
    if (next > round) return next;
  }
}

}  // namespace soba
