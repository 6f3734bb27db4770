#include "rows.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "soba/error.h"

namespace soba::python {

namespace {

[[noreturn]] void refuse(std::int64_t row, std::int64_t column, double value) {
  throw Error(ErrorKind::kInput, "row " + std::to_string(row) + ", column " +
                                     std::to_string(column) + ": " + to_text(value) +
                                     " is not a number between -1e+50 and 1e+50");
}

void end_example(Label label, Block& out) {
  out.begin.push_back(out.index.size());
  out.label.push_back(label);
}

template <class T>
class Dense final : public Rows {
 public:
  explicit Dense(py::array_t<T> given)
      : held_(std::move(given)),
        data_(reinterpret_cast<const char*>(held_.data())),
        rows_(held_.shape(0)),
        columns_(held_.shape(1)),
        row_step_(held_.strides(0)),
        column_step_(held_.strides(1)) {}

  std::int64_t size() const override { return rows_; }
  Index columns() const override { return static_cast<Index>(columns_); }

  // Written in place, zeros over which the next value is written.
  void append(std::int64_t row, Label label, Encoder*, Block& out) const override {
    const std::size_t first = out.index.size(), most = first + static_cast<std::size_t>(columns_);
    out.index.resize(most);
    out.value.resize(most);
    Index* const index = out.index.data() + first;
    double* const value = out.value.data() + first;
    const char* cell = data_ + row * row_step_;
    std::size_t count = 0;
    bool good = true;
    for (std::int64_t j = 0; j < columns_; ++j, cell += column_step_) {
      const double number = *reinterpret_cast<const T*>(cell);
      index[count] = static_cast<Index>(j);
      value[count] = number;
      count += number != 0;
      good &= std::fabs(number) <= kMaxValue;
    }
    if (!good) complain(row);
    out.index.resize(first + count);
    out.value.resize(first + count);
    end_example(label, out);
  }

 private:
  [[noreturn]] void complain(std::int64_t row) const {
    std::int64_t j = 0;
    const auto at = [&] {
      return *reinterpret_cast<const T*>(data_ + row * row_step_ + j * column_step_);
    };
    while (std::fabs(at()) <= kMaxValue) ++j;
    refuse(row, j, at());
  }

  py::array_t<T> held_;
  const char* data_;
  std::int64_t rows_, columns_, row_step_, column_step_;
};

// A compressed sparse row matrix as SciPy has it; I is the type of its indices.
template <class T, class I>
class Csr final : public Rows {
 public:
  using Values = py::array_t<T, py::array::c_style>;
  using Indices = py::array_t<I, py::array::c_style>;

  Csr(Values values, Indices indices, Indices begin, Index columns)
      : values_(std::move(values)),
        indices_(std::move(indices)),
        begin_(std::move(begin)),
        value_(values_.data()),
        index_(indices_.data()),
        row_(begin_.data()),
        size_(begin_.size() - 1),
        entries_(std::min(values_.size(), indices_.size())),
        columns_(columns) {}

  std::int64_t size() const override { return size_; }
  Index columns() const override { return columns_; }

  void append(std::int64_t row, Label label, Encoder*, Block& out) const override {
    const std::int64_t from = row_[row], to = row_[row + 1];
    if (!(from >= 0 && from <= to && to <= entries_)) {
      throw Error(ErrorKind::kInput, "row " + std::to_string(row) + ": indptr does not ascend");
    }
    const std::size_t first = out.index.size();
    out.index.insert(out.index.end(), index_ + from, index_ + to);
    out.value.insert(out.value.end(), value_ + from, value_ + to);
    // Counted, so that the loops run in vectors.
    I disorder = from < to && (index_[from] < 0 || index_[to - 1] >= columns_) ? 1 : 0;
    for (std::int64_t i = from + 1; i < to; ++i) disorder |= index_[i] <= index_[i - 1];
    std::int64_t bad = 0, zeros = 0;
    const double* const value = out.value.data() + first;
    for (std::int64_t i = 0; i < to - from; ++i) {
      bad += !(std::fabs(value[i]) <= kMaxValue);
      zeros += value[i] == 0;
    }
    if (disorder + bad != 0) complain(row, from, to);
    if (zeros > 0) drop_zeros(first, out);
    end_example(label, out);
  }

 private:
  static void drop_zeros(std::size_t first, Block& out) {
    std::size_t count = first;
    for (std::size_t i = first; i < out.value.size(); ++i) {
      out.index[count] = out.index[i];
      out.value[count] = out.value[i];
      count += out.value[i] != 0;
    }
    out.index.resize(count);
    out.value.resize(count);
  }

  [[noreturn]] void complain(std::int64_t row, std::int64_t from, std::int64_t to) const {
    for (std::int64_t i = from; i < to; ++i) {
      if (!(std::fabs(value_[i]) <= kMaxValue)) refuse(row, index_[i], value_[i]);
    }
    throw Error(ErrorKind::kInput, "row " + std::to_string(row) +
                                       ": column indices must ascend from 0 to " +
                                       std::to_string(columns_ - 1) + "; sort_indices() helps");
  }

