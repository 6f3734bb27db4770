#include "learners/auto.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "learners/entry.h"
#include "learners/mixture.h"
#include "learners/rescaled.h"

namespace soba {

namespace {

// In front of √(k/t), by the rule.
constexpr double kGamma1 = 0.2, kGamma2 = 0.0025;
// Where V starts: the leader's prior weight outlasts a few unlucky rounds.
constexpr double kSquares2 = 300;
constexpr std::string_view kLeader = "soba-ovr";
constexpr double kOtherPrior = 0.005;  // of a member that does not lead
constexpr double kExactCells = 100;    // kd up to which SOBA is exact, for a unit of the budget
constexpr double kLeaderCost = 5;      // thousands of cells a round, for a unit of the budget

constexpr std::array<Field<AutoOptions>, 5> kFields = {{
    {.name = "rule",
     .member = &AutoOptions::rule,
     .help = "2: led by one-vs-rest SOBA; 1: the mixture of the first version",
     .min = 1,
     .max = 2,
     .version1 = "1"},
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

// Whether its form goes by the number of features.
bool is_adaptive(const Mixture::Member& member) {
  const OptionValues& options = member.choice.options;
  return options.contains("full-features") && options.at("covariance") == "adaptive";
}

// Whether it is SOBA, exact while kd is small.
bool is_soba(const Mixture::Member& member) {
  const OptionValues& options = member.choice.options;
  return options.contains("exact-cells") && options.at("covariance") == "adaptive";
}

bool leads(const Mixture::Member& member) { return member.name == kLeader; }

// The features up to which the budget pays for the full matrices of each adaptive member: of m such
// members, number i (from 0) keeps them while i + 1 of them and m − 1 − i diagonals are affordable.
std::vector<Index> full_features(std::span<const Mixture::Member> members, double budget) {
  const auto count = std::count_if(members.begin(), members.end(), is_adaptive);
  const auto others = static_cast<std::ptrdiff_t>(members.size()) - count;
  const double left = budget - kDiagonalCost * static_cast<double>(others);
  std::vector<Index> most;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const double diagonals = kDiagonalCost * static_cast<double>(count - 1 - i);
    const double cells = ((left - diagonals) / static_cast<double>(i + 1) - kFullCost) * kFullCells;
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
    if (is_soba(member)) {
      member.choice.options["exact-cells"] =
          fmt::format("{:.0f}", std::min(kExactCells * options.budget, 1e9));
    }
    if (leads(member)) member.choice.options["cost"] = to_text(kLeaderCost * options.budget);
  }
  return members;
}

// Under rule 1, as many as the budget pays for.
std::string chosen_members(const AutoOptions& options) {
  if (options.rule == 2) return fmt::format("{},soba-adaptive,bandit-arow-adaptive", kLeader);
  std::string members = "sobadiag";
  double left = options.budget - kDiagonalCost;
  for (const std::string_view name : {"bandit-arow-adaptive", "squarecb-adaptive"}) {
    if (left < kDiagonalCost) break;
    left -= kDiagonalCost;
    members += fmt::format(",{}", name);
  }
  return members;
}

Settled settle_members(Shape /*shape*/, const OptionValues& values) {
  AutoOptions options = parse_options<AutoOptions>(kFields, values);
  if (options.members != "chosen") return {values, ""};
  options.members = chosen_members(options);
  OptionValues settled = values;
  settled["members"] = options.members;
  const std::vector<Index> most = full_features(make_members(options), options.budget);
  std::string reason = fmt::format("a budget of {} pays for {}", values.at("budget"),
                                   most.empty() ? "diagonal SOBA alone" : "full matrices");
  if (!most.empty()) reason += fmt::format(" up to {} features", fmt::join(most, " and "));
  return {settled, options.rule == 2 ? "" : reason};
}

MixtureSettings mixture_settings(const AutoOptions& options,
                                 std::span<const Mixture::Member> members) {
  if (options.rule == 1) return {.gamma = kGamma1, .decaying = true};
  MixtureSettings settings{.gamma = kGamma2, .decaying = true, .squares = kSquares2};
  const auto leader = std::find_if(members.begin(), members.end(), leads);
  if (leader == members.end()) return settings;
  settings.leader = static_cast<std::size_t>(leader - members.begin());
  settings.prior.assign(members.size(), kOtherPrior);
  settings.prior[*settings.leader] = 1 - kOtherPrior * static_cast<double>(members.size() - 1);
  return settings;
}

}  // namespace

LearnerInfo auto_info() {
  LearnerInfo info = with_options<AutoOptions>(
      {
          .name = "auto",
          .summary = "nothing to tune: one-vs-rest SOBA, with others to take over",
          .feedback = "bandit",
          .explores = "by itself: where no class claims x, where its members disagree, and "
                      "uniformly at a rate that falls as 1/√t",
          .guarantee = "adversarial, in expectation, relative to its members: O(√(kT)) mistakes "
                       "more than the greedy labels that the best of them had in its company, "
                       "and the exploration of its leader; while classes times features are at "
                       "most 600, also Õ(√T) beyond the loss of any competitor, as exact SOBA is "
                       "one of them",
          .cost = "that of its members together: about five times diagonal SOBA on SynNonSep; "
                  "more with full matrices, up to what the budget allows",
          .input =
              "any scale with full matrices, that is, up to a few hundred features; beyond them "
              "the scale of the features counts, as text wants",
          .scale_free = ScaleFree::kEachFeature,
          .about =
              "One-vs-rest SOBA leads. Beside it SOBA, exact up to 600 classes times "
              "features, and Bandit-AROW say what they would play. The mixture draws among the "
              "answers by the members' weights, of which the leader has 0.99 at first, and all "
              "members learn from what was "
              "played, with its true probability. A member that asks for wrong labels loses "
              "its weight to those that do not. Where the leader leaves an example "
              "unclaimed, its exploration stands. Full matrices hand over to diagonals "
              "before they outgrow the budget or the memory, by what they have met and "
              "not by what was announced. At the end a run names the members, their weights "
              "and their forms. Rule 1 is the mixture of the first version: diagonal SOBA, "
              "Bandit-AROW and SquareCB, with equal weights and eighty times the uniform "
              "exploration; models of that version keep it.",
          .use = "First choice where nothing is known of the data. Its probabilities are true "
                 "and never 0, so that its log can evaluate other policies.",
          .alone = "it is a mixture itself",
          .deviations = "There is no paper on it. It is Exp4 with members that learn, with a "
                        "rate that adapts to how far their losses differ, prior weights, a "
                        "leader whose own exploration stands, and uniform exploration √(k/t)/400.",
          .reference = "P. Auer, N. Cesa-Bianchi, Y. Freund, R. E. Schapire, \"The Nonstochastic "
                       "Multiarmed Bandit Problem\", SIAM J. Computing 32(1), 2002, for Exp4",
      },
      kFields, make_auto);
  info.settle = settle_members;
  return info;
}

std::unique_ptr<Learner> make_auto(Shape shape, const AutoOptions& options) {
  std::vector<Mixture::Member> members = make_members(options);
  const MixtureSettings settings = mixture_settings(options, members);
  auto mixture = std::make_unique<Mixture>(shape, std::move(members), settings);
  if (!options.rescale) return mixture;
  return std::make_unique<Rescaled>(std::move(mixture));
}

}  // namespace soba
