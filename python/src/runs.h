// Whole runs, sweeps, reports and data sets.
#pragma once

#include <pybind11/pybind11.h>

namespace soba::python {

void define_runs(pybind11::module_& module);

}  // namespace soba::python
