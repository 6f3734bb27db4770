#include "blas_threads.h"

// OpenBLAS's own. The second is there in builds with threads, which needs it itself before a fork.
extern "C" {
void openblas_set_num_threads(int count);
__attribute__((weak)) int blas_thread_shutdown_();
}

namespace soba::cli {

void stop_blas_threads() {
  openblas_set_num_threads(1);
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
}

}  // namespace soba::cli
