#include "soba/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

#include "data/bytes/text.h"
#include "evaluate/audit.h"
#include "evaluate/decision_reader.h"
#include "evaluate/intervals.h"
#include "evaluate/learners.h"
#include "evaluate/policies.h"
#include "evaluate/results.h"
#include "evaluate/reward_model.h"
#include "soba/error.h"
#include "soba/model.h"

namespace soba {

namespace {

constexpr std::int64_t kFewest = 500;  // accepted rounds
// Times that a learner is played online, each with other acceptances: what it learns differs by
// points from one run to the next, and no interval of a single run knows of that.
constexpr std::size_t kRuns = 5;

constexpr const char* kFixed = "value of a fixed policy";
constexpr const char* kOnline = "what the learner would have earned had it been deciding";
constexpr const char* kTrained = "how good a policy the log can teach";

// What is gathered of one policy.
struct Entry {
  std::unique_ptr<Policy> policy;
  TrainedLearner* trained = nullptr;  // the same, where it learns
  std::string save;
  Column column;
  DoublyRobust dr;
};

// 1/p and label of every decision, for constants that are chosen in hindsight.
struct Constants {
  Column inverse;
  std::vector<Label> labels;
};

std::vector<std::string> named(const std::vector<PolicyChoice>& choices) {
  std::vector<std::string> names;
  for (const PolicyChoice& choice : choices) {
    if (choice.kind == PolicyKind::kNamed) names.push_back(choice.name);
  }
  return names;
}

class Evaluator {
 public:
  Evaluator(const std::vector<std::string>& logs, const std::vector<PolicyChoice>& choices,
            const EvaluateOptions& options)
      : logs_(logs), choices_(choices), options_(options), wants_{named(choices), false} {
    check();
    for (const std::string& label : options.log.labels) {
      if (labels_.find(label)) {
        throw Error(ErrorKind::kUsage, "labels", fmt::format("'{}' is given twice", label));
      }
      labels_.add(label);
    }
    fixed_labels_ = labels_.size() > 0;
    const auto any = [&](auto... kinds) {
      return std::any_of(choices.begin(), choices.end(), [&](const PolicyChoice& choice) {
        return ((choice.kind == kinds) || ...);
      });
    };
    using enum PolicyKind;
    const bool whole = any(kModel, kGreedy, kConstant, kUniform, kTrained);
    doubly_robust_ = options.doubly_robust && whole;
    wants_.x = doubly_robust_ || any(kModel, kOnline, kTrained);
    const bool least_first = any(kOnline);
    if (least_first || (!fixed_labels_ && (wants_.x || any(kUniform)))) scan(least_first);
    make_policies();
  }

  Evaluation run() {
    DecisionReader log(logs_, options_.log, wants_);
    while (const LogRow* row = log.next()) take(*row, *row->correct, log);
    if (options_.log.no_answer_is_wrong) {
      log.for_each_open([&](const LogRow& row) { take(row, false, log); });
    } else {
      log.for_each_open([&](const LogRow& row) { auditor_.unanswered(row.probability); });
    }
    if (own_.count() == 0) {
      throw Error(ErrorKind::kInput, fmt::format("{}: no decision has an answer", logs_.front()));
    }
    Evaluation out;
    out.confidence = options_.confidence;
    out.audit = auditor_.audit(labels_, allowed_ / own_.n(), log.counts());
    if (out.audit.refusals.empty()) results(out);
    return out;
  }

 private:
  void check() const {
    if (!(options_.confidence > 0 && options_.confidence < 1)) {
      throw Error(ErrorKind::kUsage, "confidence",
                  fmt::format("{:g} is out of range; expected a number above 0 and below 1",
                              options_.confidence));
    }
    const auto positive = [](const std::optional<double>& value, const char* option) {
      if (value && !(*value > 0 && std::isfinite(*value))) {
        throw Error(ErrorKind::kUsage, option,
                    fmt::format("{:g} is out of range; expected a number above 0", *value));
      }
    };
    positive(options_.clip, "clip");
    positive(options_.limit, "switch");
    positive(options_.max_weight, "max-weight");
  }

