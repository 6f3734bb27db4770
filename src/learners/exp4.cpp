#include "learners/exp4.h"

#include <algorithm>
#include <array>

#include "learners/entry.h"
#include "learners/mixture.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 2> kAdvice = {"greedy", "distribution"};

constexpr std::array<Field<Exp4Options>, 4> kFields = {{
    {.name = "members",
     .member = &Exp4Options::members,
     .help = "the bandit learners to mix, each with its default options",
     .check = [](std::string_view option, std::string_view text) { parse_members(option, text); },
     .form = "names, separated by commas"},
    {.name = "advice",
     .member = &Exp4Options::advice,
     .help = "what a member asks to play: its greedy label, or its own distribution",
     .choices = kAdvice},
    {.name = "gamma",
     .member = &Exp4Options::gamma,
     .help = "exploration rate: the share of rounds that play a uniformly random label",
     .min = 0,
     .max = 1,
     .live = true},
    {.name = "eta",
     .member = &Exp4Options::eta,
     .help = "how fast losses cost a member its weight; 0 = adapted to how far losses differ",
     .min = 0},
}};

// What all members are at ease with.
Norms member_norms(const OptionValues& values) {
  Norms all;
  for (const Mixture::Member& member : parse_members("members", values.at("members"))) {
    if (member.choice.info->norms == nullptr) continue;
    const Norms its = member.choice.info->norms(member.choice.options);
    all.min = std::max(all.min, its.min);
    all.max = std::min(all.max, its.max);
  }
  return all;
}

}  // namespace

LearnerInfo exp4_info() {
  return with_options<Exp4Options>(
      {
          .name = "exp4",
          .summary = "a mixture of other learners that follows the best of them",
          .feedback = "bandit",
          .explores = "uniformly at the rate gamma, and where its members disagree",
          .guarantee = "adversarial, relative to the advice that its N members gave in its "
                       "company: O(√(kT·ln N)) + γT mistakes more than the best of them, less "
                       "where they agree",
          .cost = "that of all members together",
          .input = "what its members want",
          .norms = member_norms,
          .about = "Every member says what it would play; the mixture draws among the answers by "
                   "the members' weights, and all members learn from what was played. A member "
                   "that asks for wrong labels soon loses its weight.",
          .use = "Where it is not known which learner suits the data: it ends up near the best "
                 "member, and a learner that explores badly by itself, as SOBA does, learns from "
                 "what the others find. A gamma of 0 is fine with members that learn from wrong "
                 "guesses.",
          .alone = "it is a mixture itself",
          .deviations =
              "The members learn while they advise, from the rounds of the mixture; eta adapts "
              "to the losses seen instead of being set from the horizon; of labels that tie in a "
              "member's scores each gets its share of the advice.",
          .reference = "P. Auer, N. Cesa-Bianchi, Y. Freund, R. E. Schapire, \"The Nonstochastic "
                       "Multiarmed Bandit Problem\", SIAM J. Computing 32(1), 2002",
      },
      kFields, make_exp4);
}

std::unique_ptr<Learner> make_exp4(Shape shape, const Exp4Options& options) {
  MixtureSettings settings{.gamma = options.gamma};
  if (options.advice == "distribution") settings.advice = MixtureSettings::Advice::kDistribution;
  if (options.eta > 0) settings.eta = options.eta;
  return std::make_unique<Mixture>(shape, parse_members("members", options.members), settings);
}

}  // namespace soba
