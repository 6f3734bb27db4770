// Which theorems are about a learner with its options, and what each asks of a run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "soba/lab/theory.h"
#include "theory/bounds.h"

namespace soba::theory {

// A run and a competitor, as a bound sees them.
struct Look {
  Game game;
  const Observation& seen;
  double norm, longest;  // of U
  double eta;            // or q
  double loss;           // of U, as the rule says
};

struct Rule {
  enum class Loss { kEta, kPower, kHinge, kLogistic };
  std::string theorem, about;
  Loss loss = Loss::kEta;
  std::function<Terms(const Look&)> terms;
  double fixed_eta = 0;  // the one η of the rule; 0: any in its range
  bool every_run = false, order_only = false;
};

struct Rules {
  std::vector<Rule> all;
  std::vector<std::string> remarks;  // on what is not proved
  // How the run would go on: whether its exploration falls as 1/√T.
  bool falling_rate = false;
};

// `seen` tells what the state has; options are complete, and those of the run.
Rules rules_for(const std::string& learner, const OptionValues& options, const Observation& seen,
                const DataFacts& facts);

}  // namespace soba::theory