  Values values_;
  Indices indices_, begin_;
  const T* value_;
  const I* index_;
  const I* row_;
  std::int64_t size_, entries_;
  Index columns_;
};

// A column of a table: numbers, of which NaN is a missing one, or codes of texts, of which −1 is.
struct Column {
  std::string name;
  py::array_t<double, py::array::c_style> numbers;
  py::array_t<std::int32_t, py::array::c_style> codes;
  std::vector<std::string> texts;
  const double* number = nullptr;
  const std::int32_t* code = nullptr;
};

class Table final : public Rows {
 public:
  Table(const std::vector<std::string>& names, const py::list& columns, std::int64_t size)
      : size_(size), columns_(names.size()) {
    for (std::size_t c = 0; c < names.size(); ++c) {
      const auto pair = columns[c].cast<py::tuple>();
      Column& column = columns_[c];
      column.name = names[c];
      if (pair[1].is_none()) {
        column.numbers = pair[0].cast<decltype(column.numbers)>();
        column.number = column.numbers.data();
      } else {
        column.codes = pair[0].cast<decltype(column.codes)>();
        column.code = column.codes.data();
        column.texts = pair[1].cast<std::vector<std::string>>();
      }
      if ((column.number != nullptr ? column.numbers.size() : column.codes.size()) < size) {
        throw Error(ErrorKind::kUsage, "column '" + names[c] + "' is too short");
      }
    }
  }

  std::int64_t size() const override { return size_; }
  Index columns() const override { return static_cast<Index>(columns_.size()); }
  bool named() const override { return true; }

  void append(std::int64_t row, Label label, Encoder* encoder, Block& out) const override {
    std::vector<NamedValue> values;
    values.reserve(columns_.size());
    for (const Column& column : columns_) values.push_back({column.name, cell(column, row)});
    try {
      out.append(encoder->encode(values), label);
    } catch (const Error& error) {
      throw Error(error.kind(), "row " + std::to_string(row) + ": " + error.what());
    }
  }

 private:
  static Value cell(const Column& column, std::int64_t row) {
    if (column.number != nullptr) {
      const double number = column.number[row];
      return std::isnan(number) ? Value() : Value(number);
    }
    const std::int32_t code = column.code[row];
    return code < 0 ? Value() : Value(column.texts.at(static_cast<std::size_t>(code)));
  }

  std::int64_t size_;
  std::vector<Column> columns_;
};

template <class T>
std::unique_ptr<Rows> dense(py::array_t<T> given) {
  return std::make_unique<Dense<T>>(std::move(given));
}

template <class T>
std::unique_ptr<Rows> csr(py::array_t<T, py::array::c_style> values, const py::array& indices,
                          const py::array& begin, Index columns) {
  if (indices.dtype().itemsize() == 8) {
    return std::make_unique<Csr<T, std::int64_t>>(std::move(values), indices, begin, columns);
  }
  return std::make_unique<Csr<T, std::int32_t>>(std::move(values), indices, begin, columns);
}

}  // namespace

RowStream::RowStream(const Rows& rows, std::span<const std::int32_t> labels,
                     std::span<const std::int64_t> order, const Schema& schema, Shape shape,
                     Encoder* encoder)
    : rows_(rows),
      labels_(labels),
      order_(order),
      schema_(schema),
      shape_(shape),
      encoder_(encoder),
      end_(order.empty() ? rows.size() : static_cast<std::int64_t>(order.size())) {
  if (!labels.empty() && static_cast<std::int64_t>(labels.size()) != rows.size()) {
    throw Error(ErrorKind::kUsage, std::to_string(labels.size()) + " labels for " +
                                       std::to_string(rows.size()) + " rows");
  }
  for (const std::int32_t label : labels) {
    if (!(label >= 0 && label < shape.classes)) {
      throw Error(ErrorKind::kUsage, "label number " + std::to_string(label) + " is out of range");
    }
  }
  for (const std::int64_t row : order) {
    if (!(row >= 0 && row < rows.size())) {
      throw Error(ErrorKind::kUsage, "row number " + std::to_string(row) + " is out of range");
    }
  }
}

const Block* RowStream::next() {
  constexpr std::size_t kMostRows = 1024, kMostEntries = 1 << 16;
  block_.clear();
  while (at_ < end_ && block_.size() < kMostRows && block_.index.size() < kMostEntries) {
    const std::int64_t row = order_.empty() ? at_ : order_[static_cast<std::size_t>(at_)];
    const Label label = labels_.empty() ? kNoLabel : labels_[static_cast<std::size_t>(row)];
    rows_.append(row, label, encoder_, block_);
    if (labels_.empty() && encoder_ != nullptr) encoder_->undo();
    ++at_;
  }
  return block_.size() > 0 ? &block_ : nullptr;
}

void define_rows(py::module_& module) {
  py::class_<Rows>(module, "Rows", "The rows of a matrix or a table, as the library reads them.")
      .def("__len__", &Rows::size)
      .def_property_readonly("columns", &Rows::columns)
      .def_property_readonly("named", &Rows::named);
  module.def("dense", &dense<double>, py::arg("array").noconvert());
  module.def("dense", &dense<float>, py::arg("array").noconvert());
  module.def("csr", &csr<double>, py::arg("values").noconvert(), py::arg("indices"),
             py::arg("begin"), py::arg("columns"));
  module.def("csr", &csr<float>, py::arg("values").noconvert(), py::arg("indices"),
             py::arg("begin"), py::arg("columns"));
  module.def(
      "table",
      [](const std::vector<std::string>& names, const py::list& columns, std::int64_t size)
          -> std::unique_ptr<Rows> { return std::make_unique<Table>(names, columns, size); },
      py::arg("names"), py::arg("columns"), py::arg("size"));
}

}  // namespace soba::python
