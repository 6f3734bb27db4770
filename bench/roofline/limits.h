// What this machine can do at best, measured: the numbers of the roofline argument.
#pragma once

namespace soba::bench {

struct Limits {
  double add_latency;       // seconds from an addition to one that needs its result
  double division_latency;  // the same of divisions
  double flops;             // double additions and multiplications a second, unfused, in vectors
  double float_flops;       // the same in floats
  double divisions;         // doubles divided a second, in vectors
  double stores;            // scattered stores a second, into 72 kB
  double near_bytes;        // bytes loaded a second from the second-level cache
  double memory_bytes;      // bytes read a second from memory, in order
  double matrix_flops;      // flops of OpenBLAS's dsyrk a second, n = 1000, rank 48
};

Limits measure_limits();

}  // namespace soba::bench
