// An interrupted run that is resumed is the run that was never interrupted, to the last bit.

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "data/testing.h"
#include "soba/error.h"
#include "soba/run.h"
#include "support/every_learner.h"
#include "support/out_of_memory.h"

namespace soba {
namespace {

using ::testing::HasSubstr;
using testing::temporary_path;
using testing::write_file;

struct Task {
  std::string data;
  OptionValues reading = {};
  std::string learner = "sobadiag";
  OptionValues options = {};
};

// All that a run leaves behind.
struct Outcome {
  std::string model;
  std::vector<Played> trace;
  std::vector<Tally> curve;
  RunResult result;
};

Model begun(const Task& task, const Source& source) {
  return new_model(task.learner, task.options, source, 7);
}

Source opened(const Task& task) {
  SourceOptions options = parse_source_options(task.reading);
  options.need_size = needs_size(choose_learner(task.learner, task.options));
  return Source(task.data, options, Schema{});
}

// Plays until the model has made `until` rounds, and adds what happened.
void play_until(Source& source, Model& model, bool resumed, std::int64_t until, Outcome& out) {
  std::atomic<bool> stop = false;
  const RunHooks hooks = {.rounds =
                              [&](const Block&, std::span<const Played> rows) {
                                out.trace.insert(out.trace.end(), rows.begin(), rows.end());
                              },
                          .stop = &stop,
                          .keep = [&] { stop = model.tally.rounds >= until; },
                          .keep_every = std::max<std::int64_t>(1, until - model.tally.rounds)};
  out.result = resumed ? resume(source, model, hooks) : run(source, model, hooks);
  out.curve.insert(out.curve.end(), out.result.curve.begin(), out.result.curve.end());
  out.model = write_model(model);
}

Outcome play_whole(const Task& task) {
  Outcome out;
  Source source = opened(task);
  Model model = begun(task, source);
  play_until(source, model, false, std::numeric_limits<std::int32_t>::max(), out);
  return out;
}

// Interrupted after each of these rounds, saved, loaded and resumed.
Outcome play_in_pieces(const Task& task, const std::vector<std::int64_t>& rounds) {
  Outcome out;
  {
    Source source = opened(task);
    Model model = begun(task, source);
    play_until(source, model, false, rounds.front(), out);
    EXPECT_FALSE(out.result.complete);
    EXPECT_EQ(out.result.tally.rounds, rounds.front());
    EXPECT_EQ(model.position->examples, rounds.front());
  }
  for (std::size_t i = 1; i <= rounds.size(); ++i) {
    Model model = read_model(out.model);
    Source source = resumed_source(task.data, {}, model);
    play_until(source, model, true,
               i < rounds.size() ? rounds[i] : std::numeric_limits<std::int32_t>::max(), out);
    EXPECT_EQ(out.result.complete, i == rounds.size());
    EXPECT_EQ(out.result.earlier, rounds[i - 1]);
  }
  return out;
}

void expect_same(const Outcome& found, const Outcome& whole) {
  EXPECT_TRUE(found.model == whole.model);
  ASSERT_EQ(found.trace.size(), whole.trace.size());
  for (std::size_t i = 0; i < whole.trace.size(); ++i) {
    const Played &a = found.trace[i], &b = whole.trace[i];
    ASSERT_EQ(std::tie(a.round, a.label, a.greedy, a.played, a.probability, a.gamma, a.updated),
              std::tie(b.round, b.label, b.greedy, b.played, b.probability, b.gamma, b.updated));
  }
  EXPECT_EQ(found.curve, whole.curve);
  EXPECT_EQ(found.result.tally, whole.result.tally);
  EXPECT_EQ(found.result.lifetime, whole.result.lifetime);
  EXPECT_EQ(found.result.shape, whole.result.shape);
  EXPECT_EQ(found.result.skipped, whole.result.skipped);
  EXPECT_EQ(found.result.remarks, whole.result.remarks);
  EXPECT_EQ(found.result.options, whole.result.options);
}

// Two interruptions anywhere, the first and the last possible ones, and one at a time.
void check(const Task& task) {
  const Outcome whole = play_whole(task);
  const std::int64_t rounds = whole.result.tally.rounds;
  ASSERT_GT(rounds, 4);
  std::mt19937 random(20260);
  std::uniform_int_distribution<std::int64_t> any(2, rounds - 2);
  std::int64_t first = any(random), second = any(random);
  if (first == second) ++second;
  for (const std::vector<std::int64_t>& at :
       {std::vector{std::min(first, second), std::max(first, second)},
        std::vector<std::int64_t>{1, rounds - 1}}) {
    SCOPED_TRACE(task.data + " " + task.learner + ", interrupted at " + std::to_string(at[0]) +
                 " and " + std::to_string(at[1]));
    expect_same(play_in_pieces(task, at), whole);
  }
}

std::string libsvm_text(int examples) {
  std::mt19937 random(5);
  std::string text;
  for (int i = 0; i < examples; ++i) {
    const auto label = random() % 3 + 1;
    text += std::to_string(label) + " " + std::to_string(label) + ":1.5 " +
            std::to_string(4 + random() % 8) + ":" + std::to_string(random() % 100) + " " +
            std::to_string(13 + i / 10) + ":1\n";
  }
  return text;
}

// New values of `colour` come all the way; `size` is a number, and `note` is empty at first.
std::string csv_text(int examples) {
  std::mt19937 random(6);
  std::string text = "colour,size,note,label\n";
  for (int i = 0; i < examples; ++i) {
    text += "c" + std::to_string(random() % static_cast<unsigned>(2 + i / 20)) + "," +
            std::to_string(random() % 10) + "," +
            (i < examples / 2 ? ""
             : i % 3          ? "n"
                              : "m") +
            "," + (random() % 2 ? "yes" : "no") + "\n";
  }
  return text;
}

std::string jsonl_text(int examples) {
  std::mt19937 random(7);
  std::string text;
  for (int i = 0; i < examples; ++i) {
    text += R"({"label":")" + std::string(random() % 2 ? "a" : "b") + R"(","x":{"n)" +
            std::to_string(i / 30) + R"(":1,"word":"w)" + std::to_string(random() % 50) + "\"}}\n";
  }
  return text;
}

std::string converted(const std::string& data, const std::string& ending,
                      const std::string& format) {
  const std::string path = temporary_path(ending);
  Source source(data, {}, Schema{});
  testing::copy(source, path, format);
  return path;
}

TEST(Resume, EveryLearner) {
  const std::string data = write_file(".libsvm", libsvm_text(120));
  for (const testing::Form& form : testing::every_form()) {
    check({data, {{"normalize", "l2"}}, form.learner, form.options});
  }
}

TEST(Resume, EveryFormat) {
  const std::string libsvm = write_file(".libsvm", libsvm_text(9000));
  const std::string csv = write_file(".csv", csv_text(9000));
  const std::string jsonl = write_file(".jsonl", jsonl_text(9000));
  for (const std::string& data :
       {libsvm, csv, jsonl, converted(libsvm, ".libsvm.gz", "libsvm"),
        converted(libsvm, ".libsvm.xz", "libsvm"), converted(jsonl, ".jsonl.zst", "jsonl"),
        converted(libsvm, ".soba", "cache"), converted(csv, ".soba", "cache"),
        converted(jsonl, ".soba", "cache"), std::string("synnonsep:n=9000,seed=3"),
        std::string("synsep:n=9000")}) {
    check({data});
  }
}

TEST(Resume, EveryOrderAndPreparation) {
  const std::string libsvm = write_file(".libsvm", libsvm_text(500));
  const std::string csv = write_file(".csv", csv_text(500));
  const std::string cache = converted(csv, ".soba", "cache");
  const std::string bad =
      write_file(".csv", csv_text(300) + "red,none,,yes\nblue,1\n" + csv_text(300).substr(23));
  for (const std::string& data : {libsvm, csv, cache, std::string("synnonsep:n=500,seed=3"), bad}) {
    for (const OptionValues& reading :
         std::vector<OptionValues>{{{"shuffle", "4"}},
                                   {{"passes", "3"}},
                                   {{"shuffle", "4"}, {"passes", "3"}, {"limit", "170"}},
                                   {{"limit", "170"}, {"passes", "2"}},
                                   {{"scale", "minmax"}, {"bias", "true"}, {"passes", "2"}}}) {
      OptionValues all = reading;
      if (data == bad) all["skip-bad"] = "true";
      check({data, all});
    }
  }
  check({csv, {{"labels", "no,maybe,yes"}}});
  check({libsvm, {{"classes", "5"}}, "soba", {{"gamma", "theory"}}});
}

TEST(Resume, ARunOfALoadedModel) {
  const std::string data = write_file(".jsonl", jsonl_text(700));
  const std::string earlier = write_file(".jsonl", jsonl_text(50));
  const auto taught = [&] {
    Source source(earlier, {}, Schema{});
    Model model = new_model("sobadiag", {}, source, 7);
    run(source, model);
    return model;
  };
  Outcome whole, pieces;
  {
    Model model = taught();
    Source source(data, {}, model.schema);
    play_until(source, model, false, 100000, whole);
  }
  {
    Model model = taught();
    Source source(data, {}, model.schema);
    play_until(source, model, false, 50 + 321, pieces);
  }
  Model model = read_model(pieces.model);
  Source source = resumed_source(data, {}, model);
  play_until(source, model, true, 100000, pieces);
  EXPECT_EQ(pieces.result.tally.rounds, 700);
  expect_same(pieces, whole);
}

// The position is that of the latest round, whatever ends the run.
TEST(Resume, AfterAnError) {
  const std::string good = libsvm_text(300);
  const Task task{write_file(".libsvm", good), {{"classes", "3"}}};
  const Outcome whole = play_whole(task);
  const auto broken = [&](const std::string& path) {
    Source source(path, parse_source_options(task.reading), Schema{});
    Model model = begun(task, source);
    std::string kept;
    EXPECT_THROW(run(source, model, {.keep = [&] { kept = write_model(model); }}), Error);
    return kept;
  };
  const std::size_t middle = good.find('\n', good.size() / 2) + 1;
  const std::string kept =
      broken(write_file(".libsvm", good.substr(0, middle) + "1 nonsense\n" + good.substr(middle)));
  Model model = read_model(kept);
  EXPECT_GT(model.position->examples, 100);
  Source source = resumed_source(task.data, {}, model);
  Outcome rest;
  play_until(source, model, true, 100000, rest);
  EXPECT_TRUE(rest.model == whole.model);
}

TEST(Resume, AfterALearnerHasOutgrownItsMemory) {
  const std::string data = write_file(".libsvm", libsvm_text(3000));
  const Task task{data, {{"classes", "3"}}, "soba", {{"covariance", "block"}, {"memory", "1"}}};
  Source source = opened(task);
  Model model = begun(task, source);
  int kept = 0;
  std::int64_t traced = 0;
  try {
    run(source, model,
        {.rounds = [&](const Block&, std::span<const Played> rows) { traced += std::ssize(rows); },
         .keep = [&] { ++kept; }});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kResource);
  }
  EXPECT_EQ(kept, 1);
  EXPECT_GT(model.tally.rounds, 0);
  EXPECT_EQ(model.position->examples, model.tally.rounds);
  EXPECT_EQ(traced, model.tally.rounds);
  EXPECT_NO_THROW(resumed_source(data, {}, model));
}

