#include "data/preparation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "soba/data.h"

namespace soba {

namespace {

// ‖v‖ such that v_i/‖v‖ is right even where v_i² is not a normal number.
struct Norm {
  double scale = 1;  // first divide by this
  double length = 0;
};

Norm norm_of(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  if (sum >= std::numeric_limits<double>::min() && std::isfinite(sum)) return {1, std::sqrt(sum)};
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::fabs(v));
  if (largest == 0) return {1, 1};
  sum = 0;
  for (const double v : values) sum += (v / largest) * (v / largest);
  return {largest, std::sqrt(sum)};
}

// Looks at them all and decides in doubles: so the loop runs in vectors.
bool has_zero(std::span<const double> values) {
  double least = 1;
  for (const double v : values) least = v == 0 ? 0 : least;
  return least == 0;
}

// Written in place, zeros over which the next value is written: whether a value is zero cannot be
// predicted.
void append_nonzeros(const Features& raw, Index shift, Block& out) {
  const std::size_t first = out.index.size();
  out.index.resize(first + raw.size());
  out.value.resize(first + raw.size());
  Index* const index = out.index.data() + first;
  double* const value = out.value.data() + first;
  std::size_t count = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    index[count] = raw.feature(i) + shift;
    value[count] = raw.value[i];
    count += raw.value[i] != 0;
  }
  out.index.resize(first + count);
  out.value.resize(first + count);
}

// A value far outside of what the scan saw stays a value.
double bounded(double value) { return std::clamp(value, -kMaxValue, kMaxValue); }

}  // namespace

Preparation::Preparation(const Schema& schema)
    : schema_(schema),
      changes_nothing_(schema.scale == Scale::kNone && schema.normalize == Normalize::kNone &&
                       !schema.bias) {
  if (schema.scale != Scale::kMinMax) return;
  for (std::size_t j = 0; j < schema.low.size(); ++j) {
    if (schema.low[j] < 0 && schema.span[j] > 0) filled_.push_back(static_cast<Index>(j));
  }
}

void Preparation::append(const Features& raw, Label label, Block& out, bool without_zeros) {
  if (changes_nothing_ && !raw.dense() && (without_zeros || !has_zero(raw.value))) {
    out.append(raw, label);
  } else {
    append_prepared(raw, label, out);
  }
}

void Preparation::append_prepared(const Features& raw, Label label, Block& out) const {
  const Index shift = schema_.bias ? 1 : 0;
  const std::size_t first = out.index.size();
  if (schema_.bias) {
    out.index.push_back(0);
    out.value.push_back(1);
  }
  const auto keep = [&](Index j, double value) {
    if (value == 0) return;
    out.index.push_back(j + shift);
    out.value.push_back(value);
  };
  const auto scaled = [&](Index j, double value) {
    const auto i = static_cast<std::size_t>(j);
    if (i >= schema_.span.size()) return value;
    return schema_.span[i] > 0 ? bounded((value - schema_.low[i]) / schema_.span[i]) : 0.0;
  };
  if (schema_.scale == Scale::kNone) {
    append_nonzeros(raw, shift, out);
  } else {
    auto fill = filled_.begin();
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const Index j = raw.feature(i);
      for (; fill != filled_.end() && *fill < j; ++fill) keep(*fill, scaled(*fill, 0));
      if (fill != filled_.end() && *fill == j) ++fill;
      keep(j, scaled(j, raw.value[i]));
    }
    for (; fill != filled_.end(); ++fill) keep(*fill, scaled(*fill, 0));
  }
  if (schema_.normalize == Normalize::kL2) {
    const std::span<double> values =
        std::span<double>(out.value).subspan(first + static_cast<std::size_t>(shift));
    const Norm norm = norm_of(values);
    for (double& v : values) v = (norm.scale == 1 ? v : v / norm.scale) / norm.length;
  }
  out.begin.push_back(out.index.size());
  out.label.push_back(label);
}

}  // namespace soba
