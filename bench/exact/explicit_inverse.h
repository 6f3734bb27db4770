// The contender: Algorithm 1 as one would write it down, with A⁻¹ explicit and a rank-one update of
// all of it in each accepted round. Fair otherwise: x is used sparsely, memory is walked in order,
// and the loops are the kernels that the library itself uses.
#pragma once

#include "runner.h"

namespace soba::bench {

Contender explicit_inverse(double gamma);

}  // namespace soba::bench
