#include "data/example_sum.h"

#include <array>

#define XXH_INLINE_ALL  // the header is all that is needed of the library
#include <xxhash.h>

namespace soba {

// Lists side by side, as in a block: long pieces are summed faster than short ones.
struct ExampleSum::States {
  XXH3_state_t sizes, labels, indices, values;
};

ExampleSum::ExampleSum() : states_(new States) {
  for (XXH3_state_t* state :
       {&states_->sizes, &states_->labels, &states_->indices, &states_->values}) {
    XXH3_INITSTATE(state);
    XXH3_64bits_reset(state);
  }
}
ExampleSum::~ExampleSum() = default;

void ExampleSum::add(const Block& block, std::size_t from, std::size_t to) noexcept {
  if (from >= to) return;
  const auto add = [](XXH3_state_t& state, const auto& list, std::size_t begin, std::size_t end) {
    XXH3_64bits_update(&state, list.data() + begin, (end - begin) * sizeof(list[0]));
  };
  // Sizes instead of offsets, which begin anew in every block.
  std::array<std::uint32_t, 256> sizes;
  for (std::size_t i = from; i < to;) {
    std::size_t count = 0;
    for (; i < to && count < sizes.size(); ++i, ++count) {
      sizes[count] = static_cast<std::uint32_t>(block.begin[i + 1] - block.begin[i]);
    }
    add(states_->sizes, sizes, 0, count);
  }
  add(states_->labels, block.label, from, to);
  add(states_->indices, block.index, block.begin[from], block.begin[to]);
  add(states_->values, block.value, block.begin[from], block.begin[to]);
}

std::uint64_t ExampleSum::value() const noexcept {
  const std::array<std::uint64_t, 4> sums = {
      XXH3_64bits_digest(&states_->sizes), XXH3_64bits_digest(&states_->labels),
      XXH3_64bits_digest(&states_->indices), XXH3_64bits_digest(&states_->values)};
  return XXH3_64bits(sums.data(), sizeof sums);
}

}  // namespace soba
