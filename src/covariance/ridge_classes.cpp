#include "covariance/ridge_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/blas.h"

namespace soba {

namespace {

constexpr double kLeastFull = 1e-100;     // what A_jj is before a step meets feature j
constexpr double kLeastDiagonal = 1e-24;  // and the least it can start at
constexpr double kLeastLevel = 1e-80;     // of r_j
constexpr double kGrowth = 1.5;           // of m_j
constexpr double kOrdinary = 16;          // values beyond are scaled in the diagonal form
constexpr double kClipped = 1;            // scores that are judged

bool is_share(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double v) { return std::isfinite(v) && v >= 0; });
}

}  // namespace

RidgeClasses::RidgeClasses(Shape shape, const Settings& settings)
    : settings_(settings),
      classes_(shape.classes),
      announced_(shape.features),
      form_(FullClasses(columns(0), kLeastFull, settings.memory)),
      constant_(settings.constant),
      losses_(settings.ridges.size()),
      q_(settings.ridges.size()) {
  const Index rows = first() + announced_;
  if (settings_.form == Form::kDiagonal) {
    settings_.constant = constant_ = false;
    form_ = DiagonalClasses::unstarted({classes_, announced_}, kLeastDiagonal);
  } else if (settings_.form == Form::kFull || fits(rows)) {
    form_ = FullClasses(columns(rows), kLeastFull, settings_.memory);
  } else {
    form_ = FullClasses(columns(first()), kLeastFull, settings_.memory);
  }
  weigh();
}

Shape RidgeClasses::columns(Index rows) const {
  return {classes_ * static_cast<Label>(settings_.ridges.size()), rows};
}

Label RidgeClasses::column(std::size_t ridge, Label label) const {
  return static_cast<Label>(ridge) * classes_ + label;
}

Shape RidgeClasses::shape() const {
  const Index rows = std::visit([](const auto& form) { return form.shape().features; }, form_);
  return {classes_, rows - first()};
}

bool RidgeClasses::fits(Index rows) const {
  return FullClasses::bytes(columns(rows)) <= settings_.memory;
}

bool RidgeClasses::due() const { return cells_ > settings_.free_cells + settings_.cost * rounds_; }

double& RidgeClasses::started(Index row, Label label) {
  return started_[static_cast<std::size_t>(row) * static_cast<std::size_t>(classes_) +
                  static_cast<std::size_t>(label)];
}

void RidgeClasses::scores(const Features& x, std::span<double> mixed,
                          std::span<double> each) const {
  const auto k = static_cast<std::size_t>(classes_);
  if (const auto* diagonal = std::get_if<DiagonalClasses>(&form_)) {
    diagonal->scores(x, mixed, first());
    for (std::size_t i = 0; i < k; ++i) {
      if (constant_) mixed[i] += diagonal->weight(0, static_cast<Label>(i));
      each[i] = mixed[i];
    }
    return;
  }
  const FullClasses& full = std::get<FullClasses>(form_);
  full.scores(x, each, first());
  std::fill(mixed.begin(), mixed.end(), 0.0);
  for (std::size_t e = 0; e < ridges(); ++e) {
    for (std::size_t i = 0; i < k; ++i) {
      double& score = each[e * k + i];
      if (constant_) score += full.weight(0, column(e, static_cast<Label>(i)));
      mixed[i] += q_[e] * score;
    }
  }
}

Index RidgeClasses::reserve(const Features& x) {
  const Index rows = std::max(first() + x.extent(), first() + shape().features);
  const auto count = static_cast<std::size_t>(rows);
  if (first() > 0) {
    linalg::make_room(index_, count);
    linalg::make_room(value_, count);
  }
  if (auto* diagonal = std::get_if<DiagonalClasses>(&form_)) {
    if (rows > diagonal->shape().features) diagonal->reserve_features(rows);
    return rows - first();
  }
  FullClasses& full = std::get<FullClasses>(form_);
  linalg::make_room(largest_, count);
  linalg::make_room(level_, count);
  linalg::make_room(started_, count * static_cast<std::size_t>(classes_));
  const Index met = std::max(met_, first() + x.extent());
  if (settings_.form == Form::kFull || (fits(met) && !due())) {
    const Index room = full.reserve_features(rows);
    // Whether the next round hands over is known only then.
    return settings_.form == Form::kFull ? std::min(rows, room) - first() : -1;
  }
  if (!spare_) spare_.emplace(DiagonalClasses::unstarted({classes_, 0}, kLeastDiagonal));
  spare_->reserve_features(rows);
  room_.reserve(linalg::invert_room(static_cast<std::size_t>(full.shape().features)));
  return -1;
}

