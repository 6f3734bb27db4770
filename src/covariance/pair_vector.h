// v = (e_up − e_down) ⊗ x: the direction of every update of a margin between two classes. Never
// written out as a vector of kd numbers.
#pragma once

#include "soba/types.h"

namespace soba {

struct PairVector {
  Label up;
  Label down;
  Features x;

  double squared_norm() const { return 2 * soba::squared_norm(x); }
};

}  // namespace soba
