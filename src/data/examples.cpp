#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "data/source.h"
#include "data/stream.h"
#include "soba/data.h"
#include "soba/error.h"

namespace soba {

namespace {

// A 64-bit sum over bytes, eight at a time: fast enough for every data set, and not
// cryptographic.
class Fingerprint {
 public:
  template <class T>
  void add(std::span<const T> values) {
    const std::span<const std::byte> bytes = std::as_bytes(values);
    mix(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min(sizeof word, bytes.size() - i));
      mix(word);
    }
  }
  std::uint64_t value() const { return state_; }

 private:
  void mix(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15U;  // 2⁶⁴/φ, odd: no word is lost
    state_ ^= state_ >> 32;
  }
  std::uint64_t state_ = 0;
};

std::uint64_t fingerprint(const Schema& schema, const Block& all) {
  Fingerprint sum;
  for (const std::string& label : schema.labels.names()) sum.add(std::span<const char>(label));
  sum.add(std::span<const std::size_t>(all.begin));
  sum.add(std::span<const Index>(all.index));
  sum.add(std::span<const double>(all.value));
  sum.add(std::span<const Label>(all.label));
  return sum.value();
}

}  // namespace

Examples::Examples(const std::string& data, const SourceOptions& options) {
  Source::Impl source(Origin(data, options), options, Schema{});
  first_shape_ = source.first_shape();
  all_ = source.read_all();
  schema_ = source.schema();
  shape_ = source.shape();
  description_ = source.description();
  fingerprint_ = soba::fingerprint(schema_, all_);
}

std::unique_ptr<Stream> Examples::open(const Order& order) const {
  return open_in_memory(all_, schema_, first_shape_, order);
}

std::int64_t Examples::rounds(const Order& order) const {
  const std::int64_t each = order.limit > 0 ? std::min(order.limit, size()) : size();
  std::int64_t rounds = 0;
  if (__builtin_mul_overflow(each, order.passes, &rounds)) {
    throw Error(ErrorKind::kUsage, "so many passes are too many rounds to count");
  }
  return rounds;
}

}  // namespace soba
