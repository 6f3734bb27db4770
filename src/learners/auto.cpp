#include "learners/auto.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "covariance/class_full.h"
#include "learners/entry.h"
#include "learners/mixture.h"

namespace soba {

namespace {

constexpr double kGamma = 0.2;  // in front of √(k/t)

constexpr std::array<Field<AutoOptions>, 3> kFields = {{
    {.name = "budget",
     .member = &AutoOptions::budget,
     .help = "time that a round may take, in those of diagonal SOBA on SynNonSep",
     .min = 1},
    {.name = "memory",
     .member = &AutoOptions::memory,
     .help = "MiB that the matrices of one member may take at most",
     .min = 1,
     .live = true},
    {.name = "members",
     .member = &AutoOptions::members,
     .help = "the learners to mix; 'chosen' leaves the choice to the budget",
     .check =
         [](std::string_view option, std::string_view text) {
           if (text != "chosen") parse_members(option, text);
         },
     .form = "names, separated by commas"},
}};

// What a round costs, in those of diagonal SOBA on SynNonSep: measured (docs/results.md).
constexpr double kDiagonalCost = 1;
double full_cost(Index features) {
  const double d = features;
  return 0.3 + d * d / 1700;
}

Settled settle_members(Shape shape, const OptionValues& values) {
  const AutoOptions options = parse_options<AutoOptions>(kFields, values);
  if (options.members != "chosen") return {values, ""};
  double left = options.budget - kDiagonalCost;
  std::vector<std::string> members = {"sobadiag"};
  const auto take = [&](std::string_view name, double cost) {
    if (cost > left) return false;
    members.emplace_back(name);
    left -= cost;
    return true;
  };
  const bool small = shape.features > 0 && FullClasses::bytes(shape) <= options.memory * 0x1p20;
  bool matrices = false;
  for (const std::string name : {"bandit-arow", "squarecb"}) {
    if (small && take(name + "-full", full_cost(shape.features))) {
      matrices = true;
    } else {
      take(name, kDiagonalCost);
    }
  }

  OptionValues settled = values;
  settled["members"] = fmt::format("{}", fmt::join(members, ","));
  const std::string known = shape.features == 0 ? "features not known beforehand"
                                                : fmt::format("{} features", shape.features);
  return {settled, fmt::format("members {}: {} and a budget of {} leave {}",
                               fmt::join(members, ", "), known, values.at("budget"),
                               matrices ? "room for full matrices" : "room for diagonals only")};
}

}  // namespace

LearnerInfo auto_info() {
  LearnerInfo info = with_options<AutoOptions>(
      {
          .name = "auto",
          .summary = "nothing to tune: a mixture of other learners, chosen by what they cost",
          .feedback = "bandit",
          .explores =
              "by itself: where its members disagree, and uniformly at a rate that falls as 1/√t",
          .guarantee = "adversarial, in expectation, relative to its N members: O(√(kT·ln N)) "
                       "mistakes more than the greedy labels that the best of them had in its "
                       "company",
          .cost = "that of its members together; the budget is an estimate for rounds like those "
                  "of SynNonSep",
          .input = "‖x‖ of about 1 or more: its members have a = r = 1",
          .about = "Every member says what it would play; the mixture draws among the answers by "
                   "the members' weights, and all members learn from what was played, with its "
                   "true probability. A member that asks for wrong labels soon loses its weight. "
                   "Members are diagonal SOBA, Bandit-AROW and SquareCB, the latter two with "
                   "full matrices where the number of features allows. At the end a run names "
                   "the members and their weights.",
          .use = "First choice where nothing is known of the data. Its probabilities are true "
                 "and never 0, so that its log can evaluate other policies.",
          .alone = "it is a mixture itself",
          .deviations = "There is no paper on it. It is Exp4 with members that learn, with a "
                        "rate that adapts to how far their losses differ, and with exploration "
                        "√(k/t)/5.",
          .reference = "P. Auer, N. Cesa-Bianchi, Y. Freund, R. E. Schapire, \"The Nonstochastic "
                       "Multiarmed Bandit Problem\", SIAM J. Computing 32(1), 2002, for Exp4",
      },
      kFields, make_auto);
  info.settle = settle_members;
  return info;
}

std::unique_ptr<Learner> make_auto(Shape shape, const AutoOptions& options) {
  return std::make_unique<Mixture>(
      shape, parse_members("members", options.members, {{"memory", to_text(options.memory)}}),
      MixtureSettings{.gamma = kGamma, .decaying = true});
}

}  // namespace soba