void RidgeClasses::meet(const Features& x) {
  met_ = std::max(met_, first() + x.extent());
  stale_ = false;
  if (full() && settings_.form == Form::kAdaptive) {
    if (!fits(met_)) {
      hand_over(met_, false);
    } else if (due()) {
      hand_over(met_, true);
    }
  }
  ++rounds_;
  std::visit([&](auto& form) { form.grow(met_); }, form_);
  extend(x);
  full() ? note_scale() : note_norm();
}

// Feature j at row first() + j, the constant in front of it.
void RidgeClasses::extend(const Features& x) {
  x_ = x;
  if (first() == 0) return;
  index_.clear();
  value_.clear();
  if (x.dense()) {
    value_.push_back(constant_ ? 1 : 0);
  } else if (constant_) {
    index_.push_back(0);
    value_.push_back(1);
  }
  for (const Index feature : x.index) index_.push_back(feature + 1);
  value_.insert(value_.end(), x.value.begin(), x.value.end());
  x_ = {index_, value_};
}

void RidgeClasses::note_scale() {
  const auto rows = static_cast<std::size_t>(met_);
  largest_.resize(rows);
  level_.resize(rows, settings_.scale_free ? 0 : 1);
  started_.resize(rows * static_cast<std::size_t>(classes_));
  if (!settings_.scale_free) return;
  const auto grown = [this](Index row, double value) {
    const double size = std::fabs(value), largest = largest_[static_cast<std::size_t>(row)];
    return size > largest ? std::max(size, kGrowth * largest) : largest;
  };
  double norm = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if (x_.value[i] == 0) continue;
    const double part = x_.value[i] / grown(x_.feature(i), x_.value[i]);
    norm += part * part;
  }
  norms_ += norm;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const auto row = static_cast<std::size_t>(x_.feature(i));
    const double largest = grown(x_.feature(i), x_.value[i]);
    if (largest == largest_[row]) continue;
    largest_[row] = largest;
    const double level = std::max(norms_ / rounds_ * largest * largest, kLeastLevel);
    level_[row] = std::max(level_[row], level);
  }
}

void RidgeClasses::note_norm() {
  double norm = 0;
  for (const double value : x_.value) {
    norm += std::fabs(value) > kOrdinary ? 1 : value * value;
  }
  norms_ += norm;
}

// Raises the diagonal of a class to r_j for the features of x: for one that it meets for the first
// time by starting there, otherwise by a step along e_j towards 0.
void RidgeClasses::raise(Label label) {
  FullClasses& full = std::get<FullClasses>(form_);
  const double size = met_;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const Index row = x_.feature(i);
    double& now = started(row, label);
    const double level = level_[static_cast<std::size_t>(row)];
    if (x_.value[i] == 0 || now >= level) continue;
    for (std::size_t e = 0; e < ridges(); ++e) {
      const double a = settings_.ridges[e];
      if (now == 0) {
        full.start(column(e, label), row, a * level);
      } else {
        full.raise(column(e, label), row, a * (level - now));
        cells_ += size * (1 + size);
        stale_ = true;
      }
    }
    now = level;
  }
}

// Makes a class ready for a step along x.
void RidgeClasses::prepare(Label label) {
  if (auto* diagonal = std::get_if<DiagonalClasses>(&form_)) {
    const double mean = norms_ / rounds_;
    diagonal->start(label, x_, [mean](double value) {
      return std::fabs(value) > kOrdinary ? mean * value * value : mean;
    });
  } else {
    raise(label);
  }
}

