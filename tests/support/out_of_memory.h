// Memory that runs out when a test says so. out_of_memory.cpp replaces the global operator new.
#pragma once

#include <cstdint>

namespace soba::testing {

// While it lives, this thread gets `left` more allocations; all others throw std::bad_alloc. One at
// a time.
class OutOfMemory {
 public:
  explicit OutOfMemory(std::int64_t left = 0);
  ~OutOfMemory();
  OutOfMemory(const OutOfMemory&) = delete;
  OutOfMemory& operator=(const OutOfMemory&) = delete;
};

}  // namespace soba::testing