TEST(Resume, AfterMemoryHasRunOut) {
  const Task task{write_file(".libsvm", libsvm_text(500)), {{"classes", "3"}}};
  Source source = opened(task);
  Model model = begun(task, source);
  Outcome out;
  std::optional<testing::OutOfMemory> none;
  EXPECT_THROW(run(source, model,
                   {.point =
                        [&](const Tally& so_far) {
                          if (so_far.rounds == 256) none.emplace();
                        },
                    .keep =
                        [&] {
                          none.reset();
                          out.model = write_model(model);
                        }}),
               std::bad_alloc);
  Model kept = read_model(out.model);
  EXPECT_GE(kept.position->examples, 256);
  EXPECT_LT(kept.position->examples, 500);
  Source again = resumed_source(task.data, {}, kept);
  play_until(again, kept, true, 100000, out);
  EXPECT_TRUE(out.model == play_whole(task).model);
}

TEST(Resume, KeepsTheModelEverySoManyRounds) {
  const Task task{"synsep:n=1000,seed=3"};
  Source source = opened(task);
  Model model = begun(task, source);
  std::vector<std::int64_t> kept;
  run(source, model,
      {.keep =
           [&] {
             kept.push_back(model.tally.rounds);
             EXPECT_EQ(model.position->complete, kept.size() == 4);
           },
       .keep_every = 300});
  EXPECT_EQ(kept, (std::vector<std::int64_t>{300, 600, 900, 1000}));
  EXPECT_EQ(write_model(model), play_whole(task).model);
}

