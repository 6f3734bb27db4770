#include "learners/auto.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "learners/entry.h"
#include "learners/mixture.h"
#include "learners/rescaled.h"

namespace soba {

namespace {

constexpr double kGamma = 0.2;  // in front of √(k/t)

constexpr std::array<Field<AutoOptions>, 4> kFields = {{
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
    {.name = "rescale",
     .member = &AutoOptions::rescale,
     .help = "divide features beyond 2^20, such as seconds since 1970, by a power of two",
     .version1 = "false"},
}};

// What a round costs, in those of diagonal SOBA on SynNonSep: measured (docs/results.md). A member
// with full matrices over d features costs 0.3 + d²/1700.
constexpr double kDiagonalCost = 1;
constexpr double kFullCost = 0.3, kFullCells = 1700;

bool is_adaptive(const Mixture::Member& member) {
  const auto covariance = member.choice.options.find("covariance");
  return covariance != member.choice.options.end() && covariance->second == "adaptive";
}

// The features up to which the budget pays for the full matrices of each adaptive member: of m such
// members, number i (from 0) keeps them while i + 1 of them and m − 1 − i diagonals are affordable.
std::vector<Index> full_features(std::span<const Mixture::Member> members, double budget) {
  const auto count = std::count_if(members.begin(), members.end(), is_adaptive);
  const double left = budget - kDiagonalCost * static_cast<double>(members.size() - count);
  std::vector<Index> most;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const double others = kDiagonalCost * static_cast<double>(count - 1 - i);
    const double cells = ((left - others) / static_cast<double>(i + 1) - kFullCost) * kFullCells;
    const double root = std::floor(std::sqrt(std::max(0.0, cells)));
    most.push_back(static_cast<Index>(std::min<double>(root, kMaxFeatures)));
  }
  return most;
}

std::vector<Mixture::Member> make_members(const AutoOptions& options) {
  std::vector<Mixture::Member> members =
      parse_members("members", options.members, {{"memory", to_text(options.memory)}});
  const std::vector<Index> most = full_features(members, options.budget);
  auto next = most.begin();
  for (Mixture::Member& member : members) {
    if (is_adaptive(member)) member.choice.options["full-features"] = std::to_string(*next++);
  }
  return members;
}

Settled settle_members(Shape /*shape*/, const OptionValues& values) {
  AutoOptions options = parse_options<AutoOptions>(kFields, values);
  if (options.members != "chosen") return {values, ""};
  options.members = "sobadiag";
  double left = options.budget - kDiagonalCost;
  for (const std::string_view name : {"bandit-arow-adaptive", "squarecb-adaptive"}) {
    if (left < kDiagonalCost) break;
    left -= kDiagonalCost;
    options.members += fmt::format(",{}", name);
  }
  OptionValues settled = values;
  settled["members"] = options.members;
  const std::vector<Index> most = full_features(make_members(options), options.budget);
  std::string reason = fmt::format("a budget of {} pays for {}", values.at("budget"),
                                   most.empty() ? "diagonal SOBA alone" : "full matrices");
  if (!most.empty()) reason += fmt::format(" up to {} features", fmt::join(most, " and "));
  return {settled, reason};
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
                   "Members are diagonal SOBA, Bandit-AROW and SquareCB. The latter two begin "
                   "with full matrices, and each hands over to diagonals before the features "
                   "that it has met outgrow the budget or the memory; so nothing depends on "
                   "whether the number of features is known beforehand. At the end a run names "
                   "the members, their weights and their forms.",
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
  auto mixture = std::make_unique<Mixture>(shape, make_members(options),
                                           MixtureSettings{.gamma = kGamma, .decaying = true});
  if (!options.rescale) return mixture;
  return std::make_unique<Rescaled>(std::move(mixture));
}

}  // namespace soba
