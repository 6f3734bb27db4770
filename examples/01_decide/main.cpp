// Routes support tickets to one of three teams, learning only from whether a ticket bounced back.
// Teams and words are numbers here; 02_named_features has names.
#include <soba/decide.h>
#include <soba/error.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

// The world, which the learner never sees: words about money go to team 0, about the network to 1.
int right_team(const std::vector<soba::Index>& words) {
  return words[0] < 5 ? 0 : words[0] < 10 ? 1 : 2;
}

}  // namespace

int main() try {
  // Exploration fixed at 5 %; features are discovered on the way.
  soba::Model model = soba::new_model("soba", {{"gamma", "0.05"}}, {.classes = 3}, /*seed=*/1);
  soba::Decider decider(model);
  const std::vector<double> present = {1, 1};
  int bounced = 0;
  for (int ticket = 0; ticket < 3000; ++ticket) {
    const std::vector<soba::Index> words = {ticket * 7 % 15, 15 + ticket % 4};
    const std::string id = "ticket-" + std::to_string(ticket);
    const soba::Decision decision = decider.decide(id, {.index = words, .value = present});
    const bool correct = decision.index == right_team(words);
    if (ticket >= 2000) bounced += !correct;
    decider.feedback(id, correct);
  }
  soba::save_model(model, "tickets.model");
  const soba::Model again = soba::load_model("tickets.model");
  std::printf("%d of the last 1000 tickets bounced; %lld decisions are in the model file\n",
              bounced, static_cast<long long>(again.tally.rounds));
  return bounced < 150 ? 0 : 1;
} catch (const soba::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
