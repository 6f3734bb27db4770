#include "evaluate/policies.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/bytes/text.h"
#include "evaluate/named_x.h"

namespace soba {

namespace {

// One label with certainty, by its name; one that is no label of the log has the number of none.
double certainly(const Case& now, std::string_view label, std::span<double> all) {
  std::fill(all.begin(), all.end(), 0.0);
  if (const auto a = now.labels.find(label); a && static_cast<std::size_t>(*a) < all.size()) {
    all[static_cast<std::size_t>(*a)] = 1;
  }
  return label == now.row.label ? 1 : 0;
}

class NamedPolicy : public Policy {
 public:
  explicit NamedPolicy(std::size_t place) : place_(place) {}

  double play(const Case& now, std::span<double> all) override {
    const LoggedPolicy& play = now.row.policies[place_];
    if (play.probability) return *play.probability;
    if (play.label) return certainly(now, *play.label, all);
    now.log.refuse("policies", fmt::format("expected what the policy {} plays, under \"policies\"",
                                           shown(name)));
  }
  bool whole() const override { return false; }

 private:
  std::size_t place_;
};

class GreedyPolicy : public Policy {
 public:
  double play(const Case& now, std::span<double> all) override {
    if (now.row.greedy) return certainly(now, *now.row.greedy, all);
    now.log.refuse("greedy", "expected the label with the highest score under \"greedy\"");
  }
};

class ConstantPolicy : public Policy {
 public:
  explicit ConstantPolicy(std::string label) : label_(std::move(label)) {}

  double play(const Case& now, std::span<double> all) override {
    const auto a = now.labels.find(label_);
    if (!now.allowed.empty() &&
        (!a || !std::binary_search(now.allowed.begin(), now.allowed.end(), *a))) {
      now.log.refuse("labels",
                     fmt::format("the label {} is not allowed here, so it is not a policy "
                                 "to play it always",
                                 shown(label_)));
    }
    return certainly(now, label_, all);
  }

 private:
  std::string label_;
};

class UniformPolicy : public Policy {
 public:
  double play(const Case& now, std::span<double> all) override {
    const bool free = now.allowed.empty();
    const double p = 1 / static_cast<double>(free ? static_cast<std::size_t>(now.labels.size())
                                                  : now.allowed.size());
    std::fill(all.begin(), all.end(), free ? p : 0.0);
    if (!all.empty()) {
      for (const Label a : now.allowed) all[static_cast<std::size_t>(a)] = p;
    }
    return p;
  }
};

class ModelPolicy : public Policy {
 public:
  ModelPolicy(const std::string& path, bool greedy)
      : model_(load_model(path)),
        x_(model_.schema),
        play_(predictor(model_.learner)),
        greedy_(greedy) {}

  double play(const Case& now, std::span<double> all) override {
    const NameMap& own = model_.schema.labels;
    allowed_.clear();
    for (const Label a : now.allowed) {
      if (const auto b = own.find(now.labels.name(a))) allowed_.push_back(*b);
    }
    std::sort(allowed_.begin(), allowed_.end());
    if (!now.allowed.empty() && allowed_.empty()) {
      now.log.refuse("labels", "the model knows none of these labels");
    }
    const Features x = x_.read(now.row, now.log);
    const auto p =
        play_.distribution(predictor(model_.learner), x, model_.tally.rounds + 1, allowed_);
    const auto of = [&](std::string_view label) -> double {
      const auto b = own.find(label);
      if (!b) return 0;
      return greedy_ ? *b == play_.greedy() : p[static_cast<std::size_t>(*b)];
    };
    for (std::size_t a = 0; a < all.size(); ++a) {
      all[a] = of(now.labels.name(static_cast<Label>(a)));
    }
    return of(now.row.label);
  }

 private:
  Model model_;
  NamedX x_;
  Play play_;
  bool greedy_;
  std::vector<Label> allowed_;
};

std::unique_ptr<Policy> called(std::unique_ptr<Policy> policy, std::string name) {
  policy->name = std::move(name);
  return policy;
}

}  // namespace

Play::Play(const Predictor& learner) {
  p_.resize(static_cast<std::size_t>(learner.shape().classes));
  out_.resize(p_.size() + learner.workings());
}

std::span<const double> Play::distribution(const Predictor& learner, const Features& x,
                                           std::int64_t round, std::span<const Label> allowed) {
  learner.scores(x, out_);
  if (allowed.empty()) {
    greedy_ = argmax(scores());
    soba::distribution(learner.exploration({round, scores(), greedy_}), scores(), p_);
    return p_;
  }
  part_.clear();
  for (const Label a : allowed) part_.push_back(scores()[static_cast<std::size_t>(a)]);
  part_p_.resize(part_.size());
  greedy_ = allowed[static_cast<std::size_t>(argmax(part_))];
  soba::distribution(learner.exploration({round, scores(), greedy_, allowed}), part_, part_p_);
  std::fill(p_.begin(), p_.end(), 0.0);
  for (std::size_t i = 0; i < allowed.size(); ++i)
    p_[static_cast<std::size_t>(allowed[i])] = part_p_[i];
  return p_;
}

std::unique_ptr<Policy> named_policy(const std::string& name, std::size_t place) {
  return called(std::make_unique<NamedPolicy>(place), name);
}
std::unique_ptr<Policy> greedy_policy() {
  return called(std::make_unique<GreedyPolicy>(), "greedy");
}
std::unique_ptr<Policy> constant_policy(const std::string& label) {
  return called(std::make_unique<ConstantPolicy>(label), "constant " + label);
}
std::unique_ptr<Policy> uniform_policy() {
  return called(std::make_unique<UniformPolicy>(), "uniform");
}
std::unique_ptr<Policy> model_policy(const std::string& path, bool greedy) {
  return called(std::make_unique<ModelPolicy>(path, greedy), path + (greedy ? ", greedy" : ""));
}

}  // namespace soba
