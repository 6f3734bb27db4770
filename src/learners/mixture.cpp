#include "learners/mixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>

#include "core/fields.h"
#include "learners/each_label.h"
#include "soba/error.h"

namespace soba {

namespace {

// Shows the fields of a member with its name in front, so that those of two members never collide.
class Prefixed final : public StateVisitor {
 public:
  Prefixed(std::string prefix, StateVisitor& visitor)
      : prefix_(std::move(prefix)), visitor_(visitor) {}

  bool loading() const override { return visitor_.loading(); }
  std::uint32_t version() const override { return visitor_.version(); }
  void field(std::string_view name, double& value) override { pass(name, value); }
  void field(std::string_view name, std::int64_t& value) override { pass(name, value); }
  void field(std::string_view name, std::string& value) override { pass(name, value); }
  void field(std::string_view name, std::vector<double>& value) override { pass(name, value); }
  void field(std::string_view name, std::vector<float>& value) override { pass(name, value); }
  void field(std::string_view name, std::vector<std::int32_t>& value) override {
    pass(name, value);
  }
  void field(std::string_view name, std::vector<std::int64_t>& value) override {
    pass(name, value);
  }
  void field(std::string_view name, std::vector<std::string>& value) override { pass(name, value); }
  void require(bool holds, std::string_view what) override { visitor_.require(holds, what); }

 private:
  template <class T>
  void pass(std::string_view name, T& value) {
    visitor_.field(prefix_ + std::string(name), value);
  }

  std::string prefix_;
  StateVisitor& visitor_;
};

// Takes the next numbers out of the workings, whether to read or to write them.
template <class T>
std::span<T> take(std::span<T>& rest, std::size_t count) {
  const std::span<T> taken = rest.first(count);
  rest = rest.subspan(count);
  return taken;
}

}  // namespace

Mixture::Mixture(Shape shape, std::vector<Member> members, const MixtureSettings& settings)
    : classes_(shape.classes),
      announced_(shape.features),
      settings_(settings),
      members_(std::move(members)) {
  assert(!members_.empty());
  const auto k = static_cast<std::size_t>(classes_);
  for (const Member& member : members_) {
    try {
      learners_.push_back(make(member, shape.features));
    } catch (const Error& error) {
      // Too many features for this member. In a file it may have met fewer than the others;
      // otherwise reserve() refuses them.
      if (error.kind() != ErrorKind::kResource) throw;
      learners_.push_back(make(member, 0));
    }
    workings_ += 2 * k + learners_.back()->workings();
  }
  assert(settings_.prior.empty() || settings_.prior.size() == members_.size());
  squares_ = settings_.squares;
  losses_.resize(members_.size());
  q_.resize(members_.size());
  charged_.resize(members_.size());
  weigh();
}

Mixture::Mixture(const Mixture& other, Label classes)
    : classes_(classes),
      announced_(other.announced_),
      settings_(other.settings_),
      members_(other.members_),
      losses_(other.losses_),
      squares_(other.squares_),
      rounds_(other.rounds_),
      q_(other.q_),
      charged_(other.charged_) {
  for (const auto& learner : other.learners_) {
    learners_.push_back(learner->with_classes(classes));
    workings_ += 2 * static_cast<std::size_t>(classes) + learners_.back()->workings();
  }
}

std::unique_ptr<Learner> Mixture::with_classes(Label classes) const {
  return std::unique_ptr<Mixture>(new Mixture(*this, classes));
}

std::unique_ptr<Learner> Mixture::make(const Member& member, Index features) const {
  return std::get<std::unique_ptr<Learner>>(make_learner(member.choice, {classes_, features}));
}

Shape Mixture::shape() const {
  Index features = 0;
  for (const auto& learner : learners_) features = std::max(features, learner->shape().features);
  return {classes_, features};
}

// Labels that tie for the highest score get equal shares: which of them is the first says nothing.
void Mixture::advise(const Learner& learner, const Moment& moment, std::span<double> advice) const {
  const bool greedy = settings_.advice == MixtureSettings::Advice::kGreedy;
  const std::span<const double> scores = moment.scores;
  distribution(greedy ? Exploration(Greedy{}) : learner.exploration(moment), scores, advice,
               moment.allowed);
  const double highest = scores[static_cast<std::size_t>(moment.greedy)];
  std::size_t ties = 0;
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] != highest) continue;
    ++ties;
    sum += advice[i];
  }
  if (ties < 2) return;
  const double share = (ties == moment.choices() ? 1 : sum) / static_cast<double>(ties);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] == highest) advice[i] = share;
  }
}

void Mixture::scores(const Features& x, std::span<double> out) const {
  const auto k = static_cast<std::size_t>(classes_);
  std::span<double> rest = out.subspan(k);
  for (const auto& learner : learners_) {
    take(rest, k);
    learner->scores(x, take(rest, k + learner->workings()));
  }
  mix({}, out);
}

void Mixture::restrict_to(std::span<const Label> allowed, const Features& x,
                          std::span<double> out) const {
  const auto k = static_cast<std::size_t>(classes_);
  std::span<double> rest = out.subspan(k);
  for (const auto& learner : learners_) {
    take(rest, k);
    learner->restrict_to(allowed, x, take(rest, k + learner->workings()));
  }
  mix(allowed, out);
}

