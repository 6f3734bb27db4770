// Matrices of Python read as examples, a block at a time: never a copy of the whole.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <span>

#include "soba/data.h"
#include "soba/decide.h"

namespace soba::python {

namespace py = pybind11;

// The rows of a matrix or a table, numbered from 0.
// Threads: const calls may run in parallel, without the interpreter's lock.
class Rows {
 public:
  virtual ~Rows() = default;
  virtual std::int64_t size() const = 0;
  virtual Index columns() const = 0;
  // Whether columns have names, so that append() needs an encoder.
  virtual bool named() const { return false; }
  // Adds a row to the block. Throws Error{kInput} naming row and
  // column.
  virtual void append(std::int64_t row, Label label, Encoder* encoder, Block& out) const = 0;
};

// As a stream for run(). Requires: rows, labels, order and schema outlive it.
class RowStream final : public Stream {
 public:
  // `order`: the rows to play, one after the other; empty: all. `labels`: empty for none;
  // then the names that a row adds to the schema are taken back. Throws Error{kUsage} where a row
  // or a label is out of range, or their numbers differ.
  RowStream(const Rows& rows, std::span<const std::int32_t> labels,
            std::span<const std::int64_t> order, const Schema& schema, Shape shape,
            Encoder* encoder);
  const Block* next() override;
  const Schema& schema() const override { return schema_; }
  Shape shape() const override { return shape_; }

 private:
  const Rows& rows_;
  std::span<const std::int32_t> labels_;
  std::span<const std::int64_t> order_;
  const Schema& schema_;
  Shape shape_;
  Encoder* encoder_;
  std::int64_t at_ = 0, end_;
  Block block_;
};

void define_rows(py::module_& module);

}  // namespace soba::python
