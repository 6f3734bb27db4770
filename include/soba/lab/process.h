// The process that a front end runs in.
#pragma once

#include <cstdint>

namespace soba::lab {

// Ends the threads that OpenBLAS starts by itself. When OpenBLAS is loaded it starts a thread for
// each further core, which waits for work without sleeping for the first tenth of a second: as long
// as a small run takes, and on a core that reads the data. The library never gives them any work.
void stop_blas_threads();

// The most memory that this process has held so far.
std::int64_t peak_memory_bytes();

}  // namespace soba::lab
