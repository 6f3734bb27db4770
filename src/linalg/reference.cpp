#include <array>
#include <cmath>

#include "linalg/kernels.h"

namespace soba::linalg {

double sparse_dot(const Features& x, const double* dense) {
  std::array<double, 4> sums{};
  for (std::size_t i = 0; i < x.size(); ++i) sums[i % 4] += x.value[i] * dense[x.feature(i)];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

double quad_diagonal(std::size_t k, std::size_t up, std::size_t down, const Features& x,
                     const DiagonalCell* cells) {
  std::array<double, 4> sums{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = x.value[i];
    const DiagonalCell* row = cells + static_cast<std::size_t>(x.feature(i)) * k;
    sums[i % 4] += v * v * (1 / row[up].diagonal + 1 / row[down].diagonal);
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

void score_in_double(const float* weights, std::size_t k, const Features& x, double* out) {
  double sum = 0;  // not finite where one of them is not
  for (std::size_t c = 0; c < k; ++c) sum += out[c];
  if (std::isfinite(sum)) return;
  for (std::size_t c = 0; c < k; ++c) {
    out[c] = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      out[c] += x.value[i] * weights[static_cast<std::size_t>(x.feature(i)) * k + c];
    }
  }
}

namespace reference {

namespace {

template <class T>
void plain_scores(const T* weights, std::size_t k, const Features& x, double* out) {
  for (std::size_t c = 0; c < k; ++c) {
    T sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += static_cast<T>(x.value[i]) * weights[static_cast<std::size_t>(x.feature(i)) * k + c];
    }
    out[c] = sum;
  }
}

}  // namespace

void scores(const float* weights, std::size_t k, const Features& x, double* out) {
  plain_scores(weights, k, x, out);
  score_in_double(weights, k, x, out);
}

void scores(const double* weights, std::size_t k, const Features& x, double* out) {
  plain_scores(weights, k, x, out);
}

double dot(const double* a, const double* b, std::size_t n) {
  std::array<double, 16> sums{};
  for (std::size_t i = 0; i < n; ++i) sums[i % 16] += a[i] * b[i];
  double total = 0;
  for (double sum : sums) total += sum;
  return total;
}

void add_scaled(double factor, const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

void subtract_outer(const double* columns, std::size_t count, double* matrix, std::size_t n,
                    std::size_t stride) {
  for (std::size_t c = 0; c < count; ++c) {
    const double* v = columns + c * stride;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) matrix[j * stride + i] -= v[j] * v[i];
    }
  }
}

void combine(std::span<const double> factors, const double* const* columns, double* y,
             std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < factors.size(); ++c) sum += factors[c] * columns[c][i];
    y[i] = sum;
  }
}

void solve_packed(const double* factor, double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = factor + i * (i + 1) / 2;
    x[i] = (x[i] - dot(row, x, i)) / row[i];
  }
}

void solve_packed_transposed(const double* factor, double* x, std::size_t n) {
  for (std::size_t i = n; i-- > 0;) {
    const double* row = factor + i * (i + 1) / 2;
    x[i] /= row[i];
    add_scaled(-x[i], row, x, i);
  }
}

double step_diagonal(const DiagonalStep& step, const Features& x, DiagonalCell* cells,
                     float* weights) {
  const double quad = quad_diagonal(step.k, step.up, step.down, x, cells);
  const auto move = [&](std::size_t cell, double curvature, double push) {
    DiagonalCell& c = cells[cell];
    c.diagonal += curvature;
    c.theta += push;
    weights[cell] = static_cast<float>(c.theta * (1 / c.diagonal));
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = x.value[i];
    const std::size_t row = static_cast<std::size_t>(x.feature(i)) * step.k;
    move(row + step.up, step.w * v * v, step.g * v);
    move(row + step.down, step.w * v * v, -step.g * v);
  }
  return quad;
}

std::size_t argmax(const double* values, std::size_t n) {
  std::size_t best = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(values[i])) continue;
    if (best == n || values[i] > values[best]) best = i;
  }
  return best == n ? 0 : best;
}

double class_variance(const ClassMove& move, const Features& x, const ClassCell* cells) {
  std::array<double, 4> sums{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t place = static_cast<std::size_t>(x.feature(i)) * move.k + move.label;
    sums[i % 4] += x.value[i] * x.value[i] * cells[place].inverse;
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

void step_class(const ClassMove& move, const Features& x, ClassCell* cells, float* weights) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t place = static_cast<std::size_t>(x.feature(i)) * move.k + move.label;
    ClassCell& cell = cells[place];
    const double shrunk = x.value[i] * cell.inverse;
    cell.weight += move.along * shrunk;
    cell.inverse /= 1 + move.w * x.value[i] * shrunk;
    weights[place] = static_cast<float>(cell.weight);
  }
}

double step_classes(const ClassStep& step, const Features& x, double* diagonal, double* weights) {
  double total = 0;
  for (std::size_t c = 0; c < step.k; ++c) {
    double change = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double v = x.value[i];
      const std::size_t cell = static_cast<std::size_t>(x.feature(i)) * step.k + c;
      const double old = weights[cell];
      const double grown = diagonal[cell] + step.curve[c] * (v * v);
      const double weight = (diagonal[cell] * old + step.push[c] * v) / grown;
      diagonal[cell] = grown;
      weights[cell] = weight;
      change += weight * weight - old * old;
    }
    total += change;
  }
  return total;
}

}  // namespace reference
}  // namespace soba::linalg
