#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <map>
#include <random>

#include "model/file.h"
#include "soba/error.h"
#include "soba/model.h"

namespace soba {
namespace {

std::vector<std::string> ids(const PendingTable& table) {
  std::vector<std::string> all;
  for (const Pending& one : table) all.push_back(one.id);
  return all;
}

Pending decision(const std::string& id) { return {id, {0, 2}, {1, 0.5}, 1, 0.25, {}, 3, 5, 7}; }

// The fields alone, in a file of the given version.
std::string saved(const PendingTable& table, std::uint32_t version = kModelVersion) {
  FieldWriter writer(version);
  table.save(3, writer);
  return writer.finish();
}

PendingTable loaded(const std::string& bytes, Label classes = 3) {
  FieldReader reader(bytes);
  PendingTable table;
  table.visit(classes, reader);
  reader.finish();
  return table;
}

TEST(PendingTable, FindsById) {
  PendingTable table;
  EXPECT_EQ(table.find("a"), nullptr);
  table.add(decision("a"));
  table.add(decision("b"));
  ASSERT_NE(table.find("b"), nullptr);
  EXPECT_EQ(table.find("b")->id, "b");
  EXPECT_GT(table.bytes(), static_cast<std::int64_t>(2 * sizeof(Pending)));
  EXPECT_TRUE(table.remove("a"));
  EXPECT_FALSE(table.remove("a"));
  EXPECT_EQ(table.find("a"), nullptr);
  EXPECT_EQ(table.find("b")->id, "b");
  EXPECT_TRUE(table.remove("b"));
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.bytes(), 0);
}

// Model files of before have this order, and decisions resumed from them keep it.
TEST(PendingTable, TheLastTakesThePlaceOfARemovedOne) {
  PendingTable table;
  for (const char* id : {"a", "b", "c", "d"}) table.add(decision(id));
  table.remove("b");
  EXPECT_THAT(ids(table), ::testing::ElementsAre("a", "d", "c"));
  table.remove("c");
  EXPECT_THAT(ids(table), ::testing::ElementsAre("a", "d"));
}

TEST(PendingTable, AgreesWithAMapUnderManyChanges) {
  PendingTable table;
  std::map<std::string, Label> expected;
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    const std::string id =
        "an id that is longer than a short string " + std::to_string(random() % 50);
    if (table.find(id) == nullptr) {
      table.add({id, {}, {}, i, 1});
      expected[id] = i;
    } else {
      ASSERT_EQ(table.find(id)->played, expected[id]);
      ASSERT_TRUE(table.remove(id));
      expected.erase(id);
    }
    ASSERT_EQ(table.size(), expected.size());
  }
}

TEST(PendingTable, ComesBackAsItWas) {
  PendingTable table;
  table.add(decision("a"));
  table.add({"b", {}, {}, 0, 1, {0, 2}, 3});
  table.add(decision("c"));
  const std::string bytes = saved(table);
  const PendingTable back = loaded(bytes);
  EXPECT_EQ(saved(back), bytes);
  EXPECT_EQ(back.bytes(), table.bytes());
  ASSERT_NE(back.find("b"), nullptr);
  EXPECT_EQ(back.find("b")->allowed, (std::vector<Label>{0, 2}));
  EXPECT_TRUE(back.find("c")->allowed.empty());
  EXPECT_EQ(back.find("c")->round, 5);
  EXPECT_EQ(back.find("c")->time, 7);
}

TEST(PendingTable, Version1AllowsEveryLabel) {
  PendingTable table;
  table.add(decision("a"));
  table.add(decision("b"));
  const std::string bytes = saved(table, 1);
  EXPECT_EQ(bytes.find("allowed"), std::string::npos);
  const PendingTable back = loaded(bytes);
  EXPECT_THAT(ids(back), ::testing::ElementsAre("a", "b"));
  for (const Pending& one : back) {
    EXPECT_TRUE(one.allowed.empty());
    EXPECT_EQ(one.classes, 3);
    EXPECT_EQ(one.round, 0);  // it did not know the number and the time of a decision
    EXPECT_EQ(one.time, 0);
  }
}

// Neither saved nor loaded: a file that is written can be read.
TEST(PendingTable, RefusesWhatCannotBe) {
  const auto refused = [](Pending one) {
    PendingTable table;
    table.add(decision("before"));
    table.add(std::move(one));
    EXPECT_THROW(saved(table), Error);
    FieldWriter writer;
    table.save(4, writer);  // as if there were a fourth label
    EXPECT_THROW(loaded(writer.finish()), Error);
  };
  refused({"x", {}, {}, 3, 1, {}, 4});      // a label that does not exist
  refused({"x", {}, {}, 0, 1, {0, 3}, 4});  // drawn from such a label
  const auto unsaved = [](Pending one) {
    PendingTable table;
    table.add(std::move(one));
    EXPECT_THROW(saved(table), Error);
  };
  unsaved({"x", {1, 0}, {1, 1}, 0, 1, {}, 3});     // features that do not ascend
  unsaved({"x", {-1}, {1}, 0, 1, {}, 3});          // or are none
  unsaved({"x", {0}, {1e51}, 0, 1, {}, 3});        // a value too large
  unsaved({"x", {}, {}, 0, std::nan(""), {}, 3});  // drawn without a chance
  unsaved({"x", {}, {}, 0, 1, {1, 0}, 3});         // labels that do not ascend
  unsaved({"x", {}, {}, 0, 1, {1, 2}, 3});         // drawn from others
  unsaved({"x", {}, {}, 2, 1, {}, 2});             // one that was added later
}

TEST(PendingTable, RefusesTwoDecisionsUnderOneId) {
  PendingTable table;
  table.add(decision("first"));
  table.add(decision("other"));
  std::string bytes = saved(table);
  bytes.replace(bytes.find("other"), 5, "first");
  bytes.resize(bytes.size() - 4);
  const auto sum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof(sum));
  EXPECT_THROW(loaded(bytes), Error);
}

}  // namespace
}  // namespace soba
