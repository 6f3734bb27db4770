// Loops that do one thing as fast as this machine can: compiled for every vector unit, like the
// kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace soba::bench {

// Each does `steps` of its kind and returns something, so that none of it is left out.
double add_chain(std::size_t steps);  // additions that wait for each other
double division_chain(std::size_t steps);
double double_flops(std::size_t steps);  // multiplications and additions
double float_flops(std::size_t steps);
double divisions(std::size_t steps);
double sum(std::span<const double> values);
void scatter(std::span<const std::uint32_t> places, double* to);  // a store to each place

}  // namespace soba::bench
