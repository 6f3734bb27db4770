// The labels of a run by name.
#pragma once

#include <string>

#include "soba/run.h"

namespace soba::lab {

// Its number, from 1 on, where the model has no names.
inline std::string class_name(const RunResult& result, Label label) {
  const auto y = static_cast<std::size_t>(label);
  return y < result.labels.size() ? result.labels[y] : std::to_string(label + 1);
}

}  // namespace soba::lab