// Of the form as it is: where the diagonal was raised or the form has changed since meet(), the
// round's scores are no longer those.
double RidgeClasses::score(std::size_t ridge, Label label, std::span<const double> each) const {
  const Label own = column(ridge, label);
  if (!stale_) return each[static_cast<std::size_t>(own)];
  if (full()) return std::get<FullClasses>(form_).score(own, x_);
  double sum = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    sum += x_.value[i] * std::get<DiagonalClasses>(form_).weight(x_.feature(i), own);
  }
  return sum;
}

RidgeClasses::Look RidgeClasses::look(Label label, std::span<const double> each) {
  prepare(label);
  const std::size_t ridge = middle();
  const Label own = column(ridge, label);
  const double score = this->score(ridge, label, each);
  return {score, std::visit([&](auto& form) { return form.variance(own, x_); }, form_)};
}

std::optional<double> RidgeClasses::step(Label label, std::span<const double> each, double sigma,
                                         double w) {
  prepare(label);
  const std::size_t count = full() ? ridges() : 1;
  if (full()) {
    const double size = met_;
    cells_ += static_cast<double>(count) * size * (static_cast<double>(x_.size()) + size);
  }
  double share = 0;
  bool whole = true;
  for (std::size_t e = 0; e < count; ++e) {
    const Label own = column(e, label);
    const double s = score(e, label, each);
    const auto take = [&](auto& form) {
      const double variance = form.solve(own, x_);
      const double along = w * (sigma - s) / (1 + w * variance);
      if (e == middle()) share = w * variance / (1 + w * variance);
      return std::isfinite(variance) && std::isfinite(along) && form.step(own, x_, w, along);
    };
    whole = std::visit(take, form_) && whole;
  }
  if (!whole) return std::nullopt;
  return share;
}

void RidgeClasses::judge(Label label, std::span<const double> each, double sigma) {
  if (!full()) return;
  for (std::size_t e = 0; e < ridges(); ++e) {
    const double s = each[static_cast<std::size_t>(column(e, label))];
    const double miss = std::clamp(s, -kClipped, kClipped) - sigma;
    if (std::isfinite(miss)) losses_[e] += miss * miss / 8;
  }
  weigh();
}

void RidgeClasses::weigh() {
  const double least = *std::min_element(losses_.begin(), losses_.end());
  double sum = 0;
  for (std::size_t e = 0; e < q_.size(); ++e) {
    q_[e] = std::exp(least - losses_[e]);
    sum += q_[e];
  }
  for (double& weight : q_) weight /= sum;
}

void RidgeClasses::hand_over(Index rows, bool keep_constant) {
  FullClasses& full = std::get<FullClasses>(form_);
  const Index known = std::min(full.shape().features, static_cast<Index>(largest_.size()));
  DiagonalClasses diagonal =
      spare_ ? std::move(*spare_) : DiagonalClasses::unstarted({classes_, 0}, kLeastDiagonal);
  spare_.reset();
  diagonal.grow(std::max(rows, full.shape().features));
  room_.resize(linalg::invert_room(static_cast<std::size_t>(full.shape().features)));
  const auto leader = static_cast<std::size_t>(std::max_element(q_.begin(), q_.end()) - q_.begin());
  for (Label label = 0; label < classes_; ++label) {
    const std::span<const double> entries = full.take_diagonal(column(leader, label), room_);
    for (Index row = 0; row < known; ++row) {
      if (started(row, label) == 0) continue;
      double weight = 0;
      for (std::size_t e = 0; e < ridges(); ++e)
        weight += q_[e] * full.weight(row, column(e, label));
      diagonal.set(row, label, std::max(entries[static_cast<std::size_t>(row)], kLeastDiagonal),
                   weight);
    }
  }
  form_ = std::move(diagonal);
  stale_ = true;
  constant_ = constant_ && keep_constant;
  rounds_ = norms_ = 0;
  for (std::vector<double>* numbers : {&room_, &largest_, &level_, &started_}) {
    std::vector<double>().swap(*numbers);
  }
}

void RidgeClasses::limit_memory(double bytes) {
  auto* full = std::get_if<FullClasses>(&form_);
  if (full != nullptr &&
      (settings_.form == Form::kFull || FullClasses::bytes(full->shape()) <= bytes)) {
    full->limit_memory(bytes);
  }
  settings_.memory = bytes;
}

