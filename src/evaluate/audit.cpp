#include "evaluate/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/bytes/text.h"
#include "evaluate/estimators.h"

namespace soba {

namespace {

// Errors beyond which chance is no explanation.
constexpr double kRefuse = 5, kWarn = 4;

// The mean of something that is zero but for `count` of n times, and its standard error.
std::pair<double, double> mean_and_error(double sum, double squares, double n) {
  const double mean = sum / n;
  return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / n)};
}

}  // namespace

void Auditor::answered(Label label, double p, bool correct) {
  const auto at = static_cast<std::size_t>(label);
  if (at >= by_label_.size()) by_label_.resize(at + 1);
  const double inverse = 1 / p;
  for (Inverse* one : {&by_label_[at], &all_}) {
    ++one->count;
    one->sum += inverse;
    one->squares += inverse * inverse;
  }
  right_ += correct;
  certain_ += p == 1;
  least_ = std::min(least_, p);
  p_answered_ += p;
  pp_answered_ += p * p;
}

Audit Auditor::audit(const NameMap& labels, double allowed, const LogCounts& counts) const {
  Audit out;
  out.decisions = counts.decisions;
  out.answered = all_.count;
  out.right = right_;
  out.stray_answers = counts.stray_answers;
  out.forgotten = counts.forgotten;
  out.bad_lines = counts.bad_lines;
  out.first_bad = counts.first_bad;
  out.labels = labels.size();
  out.min_probability = least_;
  const auto n = static_cast<double>(all_.count);
  out.certain = static_cast<double>(certain_) / n;
  std::tie(out.mean_inverse, out.mean_inverse_error) = mean_and_error(all_.sum, all_.squares, n);
  out.probability_answered = p_answered_ / n;
  if (unanswered_ > 0)
    out.probability_unanswered = p_unanswered_ / static_cast<double>(unanswered_);
  for (Label a = 0; a < labels.size(); ++a) {
    const auto at = static_cast<std::size_t>(a);
    const Inverse one = at < by_label_.size() ? by_label_[at] : Inverse{};
    const auto [mean, error] = mean_and_error(one.sum, one.squares, n);
    out.by_label.push_back({labels.name(a), one.count, mean, error});
  }

  if (certain_ == all_.count) {
    out.refusals.push_back(
        "every label was played with probability 1: a log without exploration says nothing of what "
        "any other label would have earned; log decisions that were drawn, with their "
        "probabilities");
    return out;
  }
  const double above = out.mean_inverse - allowed;
  // In a small log what was seen says too little of its own error: E(1/p²) is at most k/p_min.
  const double error = std::max(out.mean_inverse_error, std::sqrt(allowed / (least_ * n)));
  if (above > kRefuse * error) {
    out.refusals.push_back(fmt::format(
        "the mean of 1/probability is {:.4g} ± {:.2g}, and cannot be above {:.4g}, the number of "
        "labels: these are not the probabilities with which the labels were drawn",
        out.mean_inverse, out.mean_inverse_error, allowed));
  } else if (-above > kWarn * error) {
    out.warnings.push_back(fmt::format(
        "the mean of 1/probability is {:.4g} ± {:.2g}, below {:.4g}, the number of labels: some "
        "labels could not be played at times, so policies that play them there are not covered",
        out.mean_inverse, out.mean_inverse_error, allowed));
  }
  for (const LabelAudit& one : out.by_label) {
    if (one.inverse - 1 > kRefuse * std::max(one.inverse_error, std::sqrt(1 / (least_ * n)))) {
      out.refusals.push_back(fmt::format(
          "label {} was played more often than its probabilities allow: the mean of 1/probability "
          "over its decisions is {:.4g} ± {:.2g}, and cannot be above 1",
          shown(one.label), one.inverse, one.inverse_error));
    }
  }
  if (out.certain > 0) {
    out.warnings.push_back(fmt::format(
        "{:.3g} % of the decisions had probability 1: no other label was possible there",
        100 * out.certain));
  }
  if (unanswered_ > 0) {
    const double spread = std::sqrt(
        std::max(0.0, pp_answered_ / n - out.probability_answered * out.probability_answered));
    const double gap = spread * std::sqrt(1 / n + 1 / static_cast<double>(unanswered_));
    const bool differ =
        std::fabs(out.probability_answered - out.probability_unanswered) > kWarn * gap;
    out.warnings.push_back(fmt::format(
        "{} have no answer and are left out{}", counted(unanswered_, "decision"),
        differ ? fmt::format("; they differ from those that have one (mean probability {:.4g}, not "
                             "{:.4g}), so the numbers are about the answered ones only",
                             out.probability_unanswered, out.probability_answered)
               : ""));
  }
  if (counts.stray_answers > 0) {
    out.warnings.push_back(
        fmt::format("{} without an open decision: repeated, before it, or "
                    "unknown; left out",
                    counted(counts.stray_answers, "answer")));
  }
  return out;
}

std::string weight_refusal(const Column& column, double least) {
  const double n = column.n(), mean = column.w() / n, error = weight_error(column);
  // In a small log what was seen says too little of its own error: E(w²) is at most the largest w.
  if (mean - 1 > kRefuse * std::max(error, std::sqrt(column.largest() / n))) {
    return fmt::format(
        "its mean weight is {:.4g} ± {:.2g} and should be 1: its probabilities, or "
        "those of the log, are wrong",
        mean, error);
  }
  // Few large weights may just not have come: a weight is at most 1/p.
  if (1 - mean > kRefuse * std::max(error, std::sqrt(1 / (least * n)))) {
    return fmt::format(
        "its mean weight is {:.4g} ± {:.2g} and should be 1: it plays labels where "
        "the log could not play them",
        mean, error);
  }
  return "";
}

}  // namespace soba
