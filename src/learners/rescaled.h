// Brings huge features down to order one before another learner sees them: seconds since 1970,
// identifiers, counts of bytes. A learner that starts at a·I loses what it knows to rounding where
// x_j²/a comes near 2⁵³.
//
// Feature j is divided by 2^e_j, e_j starting at 0. A value that is beyond 2²⁰ even so raises e_j,
// such that it comes to lie in [1/2, 1). Division by a power of two is exact, and a feature that
// stays within ±2²⁰ keeps its bits. What was learnt of a feature that is raised counts for that
// much less: its weight, which was for smaller values, does not explode with the new ones. scores()
// scales as learn() will, and changes nothing.
//
// State: that of the learner inside, and a number for each feature up to the last huge one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "soba/learner.h"

namespace soba {

class Rescaled final : public Learner {
 public:
  explicit Rescaled(std::unique_ptr<Learner> inside) : inside_(std::move(inside)) {}

  Shape shape() const override { return inside_->shape(); }
  std::size_t workings() const override { return inside_->workings(); }
  void scores(const Features& x, std::span<double> out) const override;
  void restrict_to(std::span<const Label> allowed, const Features& x,
                   std::span<double> out) const override;
  std::string linear_scores(const Features& x, std::span<double> out) const override;
  Exploration exploration(const Moment& moment) const override {
    return inside_->exploration(moment);
  }
  // Those of the learner inside, and how many features are scaled.
  std::string remarks() const override;
  Index reserve(const Features& x) override;
  void reconfigure(const OptionValues& options) override { inside_->reconfigure(options); }
  Learned learn(const Round& round, bool correct) noexcept override;
  Learned teach(const Round& round) noexcept override;
  bool teaches_others() const override { return inside_->teaches_others(); }
  std::unique_ptr<Learner> with_classes(Label classes) const override;
  void visit(StateVisitor& visitor) override;

 private:
  // The round with x scaled, in values_; notes the scales.
  Round scaled(Round round);
  // e_j once x has been learnt.
  std::int32_t exponent(Index feature, double value) const;
  bool touches(const Features& x) const;  // whether a feature of x is scaled
  void scale(const Features& x, std::vector<double>& values) const;

  std::unique_ptr<Learner> inside_;
  std::vector<std::int32_t> exponents_;  // e_j; 0 beyond its end
  std::vector<double> values_;           // room for the scaled values of one x
};

}  // namespace soba