void RidgeClasses::add_classes(Label classes) {
  const auto from = static_cast<std::size_t>(classes_);
  const Label before = classes_;
  spare_.reset();
  x_ = {};
  classes_ = classes;
  const bool outgrown = full() && settings_.form == Form::kAdaptive && !fits(met_);
  if (outgrown) {
    classes_ = before;
    hand_over(met_, false);
    classes_ = classes;
  }
  if (auto* diagonal = std::get_if<DiagonalClasses>(&form_)) {
    diagonal->add_classes(classes);
    return;
  }
  FullClasses& full = std::get<FullClasses>(form_);
  const Shape larger = columns(full.shape().features);
  if (settings_.form == Form::kAdaptive) {  // rows that are announced may be too many: see visit()
    full.limit_memory(std::max(settings_.memory, FullClasses::bytes(larger)));
  }
  full.add_classes(larger.classes, static_cast<Label>(ridges()));
  started_ =
      linalg::longer_runs(started_, started_.size(), from, static_cast<std::size_t>(classes), 0.0);
}

std::string RidgeClasses::remarks() const {
  if (!full()) return "diagonals";
  if (ridges() == 1) return "full matrices";
  std::vector<std::string> shares;
  for (std::size_t e = 0; e < ridges(); ++e) {
    shares.push_back(fmt::format("{:g} {:.3f}", settings_.ridges[e], q_[e]));
  }
  return fmt::format("full matrices; weights of the ridges: {}", fmt::join(shares, ", "));
}

void RidgeClasses::visit(StateVisitor& visitor) {
  std::int64_t is_full = full() ? 1 : 0, constant = constant_ ? 1 : 0, met = met_;
  visitor.field("ridge.is_full", is_full);
  visitor.field("ridge.constant", constant);
  visitor.field("ridge.met", met);
  visitor.field("ridge.rounds", rounds_);
  visitor.field("ridge.norms", norms_);
  visitor.field("ridge.cells", cells_);
  visitor.field("ridge.losses", losses_);
  visitor.field("ridge.largest", largest_);
  visitor.field("ridge.level", level_);
  visitor.field("ridge.started", started_);
  const Index rows = first() + announced_;
  visitor.require((is_full == 1 && settings_.form != Form::kDiagonal) ||
                      (is_full == 0 && settings_.form != Form::kFull),
                  "the form is one that the options allow");
  visitor.require(constant == 0 || (constant == 1 && settings_.constant),
                  "the constant feature is one that the options allow");
  visitor.require(met >= 0 && (!visitor.loading() || met <= rows),
                  "no row is met that is not there");
  for (const double number : {rounds_, norms_, cells_}) {
    visitor.require(std::isfinite(number) && number >= 0, "counts and sums are not negative");
  }
  visitor.require(losses_.size() == ridges() && is_share(losses_), "every ridge has a loss");
  const std::size_t noted = largest_.size();
  visitor.require(noted <= static_cast<std::size_t>(met) && level_.size() == noted &&
                      started_.size() == noted * static_cast<std::size_t>(classes_) &&
                      (is_full == 1 || noted == 0),
                  "every row of the full form has a scale");
  visitor.require(is_share(largest_) && is_share(level_) && is_share(started_),
                  "every scale is finite, and not negative");
  for (std::size_t row = 0; row < noted; ++row) {
    visitor.require(level_[row] > 0 || largest_[row] == 0, "a feature that has values has a level");
  }
  if (visitor.loading()) {
    spare_.reset();
    constant_ = constant == 1;
    met_ = static_cast<Index>(met);
    weigh();
    if (is_full == 1) {
      const Shape shape = columns(rows);
      form_ = FullClasses(shape, kLeastFull, std::max(settings_.memory, FullClasses::bytes(shape)));
    } else {
      form_ = DiagonalClasses::unstarted({classes_, rows}, kLeastDiagonal);
    }
  }
  std::visit([&](auto& form) { form.visit(visitor); }, form_);
}

}  // namespace soba