  // A first reading for what must be known before the first decision.
  void scan(bool least) {
    if (std::find(logs_.begin(), logs_.end(), "-") != logs_.end()) {
      throw Error(
          ErrorKind::kUsage,
          fmt::format("standard input can be read only once, and {} must be known first; {}",
                      least ? "its smallest probability" : "the labels",
                      least ? "give a file" : "option labels names them"));
    }
    DecisionReader log(logs_, options_.log, {});
    while (const LogRow* row = log.next_line()) {
      if (row->kind != LogRow::Kind::kDecision) continue;
      least_ = std::min(least_, row->probability);
      if (fixed_labels_) continue;
      labels_.add(row->label);
      for (const std::string_view label : row->allowed) labels_.add(label);
      for (const auto& [label, p] : row->distribution) labels_.add(label);
      if (row->greedy) labels_.add(*row->greedy);
    }
    fixed_labels_ = true;
  }

  void add(std::unique_ptr<Policy> policy) {
    entries_.push_back(
        {.policy = std::move(policy),
         .dr = DoublyRobust(options_.limit.value_or(std::numeric_limits<double>::infinity()))});
  }

  void make_policies() {
    std::size_t place = 0;
    if (doubly_robust_) model_.emplace(labels_.size());
    if (doubly_robust_) distribution_.resize(static_cast<std::size_t>(labels_.size()));
    for (const PolicyChoice& choice : choices_) {
      switch (choice.kind) {
        case PolicyKind::kNamed:
          add(named_policy(choice.name, place++));
          break;
        case PolicyKind::kModel:
          add(model_policy(choice.name, false));
          add(model_policy(choice.name, true));
          break;
        case PolicyKind::kGreedy:
          add(greedy_policy());
          break;
        case PolicyKind::kConstant:
          add(constant_policy(choice.name));
          break;
        case PolicyKind::kUniform:
          add(uniform_policy());
          break;
        case PolicyKind::kBestConstant:
          constants_.emplace();
          break;
        case PolicyKind::kOnline:
          for (std::size_t run = 0; run < kRuns; ++run) {
            online_.push_back(
                std::make_unique<OnlineLearner>(choice, labels_, options_.seed + run, least_));
          }
          break;
        case PolicyKind::kTrained: {
          auto learner = std::make_unique<TrainedLearner>(choice, labels_, options_.seed);
          TrainedLearner* const trained = learner.get();
          trained->name = choice.name + ", trained";
          add(std::move(learner));
          entries_.back().trained = trained;
          entries_.back().save = choice.save;
          break;
        }
      }
    }
  }

  Label number(std::string_view label, std::string_view key, const DecisionReader& log) {
    if (const auto found = labels_.find(label)) return *found;
    if (fixed_labels_) {
      log.refuse(key, fmt::format("unknown label {}; the labels are {}", shown(label),
                                  listing(labels_.names())));
    }
    if (labels_.size() == kMaxClasses) log.refuse(key, "too many labels");
    return labels_.add(label);
  }

