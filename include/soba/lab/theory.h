// What is proved of a run: bounds on its mistakes, from the run itself and from linear competitors
// found in hindsight. docs/theory.md explains them.
//
//   Competitors found = find_competitors(source, settings_for(choice), {});
//   Observation seen = observe(source, model, found.facts.rounds);
//   Certificate certificate = certify(choice, {seen}, found);
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "soba/data.h"
#include "soba/model.h"
#include "soba/play.h"
#include "soba/registry.h"

namespace soba {

// A linear predictor U, and what it loses on all rounds.
struct Competitor {
  std::string loss;  // that it was fitted to: "eta", "one-vs-rest" or "logistic"
  bool one_vs_rest = false;
  double eta = 0, alpha = 0;  // of the family ℓ_η, and of the α-logistic loss (0: not measured)
  double weight = 0;  // C: it minimises about ½‖U‖² + C·Σ loss on the rounds of the fit,
  double gap = 0;     // and misses the least by this share at most
  double norm = 0, longest = 0;    // ‖U‖_F and the largest ‖u_i‖
  std::vector<double> weights;     // class i of feature j is at j·k + i
  std::array<double, 5> powers{};  // Σ [1 − m]_+^q at q = 1, 1.25, … 2, m the margin
  double logistic = 0;
  std::int64_t zero_one = 0;  // errors of its highest score
  // The first and the last of `powers` after the rounds of a curve.
  std::vector<std::array<double, 2>> curve = {};

  double eta_sum(double at) const;  // Σ ℓ_η, from the powers
  double value() const;             // Σ of the loss that it was fitted to
};

// Of the rounds that are bounded.
struct DataFacts {
  Shape shape;
  std::int64_t rounds = 0;
  double largest_norm = 0;            // X
  std::vector<std::int64_t> curve{};  // rounds at which curves have a point
};

struct CompetitorSettings {
  std::vector<double> etas = {0, 0.5, 1};  // the losses to fit
  int points = 6;                          // norms for each
  std::int64_t fit = 200'000;              // examples to fit to, the first ones; 0: all
  double gap = 1e-2;                       // see Competitor
  int epochs = 50;                         // for a fit
  bool one_vs_rest = false;                // that family instead of the multiclass one
  double ball = 0, alpha = 0;              // also each U within this norm, and this logistic loss
};
struct Competitors {
  DataFacts facts;
  std::vector<Competitor> all;
};
// What the theorems of this learner need.
CompetitorSettings settings_for(const LearnerChoice& choice);

// After each step: what is being done, and the share that is done. False gives up: what was fitted
// so far is returned.
using TheoryProgress = std::function<bool(const std::string& what, double done)>;
// Reads the source twice. Throws Error{kInput} where it holds no example, and as Source does.
Competitors find_competitors(Source& source, const CompetitorSettings& settings,
                             const TheoryProgress& progress);

// What a run showed, or the mean of several.
struct Observation {
  double rounds = 0, mistakes = 0, greedy_mistakes = 0;
  double rates = 0;                     // Σ γ_t
  double events = 0;                    // rounds that explored or learnt
  std::map<std::string, double> state;  // the learner's scalar fields, as the model file names them
  std::vector<Observation> curve = {};  // after some rounds

  static Observation mean(std::span<const Observation> runs);
};
// Plays the source with the model. `stop` may end it early.
Observation observe(Source& source, Model& model, const TheoryProgress& progress = {});
// Teaches the model the rounds of a trace, whose labels are those of its schema, instead of drawing
// them: the state is then that of the run that left the trace. Throws Error{kInput} where the trace
// is of other data or of another learner.
Observation replay(Source& source, Model& model, std::span<const Played> trace);
// Of a model whose run is over: rates and events are not known, and NaN.
Observation observe(const Model& model);

struct Bound {
  std::string theorem;  // its name in docs/theory.md
  std::string about;    // what it says, in words
  double eta = 0;       // q of theorem-1, α of newtron
  std::size_t competitor = 0;
  double competitor_loss = 0, regulariser = 0, quadratic = 0, exploration = 0;
  double total = 0;         // the sum of the four
  bool every_run = false;   // holds for each run, not only in expectation
  bool order_only = false;  // the constant of an O() was taken as 1: nothing is certified
  bool holds = false;       // the mean of the mistakes is not above it
  bool vacuous = false;     // it is not below the number of rounds
  double useful_from = 0;   // rounds from which it would not be, about; 0: none up to 10¹⁵
  std::vector<double> loss_curve{},
      curve{};  // the total at the rounds of the curve; empty for order_only
};

struct Certificate {
  std::string learner;
  OptionValues options;
  DataFacts facts;
  std::vector<Observation> runs;
  Observation mean;
  std::vector<Competitor> competitors;
  std::vector<Bound> bounds;         // the tightest of each theorem over competitors and η
  std::vector<std::string> remarks;  // what is not proved, and why
  std::size_t tightest = 0;          // of `bounds`; Requires: there are some that certify
  std::string verdict() const;       // in plain words
};
// Requires: runs of as many rounds as the competitors were measured on.
Certificate certify(const LearnerChoice& choice, std::vector<Observation> runs, Competitors found);

}  // namespace soba
