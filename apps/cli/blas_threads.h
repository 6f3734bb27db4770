// The threads that OpenBLAS starts by itself.
#pragma once

namespace soba::cli {

// Ends them. When OpenBLAS is loaded it starts a thread for each further core, which waits for work
// without sleeping for the first tenth of a second: as long as a small run takes, and on a core that
// reads the data. The library never gives them any work.
void stop_blas_threads();

}  // namespace soba::cli
