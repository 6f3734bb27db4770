// The contender: Algorithm 1 as one would write it down, with A⁻¹ explicit and a rank-one update of
// all of it in each accepted round, in plain loops that walk memory in order and use the sparsity
// of x, compiled with the flags of the library.
#pragma once

#include "runner.h"

namespace soba::bench {

Contender explicit_inverse(double gamma);

}  // namespace soba::bench
