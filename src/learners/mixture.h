// A mixture of learners: each advises on what to play, the ones that lose less count more, and all
// of them learn from every round. exp4.h is this with members of the user's choice, auto.h with its
// own.
//
//   P. Auer, N. Cesa-Bianchi, Y. Freund, R. E. Schapire, "The Nonstochastic Multiarmed Bandit
//   Problem", SIAM J. Computing 32(1), 2002, section 7 (Exp4).
//
// With ξ^e the advice of member e, a distribution over the labels, and q_e its weight:
//   score_i = Σ_e q_e·ξ^e_i,   p_i = (1 − γ)·score_i + γ/k    (ProportionalMix)
//   ℓ_e = ξ^e_ỹ·(1 − c)/p − min_f ξ^f_ỹ·(1 − c)/p,   L_e += ℓ_e,   V += v = Σ_e q_e·ℓ_e²
//   q_e ∝ exp(−η·L_e),   η = √(ln N / V),  V starting at 1; or a fixed η.
// While the members agree V does not grow, η stays large, and one that goes astray loses its weight
// fast.
//
// What holds, for labels fixed beforehand and the adaptive η. Exponential weights with a falling
// η_t on losses ℓ >= 0 have Σ_t Σ_e q_e·ℓ_e − L_f <= ln N/η_T + Σ_t δ_t for every member f, where
// the mixability gap δ_t is at most η_t·v_t/2 (e^−x <= 1 − x + x²/2) and at most Σ_e q_e·ℓ_e <=
// 1/(1 − γ), as p_i >= (1 − γ)·Σ_e q_e·ξ^e_i. With η_t = √(ln N/V_{t−1}): rounds with v_t <=
// V_{t−1} have Σ η_t·v_t/2 <= √(2·V_T·ln N); the others double V, so there are at most log₂ V_T of
// them. The cut by the minimum changes neither side, and unbiased estimates of mistakes remain.
// Hence, in expectation,
//   mistakes <= mistakes of member f's advice + (1 + √2)·√(V_T·ln N) + log₂(V_T)/(1 − γ) + Σ_t γ_t,
// and E[V_T] <= 1 + Σ_t k/(1 − γ_t): O(√(kT·ln N)) beyond the best member, and less where members
// agree. The advice is what the member gave in this company, from rounds that the mixture played;
// nothing is said about what it would have done alone.
//
// With a leader, a member whose own exploration stands (`auto` has one-vs-rest SOBA): where it
// leaves x open and would explore i at the rate e/(k·φ_i) (Unclaimed), so does the mixture, for its
// greedy label, too, and only the rest of the mass goes to the members' advice,
//   score_i = e/(k·φ_i) + (1 − Σ_j e/(k·φ_j))·Σ_e q_e·ξ^e_i.
// Members start with prior weights π_e, q_e ∝ π_e·exp(−η·L_e), and η = √(ln(1/min π)/V), V starting
// at V_0. The argument is the same but for this: the first term is ln(1/π_f)/η; in the T_B open
// rounds Σ_e q_e·ξ^e_i/p_i is at most 8k/(1 − γ) (where e > ½ by the first part of the score and φ
// <= 4, where e <= ½ by the second), which bounds a jump, and so E[V_T] <= V_0 + Σ_t k/(1 − γ_t) +
// 7k·E[T_B]/(1 − γ_1). In expectation
//   mistakes <= mistakes of f's advice + (1 + √2)·√(V_T·ln(1/min π)) + 8k·log₂(V_T)/(1 − γ) + Σ_t
//   γ_t
//               + Σ_open e_t.
// Claimed rounds of the leader are played with the mixture's probabilities: its own theorem does
// not carry over.
//
// State: the members', and N + 2 numbers. A round costs what those of the members cost together.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "soba/learner.h"
#include "soba/registry.h"

namespace soba {

struct MixtureSettings {
  enum class Advice {
    kGreedy,        // the label with the highest score
    kDistribution,  // what the member would play, its exploration included
  };
  Advice advice = Advice::kGreedy;
  double gamma = 0;
  bool decaying = false;              // γ_t = min(1, γ·√(k/t)) instead of γ
  double squares = 1;                 // where V starts, >= 1
  std::optional<double> eta;          // adaptive unless given
  std::optional<std::size_t> leader;  // the member whose own exploration stands
  std::vector<double> prior;          // of every member; equal ones where it is empty
};

class Mixture final : public Learner {
 public:
  struct Member {
    std::string name;      // no two members share one
    LearnerChoice choice;  // of a bandit learner
  };

  // Requires: one member or more.
  Mixture(Shape shape, std::vector<Member> members, const MixtureSettings& settings);

  Shape shape() const override;
  // For each member its advice, its scores and its workings.
  std::size_t workings() const override { return workings_; }
  void scores(const Features& x, std::span<double> out) const override;
  void restrict_to(std::span<const Label> allowed, const Features& x,
                   std::span<double> out) const override;
  // Those of the member that weighs most.
  std::string linear_scores(const Features& x, std::span<double> out) const override;
  Exploration exploration(const Moment& moment) const override;
  // The members and their weights.
  std::string remarks() const override;
  Index reserve(const Features& x) override;
  // `gamma` is the mixture's own, `memory` that of its members.
  void reconfigure(const OptionValues& options) override;
  Learned learn(const Round& round, bool correct) noexcept override;
  // Each member is charged what it gave to the wrong labels.
  Learned teach(const Round& round) noexcept override;
  bool teaches_others() const override { return true; }
  std::unique_ptr<Learner> with_classes(Label classes) const override;
  void visit(StateVisitor& visitor) override;

  // q_e of every member by its name.
  std::vector<std::pair<std::string, double>> weights() const;

 private:
  Mixture(const Mixture& other, Label classes);
  std::unique_ptr<Learner> make(const Member& member, Index features) const;
  void mix(std::span<const Label> allowed, std::span<double> out) const;
  void advise(const Learner& learner, const Moment& moment, std::span<double> advice) const;
  void lead(const Moment& moment, std::span<double> mixed) const;
  Learned learn(const Round& round, bool correct, bool labelled);
  bool charge(const Round& round, bool labelled);
  void limit_memory(const std::string& memory);  // of every member that has such an option
  void weigh();

  Label classes_;
  Index announced_;  // features, when it was made
  MixtureSettings settings_;
  std::vector<Member> members_;
  std::vector<std::unique_ptr<Learner>> learners_;
  std::size_t workings_ = 0;
  std::vector<double> losses_;   // L_e
  double squares_ = 1;           // V
  std::int64_t rounds_ = 0;      // that were answered
  std::vector<double> q_;        // follows from L and V
  std::vector<double> charged_;  // room for the ℓ_e of one round
};

// Members from their names or aliases, separated by commas. Each has its default options, but for
// those that `options` sets and it has. Throws Error{kUsage} naming the option where one cannot be
// a member.
std::vector<Mixture::Member> parse_members(std::string_view option, std::string_view text,
                                           const OptionValues& options = {});

}  // namespace soba
