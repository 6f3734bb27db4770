#include "core/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace soba {
namespace {

std::string ours(double value) {
  std::string out;
  append_json(value, out);
  return out;
}

std::string ours(std::string_view text) {
  std::string out;
  append_json(text, out);
  return out;
}

template <class T>
std::string theirs(const T& value) {
  const nlohmann::ordered_json json = value;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

TEST(Json, WritesObjectsAndArrays) {
  JsonWriter json;
  json.begin_object().member("id", 7).member("text", "a\"b").member("yes", true);
  json.key("list").begin_array().value(1.0).value(-2).null().begin_object().end_object();
  json.end_array().member("most", std::numeric_limits<std::uint64_t>::max()).end_object();
  EXPECT_EQ(
      json.text(),
      R"({"id":7,"text":"a\"b","yes":true,"list":[1.0,-2,null,{}],"most":18446744073709551615})");
}

TEST(Json, WritesNumbersThatReadBack) {
  EXPECT_EQ(ours(0.0), "0.0");
  EXPECT_EQ(ours(-0.0), "-0.0");
  EXPECT_EQ(ours(1.0), "1.0");
  EXPECT_EQ(ours(0.05), "0.05");
  EXPECT_EQ(ours(1e-5), "1e-05");
  EXPECT_EQ(ours(123456.75), "123456.75");
  EXPECT_EQ(ours(1e15), "1e+15");
  EXPECT_EQ(ours(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(ours(std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_EQ(ours(std::nan("")), "null");
  EXPECT_EQ(ours(-std::numeric_limits<double>::infinity()), "null");
}

// Byte for byte what nlohmann-json writes, which wrote Soba's output before.
TEST(Json, WritesNumbersAsNlohmannDoes) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 200000; ++i) {
    const auto any = std::bit_cast<double>(random());
    ASSERT_EQ(ours(any), theirs(any));
    const double probability = uniform(random);
    ASSERT_EQ(ours(probability), theirs(probability));
    const double rounded = std::round(probability * 1e6) / 1e6;
    ASSERT_EQ(ours(rounded), theirs(rounded));
    const auto whole = static_cast<double>(static_cast<std::int64_t>(random() >> (i % 64)));
    ASSERT_EQ(ours(whole), theirs(whole));
    const auto tiny = std::bit_cast<double>(random() >> (11 + i % 53));
    ASSERT_EQ(ours(tiny), theirs(tiny));
  }
  for (int e = -1074; e <= 1023; ++e) {
    const double power = std::ldexp(1.0, e);
    for (const double near : {power, std::nextafter(power, 0.0), std::nextafter(power, HUGE_VAL)}) {
      ASSERT_EQ(ours(near), theirs(near));
    }
  }
  for (int e = -320; e <= 308; ++e) {
    const double power = std::pow(10.0, e);
    ASSERT_EQ(ours(power), theirs(power));
  }
}

TEST(Json, EscapesAndReplaces) {
  EXPECT_EQ(ours("a\"\\/\b\f\n\r\t\x01\x7f é 😀"), "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7f é 😀\"");
  EXPECT_EQ(ours("\xff"), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(ours("\xe2\x82"), "\"\xEF\xBF\xBD\"");  // cut off
  EXPECT_EQ(ours(std::string_view("\0", 1)), "\"\\u0000\"");
}

TEST(Json, WritesTextsAsNlohmannDoes) {
  std::mt19937_64 random(2);
  // Bytes at the edges of what UTF-8 allows, so that sequences go wrong in every place.
  constexpr unsigned char kBytes[] = {0x00, 0x1f, 0x20, '"',  '\\', 'a',  0x7f, 0x80, 0x8f,
                                      0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
                                      0xe1, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff};
  for (int i = 0; i < 100000; ++i) {
    std::string text(random() % 12, ' ');
    for (char& c : text) {
      c = static_cast<char>(i % 2 == 0 ? kBytes[random() % std::size(kBytes)] : random() % 256);
    }
    ASSERT_EQ(ours(text), theirs(text)) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace soba
