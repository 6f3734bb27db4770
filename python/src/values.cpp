#include "values.h"

#include <string>

namespace soba::python {

namespace {

std::string type_name(PyObject* object) { return Py_TYPE(object)->tp_name; }

}  // namespace

std::string_view text_of(PyObject* text, const char* what) {
  if (!PyUnicode_Check(text)) {
    throw py::type_error(std::string(what) + " must be a str, not " + type_name(text));
  }
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes == nullptr) throw py::error_already_set();
  return {bytes, static_cast<std::size_t>(size)};
}

Given::Given(const py::object& x) {
  named_ = PyDict_Check(x.ptr());
  if (named_) {
    read_dict(py::reinterpret_borrow<py::dict>(x));
  } else {
    read_numbers(x);
  }
}

void Given::read_dict(const py::dict& x) {
  values_.reserve(x.size());
  keep_.reserve(2 * x.size());
  PyObject *key = nullptr, *given = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(x.ptr(), &at, &key, &given);) {
    keep_.push_back(py::reinterpret_borrow<py::object>(key));
    const std::string_view name = text_of(key, "the name of a feature");
    values_.push_back({name, value(given, key)});
  }
}

Value Given::value(PyObject* given, PyObject* key) {
  if (PyFloat_Check(given)) return PyFloat_AS_DOUBLE(given);
  if (PyUnicode_Check(given)) {
    keep_.push_back(py::reinterpret_borrow<py::object>(given));
    return text_of(given, "a value");
  }
  if (given == Py_None) return {};
  if (PyBool_Check(given)) return given == Py_True;
  if (PyLong_Check(given)) {
    const double number = PyLong_AsDouble(given);
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return number;
  }
  // A scalar of NumPy or pandas says what it is in Python's own types.
  if (PyObject_HasAttrString(given, "item") != 0) {
    const py::object item = py::reinterpret_borrow<py::object>(given).attr("item")();
    if (item.ptr() != given) return value(item.ptr(), key);
  }
  throw py::type_error("feature '" + std::string(text_of(key, "the name of a feature")) +
                       "': expected a number, a str, a bool or None, not " + type_name(given));
}

// Zeros are left out, as they are where data is read.
void Given::read_numbers(const py::object& x) {
  const py::object numbers = py::reinterpret_steal<py::object>(
      PyUnicode_Check(x.ptr()) ? nullptr : PySequence_Fast(x.ptr(), ""));
  if (!numbers) {
    PyErr_Clear();
    throw py::type_error("features must be a dict of named values, or a sequence of numbers");
  }
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(numbers.ptr());
  for (Py_ssize_t i = 0; i < count; ++i) {
    const double number = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(numbers.ptr(), i));
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (number == 0) continue;
    index_.push_back(static_cast<Index>(i));
    numbers_.push_back(number);
  }
}

}  // namespace soba::python
