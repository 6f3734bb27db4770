// The module soba._soba: what soba/*.py is made of. Names and documentation are theirs.

#include <pybind11/pybind11.h>

#include "model.h"
#include "rows.h"
#include "runs.h"
#include "soba/error.h"
#include "soba/version.h"

namespace py = pybind11;

namespace {

// As the exception that soba/errors.py makes of it.
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const soba::Error& error) {
    const char* const kind = error.kind() == soba::ErrorKind::kUsage   ? "usage"
                             : error.kind() == soba::ErrorKind::kInput ? "input"
                                                                       : "resource";
    const py::object made =
        py::module_::import("soba.errors").attr("make")(kind, error.option(), error.what());
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  }
}

}  // namespace

PYBIND11_MODULE(_soba, module) {
  py::register_exception_translator(&translate);
  module.attr("version") = std::string(soba::version());
  soba::python::define_rows(module);
  soba::python::define_model(module);
  soba::python::define_runs(module);
}