  void take(const LogRow& row, bool correct, const DecisionReader& log) {
    const Label label = number(row.label, "label", log);
    allowed_labels_.clear();
    for (const std::string_view one : row.allowed)
      allowed_labels_.push_back(number(one, "labels", log));
    std::sort(allowed_labels_.begin(), allowed_labels_.end());
    if (!row.allowed.empty()) {
      if (!std::binary_search(allowed_labels_.begin(), allowed_labels_.end(), label)) {
        log.refuse("label", fmt::format("{} was played, but is not among the allowed labels",
                                        shown(row.label)));
      }
      if (std::adjacent_find(allowed_labels_.begin(), allowed_labels_.end()) !=
          allowed_labels_.end()) {
        log.refuse("labels", "a label is listed twice");
      }
      listed_ += static_cast<double>(allowed_labels_.size());
    } else {
      ++unlisted_;
    }
    const Case now{row, log, label, allowed_labels_, labels_};
    auditor_.answered(label, row.probability, correct);
    own_.push(1, correct);
    if (constants_) {
      constants_->inverse.push(1 / row.probability, correct);
      constants_->labels.push_back(label);
    }
    if (model_ && row.x.empty()) stop_doubly_robust();
    const auto q = model_ ? model_->predict(row, log) : std::span<const double>{};
    for (Entry& entry : entries_) {
      const bool dr = model_.has_value() && entry.policy->whole();
      const double weight =
          entry.policy->play(now, dr ? std::span(distribution_) : std::span<double>{}) /
          row.probability;
      if (dr) {
        double expected = 0;
        for (std::size_t a = 0; a < q.size(); ++a) expected += distribution_[a] * q[a];
        entry.dr.add(expected, q[static_cast<std::size_t>(label)], weight, correct);
      }
      entry.column.push(weight, correct);
      if (entry.trained != nullptr) entry.trained->take(now, correct);
    }
    if (model_) model_->learn(label, correct);
    for (const auto& learner : online_) learner->take(now, correct);
    allowed_ = listed_ + static_cast<double>(unlisted_) * labels_.size();
  }

  // A row without x has no prediction, and an estimate without all rows is none.
  void stop_doubly_robust() {
    model_.reset();
    for (Entry& entry : entries_) entry.dr = DoublyRobust(0);
  }

  void results(Evaluation& out) {
    PolicyResult own{.name = "log", .question = "what the log's own policy has earned"};
    describe(own_, nullptr, 1, own_options(), options_.confidence, own);
    own.verdict = "what was deployed";
    out.policies.push_back(std::move(own));
    for (Entry& entry : entries_) {
      PolicyResult found{.name = entry.policy->name,
                         .question = entry.trained != nullptr ? kTrained : kFixed};
      describe(entry.column, &entry.dr, auditor_.least(), options_, options_.confidence, found);
      compare_paired(entry.column, options_.confidence, found);
      out.policies.push_back(std::move(found));
      if (!entry.save.empty()) save_model(entry.trained->model(), entry.save);
    }
    if (constants_) best_constant(out);
    std::size_t i = 0;
    for (const PolicyChoice& choice : choices_) {
      if (choice.kind != PolicyKind::kOnline) continue;
      online(std::span(online_).subspan(i, kRuns), choice, out);
      i += kRuns;
    }
  }

  EvaluateOptions own_options() const {
    EvaluateOptions own = options_;
    own.clip.reset();
    own.max_weight.reset();
    return own;
  }

  // The constant with the best lower bound, where each has a share of the allowed error.
  void best_constant(Evaluation& out) {
    const double share = (1 - options_.confidence) / labels_.size();
    Label best = 0;
    double bound = -1;
    for (Label a = 0; a < labels_.size(); ++a) {
      const double lower = betting_lower(constant(a), Gain::kRight, share / 2, 1);
      if (lower > bound) best = a;
      bound = std::max(bound, lower);
    }
    const Column column = constant(best);
    PolicyResult found{.name = "best constant, " + labels_.name(best), .question = kFixed};
    describe(column, nullptr, auditor_.least(), options_, 1 - share, found);
    compare_paired(column, 1 - share, found);
    const std::string note = fmt::format("chosen from {} in hindsight: intervals at {:.4g} % each",
                                         counted(labels_.size(), "constant"), 100 * (1 - share));
    found.note = found.note.empty() ? note : note + "; " + found.note;
    out.policies.push_back(std::move(found));
  }

  Column constant(Label label) const {
    Column column;
    std::size_t i = 0;
    constants_->inverse.for_each([&](double inverse, bool correct) {
      column.push(constants_->labels[i++] == label ? inverse : 0, correct);
    });
    return column;
  }

