#include "data/source_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/testing.h"

namespace soba {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

// What parse_source_options says to one option, which the error must name.
std::string refusal(const std::string& option, const std::string& text) {
  try {
    parse_source_options({{option, text}});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.option(), option);
    return error.what();
  }
  return "accepted";
}

SourceOptions all_set() {
  SourceOptions options;
  options.format = "csv";
  options.label = "outcome";
  options.zero_based = true;
  options.labels = {"a", "b c"};
  options.scale = "minmax";
  options.normalize = "l2";
  options.bias = true;
  options.shuffle = 18446744073709551615U;
  options.limit = 10;
  options.passes = 3;
  options.skip_bad = true;
  return options;
}

TEST(SourceOptions, GoThroughTextUnchanged) {
  const OptionValues given = {
      {"format", "csv"},   {"label", "outcome"}, {"zero-based", "true"},
      {"labels", "a,b c"}, {"classes", ""},      {"scale", "minmax"},
      {"normalize", "l2"}, {"bias", "true"},     {"shuffle", "18446744073709551615"},
      {"limit", "10"},     {"passes", "3"},      {"skip-bad", "true"},
  };
  EXPECT_EQ(source_option_values(all_set()), given);
  EXPECT_EQ(source_option_values(parse_source_options(given)), given);
  const OptionValues defaults = source_option_values({});
  EXPECT_EQ(source_option_values(parse_source_options(defaults)), defaults);
  EXPECT_EQ(parse_source_options({{"limit", "1e3"}, {"classes", "9"}}).limit, 1000);
}

TEST(SourceOptions, EveryOptionIsShownWithItsGroupAndDefault) {
  std::vector<std::string> names, groups;
  for (const OptionSpec& spec : source_option_specs()) {
    names.push_back(spec.name);
    if (groups.empty() || groups.back() != spec.group) groups.push_back(spec.group);
    EXPECT_FALSE(spec.help.empty()) << spec.name;
    EXPECT_FALSE(spec.range.empty()) << spec.name;
    EXPECT_EQ(spec.placeholder.empty(), spec.kind == "flag") << spec.name;
    EXPECT_EQ(spec.help.find("--"), std::string::npos) << spec.help;
    // Others are among the values only where they are given.
    const OptionValues values = source_option_values({});
    if (values.contains(spec.name)) {
      EXPECT_EQ(spec.default_value, values.at(spec.name));
    }
  }
  EXPECT_THAT(names, ElementsAre("format", "label", "no-header", "separator", "encoding", "ignore",
                                 "only", "categorical", "dates", "text", "missing", "vocabulary",
                                 "bigrams", "text-weight", "hash-bits", "zero-based", "labels",
                                 "labels-file", "classes", "scale", "normalize", "bias", "shuffle",
                                 "limit", "passes", "skip-bad"));
  EXPECT_THAT(groups, ElementsAre("reading", "labels", "preparation", "order", "bad lines"));
}

TEST(SourceOptions, ARefusalNamesTheOptionAndWhatIsExpected) {
  EXPECT_EQ(refusal("labels", "a"), "labels: expected at least two labels, found only \"a\"");
  EXPECT_EQ(refusal("labels", "a,,b"), "labels: 'a,,b' holds an empty label");
  EXPECT_EQ(refusal("labels", "a,b,a"), "labels: \"a\" is a duplicate");
  EXPECT_EQ(refusal("scale", "big"), "scale: 'big' is not accepted; expected none, maxabs, minmax");
  EXPECT_EQ(refusal("shuffle", "-1"),
            "shuffle: '-1' is not accepted; expected a whole number >= 0");
  EXPECT_THAT(refusal("classes", "1"), HasSubstr("a whole number [2, 1048576]"));
  EXPECT_THAT(refusal("limit", "0"), HasSubstr("a whole number >= 1"));
  EXPECT_THAT(refusal("bias", "yes"), HasSubstr("true or false"));
  EXPECT_THAT(refusal("format", "xml"), HasSubstr("libsvm"));
  EXPECT_THAT(error_of(
                  [] {
                    parse_source_options({{"scal", "none"}});
                  },
                  ErrorKind::kUsage),
              HasSubstr("did you mean 'scale'"));
  EXPECT_THAT(error_of(
                  [] {
                    parse_source_options({{"labels", "a,b"}, {"classes", "2"}});
                  },
                  ErrorKind::kUsage),
              AllOf(HasSubstr("'labels'"), HasSubstr("'classes'")));
}

TEST(SourceOptions, ALabelMayHoldAComma) {
  const SourceOptions options = parse_source_options({{"labels", R"("Billing, refunds", other)"}});
  EXPECT_THAT(options.labels, ElementsAre("Billing, refunds", "other"));
  EXPECT_EQ(source_option_values(options).at("labels"), R"("Billing, refunds",other)");
  EXPECT_EQ(
      refusal("labels", "\"a,b"),
      "labels: '\"a,b' is not accepted; expected two or more words, separated by commas, each "
      "quote closed before a comma");
}