class Refused : public ::testing::Test {
 protected:
  Refused() {
    Source source = opened(task_);
    Model model = begun(task_, source);
    Outcome out;
    play_until(source, model, false, 200, out);
    model_ = out.model;
  }
  std::string refusal(const std::string& data, const OptionValues& given) {
    Model model = read_model(model_);
    try {
      Source source = resumed_source(data, given, model);
      resume(source, model);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind() == ErrorKind::kUsage, !given.empty());
      EXPECT_TRUE(write_model(model) == model_);
      return error.what();
    }
    return "";
  }

  const std::string text_ = libsvm_text(400);
  const Task task_{write_file(".libsvm", text_), {{"shuffle", "4"}, {"scale", "maxabs"}}};
  std::string model_;
};

TEST_F(Refused, OtherOptions) {
  EXPECT_EQ(refusal(task_.data, {{"shuffle", "4"}, {"scale", "maxabs"}, {"passes", "1"}}), "");
  EXPECT_EQ(refusal(task_.data, {{"shuffle", "5"}}),
            "shuffle: '5' contradicts the interrupted run, which had '4'; leave the option out");
  EXPECT_EQ(refusal(task_.data, {{"limit", "300"}}),
            "limit: '300' contradicts the interrupted run, which had none; leave the option out");
  EXPECT_EQ(refusal(task_.data, {{"passes", "2"}}),
            "passes: '2' contradicts the interrupted run, which had '1'; leave the option out");
  EXPECT_THAT(refusal(task_.data, {{"scale", "minmax"}}), HasSubstr("contradicts the model"));
  EXPECT_THAT(refusal(task_.data, {{"labels", "a,b"}}), HasSubstr("contradicts the model"));
}

