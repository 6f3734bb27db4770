// From Python objects to what the library takes, and the way back.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "soba/types.h"
#include "soba/value.h"

namespace soba::python {

namespace py = pybind11;

// One x for a decision: a dict of named values, or a sequence of numbers. Holds on to the Python
// objects that its texts point into, so that it can be read without the interpreter's lock.
class Given {
 public:
  // Throws TypeError naming the key whose value is no number, text, boolean or None.
  explicit Given(const py::object& x);

  bool named() const { return named_; }
  std::span<const NamedValue> values() const { return values_; }  // where it is named
  Features features() const { return {index_, numbers_}; }        // where it is not

 private:
  void read_dict(const py::dict& x);
  void read_numbers(const py::object& x);
  Value value(PyObject* given, PyObject* key);

  bool named_ = false;
  std::vector<NamedValue> values_;
  std::vector<py::object> keep_;
  std::vector<Index> index_;
  std::vector<double> numbers_;
};

// Throws TypeError where `text` is not a str; valid as long as the object lives.
std::string_view text_of(PyObject* text, const char* what);

}  // namespace soba::python