  void online(std::span<const std::unique_ptr<OnlineLearner>> runs, const PolicyChoice& choice,
              Evaluation& out) const {
    PolicyResult found{.name = choice.name + ", online", .question = kOnline};
    std::int64_t accepted = 0, fewest = runs[0]->accepted();
    for (const auto& run : runs) {
      accepted += run->accepted();
      fewest = std::min(fewest, run->accepted());
    }
    accepted /= static_cast<std::int64_t>(runs.size());
    if (fewest < kFewest) {
      found.rounds = accepted;
      found.refused = fmt::format(
          "rejection sampling accepted {} of {} decisions, and fewer than {} say little of a "
          "learner that has only begun; log more, with more exploration{}",
          fewest, own_.count(), kFewest,
          choice.relaxed ? "" : ", or ask for the relaxed variant and its bias");
      out.policies.push_back(std::move(found));
      return;
    }
    const EvaluateOptions options = choice.relaxed ? options_ : own_options();
    describe(runs[0]->column(), nullptr, auditor_.least(), options, options_.confidence, found);
    average(runs, found);
    found.rounds = accepted;
    compare_to(own_.right() / own_.n(), found);
    found.note = choice.relaxed
                     ? fmt::format(
                           "relaxed: {} rounds, acceptance cut at 1 for the 5 % of decisions "
                           "with the smallest p/ν, which biases what was learnt; mean over "
                           "its policies by weights ν/p, of {} runs",
                           accepted, kRuns)
                     : fmt::format(
                           "its mean over its first {} rounds, which are distributed as "
                           "online; mean of {} runs, betting mixture on their answers, "
                           "widened by how the runs differ",
                           accepted, kRuns);
    out.policies.push_back(std::move(found));
  }

  // The mean of all runs, with the mean length of their intervals and the error of that mean.
  void average(std::span<const std::unique_ptr<OnlineLearner>> runs, PolicyResult& out) const {
    if (!out.refused.empty()) return;
    const auto n = static_cast<double>(runs.size());
    double mean = 0, squares = 0, below = 0, above = 0, error = 0;
    for (const auto& run : runs) {
      const double value = ips(run->column());
      const Interval one = betting_interval(run->column(), options_.confidence, {});
      const Interval delta = delta_interval(run->column(), options_.confidence);
      mean += value / n;
      squares += value * value / n;
      below += (value - one.lower) / n;
      above += (one.upper - value) / n;
      error += (delta.upper - delta.lower) / 2 / n;
    }
    const double spread = std::sqrt(std::max(0.0, squares - mean * mean) / (n - 1));
    const double wider = normal_quantile(options_.confidence) * spread;
    const auto within = [](double lower, double upper) {
      return Interval{std::max(0.0, lower), std::min(1.0, upper)};
    };
    out.ips = out.snips = out.cressie_read = mean;
    out.betting = within(mean - below - wider, mean + above + wider);
    out.delta = out.cressie_read_interval =
        within(mean - std::hypot(error, wider), mean + std::hypot(error, wider));
  }

  const std::vector<std::string>& logs_;
  const std::vector<PolicyChoice>& choices_;
  const EvaluateOptions& options_;
  LogWants wants_;
  NameMap labels_;
  bool fixed_labels_ = false, doubly_robust_ = false;
  double least_ = 1, allowed_ = 0, listed_ = 0;
  std::int64_t unlisted_ = 0;
  Auditor auditor_;
  Column own_;
  std::vector<Entry> entries_;
  std::optional<Constants> constants_;
  std::vector<std::unique_ptr<OnlineLearner>> online_;
  std::optional<RewardModel> model_;
  std::vector<double> distribution_;
  std::vector<Label> allowed_labels_;
};

}  // namespace

Evaluation evaluate(const std::vector<std::string>& logs, const std::vector<PolicyChoice>& policies,
                    const EvaluateOptions& options) {
  return Evaluator(logs, policies, options).run();
}

}  // namespace soba
