// Runs the program as it is installed, with one function of its library replaced by one that tells
// what was read and ends the program (liblinear_probe.cpp).
#include <fmt/format.h>

#include <array>
#include <cstdio>

#include "reading/reader.h"
#include "soba/error.h"

namespace soba::bench {

Reading read_liblinear(const std::string& path) {
  const std::string command =
      fmt::format("LD_PRELOAD={} liblinear-train -q {} /dev/null", SOBA_BENCH_PROBE, path);
  Reading found;
  FILE* pipe = popen(command.c_str(), "r");
  const bool told =
      pipe != nullptr && std::fscanf(pipe, "%lf %ld %ld %lf", &found.seconds, &found.examples,
                                     &found.entries, &found.sum) == 4;
  if (pipe == nullptr || pclose(pipe) != 0 || !told) {
    throw Error(ErrorKind::kResource, "liblinear-train did not run; it is in liblinear-tools");
  }
  return found;
}

}  // namespace soba::bench
