#include "data/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/draws.h"
#include "data/ahead.h"
#include "data/preparation.h"
#include "data/schema.h"
#include "data/source.h"
#include "soba/error.h"
#include "soba/rng.h"

namespace soba {

namespace {

// Large enough that the cost of a block vanishes, small enough for the caches.
constexpr std::size_t kBlockExamples = 4096;
constexpr std::size_t kBlockEntries = std::size_t{1} << 14;

bool is_full(const Block& block) {
  return block.size() >= kBlockExamples || block.index.size() >= kBlockEntries;
}

class SequentialStream : public BlockStream {
 public:
  explicit SequentialStream(Source::Impl& data)
      : data_(data),
        preparation_(data.schema()),
        rows_(data.open_rows()),
        discovery_(data.schema()),
        looks_ahead_(data.options().skip_bad && data.schema().named_features) {}

  const Schema& schema() const override { return discovery_.known(); }
  Shape shape() const override { return data_.first_shape(); }

  bool fill(Block& block) override {
    block.clear();
    if (error_) throw Error(*error_);
    if (next_.size() > 0) {
      block.append(next_.features(0), next_.label[0]);
      next_.clear();
    }
    try {
      while (!is_full(block) && read_one(block)) {
      }
      // A line that is left out may bring names, too. Behind the last example, they go with that.
      if (looks_ahead_ && is_full(block)) {
        discovery_.tell(block);
        if (read_one(next_)) return true;
      }
    } catch (const Error& error) {
      // The examples before a bad line are good: they go out first.
      if (block.size() == 0) throw;
      error_ = error;
    }
    discovery_.tell(block);
    return block.size() > 0;
  }

 private:
  bool read_one(Block& block) {
    for (;;) {
      if (!rows_) {
        if (pass_ == data_.options().passes) return false;
        rows_.emplace(data_.open_rows());
        in_pass_ = 0;
      }
      const bool done = data_.options().limit > 0 && in_pass_ == data_.options().limit;
      Label label = kNoLabel;
      if (!done && rows_->next(row_, label)) {
        ++in_pass_;
        data_.note(row_.features().extent());
        preparation_.append(row_.features(), label, block, rows_->without_zeros());
        return true;
      }
      if (in_pass_ == 0) data_.fail_empty();
      rows_.reset();
      ++pass_;
    }
  }

  Source::Impl& data_;
  Preparation preparation_;
  std::optional<GoodRows> rows_;  // of the current pass
  Discovery discovery_;           // after rows_, which may have read a header
  const bool looks_ahead_;
  Block next_;  // the example behind the latest block, where that is read already
  std::int64_t pass_ = 0;
  std::int64_t in_pass_ = 0;
  Row row_;
  std::optional<Error> error_;
};

// Examples that are numbered, in any order, whatever gives example i.
class NumberedStream : public BlockStream {
 public:
  const Schema& schema() const override { return schema_; }
  Shape shape() const override { return shape_; }

  bool fill(Block& block) override {
    block.clear();
    while (!is_full(block)) {
      if (at_ == stop_) {
        if (pass_ == order_.passes) break;
        start_pass();
      }
      append(order_.shuffle ? permutation_[at_] : static_cast<std::uint32_t>(at_), block);
      ++at_;
    }
    return block.size() > 0;
  }

 protected:
  // Requires: `schema` is complete, and outlives this.
  NumberedStream(std::int64_t examples, const Schema& schema, Shape shape, const Order& order)
      : schema_(schema), shape_(shape), order_(order) {
    if (examples > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorKind::kResource,
                  fmt::format("{} examples are too many to be held and shuffled", examples));
    }
    examples_ = static_cast<std::uint32_t>(examples);
  }

 private:
  virtual void append(std::uint32_t example, Block& block) = 0;

  void start_pass() {
    if (order_.shuffle) permutation_ = shuffled_order(examples_, *order_.shuffle, pass_);
    ++pass_;
    at_ = 0;
    stop_ = examples_;
    if (order_.limit > 0) stop_ = std::min(stop_, static_cast<std::size_t>(order_.limit));
  }

