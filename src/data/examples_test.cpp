#include <fmt/format.h>

#include <thread>
#include <tuple>

#include "data/testing.h"

namespace soba {
namespace {

using testing::error_of;
using testing::write_file;

using Flat = std::vector<std::tuple<Label, std::vector<Index>, std::vector<double>>>;

Flat flat(std::unique_ptr<Stream> stream) {
  Flat out;
  while (const Block* block = stream->next()) {
    for (std::size_t i = 0; i < block->size(); ++i) {
      const Features x = block->features(i);
      out.emplace_back(block->label[i], std::vector<Index>(x.index.begin(), x.index.end()),
                       std::vector<double>(x.value.begin(), x.value.end()));
    }
  }
  return out;
}

std::string some_file() {
  std::string text;
  for (int i = 1; i <= 50; ++i) {
    text += fmt::format("{} {}:{} 9:{}\n", i % 3, 1 + i % 7, i, 0.5 * i);
  }
  return write_file("examples.libsvm", text);
}

TEST(Examples, GiveWhatASourceGivesInEveryOrder) {
  const std::string path = some_file();
  for (const std::string& data : {path, std::string("synnonsep:n=60,seed=3")}) {
    for (const bool shuffled : {false, true}) {
      for (const std::int64_t limit : {0, 7, 1000}) {
        SourceOptions options;
        options.scale = "maxabs";
        options.bias = true;
        options.limit = limit;
        options.passes = 3;
        if (shuffled) options.shuffle = 5;
        Source source(data, options, Schema{});
        const Examples examples(data, options);
        const Order order{.shuffle = options.shuffle, .limit = limit, .passes = 3};
        EXPECT_EQ(flat(examples.open(order)), flat(source.open()));
        EXPECT_EQ(examples.rounds(order), source.rounds());
        EXPECT_EQ(examples.description(), source.description());
        EXPECT_EQ(examples.shape().features, source.shape().features);
      }
    }
  }
}

TEST(Examples, CanBePlayedByManyAtTheSameTime) {
  const Examples examples("synsep:n=5000,seed=1", {});
  const Flat expected = flat(examples.open({.shuffle = 4}));
  std::vector<Flat> found(4);
  {
    std::vector<std::jthread> threads;
    threads.reserve(found.size());
    for (Flat& one : found) {
      threads.emplace_back([&] { one = flat(examples.open({.shuffle = 4})); });
    }
  }
  for (const Flat& one : found) EXPECT_EQ(one, expected);
}

TEST(Examples, FingerprintTellsEveryChangeOfTheData) {
  const std::string base = "1 1:1 2:2\n2 1:3\n";
  const auto fingerprint = [](const std::string& text, const SourceOptions& options = {}) {
    return Examples(write_file("fingerprint.libsvm", text), options).fingerprint();
  };
  const std::uint64_t expected = fingerprint(base);
  EXPECT_EQ(fingerprint(base), expected);
  EXPECT_EQ(fingerprint("1 1:1.0 2:2\n2 1:3\n"), expected);  // the same numbers
  for (const char* other : {"1 1:1 2:2\n2 1:4\n", "1 1:1 3:2\n2 1:3\n", "2 1:1 2:2\n1 1:3\n",
                            "1 1:1\n2 1:3 2:2\n", "1 1:1 2:2\n3 1:3\n", "1 1:1 2:2\n2 1:3\n2\n"}) {
    EXPECT_NE(fingerprint(other), expected) << other;
  }
  SourceOptions scaled;
  scaled.scale = "maxabs";
  EXPECT_NE(fingerprint(base, scaled), expected);
  EXPECT_NE(Examples("synsep:n=10,seed=1", {}).fingerprint(),
            Examples("synsep:n=10,seed=2", {}).fingerprint());
}

TEST(Examples, ABadLineIsAnErrorBeforeAnythingIsPlayed) {
  const std::string path = write_file("bad.libsvm", "1 1:1\n2 1:2\n1 1:x\n");
  EXPECT_THAT(error_of([&] { Examples(path, {}); }), ::testing::HasSubstr("bad.libsvm:3:5"));
}

}  // namespace
}  // namespace soba
