#include "data/cache_stream.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "data/cache.h"
#include "data/dataset.h"

namespace soba {

namespace {

class CacheStream : public BlockStream {
 public:
  CacheStream(Dataset& data, const CacheFile& file)
      : data_(data), file_(file), preparation_(data.schema()) {
    const Schema& schema = data.schema();
    raw_ = schema.scale == Scale::kNone && schema.normalize == Normalize::kNone && !schema.bias;
    labels_.push_back(kNoLabel);
    for (const std::string& label : file.labels().names()) {
      labels_.push_back(schema.labels.find(label).value_or(kNoLabel));
    }
    if (data.options().limit > 0) limit_ = data.options().limit;
    left_ = limit_;
  }

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
    Index extent = 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
      block.label[i] = labels_[static_cast<std::size_t>(block.label[i]) + 1];
      extent = std::max(extent, block.features(i).extent());
    }
    data_.note_cached(extent);
    if (raw_) {
      std::swap(out, block);
      block_.ones = false;  // what came in exchange may hold any values
      return true;
    }
    out.clear();
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
  }

  Dataset& data_;
  const CacheFile& file_;
  Preparation preparation_;
  bool raw_ = false;           // what the cache has is what is played
  std::vector<Label> labels_;  // the schema's number of each of the file's, after that of none
  std::int64_t pass_ = 0;
  std::int64_t limit_ = std::numeric_limits<std::int64_t>::max(), left_ = 0;  // examples in a pass
  std::size_t next_ = 0;
  CacheBlock block_;
};

}  // namespace

std::unique_ptr<BlockStream> open_cache(Dataset& data, const CacheFile& file) {
  return std::make_unique<CacheStream>(data, file);
}

}  // namespace soba
