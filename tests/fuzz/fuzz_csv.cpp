#include "fuzz_data.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return soba::fuzz_format("csv", data, size);
}
