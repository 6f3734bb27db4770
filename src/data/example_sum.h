// A sum over a sequence of examples that does not depend on how blocks cut it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "soba/data.h"

namespace soba {

class ExampleSum {
 public:
  ExampleSum();
  ~ExampleSum();

  // Adds the examples `from` … `to`−1 of the block. Allocates nothing.
  void add(const Block& block, std::size_t from, std::size_t to) noexcept;
  // Of all that was added: other examples, or in another order, another number.
  std::uint64_t value() const noexcept;

 private:
  struct States;
  std::unique_ptr<States> states_;
};

}  // namespace soba
