#include "evaluate/results.h"

#include <fmt/format.h>

#include <cmath>

#include "evaluate/audit.h"
#include "evaluate/intervals.h"

namespace soba {

namespace {

constexpr int kLowest = -9, kHighest = 20;  // powers of two that bound bins of weights
constexpr std::int64_t kPoints = 200;       // of the course
constexpr double kLargeShare = 0.02;        // of one weight in all, beyond which luck decides

void chart(const Column& column, PolicyResult& out) {
  out.weights.assign(static_cast<std::size_t>(kHighest - kLowest + 3), 0);
  const std::int64_t step = std::max<std::int64_t>(1, (column.count() + kPoints - 1) / kPoints);
  std::int64_t decision = 0;
  double w_sum = 0, wr_sum = 0;
  column.for_each([&](double w, bool correct) {
    int bin = 0;
    if (w > 0) bin = 1 + std::clamp(std::ilogb(w) + 1, kLowest, kHighest + 1) - kLowest;
    ++out.weights[static_cast<std::size_t>(bin)];
    w_sum += w;
    wr_sum += correct ? w : 0;
    if (++decision % step != 0 && decision != column.count()) return;
    out.course.push_back(
        {decision, wr_sum / static_cast<double>(decision), w_sum > 0 ? wr_sum / w_sum : 0});
  });
}

void judge(PolicyResult& out) {
  const Interval& d = out.difference_interval;
  const auto points = [](double value) { return fmt::format("{:.1f}", 100 * std::fabs(value)); };
  if (d.lower > 0) {
    out.verdict = fmt::format("better than what was deployed, by {} to {} points", points(d.lower),
                              points(d.upper));
  } else if (d.upper < 0) {
    out.verdict = fmt::format("worse than what was deployed, by {} to {} points", points(d.upper),
                              points(d.lower));
  } else {
    out.verdict = "cannot be told apart from what was deployed by this log";
  }
}

}  // namespace

void describe(const Column& column, const DoublyRobust* dr, double least,
              const EvaluateOptions& options, double confidence, PolicyResult& out) {
  out.rounds = column.count();
  out.mean_weight = column.w() / column.n();
  out.mean_weight_error = weight_error(column);
  out.effective_size = effective_size(column);
  out.largest_weight = column.largest();
  out.largest_share = largest_share(column);
  chart(column, out);
  out.refused = weight_refusal(column, least);
  if (options.max_weight && column.largest() > *options.max_weight) {
    throw Error(ErrorKind::kUsage, "max-weight",
                fmt::format("{:g} is no bound: policy '{}' has a weight of {:g}",
                            *options.max_weight, out.name, column.largest()));
  }
  if (!out.refused.empty()) return;
  if (out.largest_share > kLargeShare) {
    out.note = fmt::format(
        "one decision has {:.1f} % of all weight: the points depend on it, trust "
        "the interval alone",
        100 * out.largest_share);
  }
  out.ips = ips(column);
  out.snips = snips(column);
  out.cressie_read = cressie_read(column);
  if (options.clip) out.clipped = clipped_ips(column, *options.clip);
  if (dr != nullptr && !dr->empty()) {
    out.dr = dr->value();
    out.dr_error = dr->error();
    out.direct = dr->direct();
    if (options.limit) out.switch_dr = dr->switched();
  }
  out.betting = betting_interval(column, confidence, options.max_weight);
  out.delta = delta_interval(column, confidence);
  out.cressie_read_interval = cressie_read_interval(column, confidence);
}

void compare_paired(const Column& column, double confidence, PolicyResult& out) {
  if (!out.refused.empty()) return;
  out.difference = ips(column) - column.right() / column.n();
  out.difference_interval = betting_difference(column, confidence);
  judge(out);
}

void compare_to(double earned, PolicyResult& out) {
  if (!out.refused.empty()) return;
  out.difference = out.ips - earned;
  out.difference_interval = {out.betting.lower - earned, out.betting.upper - earned};
  judge(out);
}

}  // namespace soba
