#include "data/ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "data/testing.h"

namespace soba {
namespace {

TEST(Ahead, GivesEverythingInOrder) {
  for (const int count : {0, 1, 3, 4, 5, 8, 9, 1000}) {
    int made = 0;
    Ahead<int> ahead([&](int& slot) {
      slot = made;
      return made++ < count;
    });
    for (int i = 0; i < count; ++i) {
      const int* const slot = ahead.next();
      ASSERT_NE(slot, nullptr);
      ASSERT_EQ(*slot, i);
    }
    EXPECT_EQ(ahead.next(), nullptr);
    EXPECT_EQ(ahead.next(), nullptr);
  }
}

TEST(Ahead, WhoeverIsSlowerIsWaitedFor) {
  const auto pause = [](bool slow) {
    if (slow) std::this_thread::sleep_for(std::chrono::microseconds(200));
  };
  for (const bool slow_thread : {false, true}) {
    int made = 0;
    Ahead<int> ahead([&](int& slot) {
      pause(slow_thread);
      slot = made;
      return made++ < 99;
    });
    int used = 0;
    while (const int* const slot = ahead.next()) {
      ASSERT_EQ(*slot, used++);
      pause(!slow_thread);
    }
    EXPECT_EQ(used, 99);
  }
}

TEST(Ahead, ThrowsBehindWhatCameBefore) {
  int made = 0;
  Ahead<int> ahead([&](int& slot) {
    if (made == 2) throw std::runtime_error("broken");
    slot = made++;
    return true;
  });
  EXPECT_EQ(*ahead.next(), 0);
  EXPECT_EQ(*ahead.next(), 1);
  EXPECT_THROW(ahead.next(), std::runtime_error);
  EXPECT_EQ(ahead.next(), nullptr);
}

TEST(Ahead, StaysBoundedAndCanBeLeftAtAnyTime) {
  std::atomic<int> made = 0;
  for (int used = 0; used < 10; ++used) {
    made = 0;
    Ahead<int> ahead([&](int&) { return ++made > 0; });
    for (int i = 0; i < used; ++i) ASSERT_NE(ahead.next(), nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_LE(made, used + 8);  // the slot in use, and those behind it
  }
}

// What the program does with the option, on a file of each kind.
TEST(Ahead, StreamsAreTheSameAsInTurn) {
  std::string libsvm;
  for (int i = 0; i < 9000; ++i)
    libsvm += std::to_string(i % 3) + " 1:" + std::to_string(i + 1) + "\n";
  const std::string good = testing::write_file(".libsvm", libsvm);
  const std::string bad = testing::write_file(".libsvm", libsvm + "1 x 3:1\n");
  for (const std::string& data : {good, bad, std::string("synsep:n=9000,seed=3")}) {
    for (const bool shuffled : {false, true}) {
      if (shuffled && data == bad) continue;  // read as a whole, before the stream
      SourceOptions options;
      options.passes = 2;
      if (shuffled) options.shuffle = 5;
      std::vector<Block> blocks[2];
      std::string errors[2];
      for (const Reading reading : {Reading::kInTurn, Reading::kAhead}) {
        Source source(data, options, {});
        const auto way = static_cast<std::size_t>(reading);
        const std::unique_ptr<Stream> stream = source.open(reading);
        try {
          while (const Block* block = stream->next()) blocks[way].push_back(*block);
        } catch (const Error& error) {
          errors[way] = error.what();
        }
      }
      EXPECT_EQ(errors[0], errors[1]);
      EXPECT_EQ(errors[0].empty(), data != bad);
      ASSERT_EQ(blocks[0].size(), blocks[1].size());
      for (std::size_t i = 0; i < blocks[0].size(); ++i) {
        EXPECT_EQ(blocks[0][i].begin, blocks[1][i].begin);
        EXPECT_EQ(blocks[0][i].index, blocks[1][i].index);
        EXPECT_EQ(blocks[0][i].value, blocks[1][i].value);
        EXPECT_EQ(blocks[0][i].label, blocks[1][i].label);
      }
    }
  }
}

}  // namespace
}  // namespace soba
