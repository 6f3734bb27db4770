#include "fuzz_data.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  soba::fuzz_columns("jsonl", "d", "t", data, size);
  return soba::fuzz_format("jsonl", data, size);
}
