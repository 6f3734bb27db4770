#include "model/answer.h"

#include <numeric>

#include "soba/explore.h"

namespace soba {

bool learn_answer(Model& model, std::string_view id, bool correct, std::span<double> out,
                  const std::function<void()>& record) {
  const Pending* const decision = model.pending.find(id);
  if (decision == nullptr) return false;
  Learner& learner = *std::get<std::unique_ptr<Learner>>(model.learner);
  const Features x{decision->index, decision->value};
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  std::vector<Label> allowed = decision->allowed;
  if (allowed.empty() && decision->classes < learner.shape().classes) {
    allowed.resize(static_cast<std::size_t>(decision->classes));
    std::iota(allowed.begin(), allowed.end(), 0);
  }
  learner.scores(x, out);
  if (!allowed.empty()) learner.restrict_to(allowed, x, out);
  const std::span<const double> scores = out.first(k);
  learner.reserve(x);
  if (record) record();  // the last that may throw: until here nothing has changed
  const Learned learned = learner.learn(
      {x, scores, out.subspan(k), argmax(scores), decision->played, decision->probability, allowed},
      correct);
  model.position.reset();  // it is no longer where its latest run left it
  ++model.tally.answers;
  model.tally.mistakes += !correct;
  model.tally.updates += learned.updated;
  model.tally.skipped += learned.skipped;
  model.pending.remove(id);
  return true;
}

}  // namespace soba
