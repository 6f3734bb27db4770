// The loops where the time goes, on plain pointers. A kernel that gains from vectors comes twice:
// the one that is called, which picks the widest vector unit of this CPU at run time (simd_*.cpp,
// Highway), and a plain loop that says what it computes (namespace reference). Both give the same
// bits: each sum has one order, and a multiplication is rounded before its addition.
#pragma once

#include <cstddef>
#include <span>

#include "soba/types.h"

namespace soba::linalg {

// A kernel may read up to this many elements past the end of a row of weights (and ignores them),
// so that rows need no padding. Matrices end with as many spare elements.
inline constexpr std::size_t kSlack = 16;

// Where a kernel is told that its matrix is `far`, more than the caches hold, it asks for the rows
// of features some way ahead of their use. Matrices of more bytes than this are far.
inline constexpr std::size_t kNear = std::size_t{1} << 20;
inline constexpr std::size_t kAhead = 8;  // features

// out[c] = Σ_i value[i] · weights[feature(i)·k + c] for the k classes, in the order of the
// features. Sums of floats are rounded to float at each step; where a float does not hold one of
// them, all are added up in double. Requires: x.extent() rows of weights, then kSlack.
void scores(const float* weights, std::size_t k, const Features& x, bool far, double* out);
void scores(const double* weights, std::size_t k, const Features& x, bool far, double* out);
// That second way, where one of the scores that the first has given is not finite.
void score_in_double(const float* weights, std::size_t k, const Features& x, double* out);

// Where the highest value stands first. What is not a number is never the highest; 0 where nothing
// is a number.
std::size_t argmax(const double* values, std::size_t n);

// Σ a_i·b_i. Sixteen partial sums, element i in sum i mod 16, added up from the first to the last.
double dot(const double* a, const double* b, std::size_t n);

// y_i += factor · x_i
void add_scaled(double factor, const double* x, double* y, std::size_t n);

// matrix −= V·Vᵀ, n × n, where V has `count` columns of n: each cell takes a product for each
// column, in their order. Rows of the matrix and columns of V begin `stride` apart. Requires: the
// matrix is symmetric; so it stays, to the bit.
void subtract_outer(const double* columns, std::size_t count, double* matrix, std::size_t n,
                    std::size_t stride);

// y_i = Σ_c factors[c] · columns[c][i], in the order of the columns. Requires: factors.size()
// columns.
void combine(std::span<const double> factors, const double* const* columns, double* y,
             std::size_t n);

// x becomes L⁻¹x, and L⁻ᵀx, for a lower triangular L, n × n, its rows one after the other without
// the zeros. Row by row: the first by dot() of each row with what is solved, from the first row on;
// the second by add_scaled() of each row to what is not, from the last row on.
void solve_packed(const double* factor, double* x, std::size_t n);
void solve_packed_transposed(const double* factor, double* x, std::size_t n);

// Σ_i value[i] · dense[index[i]]. Four partial sums, element i in sum i mod 4.
double sparse_dot(const Features& x, const double* dense);

// What a diagonal second-order state keeps for one feature and class, side by side in memory.
struct DiagonalCell {
  double diagonal;  // of A
  double theta;
};

// For each feature of x, at its cells for the classes `up` and `down`:
//   diagonal += w·x², theta ± = g·x, weight = theta·(1/diagonal) rounded to float.
// Cells and weights are feature-major, k to a feature. Returns quad_diagonal() of before.
// Requires: up != down.
struct DiagonalStep {
  std::size_t k, up, down;
  double w, g;
  bool far = false;
};
double step_diagonal(const DiagonalStep& step, const Features& x, DiagonalCell* cells,
                     float* weights);

// Σ_i x_i²·(1/diagonal at `up` + 1/diagonal at `down`). Four partial sums, element i in sum i mod
// 4.
double quad_diagonal(std::size_t k, std::size_t up, std::size_t down, const Features& x,
                     const DiagonalCell* cells);

// A step of diagonal ridge regression on every class at once. At the cell of each feature of x and
// each class c, all arrays feature-major, k to a feature:
//   weight = (diagonal·weight + push[c]·x)/(diagonal + curve[c]·x²), diagonal += curve[c]·x².
// Returns the change of Σ weight²: a sum for each class in the order of the features, added up from
// the first class to the last. Requires: k numbers in `curve` and in `push`.
struct ClassStep {
  std::size_t k;
  const double* curve;
  const double* push;
};
double step_classes(const ClassStep& step, const Features& x, double* diagonal, double* weights);

// What a diagonal second-order state of each class apart keeps for one feature and class.
struct ClassCell {
  double inverse;  // of A's diagonal
  double weight;
};

// A step of one class; see ClassCovariance. Cells and weights are feature-major, k to a feature.
struct ClassMove {
  std::size_t k, label;
  double w = 0, along = 0;
  bool far = false;
};
// Σ_i x_i²·inverse. Four partial sums, element i in sum i mod 4.
double class_variance(const ClassMove& move, const Features& x, const ClassCell* cells);
// At the cell of each feature of x, with v = x·inverse:
//   weight += along·v, inverse /= 1 + w·x·v; and the weight, rounded to float, into `weights`.
void step_class(const ClassMove& move, const Features& x, ClassCell* cells, float* weights);

namespace reference {
std::size_t argmax(const double* values, std::size_t n);
double class_variance(const ClassMove& move, const Features& x, const ClassCell* cells);
void step_class(const ClassMove& move, const Features& x, ClassCell* cells, float* weights);
double step_classes(const ClassStep& step, const Features& x, double* diagonal, double* weights);
double step_diagonal(const DiagonalStep& step, const Features& x, DiagonalCell* cells,
                     float* weights);
void scores(const float* weights, std::size_t k, const Features& x, double* out);
void scores(const double* weights, std::size_t k, const Features& x, double* out);
double dot(const double* a, const double* b, std::size_t n);
void add_scaled(double factor, const double* x, double* y, std::size_t n);
void subtract_outer(const double* columns, std::size_t count, double* matrix, std::size_t n,
                    std::size_t stride);
void combine(std::span<const double> factors, const double* const* columns, double* y,
             std::size_t n);
void solve_packed(const double* factor, double* x, std::size_t n);
void solve_packed_transposed(const double* factor, double* x, std::size_t n);
}  // namespace reference

// ---- What is decided before a kernel is called --------------------------------------------------

double class_variance_of_many(const ClassMove& move, const Features& x, const ClassCell* cells);
void step_class_of_many(const ClassMove& move, const Features& x, ClassCell* cells, float* weights);

// With fewer features vectors cost more than they gain.
inline constexpr std::size_t kMany = 16;

inline double class_variance(const ClassMove& move, const Features& x, const ClassCell* cells) {
  return x.size() < kMany ? reference::class_variance(move, x, cells)
                          : class_variance_of_many(move, x, cells);
}

inline void step_class(const ClassMove& move, const Features& x, ClassCell* cells, float* weights) {
  x.size() < kMany ? reference::step_class(move, x, cells, weights)
                   : step_class_of_many(move, x, cells, weights);
}

}  // namespace soba::linalg
