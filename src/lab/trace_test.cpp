#include "soba/lab/trace.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "lab/trace_writer.h"
#include "soba/error.h"
#include "soba/run.h"

namespace soba::lab {
namespace {

using ::testing::HasSubstr;

class TraceFiles : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  std::string refusal(const std::function<void()>& call, const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return error.what();
    }
    return "";
  }
  std::string path_ = ::testing::TempDir() + "soba-trace-" + std::to_string(::getpid());
};

TEST_F(TraceFiles, ATraceReadsBackToTheLastBit) {
  Source source("synnonsep:n=300,seed=2", {}, Schema{});
  Model model = new_model("soba", {}, source, 1);
  std::vector<Played> played;
  TraceWriter writer(path_, source.schema().labels);
  const RunResult result =
      run(source, model, {.rounds = [&](const Block&, std::span<const Played> rows) {
            for (const Played& row : rows) writer.write(row);
            played.insert(played.end(), rows.begin(), rows.end());
          }});
  writer.finish();
  const Trace trace = read_trace(path_);
  ASSERT_EQ(trace.rounds.size(), played.size());
  const auto text = [&](const NameMap& labels, Label label) { return labels.name(label); };
  for (std::size_t i = 0; i < played.size(); ++i) {
    const Played &a = trace.rounds[i], &b = played[i];
    EXPECT_EQ(a.round, b.round);
    EXPECT_EQ(text(trace.labels, a.label), text(model.schema.labels, b.label));
    EXPECT_EQ(text(trace.labels, a.greedy), text(model.schema.labels, b.greedy));
    EXPECT_EQ(text(trace.labels, a.played), text(model.schema.labels, b.played));
    EXPECT_EQ(a.probability, b.probability);
    EXPECT_EQ(a.gamma, b.gamma);
    EXPECT_EQ(a.correct, b.correct);
    EXPECT_EQ(a.updated, b.updated);
    EXPECT_EQ(a.margin_sum, b.margin_sum);
  }
  EXPECT_EQ(result.tally.rounds, 300);
}

TEST_F(TraceFiles, LabelsMayHoldCommasAndQuotationMarks) {
  NameMap labels;
  labels.add("a,b");
  labels.add("say \"hi\"");
  TraceWriter writer(path_, labels);
  writer.write({.round = 1,
                .label = 0,
                .greedy = 1,
                .played = 1,
                .probability = 0.5,
                .gamma = 0,
                .correct = false,
                .updated = true,
                .margin_sum = {}});
  writer.finish();
  const Trace trace = read_trace(path_);
  EXPECT_EQ(trace.labels.names(), labels.names());
  EXPECT_FALSE(trace.rounds[0].margin_sum.has_value());
}

TEST_F(TraceFiles, WithoutFinishThereIsNoFile) {
  { const TraceWriter writer(path_, NameMap{}); }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(TraceFiles, ACurveReadsBack) {
  const std::vector<Tally> curve = {
      {1, 1, 1, 0, 1}, {2, 2, 1, 1, 2}, {999999, 999999, 333331, 7, 9}};
  write_curve(path_, curve);
  EXPECT_EQ(read_curve(path_), curve);
}

TEST_F(TraceFiles, ErrorsNameThePlace) {
  const std::string header =
      "round,label,greedy,played,probability,gamma,correct,updated,margin_sum\n";
  const auto trace = [&](const std::string& text) {
    return refusal([&] { read_trace(path_); }, text);
  };
  EXPECT_THAT(trace(""), HasSubstr("expected the header"));
  EXPECT_THAT(trace("round,label\n"), HasSubstr("expected the header"));
  EXPECT_THAT(trace(header + "1,a,a,a,0.5,0,1,1,\n2,a,a,a,1.5,0,1,1,\n"), HasSubstr(":3:9: "));
  EXPECT_THAT(trace(header + "1,a,a\n"), HasSubstr("expected more fields"));
  EXPECT_THAT(trace(header + "1,a,a,a,0.5,0,1,1,2,3\n"), HasSubstr("expected the end of the row"));
  EXPECT_THAT(trace(header + "1,\"a,a\n"), HasSubstr("quotation mark"));
  EXPECT_THAT(trace(header + "1,a,a,a,0.5,0,1,1,x\n"), HasSubstr(":2:19: "));
  EXPECT_EQ(trace(header), "");
  EXPECT_THAT(refusal([&] { read_curve(path_); }, "round,error,greedy_error,updates\nx,1,1,1\n"),
              HasSubstr(":2:1: "));
}

}  // namespace
}  // namespace soba::lab
