#include "lab/rows.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "soba/error.h"

namespace soba::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using Json = nlohmann::ordered_json;

ResultRow made_row(std::uint64_t seed = 1) {
  ResultRow row;
  row.version = "0.1.0";
  row.key = std::string(31, '0') + std::to_string(seed);
  row.command = "soba run toy.csv --seed " + std::to_string(seed);
  row.name = "Toy";
  row.reading = R"({"scale":"none"})";
  row.contender = "soba";
  row.grid = {{"gamma", 0.015625}, {"explore", "uniform"}};
  row.number = static_cast<std::int64_t>(seed);
  row.rounds_per_second = 200;
  row.constant_error = 0.375;
  RunResult& result = row.result;
  result.data = "toy.csv";
  result.fingerprint = 0xfedcba9876543210;
  result.learner = "soba";
  result.feedback = "bandit";
  result.options = {{"gamma", "0.015625"}, {"explore", "uniform"}};
  result.seed = seed;
  result.shape = {4, 10};
  result.tally = {100, 100, 25, 12, 30};
  result.curve = {{1, 1, 1, 1, 1}, {10, 10, 5, 4, 6}, result.tally};
  result.model_bytes = 1000;
  result.learn_seconds = 0.5;
  return row;
}

std::string refusal(const std::function<void(Json&)>& change) {
  Json row = Json::parse(row_line(made_row()));
  change(row);
  try {
    parse_row(row.dump(), "rows:7");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_THAT(error.what(), HasSubstr("rows:7: "));
    return error.what();
  }
  return "";
}

TEST(Rows, ALineReadsBack) {
  const ResultRow row = made_row(), again = parse_row(row_line(row), "place");
  EXPECT_EQ(again.place, "place");
  EXPECT_EQ(again.format, 2);
  EXPECT_EQ(again.key, row.key);
  EXPECT_EQ(again.reading, row.reading);
  EXPECT_EQ(again.grid, row.grid);
  EXPECT_EQ(again.result.options, row.result.options);
  EXPECT_EQ(again.result.fingerprint, row.result.fingerprint);
  EXPECT_EQ(again.result.shape, row.result.shape);
  EXPECT_EQ(again.constant_error, 0.375);
  EXPECT_EQ(again.result.tally, row.result.tally);
  EXPECT_EQ(again.result.curve, row.result.curve);
  EXPECT_EQ(again.rounds_per_second, 200);
}

TEST(Rows, WhatIsWrongIsNamed) {
  EXPECT_EQ(refusal([](Json&) {}), "");
  EXPECT_EQ(refusal([](Json& row) { row["something new"] = 1; }), "");
  EXPECT_THAT(refusal([](Json& row) { row["format"] = 3; }), HasSubstr("formats 1 to 2"));
  EXPECT_THAT(refusal([](Json& row) { row.erase("key"); }), HasSubstr("\"key\" is missing"));
  EXPECT_THAT(refusal([](Json& row) { row["name"] = ""; }), HasSubstr("\"name\" is empty"));
  EXPECT_THAT(refusal([](Json& row) { row["seed"] = -1; }), HasSubstr("\"seed\" must be"));
  EXPECT_THAT(refusal([](Json& row) { row["classes"] = std::int64_t{1} << 40; }),
              HasSubstr("a smaller number"));
  EXPECT_THAT(refusal([](Json& row) { row["fingerprint"] = "xyz"; }), HasSubstr("hexadecimal"));
  EXPECT_THAT(refusal([](Json& row) { row["grid"]["gamma"] = nullptr; }), HasSubstr("a word"));
  EXPECT_THAT(refusal([](Json& row) { row["error"] = 0.5; }), HasSubstr("25 mistakes in 100"));
  EXPECT_THAT(refusal([](Json& row) {
                row["curve"]["round"] = {1, 1, 100};
              }),
              HasSubstr("must ascend"));
  EXPECT_THAT(refusal([](Json& row) { row["curve"]["updates"] = {1}; }),
              HasSubstr("the same length"));
  EXPECT_THAT(refusal([](Json& row) {
                row["curve"]["mistakes"] = {1, 5, 24};
              }),
              HasSubstr("is not the result"));
  EXPECT_THROW(parse_row("{", "rows:1"), Error);
  EXPECT_THROW(parse_row("[]", "rows:1"), Error);
}

TEST(Rows, FilesHoldEachRunOnce) {
  const std::string path = ::testing::TempDir() + "soba-rows-" + std::to_string(::getpid());
  const std::string one = row_line(made_row(1)), two = row_line(made_row(2));
  std::ofstream(path, std::ios::binary) << two << one << two << one.substr(0, one.size() / 2);
  const ResultRows found = read_rows({path});
  ASSERT_THAT(found.rows, SizeIs(2));
  EXPECT_EQ(found.rows[0].result.seed, 1U);  // in the order of the plan
  EXPECT_THAT(found.remarks, SizeIs(2));     // the torn line, and the run that came twice

  // The same run of format 1, which has no key.
  Json old = Json::parse(one);
  old["format"] = 1;
  old.erase("key");
  std::ofstream(path, std::ios::binary) << two << old.dump() << '\n' << one;
  EXPECT_THAT(read_rows({path}).rows, SizeIs(2));

  ResultRow other = made_row(2);
  other.result.tally.updates = other.result.curve.back().updates = 31;
  std::ofstream(path, std::ios::binary) << two << row_line(other);
  EXPECT_THROW(read_rows({path}), Error);
  std::filesystem::remove(path);
}

TEST(Grids, ReadAsPeopleWriteThem) {
  EXPECT_EQ(grid_text(made_row().grid), "gamma 2^-6, explore uniform");
  EXPECT_EQ(shown_value(0.5), "0.5");
  EXPECT_EQ(find_axis(made_row().grid, "a"), nullptr);
  EXPECT_EQ(grid_of("soba", {{"gamma", "0.5"}, {"explore", "gap"}}),
            (Grid{{"explore", "gap"}, {"gamma", 0.5}}));
}

}  // namespace
}  // namespace soba::lab