std::string Mixture::linear_scores(const Features& x, std::span<double> out) const {
  const auto e = static_cast<std::size_t>(std::max_element(q_.begin(), q_.end()) - q_.begin());
  learners_[e]->linear_scores(x, out);
  return members_[e].name;
}

// From the members' scores in `out` to their advice and the mixture's own scores.
void Mixture::mix(std::span<const Label> allowed, std::span<double> out) const {
  const auto k = static_cast<std::size_t>(classes_);
  const std::span<double> mixed = take(out, k);
  std::fill(mixed.begin(), mixed.end(), 0.0);
  std::optional<Moment> led;
  for (std::size_t e = 0; e < learners_.size(); ++e) {
    const Learner& learner = *learners_[e];
    const std::span<double> advice = take(out, k);
    const std::span<const double> scores = take(out, k + learner.workings()).first(k);
    const Moment moment{rounds_ + 1, scores, argmax(scores), allowed};
    advise(learner, moment, advice);
    for (std::size_t i = 0; i < k; ++i) mixed[i] += q_[e] * advice[i];
    if (settings_.leader == e) led = moment;
  }
  if (led) lead(*led, mixed);
}

// Puts the leader's exploration beside what the members advise.
void Mixture::lead(const Moment& moment, std::span<double> mixed) const {
  const Exploration exploration = learners_[*settings_.leader]->exploration(moment);
  const auto* open = std::get_if<Unclaimed>(&exploration);
  if (open == nullptr) return;
  const double rate = open->rate / static_cast<double>(moment.choices());
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  double rest = 1;
  for (const double score : moment.scores) {
    if (score != kNever) rest -= rate / claim_share(score);
  }
  rest = std::max(0.0, rest);
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    if (moment.scores[i] == kNever) continue;
    mixed[i] = rate / claim_share(moment.scores[i]) + rest * mixed[i];
  }
}

// All members before any of them learns: one that is out of memory leaves the others as they are.
Index Mixture::reserve(const Features& x) {
  Index ready = std::numeric_limits<Index>::max();
  for (const auto& learner : learners_) ready = std::min(ready, learner->reserve(x));
  return ready;
}

Learned Mixture::learn(const Round& round, bool correct) noexcept {
  return learn(round, correct, false);
}

Learned Mixture::teach(const Round& round) noexcept { return learn(round, true, true); }

Learned Mixture::learn(const Round& round, bool correct, bool labelled) {
  ++rounds_;
  Learned learned{(labelled || !correct) && charge(round, labelled), std::nullopt};
  const auto k = static_cast<std::size_t>(classes_);
  std::span<const double> rest = round.workings;
  for (const auto& learner : learners_) {
    take(rest, k);
    const std::span<const double> scores = take(rest, k);
    const Round its{.x = round.x,
                    .scores = scores,
                    .workings = take(rest, learner->workings()),
                    .greedy = argmax(scores),
                    .played = round.played,
                    .probability = round.probability,
                    .allowed = round.allowed};
    join(learned, labelled ? learner->teach(its) : learner->learn(its, correct));
  }
  return learned;
}

// A wrong guess costs each member the share that it gave to it, over p; a label that is known, the
// share that it gave to others. Whether a weight changed.
bool Mixture::charge(const Round& round, bool labelled) {
  const auto k = static_cast<std::size_t>(classes_);
  const std::span<double> loss = charged_;
  double square = 0;
  std::span<const double> rest = round.workings;
  for (std::size_t e = 0; e < learners_.size(); ++e) {
    const double share = take(rest, k)[static_cast<std::size_t>(round.played)];
    loss[e] = labelled ? 1 - share : share / round.probability;
    take(rest, k + learners_[e]->workings());
  }
  const double least = *std::min_element(loss.begin(), loss.end());
  for (std::size_t e = 0; e < loss.size(); ++e) {
    loss[e] -= least;
    square += q_[e] * loss[e] * loss[e];
  }
  if (square == 0 || !std::isfinite(squares_ + square)) return false;
  for (std::size_t e = 0; e < loss.size(); ++e) losses_[e] += loss[e];
  squares_ += square;
  weigh();
  return true;
}

void Mixture::weigh() {
  const std::vector<double>& prior = settings_.prior;
  const double odds = prior.empty() ? static_cast<double>(losses_.size())
                                    : 1 / *std::min_element(prior.begin(), prior.end());
  const double eta = settings_.eta.value_or(std::sqrt(std::log(odds) / squares_));
  const double least = *std::min_element(losses_.begin(), losses_.end());
  double sum = 0;
  for (std::size_t e = 0; e < losses_.size(); ++e) {
    q_[e] = std::exp(-eta * (losses_[e] - least));
    if (!prior.empty()) q_[e] *= prior[e];
    sum += q_[e];
  }
  for (double& weight : q_) weight /= sum;
}

