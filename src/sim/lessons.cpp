#include "soba/lessons.h"

#include <fmt/format.h>

#include <vector>

#include "soba/error.h"
#include "soba/explore.h"

namespace soba {

namespace {

void check(const Block& block, std::span<const double> probability, Label classes) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (!(probability[i] > 0 && probability[i] <= 1)) {
      throw Error(ErrorKind::kInput, "probability",
                  fmt::format("{} is not in (0, 1]", probability[i]));
    }
    if (!(block.label[i] >= 0 && block.label[i] < classes)) {
      throw Error(ErrorKind::kInput, fmt::format("label number {} is none of the model's {}",
                                                 block.label[i], classes));
    }
  }
}

}  // namespace

void learn_lessons(const Block& block, std::span<const bool> correct,
                   std::span<const double> probability, Model& model) {
  auto* const held = std::get_if<std::unique_ptr<Learner>>(&model.learner);
  if (held == nullptr) {
    throw Error(ErrorKind::kUsage,
                fmt::format("learner '{}' must be told the true label, so it cannot learn from "
                            "answers; choose one with bandit feedback",
                            model.learner_name));
  }
  Learner& learner = **held;
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  check(block, probability, learner.shape().classes);
  model.position.reset();  // it is no longer where its latest run left it
  std::vector<double> out(k + learner.workings());
  const std::span<const double> scores = std::span(out).first(k);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Features x = block.features(i);
    learner.reserve(x);
    learner.scores(x, out);
    const Learned learned = learner.learn({.x = x,
                                           .scores = scores,
                                           .workings = std::span(out).subspan(k),
                                           .greedy = argmax(scores),
                                           .played = block.label[i],
                                           .probability = probability[i]},
                                          correct[i]);
    ++model.tally.rounds;
    ++model.tally.answers;
    model.tally.mistakes += !correct[i];
    model.tally.updates += learned.updated;
    model.tally.skipped += learned.skipped;
  }
}

}  // namespace soba
