#include "soba/lab/process.h"

#include <sys/resource.h>

// OpenBLAS's own. The second is there in builds with threads, which needs it itself before a fork.
extern "C" {
void openblas_set_num_threads(int count);
__attribute__((weak)) int blas_thread_shutdown_();
}

namespace soba::lab {

void stop_blas_threads() {
  openblas_set_num_threads(1);
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace soba::lab
