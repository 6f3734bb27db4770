#include "data/formats/cache/stream.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "data/formats/cache/cache.h"
#include "data/preparation.h"
#include "data/source.h"

namespace soba {

namespace {

class CacheStream : public BlockStream {
 public:
  CacheStream(Source::Impl& data, const CacheFile& file)
      : data_(data), file_(file), preparation_(data.schema()), discovery_(data.schema()) {
    const Schema& schema = data.schema();
    raw_ = schema.scale == Scale::kNone && schema.normalize == Normalize::kNone && !schema.bias;
    labels_.push_back(kNoLabel);
    for (const std::string& label : file.labels().names()) {
      labels_.push_back(schema.labels.find(label).value_or(kNoLabel));
    }
    if (data.options().limit > 0) limit_ = data.options().limit;
    left_ = limit_;
  }

  const Schema& schema() const override { return discovery_.known(); }
  Shape shape() const override { return data_.first_shape(); }

  bool fill(Block& out) override {
    if (next_ == file_.blocks() || left_ == 0) {
      ++pass_;
      next_ = 0;
      left_ = limit_;
    }
    if (pass_ == data_.options().passes) return false;
    file_.read(next_, block_);
    ++next_;
    Block& block = block_.examples;
    if (static_cast<std::int64_t>(block.size()) > left_) shorten(static_cast<std::size_t>(left_));
    left_ -= static_cast<std::int64_t>(block.size());
    for (Label& label : block.label) label = labels_[static_cast<std::size_t>(label) + 1];
    data_.note_cached(block_.extent);
    if (raw_) {
      std::swap(out, block);
      // What came in exchange is new or one of the blocks so far.
      only_ones_ = only_ones_ && block_.ones;
      block_.ones = only_ones_;
      out.found.clear();
      discovery_.tell(out);
      return true;
    }
    out.clear();
    discovery_.tell(out);
    for (std::size_t i = 0; i < block.size(); ++i) {
      preparation_.append(block.features(i), block.label[i], out);
    }
    return true;
  }

 private:
  void shorten(std::size_t examples) {
    Block& block = block_.examples;
    block.label.resize(examples);
    block.begin.resize(examples + 1);
    block.index.resize(block.begin.back());
    block.value.resize(block.begin.back());
    block_.extent = 0;
    for (std::size_t i = 0; i < examples; ++i) {
      block_.extent = std::max(block_.extent, block.features(i).extent());
    }
  }

  Source::Impl& data_;
  const CacheFile& file_;
  Preparation preparation_;
  Discovery discovery_;
  bool raw_ = false;           // what the cache has is what is played
  bool only_ones_ = true;      // in the blocks so far
  std::vector<Label> labels_;  // the schema's number of each of the file's, after that of none
  std::int64_t pass_ = 0;
  std::int64_t limit_ = std::numeric_limits<std::int64_t>::max(), left_ = 0;  // examples in a pass
  std::size_t next_ = 0;
  CacheBlock block_;
};

}  // namespace

std::unique_ptr<BlockStream> open_cache(Source::Impl& data, const CacheFile& file) {
  return std::make_unique<CacheStream>(data, file);
}

}  // namespace soba
