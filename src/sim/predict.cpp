#include "soba/predict.h"

#include <vector>

#include "soba/explore.h"
#include "soba/learner.h"

namespace soba {

void predict(const Model& model, const Block& block, Forecast forecast, const OnForecast& on_row,
             std::span<const Label> given) {
  const Predictor& learner = predictor(model.learner);
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  std::vector<double> out(k + learner.workings()), probabilities;
  const std::span<const double> scores = std::span(out).first(k);
  const std::vector<Label> in_use = given.empty() ? allowed_labels(model) : std::vector<Label>();
  const std::span<const Label> allowed = given.empty() ? in_use : given;
  if (forecast == Forecast::kProbabilities) probabilities.resize(k);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Features x = block.features(i);
    learner.scores(x, out);
    if (!allowed.empty()) learner.restrict_to(allowed, x, out);
    const Label greedy = argmax(scores);
    if (forecast == Forecast::kProbabilities) {
      const Moment now{
          .round = model.tally.rounds + 1, .scores = scores, .greedy = greedy, .allowed = allowed};
      distribution(learner.exploration(now), scores, probabilities, allowed);
    }
    on_row(greedy, forecast == Forecast::kScores ? scores : std::span<const double>(probabilities));
  }
}

}  // namespace soba