TEST(SourceOptions, AFileNamesTheLabels) {
  const std::string path =
      testing::write_file(".txt", "\xEF\xBB\xBF  Billing, refunds\r\n\r\nother \n\"q\"");
  const SourceOptions options = parse_source_options({{"labels-file", path}});
  EXPECT_THAT(options.labels, ElementsAre("Billing, refunds", "other", "\"q\""));
  EXPECT_FALSE(source_option_values(options).contains("labels-file"));  // labels says it
  // The same for a program that fills in the struct.
  SourceOptions filled;
  filled.labels_file = testing::write_file(".txt", "b\na\n");
  filled.format = "libsvm";
  Source source(testing::write_file(".libsvm", "a 1:1\n"), filled, {});
  EXPECT_THAT(source.schema().labels.names(), ElementsAre("b", "a"));

  EXPECT_EQ(refusal("labels-file", ""),
            "labels-file: '' is not accepted; expected the name of a file");
  EXPECT_THAT(refusal("labels-file", testing::write_file(".txt", "\n\n")),
              HasSubstr("names no label"));
  EXPECT_THAT(refusal("labels-file", testing::write_file(".txt", "a\nb\na\n")),
              HasSubstr("\"a\" is a duplicate"));
  EXPECT_THAT(error_of(
                  [] {
                    parse_source_options({{"labels-file", "/no/such"}});
                  },
                  ErrorKind::kInput),
              HasSubstr("/no/such: cannot open"));
  EXPECT_THAT(error_of(
                  [&] {
                    parse_source_options({{"labels-file", path}, {"labels", "a,b"}});
                  },
                  ErrorKind::kUsage),
              HasSubstr("options 'labels' and 'labels-file' each name the label set"));
}

TEST(SourceOptions, AFileOfOtherLabelsContradictsTheModel) {
  Schema schema;
  for (const char* label : {"a", "b"}) schema.labels.add(label);
  EXPECT_EQ(
      source_options_for({{"labels-file", testing::write_file(".txt", "a\nb\n")}}, schema).labels,
      std::vector<std::string>());  // the schema says them
  const std::string other = testing::write_file(".txt", "a\nc\n");
  EXPECT_THAT(error_of(
                  [&] {
                    source_options_for({{"labels-file", other}}, schema);
                  },
                  ErrorKind::kUsage),
              HasSubstr("labels-file: contradicts the model, which has the labels a, b"));
}

TEST(SourceOptions, WhatColumnsHoldIsPartOfTheModel) {
  Schema schema;
  schema.missing = {"?", "a, b"};
  schema.ignore = {"id"};
  EXPECT_EQ(source_options_for({}, schema).ignore, schema.ignore);
  EXPECT_EQ(source_option_values(source_options_for({}, schema)).at("missing"), "?,\"a, b\"");
  EXPECT_EQ(source_options_for({{"ignore", " id"}}, schema).missing, schema.missing);
  EXPECT_THAT(error_of(
                  [&] {
                    source_options_for({{"missing", "?"}}, schema);
                  },
                  ErrorKind::kUsage),
              HasSubstr("missing: ? contradicts the model, which has ?,\"a, b\""));
  EXPECT_THAT(error_of(
                  [&] {
                    source_options_for({{"categorical", "c"}}, schema);
                  },
                  ErrorKind::kUsage),
              HasSubstr("categorical: c contradicts the model, which has none"));
  const OptionValues plain = source_option_values({});
  for (const char* option :
       {"no-header", "separator", "encoding", "ignore", "only", "categorical", "dates", "text",
        "missing", "vocabulary", "bigrams", "text-weight", "hash-bits", "labels-file"}) {
    EXPECT_FALSE(plain.contains(option)) << option;  // keys of runs stay what they were
  }
}

TEST(SourceOptions, ColumnsAreOfNamedFeaturesOnly) {
  SourceOptions options;
  options.labels = {"a", "b"};
  options.ignore = {"x"};
  EXPECT_THAT(error_of([&] { testing::read_text("a 1:1\n", options); }, ErrorKind::kUsage),
              HasSubstr("ignore: test: features are indices here"));
}

Schema model_schema() {
  Schema schema;
  for (const char* label : {"1", "2", "3"}) schema.labels.add(label);
  schema.scale = Scale::kMaxAbs;
  schema.bias = true;
  return schema;
}

TEST(SourceOptions, TheModelSaysWhatIsNotGiven) {
  const SourceOptions options = source_options_for({{"limit", "5"}}, model_schema());
  EXPECT_EQ(options.scale, "maxabs");
  EXPECT_EQ(options.normalize, "none");
  EXPECT_TRUE(options.bias);
  EXPECT_EQ(options.limit, 5);
  for (const OptionValues& same :
       {OptionValues{{"scale", "maxabs"}}, OptionValues{{"bias", "true"}},
        OptionValues{{"labels", "1,2,3"}}, OptionValues{{"classes", "3"}},
        OptionValues{{"zero-based", "false"}}}) {
    EXPECT_EQ(source_option_values(source_options_for(same, model_schema())),
              source_option_values(source_options_for({}, model_schema())));
  }
}

TEST(SourceOptions, WhatContradictsTheModelIsRefused) {
  const OptionValues contradictions = {{"scale", "none"},     {"normalize", "l2"},
                                       {"bias", "false"},     {"zero-based", "true"},
                                       {"labels", "1,2,3,4"}, {"classes", "4"}};
  for (const auto& [option, text] : contradictions) {
    const std::string message = error_of(
        [&, option = option, text = text] {
          source_options_for({{option, text}}, model_schema());
        },
        ErrorKind::kUsage);
    EXPECT_THAT(message, AllOf(HasSubstr(option + ": "), HasSubstr("contradicts the model")));
  }
  // A struct says nothing by its defaults.
  SourceOptions options;
  EXPECT_EQ(agreeing_options(options, model_schema()).scale, "maxabs");
  options.scale = "minmax";
  error_of([&] { agreeing_options(options, model_schema()); }, ErrorKind::kUsage);
}

}  // namespace
}  // namespace soba
