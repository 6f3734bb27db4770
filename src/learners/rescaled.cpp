#include "learners/rescaled.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/room.h"

namespace soba {

namespace {

constexpr std::int32_t kOrdinary = 20;   // features within ±2^20 are left alone
constexpr std::int32_t kHighest = 1024;  // no double needs more

}  // namespace

std::int32_t Rescaled::exponent(Index feature, double value) const {
  const auto j = static_cast<std::size_t>(feature);
  const std::int32_t now = j < exponents_.size() ? exponents_[j] : 0;
  if (!(std::fabs(value) > std::ldexp(1.0, kOrdinary + now))) return now;
  return std::ilogb(value) + 1;
}

bool Rescaled::touches(const Features& x) const {
  const double ordinary = std::ldexp(1.0, kOrdinary);
  const auto huge = [ordinary](double v) { return std::fabs(v) > ordinary; };
  if (std::any_of(x.value.begin(), x.value.end(), huge)) return true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto j = static_cast<std::size_t>(x.feature(i));
    if (j >= exponents_.size()) return false;
    if (exponents_[j] != 0) return true;
  }
  return false;
}

void Rescaled::scale(const Features& x, std::vector<double>& values) const {
  values.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    values[i] = std::ldexp(x.value[i], -exponent(x.feature(i), x.value[i]));
  }
}

void Rescaled::scores(const Features& x, std::span<double> out) const {
  if (!touches(x)) {
    inside_->scores(x, out);
    return;
  }
  std::vector<double> values;
  scale(x, values);
  inside_->scores({x.index, values}, out);
}

void Rescaled::restrict_to(std::span<const Label> allowed, const Features& x,
                           std::span<double> out) const {
  if (!touches(x)) {
    inside_->restrict_to(allowed, x, out);
    return;
  }
  std::vector<double> values;
  scale(x, values);
  inside_->restrict_to(allowed, {x.index, values}, out);
}

std::unique_ptr<Learner> Rescaled::with_classes(Label classes) const {
  auto larger = std::make_unique<Rescaled>(inside_->with_classes(classes));
  larger->exponents_ = exponents_;
  return larger;
}

Index Rescaled::reserve(const Features& x) {
  const Index most = std::max(x.extent(), shape().features);
  linalg::make_room(exponents_, static_cast<std::size_t>(most));
  linalg::make_room(values_, static_cast<std::size_t>(most));
  return std::min(most, inside_->reserve(x));
}

std::string Rescaled::linear_scores(const Features& x, std::span<double> out) const {
  std::vector<double> values;
  scale(x, values);
  return inside_->linear_scores({x.index, values}, out);
}

Learned Rescaled::learn(const Round& round, bool correct) noexcept {
  return inside_->learn(touches(round.x) ? scaled(round) : round, correct);
}

Learned Rescaled::teach(const Round& round) noexcept {
  return inside_->teach(touches(round.x) ? scaled(round) : round);
}

Round Rescaled::scaled(Round round) {
  scale(round.x, values_);
  for (std::size_t i = 0; i < round.x.size(); ++i) {
    const auto j = static_cast<std::size_t>(round.x.feature(i));
    const std::int32_t raised = exponent(round.x.feature(i), round.x.value[i]);
    if (raised == 0) continue;
    if (j >= exponents_.size()) exponents_.resize(j + 1);
    exponents_[j] = raised;
  }
  round.x = {round.x.index, values_};
  return round;
}

std::string Rescaled::remarks() const {
  const auto scaled = std::count_if(exponents_.begin(), exponents_.end(),
                                    [](std::int32_t exponent) { return exponent != 0; });
  const std::string inside = inside_->remarks();
  if (scaled == 0) return inside;
  return fmt::format("{}{}huge features, divided by a power of two: {}", inside,
                     inside.empty() ? "" : "; ", scaled);
}

void Rescaled::visit(StateVisitor& visitor) {
  visitor.field("rescaled.exponents", exponents_);
  visitor.require(exponents_.size() <= static_cast<std::size_t>(kMaxFeatures) + 1 &&
                      std::all_of(exponents_.begin(), exponents_.end(),
                                  [](std::int32_t e) { return e >= 0 && e <= kHighest; }),
                  "every scale is a power of two that a feature may need");
  inside_->visit(visitor);
}

}  // namespace soba
