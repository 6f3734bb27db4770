// What the tests of this folder share: files to read, and examples to compare.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "data/source.h"
#include "soba/data.h"
#include "soba/error.h"

namespace soba::testing {

// A folder of this process, which goes with it.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(::testing::TempDir() + "soba-" + std::to_string(owner_)) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (::getpid() == owner_) std::filesystem::remove_all(path_, ignored);  // not by a fork
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  pid_t owner_ = ::getpid();
  std::string path_;
};

// A path that no other test uses.
inline std::string temporary_path(const std::string& ending) {
  static const TemporaryFolder folder;
  static int count = 0;
  return folder.path() + "/" + std::to_string(count++) + ending;
}

inline std::string write_file(const std::string& ending, std::string_view bytes) {
  std::string path = temporary_path(ending);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

inline std::string file_bytes(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

// Gives one byte at a time, as a slow pipe might.
class Trickle : public ByteSource {
 public:
  explicit Trickle(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(char* out, std::size_t) override {
    if (at_ == bytes_.size()) return 0;
    *out = bytes_[at_++];
    return 1;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// An example by names: {label, {feature: value}}; label "?" where there is none.
struct Example {
  std::string label;
  std::map<std::string, double> x;
  friend bool operator==(const Example&, const Example&) = default;
  friend void PrintTo(const Example& example, std::ostream* out) {
    *out << example.label << " " << ::testing::PrintToString(example.x);
  }
};

inline std::vector<Example> named(const Block& block, const Schema& schema) {
  std::vector<Example> examples;
  for (std::size_t i = 0; i < block.size(); ++i) {
    Example example{block.label[i] == kNoLabel ? "?" : schema.labels.name(block.label[i]), {}};
    const Features x = block.features(i);
    for (std::size_t j = 0; j < x.size(); ++j) {
      EXPECT_TRUE(j == 0 || x.index[j - 1] < x.index[j]);
      EXPECT_NE(x.value[j], 0);
      example.x[schema.feature_name(x.index[j])] = x.value[j];
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

// All that a Source or a Source::Impl gives.
template <class Data>
std::vector<Example> examples_of(Data&& data) {
  std::vector<Example> all;
  const std::unique_ptr<Stream> stream = data.open();
  while (const Block* block = stream->next()) {
    EXPECT_GT(block->size(), 0U);
    for (Example& example : named(*block, data.schema())) all.push_back(std::move(example));
  }
  return all;
}

inline std::vector<Example> read_text(std::string_view text, const SourceOptions& options,
                                      Schema schema = {}) {
  Source::Impl data(Origin(Input::memory(std::string(text), "test"), options), options,
                    std::move(schema));
  return examples_of(data);
}

inline Schema schema_with(const std::vector<std::string>& labels) {
  Schema schema;
  for (const std::string& label : labels) schema.labels.add(label);
  return schema;
}

// Writes all that a Source gives.
inline void copy(Source& source, const std::string& path, const std::string& format) {
  convert(source, *open_writer(path, format, source.schema(), source.shape().features));
}

// The message of the Error that `action` throws.
template <class Action>
std::string error_of(Action&& action, ErrorKind kind = ErrorKind::kInput) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

// A path that reads like standard input: once only.
class PipePath {
 public:
  explicit PipePath(std::string bytes) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    end_ = ends[0];
    writer_ = std::thread([to = ends[1], bytes = std::move(bytes)] {
      std::string_view left = bytes;
      while (!left.empty()) {
        const ssize_t count = ::write(to, left.data(), left.size());
        if (count <= 0) break;
        left.remove_prefix(static_cast<std::size_t>(count));
      }
      ::close(to);
    });
  }
  ~PipePath() {
    char rest[65536];
    while (::read(end_, rest, sizeof rest) > 0) {
    }
    writer_.join();
    ::close(end_);
  }
  std::string path() const { return "/dev/fd/" + std::to_string(end_); }
  int descriptor() const { return end_; }

 private:
  int end_ = -1;
  std::thread writer_;
};

}  // namespace soba::testing
