#include "core/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace soba {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Sample {
  double size = 1.5;
  std::int64_t count = 3;
  Rate rate = {Rate::Rule::kFixed, 0.25};
  std::string kind = "big";
};

constexpr std::array<std::string_view, 2> kKinds = {"big", "small"};
constexpr std::array<Field<Sample>, 4> kFields = {{
    {.name = "size", .member = &Sample::size, .help = "s", .min = 0, .open_min = true},
    {.name = "count", .member = &Sample::count, .help = "c", .min = 1, .max = 9},
    {.name = "rate", .member = &Sample::rate, .help = "r", .min = 0, .max = 1},
    {.name = "kind", .member = &Sample::kind, .help = "k", .choices = kKinds},
}};
constexpr std::span<const Field<Sample>> kTable = kFields;

std::string rejection(const OptionValues& values) {
  try {
    parse_options(kTable, values);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "accepted";
}

TEST(Options, MissingOnesTakeTheirDefaults) {
  const Sample sample = parse_options(kTable, {});
  EXPECT_EQ(sample.size, 1.5);
  EXPECT_EQ(sample.kind, "big");
}

TEST(Options, ValuesGoThroughTextUnchanged) {
  const OptionValues values = {
      {"size", "0.1"}, {"count", "9"}, {"rate", "adaptive"}, {"kind", "small"}};
  EXPECT_EQ(option_values(kTable, parse_options(kTable, values)), values);
}

TEST(Options, AListIsReadAsCsvReadsItsCells) {
  EXPECT_EQ(read_list(""), std::vector<std::string>());
  EXPECT_THAT(*read_list("red, green\t,blue "), ElementsAre("red", "green", "blue"));
  EXPECT_THAT(*read_list(R"( "Billing, refunds" ,"say ""no"""," x ",a"b,)"),
              ElementsAre("Billing, refunds", R"(say "no")", " x ", R"(a"b)", ""));
  EXPECT_EQ(read_list(R"(a,"b)"), std::nullopt);
  EXPECT_EQ(read_list(R"(a,"b"c)"), std::nullopt);
}

TEST(Options, AListGoesThroughTextUnchanged) {
  const std::vector<std::string> words = {"a", "b, c", " d", "e\t", "\"f\"", "", "g\"h"};
  EXPECT_EQ(list_text(words), "a,\"b, c\",\" d\",\"e\t\",\"\"\"f\"\"\",\"\",g\"h");
  EXPECT_EQ(read_list(list_text(words)), words);
  EXPECT_EQ(read_list(list_text({{""}})), std::vector<std::string>{""});
  EXPECT_EQ(list_text({}), "");
}

TEST(Options, PowersAndWholeFloatsAreNumbers) {
  EXPECT_EQ(parse_options(kTable, {{"rate", "2^-6"}}).rate.value, 0.015625);
  EXPECT_EQ(parse_options(kTable, {{"count", "9e0"}}).count, 9);
}

TEST(Options, ARejectionNamesTheOptionTheValueAndTheRange) {
  const std::string text = rejection({{"size", "0"}});
  EXPECT_THAT(text, StartsWith("size: "));
  EXPECT_THAT(text, HasSubstr("'0'"));
  EXPECT_THAT(text, HasSubstr("> 0"));
  EXPECT_THAT(rejection({{"count", "10"}}), HasSubstr("[1, 9]"));
  EXPECT_THAT(rejection({{"rate", "1.1"}}), HasSubstr("[0, 1]"));
  EXPECT_THAT(rejection({{"kind", "huge"}}), HasSubstr("big, small"));
}

TEST(Options, WhatIsNotANumberIsRejected) {
  for (const char* text : {"", " ", "x", "1x", "nan", "inf", "1e999", "0x10", "2^", "^2"}) {
    EXPECT_NE(rejection({{"size", text}}), "accepted") << text;
    EXPECT_NE(rejection({{"rate", text}}), "accepted") << text;
  }
  for (const char* text : {"", "x", "1.5", "nan", "99999999999999999999"}) {
    EXPECT_NE(rejection({{"count", text}}), "accepted") << text;
  }
}

TEST(Options, AnUnknownNameSuggestsTheNearest) {
  EXPECT_THAT(rejection({{"sise", "1"}}), HasSubstr("did you mean 'size'"));
  EXPECT_EQ(nearest("zzzzzz", std::array<std::string, 1>{"size"}), "");
}

TEST(Options, SpecsAreWhatAnInterfaceShows) {
  const std::vector<OptionSpec> specs = describe(kTable);
  ASSERT_EQ(specs.size(), 4U);
  EXPECT_EQ(specs[0].default_value, "1.5");
  EXPECT_EQ(specs[1].kind, "integer");
  EXPECT_EQ(specs[2].range, "[0, 1], adaptive or theory");
  EXPECT_EQ(specs[3].range, "big | small");
}

struct Other {
  bool wet = false;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> words;
  std::int64_t most = 0;
  std::string name = "x";
};

constexpr std::array<Field<Other>, 5> kOtherFields = {{
    {.name = "wet", .member = &Other::wet, .help = "w", .group = "g"},
    {.name = "seed", .member = &Other::seed, .help = "s", .form = "any", .placeholder = "SEED"},
    {.name = "words", .member = &Other::words, .help = "l", .form = "some"},
    {.name = "most", .member = &Other::most, .help = "m", .min = 2, .optional = true},
    {.name = "name", .member = &Other::name, .help = "n", .form = "a name"},
}};
constexpr std::span<const Field<Other>> kOther = kOtherFields;

TEST(Options, FlagsSeedsAndListsGoThroughTextUnchanged) {
  const OptionValues none = {
      {"wet", "false"}, {"seed", ""}, {"words", ""}, {"most", ""}, {"name", "x"}};
  const OptionValues some = {
      {"wet", "true"}, {"seed", "0"}, {"words", "a,b"}, {"most", "2"}, {"name", ""}};
  EXPECT_EQ(option_values(kOther, Other{}), none);
  for (const OptionValues& values : {none, some}) {
    const Other other = parse_options(kOther, values);
    EXPECT_EQ(option_values(kOther, other), values);
    check_options(kOther, other);
  }
  EXPECT_EQ(parse_options(kOther, {{"seed", "1e3"}}).seed, 1000U);
  EXPECT_EQ(parse_options(kOther, {{"words", "a,,b,"}}).words,
            (std::vector<std::string>{"a", "", "b", ""}));
}

TEST(Options, AnErrorSaysWhichOptionItIsAbout) {
  const OptionValues bad = {{"wet", "1"}, {"seed", "-1"}, {"most", "1"}};
  for (const auto& [name, text] : bad) {
    try {
      parse_options(kOther, {{name, text}});
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.option(), name);
      EXPECT_THAT(error.what(), StartsWith(name + ": '" + text + "' is not accepted"));
    }
  }
  Other other;
  other.most = 1;
  EXPECT_THROW(check_options(kOther, other), Error);
}

TEST(Options, SpecsSayKindGroupAndPlaceholder) {
  const std::vector<OptionSpec> specs = describe(kOther);
  EXPECT_EQ(specs[0].kind, "flag");
  EXPECT_EQ(specs[0].group, "g");
  EXPECT_EQ(specs[1].kind, "seed");
  EXPECT_EQ(specs[1].placeholder, "SEED");
  EXPECT_EQ(specs[2].kind, "list");
  EXPECT_EQ(specs[3].default_value, "");
  EXPECT_EQ(specs[4].kind, "text");
}

}  // namespace
}  // namespace soba
