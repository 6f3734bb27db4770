// Reads the fuzzer's bytes as data of one format, in several ways: whatever they are, the answer is
// examples that keep the contract of Features, or an Error.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "data/source.h"
#include "soba/error.h"

namespace soba {

inline void check(bool holds) {
  if (!holds) std::abort();
}

inline void check_example(const Features& x, Index extent) {
  check(x.extent() <= extent);
  for (std::size_t i = 0; i < x.size(); ++i) {
    check(x.feature(i) >= 0 && (i == 0 || x.feature(i - 1) < x.feature(i)));
    check(std::isfinite(x.value[i]));
  }
}

inline void read_all(const std::string& bytes, const SourceOptions& options) {
  try {
    Source::Impl data(Origin(Input::memory(bytes, "fuzz"), options), options, Schema{});
    const std::unique_ptr<Stream> stream = data.open();
    while (const Block* block = stream->next()) {
      for (std::size_t i = 0; i < block->size(); ++i) {
        check((block->label[i] == kNoLabel && !options.need_labels) ||
              (block->label[i] >= 0 && block->label[i] < data.shape().classes));
        check_example(block->features(i), data.shape().features);
      }
    }
  } catch (const Error&) {
  }
}

inline int fuzz_format(const char* format, const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  SourceOptions options;
  options.format = format;
  read_all(bytes, options);
  options.skip_bad = true;
  options.zero_based = true;
  options.scale = "minmax";
  options.normalize = "l2";
  options.bias = true;
  options.passes = 2;
  read_all(bytes, options);
  options.need_labels = false;
  options.scale = "maxabs";
  options.shuffle = 1;
  read_all(bytes, options);
  return 0;
}

// The same, with dates, free text and categories under the names given.
inline int fuzz_columns(const char* format, const char* date, const char* text,
                        const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  SourceOptions options;
  options.format = format;
  options.dates = {date};
  options.text = {text};
  options.bigrams = true;
  options.hash_bits = 6;
  options.vocabulary = 2;
  options.skip_bad = true;
  read_all(bytes, options);
  options.text_weight = "tfidf";
  options.normalize = "l2";
  options.need_labels = false;
  read_all(bytes, options);
  return 0;
}

}  // namespace soba
