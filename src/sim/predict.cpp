#include "soba/predict.h"

#include <vector>

#include "soba/explore.h"
#include "soba/learner.h"

namespace soba {

void predict(const Model& model, const Block& block, Forecast forecast, const OnForecast& on_row) {
  const Predictor& learner = predictor(model.learner);
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  std::vector<double> out(k + learner.workings()), probabilities;
  const std::span<const double> scores = std::span(out).first(k);
  if (forecast == Forecast::kProbabilities) probabilities.resize(k);
  for (std::size_t i = 0; i < block.size(); ++i) {
    learner.scores(block.features(i), out);
    const Label greedy = argmax(scores);
    if (forecast == Forecast::kProbabilities) {
      const Moment now{.round = model.tally.rounds + 1, .scores = scores, .greedy = greedy};
      distribution(learner.exploration(now), scores, probabilities);
    }
    on_row(greedy, forecast == Forecast::kScores ? scores : std::span<const double>(probabilities));
  }
}

}  // namespace soba