  const Schema& schema_;
  Shape shape_;
  std::uint32_t examples_ = 0;
  Order order_;
  std::vector<std::uint32_t> permutation_;
  std::size_t at_ = 0, stop_ = 0;
  std::int64_t pass_ = 0;
};

class MemoryStream : public NumberedStream {
 public:
  MemoryStream(const Block& all, const Schema& schema, Shape shape, const Order& order)
      : NumberedStream(static_cast<std::int64_t>(all.size()), schema, shape, order), all_(all) {}

 private:
  void append(std::uint32_t example, Block& block) override {
    block.append(all_.features(example), all_.label[example]);
  }

  const Block& all_;
};

class AheadStream : public Stream {
 public:
  explicit AheadStream(std::unique_ptr<BlockStream> stream)
      : stream_(std::move(stream)), ahead_([this](Block& block) { return stream_->fill(block); }) {}
  const Block* next() override { return ahead_.next(); }
  const Schema& schema() const override { return stream_->schema(); }
  Shape shape() const override { return stream_->shape(); }

 private:
  std::unique_ptr<BlockStream> stream_;
  Ahead<Block> ahead_;
};

Order order_of(const SourceOptions& options) {
  return {.shuffle = options.shuffle, .limit = options.limit, .passes = options.passes};
}

class ShuffledSynthetic : public NumberedStream {
 public:
  explicit ShuffledSynthetic(Source::Impl& data)
      : NumberedStream(data.synthetic()->options().n, data.schema(), data.first_shape(),
                       order_of(data.options())),
        data_(data),
        preparation_(data.schema()) {
    for (Label label = 0; label < Synthetic::kClasses; ++label) {
      labels_.push_back(data.schema().labels.find(synthetic_label(label)).value_or(kNoLabel));
    }
  }

 private:
  void append(std::uint32_t example, Block& block) override {
    const Label label = data_.synthetic()->example(example, row_);
    preparation_.append(row_.features(), labels_[static_cast<std::size_t>(label)], block);
  }

  Source::Impl& data_;
  Preparation preparation_;
  std::vector<Label> labels_;  // the schema's number of each of the generator's labels
  Row row_;
};

bool knows_all_labels(const Source::Impl& data) {
  for (Label label = 0; label < Synthetic::kClasses; ++label) {
    if (!data.schema().labels.find(synthetic_label(label))) return false;
  }
  return true;
}

}  // namespace

std::vector<std::uint32_t> shuffled_order(std::uint32_t n, std::uint64_t seed, std::int64_t pass) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  Draws draws(Rng(seed, Purpose::kShuffle), static_cast<std::uint64_t>(pass));
  for (std::uint32_t i = n; i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
  return order;
}

void Discovery::tell(Block& block) {
  for (; names_ < growing_.features.size(); ++names_) {
    block.found.push_back(growing_.features.name(names_));
  }
  const std::vector<std::int32_t>& text = growing_.text_columns;
  if (text.size() == known_.text_columns.size() + told_.size()) return;
  for (const std::int32_t column : text) {
    if (is_text_column(known_, column) ||
        std::find(told_.begin(), told_.end(), column) != told_.end()) {
      continue;
    }
    told_.push_back(column);
    block.found_text_columns.push_back(column);
  }
}

std::unique_ptr<Stream> read_ahead(std::unique_ptr<BlockStream> stream) {
  return std::make_unique<AheadStream>(std::move(stream));
}

std::unique_ptr<BlockStream> open_sequential(Source::Impl& data) {
  return std::make_unique<SequentialStream>(data);
}

std::unique_ptr<BlockStream> open_shuffled(Source::Impl& data) {
  // With labels missing some examples are bad, and only reading them all tells which.
  if (data.synthetic() != nullptr && knows_all_labels(data)) {
    return std::make_unique<ShuffledSynthetic>(data);
  }
  return open_in_memory(data.all_examples(), data.schema(), data.first_shape(),
                        order_of(data.options()));
}

std::unique_ptr<BlockStream> open_in_memory(const Block& all, const Schema& schema, Shape shape,
                                            const Order& order) {
  return std::make_unique<MemoryStream>(all, schema, shape, order);
}

}  // namespace soba