void Mixture::reconfigure(const OptionValues& options) {
  double gamma = settings_.gamma;
  if (const auto own = options.find("gamma"); own != options.end()) {
    gamma = read_number(own->second, {.min = 0, .max = 1}).value_or(gamma);
  }
  if (const auto memory = options.find("memory"); memory != options.end()) {
    limit_memory(memory->second);
  }
  settings_.gamma = gamma;
}

void Mixture::limit_memory(const std::string& memory) {
  std::vector<OptionValues> before, after;
  for (const Member& member : members_) {
    before.push_back(member.choice.options);
    after.push_back(member.choice.options);
    if (after.back().contains("memory")) after.back()["memory"] = memory;
  }
  std::size_t done = 0;
  try {
    for (; done < members_.size(); ++done) learners_[done]->reconfigure(after[done]);
  } catch (...) {
    while (done-- > 0) {
      try {
        learners_[done]->reconfigure(before[done]);
      } catch (const std::bad_alloc&) {
        // The limit of before fits; only the memory to take it back is lacking. The member keeps
        // the new one, and the first error is what counts.
      }
    }
    throw;
  }
  for (std::size_t e = 0; e < members_.size(); ++e) members_[e].choice.options.swap(after[e]);
}

void Mixture::visit(StateVisitor& visitor) {
  std::vector<std::string> names;
  std::vector<std::int64_t> features;
  for (std::size_t e = 0; e < members_.size(); ++e) {
    names.push_back(members_[e].name);
    features.push_back(learners_[e]->shape().features);
  }
  visitor.field("mixture.members", names);
  visitor.field("mixture.features", features);
  visitor.field("mixture.losses", losses_);
  visitor.field("mixture.squares", squares_);
  visitor.field("mixture.rounds", rounds_);
  const std::size_t count = members_.size();
  visitor.require(names.size() == count && features.size() == count && losses_.size() == count,
                  "there is a name, a number of features and a loss for each member");
  visitor.require(squares_ >= 1 && rounds_ >= 0 && rounds_ <= std::int64_t{1} << 62,
                  "the sum of squares and the rounds are possible");
  const Index most = std::max(announced_, shape().features);
  for (std::size_t e = 0; e < count; ++e) {
    visitor.require(names[e] == members_[e].name, "the members are those of the options");
    visitor.require(std::isfinite(losses_[e]) && losses_[e] >= 0, "every loss is finite, and >= 0");
    visitor.require(features[e] >= 0 && features[e] <= most,
                    "no member knows more features than all");
    // Members that met features at different times differ in size; a file restores each at its own.
    if (visitor.loading() && features[e] != learners_[e]->shape().features) {
      learners_[e] = make(members_[e], static_cast<Index>(features[e]));
    }
    Prefixed prefixed(names[e] + ".", visitor);
    learners_[e]->visit(prefixed);
  }
  if (visitor.loading()) weigh();
}

Exploration Mixture::exploration(const Moment& moment) const {
  const double root =
      std::sqrt(static_cast<double>(moment.choices()) / static_cast<double>(moment.round));
  return ProportionalMix{settings_.decaying ? std::min(1.0, settings_.gamma * root)
                                            : settings_.gamma};
}

std::string Mixture::remarks() const {
  std::vector<std::size_t> ranked(members_.size());
  std::iota(ranked.begin(), ranked.end(), std::size_t{0});
  std::stable_sort(ranked.begin(), ranked.end(),
                   [this](std::size_t a, std::size_t b) { return q_[a] > q_[b]; });
  std::vector<std::string> shares;
  shares.reserve(ranked.size());
  for (const std::size_t e : ranked) {
    const std::string form = learners_[e]->remarks();
    shares.push_back(fmt::format("{} {:.3f}{}", members_[e].name, q_[e],
                                 form.empty() ? "" : fmt::format(" ({})", form)));
  }
  return fmt::format("weights of the members: {}", fmt::join(shares, ", "));
}

std::vector<std::pair<std::string, double>> Mixture::weights() const {
  std::vector<std::pair<std::string, double>> named;
  for (std::size_t e = 0; e < members_.size(); ++e) named.emplace_back(members_[e].name, q_[e]);
  return named;
}

std::vector<Mixture::Member> parse_members(std::string_view option, std::string_view text,
                                           const OptionValues& options) {
  std::vector<Mixture::Member> members;
  const auto reject = [option](std::string_view name, std::string_view why) {
    throw Error(ErrorKind::kUsage,
                fmt::format("option '{}': '{}' cannot be a member: {}", option, name, why));
  };
  while (true) {
    const std::string name(text.substr(0, text.find(',')));
    const auto same = [&name](const Mixture::Member& member) { return member.name == name; };
    if (std::any_of(members.begin(), members.end(), same)) reject(name, "it is named twice");
    LearnerChoice choice = choose_learner(name, {});
    if (choice.info->feedback != "bandit") reject(name, "it must be told the label");
    if (!choice.info->alone.empty()) reject(name, choice.info->alone);
    for (const auto& [each, value] : options) {
      if (choice.options.contains(each)) choice.options[each] = value;
    }
    members.push_back({name, std::move(choice)});
    if (name.size() == text.size()) return members;
    text.remove_prefix(name.size() + 1);
  }
}

}  // namespace soba