TEST_F(Refused, OtherData) {
  const auto refused = [&](const std::string& text) {
    return refusal(write_file(".libsvm", text), {});
  };
  EXPECT_THAT(refused(libsvm_text(100)), HasSubstr("it has 100 examples, but the interrupted run "
                                                   "has played 200"));
  EXPECT_THAT(refused(text_ + "1 1:1\n"), HasSubstr("its first 200 examples are not those"));
  EXPECT_THAT(refused(text_ + "7 1:1\n"), HasSubstr("its labels differ"));
  EXPECT_THAT(refused(text_ + "1 1:1000\n"), HasSubstr("the ranges that it is scaled by differ"));
  EXPECT_THAT(refusal(write_file(".csv", csv_text(300)), {}), HasSubstr("its labels differ"));
  EXPECT_THAT(refusal("synsep:n=400", {}), HasSubstr("its labels differ"));
  EXPECT_EQ(refusal(converted(task_.data, ".soba", "cache"), {}), "");  // the same examples
}

TEST_F(Refused, NothingToResume) {
  const auto says = [&](const Model& model) -> std::string {
    try {
      resumed_source(task_.data, {}, model);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  Model model = read_model(model_);
  model.tally.rounds += 1;  // a decision that was made in between
  EXPECT_THAT(says(model), HasSubstr("has made other decisions since"));
  EXPECT_THAT(says(new_model("soba", {}, {3, 1}, 1)), HasSubstr("not saved by a run that was"));
  Source source = opened(task_);
  Model whole = begun(task_, source);
  run(source, whole);
  EXPECT_EQ(says(read_model(write_model(whole))),
            "resume: the model has reached the end of its data, nothing is left to play; option "
            "'load' plays more data with it");
}

}  // namespace
}  // namespace soba
