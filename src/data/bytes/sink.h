// Bytes to a file or to standard output, compressed where the name says so.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace soba {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // Both throw Error{kResource} that names the output.
  virtual void write(std::string_view bytes) = 0;
  virtual void finish() = 0;  // Requires: called once, and no write after it
};

// Path "-" is standard output; a file appears at finish() and not before. A name that ends in .gz,
// .xz or .zst is compressed.
std::unique_ptr<ByteSink> open_sink(const std::string& path);
// Writes to an open descriptor, which stays open.
std::unique_ptr<ByteSink> descriptor_sink(int descriptor, std::string name);

}  // namespace soba
