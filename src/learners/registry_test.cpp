#include "soba/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "soba/decide.h"
#include "soba/error.h"
#include "soba/model.h"
#include "soba/play.h"

namespace soba {
namespace {

using ::testing::HasSubstr;

// Plays the label that was right most often, whatever x.
class Favourite final : public Learner {
 public:
  explicit Favourite(Shape shape)
      : shape_(shape), right_(static_cast<std::size_t>(shape.classes)) {}

  Shape shape() const override { return shape_; }
  void scores(const Features& /*x*/, std::span<double> out) const override {
    std::copy(right_.begin(), right_.end(), out.begin());
  }
  Exploration exploration(const Moment& /*moment*/) const override { return UniformMix{0.2}; }
  Index reserve(const Features& x) override { return x.extent(); }
  Learned learn(const Round& round, bool correct) noexcept override {
    if (correct) right_[static_cast<std::size_t>(round.played)] += 1 / round.probability;
    return {.updated = correct};
  }
  void visit(StateVisitor& visitor) override {
    visitor.field("right", right_);
    visitor.require(right_.size() == static_cast<std::size_t>(shape_.classes) && all_finite(right_),
                    "`right` has a number for each class");
  }

 private:
  Shape shape_;
  std::vector<double> right_;
};

LearnerInfo favourite_info() {
  return {.name = "favourite", .make = [](Shape shape, const OptionValues&) -> AnyLearner {
            return std::make_unique<Favourite>(shape);
          }};
}

Registry with_favourite() {
  Registry registry = Registry::builtin();
  registry.add(favourite_info());
  return registry;
}

template <class Call>
std::string refusal(Call call, ErrorKind kind = ErrorKind::kUsage) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "accepted";
}

TEST(Registry, HoldsWhatIsAddedToACopy) {
  const Registry registry = with_favourite();
  EXPECT_EQ(registry.learners().size(), Registry::builtin().learners().size() + 1);
  ASSERT_NE(registry.find("favourite"), nullptr);
  EXPECT_EQ(registry.find("favourite")->feedback, "bandit");
  EXPECT_EQ(Registry::builtin().find("favourite"), nullptr);
  EXPECT_EQ(registry.find("sobadiag"), nullptr);  // an alias
  EXPECT_EQ(registry.choose("sobadiag", {}).info, registry.find("soba"));
}

TEST(Registry, RefusesNamesThatAreTakenOrEmpty) {
  Registry registry = with_favourite();
  const auto add = [&](const char* name) {
    LearnerInfo info = favourite_info();
    info.name = name;
    return refusal([&] { registry.add(info); });
  };
  EXPECT_EQ(add("favourite"), "a learner is called 'favourite' already");
  EXPECT_EQ(add("soba"), "a learner is called 'soba' already");
  EXPECT_EQ(add("sobadiag"), "a learner is called 'sobadiag' already");
  EXPECT_EQ(add(""), "a learner must have a name");
  EXPECT_THAT(refusal([&] { registry.add({.name = "idle"}); }), HasSubstr("'idle' has no `make`"));
  EXPECT_EQ(registry.learners().size(), with_favourite().learners().size());
}

TEST(Registry, ALearnerWithoutOptionsTakesNone) {
  const Registry registry = with_favourite();
  EXPECT_TRUE(registry.choose("favourite", {}).options.empty());
  EXPECT_EQ(refusal([&] {
              registry.choose("favourite", {{"gamma", "1"}});
            }),
            "learner 'favourite' has no options, so no 'gamma'");
  EXPECT_EQ(refusal([&] {
              registry.choose("perceptron", {{"gamma", "1"}});
            }),
            "learner 'perceptron' has no options, so no 'gamma'");
}

TEST(Registry, AnOwnLearnerIsPlayedSavedAndLoaded) {
  const Registry registry = with_favourite();
  Model model = new_model("favourite", {}, {.classes = 3}, 1, registry);
  EXPECT_EQ(model.feedback(), "bandit");
  Block block;
  for (int i = 0; i < 300; ++i) block.append({}, i % 10 == 0 ? 0 : 2);
  play(block, model, [](const Played&) {});
  EXPECT_LT(model.tally.mistakes, 120);
  EXPECT_EQ(Decider(model).decide("e", Features{}).greedy_index, 2);

  const std::string bytes = write_model(model);
  Model back = read_model(bytes, registry);
  EXPECT_EQ(write_model(back), bytes);
  play(block, model, [](const Played&) {});
  play(block, back, [](const Played&) {});
  EXPECT_EQ(write_model(back), write_model(model));
  EXPECT_THAT(refusal([&] { read_model(bytes); }, ErrorKind::kInput),
              HasSubstr("its learner 'favourite' is not in the registry"));
}

}  // namespace
}  // namespace soba
