#include "linalg/blas.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <vector>

// Fortran's interface of BLAS and LAPACK, and OpenBLAS's own for threads.
extern "C" {
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* beta, double* c, const int* ldc);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotri_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dsyev_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w,
            double* work, const int* lwork, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda,
             double* b, const int* ldb, int* info);
void dtrsv_(const char* uplo, const char* trans, const char* diag, const int* n, const double* a,
            const int* lda, double* x, const int* incx);
void dtrsm_(const char* side, const char* uplo, const char* transa, const char* diag, const int* m,
            const int* n, const double* alpha, const double* a, const int* lda, double* b,
            const int* ldb);
int openblas_get_num_threads();
void openblas_set_num_threads(int count);
}

namespace soba::linalg {

namespace {

int checked(std::size_t n) {
  assert(n <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  return static_cast<int>(n);
}

void use_one_thread() {
  static const bool once = [] {
    if (openblas_get_num_threads() != 1) openblas_set_num_threads(1);  // it may start threads
    return true;
  }();
  static_cast<void>(once);
}

// Shares the pieces with the team. By reference: a std::function that holds the task itself may
// have to allocate.
template <class Task>
void share(Team* team, std::size_t count, const Task& task) {
  for_each(team, count, std::cref(task));
}

struct Panel {
  std::size_t begin, end;  // columns
};

Panel panel(std::size_t n, std::size_t number) {
  return {number * kPanel, std::min(n, (number + 1) * kPanel)};
}

std::size_t panels(std::size_t n) { return (n + kPanel - 1) / kPanel; }

// Copies the panel's part of the lower triangle onto the upper one. Tiles stay in the cache; four
// columns at a time are read from, so that each line of the upper triangle is written in whole
// pieces.
void mirror_lower(std::size_t n, Panel columns, double* p, std::size_t stride) {
  constexpr std::size_t kTile = 32;
  for (std::size_t j0 = columns.begin; j0 < columns.end; j0 += kTile) {
    const std::size_t j1 = std::min(columns.end, j0 + kTile);
    for (std::size_t i0 = j0; i0 < n; i0 += kTile) {
      for (std::size_t i = i0; i < std::min(n, i0 + kTile); ++i) {
        double* row = p + i * stride;
        const double* from = p + i;
        std::size_t j = j0;
        const std::size_t end = std::min(j1, i);
        for (; j + 4 <= end; j += 4) {
          const double a = from[j * stride], b = from[(j + 1) * stride];
          const double c = from[(j + 2) * stride], d = from[(j + 3) * stride];
          row[j] = a;
          row[j + 1] = b;
          row[j + 2] = c;
          row[j + 3] = d;
        }
        for (; j < end; ++j) row[j] = from[j * stride];
      }
    }
  }
}

// The panel's part of the lower triangle −= v·vᵀ, for v of n × count.
void subtract_lower(std::size_t n, Panel columns, const double* v, std::size_t count, double* p,
                    std::size_t stride) {
  const int wide = checked(columns.end - columns.begin), below = checked(n - columns.end);
  const int apart = checked(n), inner = checked(count), p_apart = checked(stride);
  const double minus = -1, keep = 1;
  double* column = p + columns.begin * stride;
  dsyrk_("L", "N", &wide, &inner, &minus, v + columns.begin, &apart, &keep, column + columns.begin,
         &p_apart);
  if (below == 0) return;
  dgemm_("N", "T", &below, &wide, &inner, &minus, v + columns.end, &apart, v + columns.begin,
         &apart, &keep, column + columns.end, &p_apart);
}

// Cholesky's factor by panels: each is finished and then taken from all that follow.
bool factor_large(std::size_t n, double* matrix, Team* team) {
  const int apart = checked(n);
  const double one = 1;
  for (std::size_t number = 0; number < panels(n); ++number) {
    const Panel done = panel(n, number);
    const int wide = checked(done.end - done.begin);
    double* column = matrix + done.begin * n;
    int info = 0;
    dpotrf_("L", &wide, column + done.begin, &apart, &info);
    if (info != 0) return false;
    const std::size_t left = panels(n) - number - 1;
    share(team, left, [&](std::size_t i) {
      const Panel rows = panel(n, number + 1 + i);
      const int tall = checked(rows.end - rows.begin);
      dtrsm_("R", "L", "T", "N", &tall, &wide, &one, column + done.begin, &apart,
             column + rows.begin, &apart);
    });
    share(team, left, [&](std::size_t i) {
      subtract_lower(n, panel(n, number + 1 + i), column, done.end - done.begin, matrix, n);
    });
  }
  return true;
}

// The panel's rows of X = (L·Lᵀ)⁻¹, from the diagonal on. What lies beyond the panel goes into the
// upper triangle; the block on the diagonal goes into `own`, since L, the lower triangle, is still
// to be read. With Y·Lᵀ = the panel's rows of I, X·L = Y.
void invert_panel(std::size_t n, Panel rows, double* matrix, double* own) {
  const int wide = checked(rows.end - rows.begin), beyond = checked(n - rows.end);
  const int apart = checked(n);
  const double one = 1, minus = -1, none = 0;
  const double* corner = matrix + rows.begin * n + rows.begin;
  const double* below = matrix + rows.begin * n + rows.end;
  const double* rest = matrix + rows.end * n + rows.end;
  double* out = matrix + rows.end * n + rows.begin;
  std::fill_n(own, (rows.end - rows.begin) * (rows.end - rows.begin), 0.0);
  for (std::size_t j = 0; j < rows.end - rows.begin; ++j) own[j * (rows.end - rows.begin) + j] = 1;
  dtrsm_("R", "L", "T", "N", &wide, &wide, &one, corner, &apart, own, &wide);
  if (beyond > 0) {
    dgemm_("N", "T", &wide, &beyond, &wide, &minus, own, &wide, below, &apart, &none, out, &apart);
    dtrsm_("R", "L", "T", "N", &wide, &beyond, &one, rest, &apart, out, &apart);
    dtrsm_("R", "L", "N", "N", &wide, &beyond, &one, rest, &apart, out, &apart);
    dgemm_("N", "N", &wide, &wide, &beyond, &minus, out, &apart, below, &apart, &one, own, &wide);
  }
  dtrsm_("R", "L", "N", "N", &wide, &wide, &one, corner, &apart, own, &wide);
}

// Writes the block on the panel's diagonal, its lower triangle onto both, and copies the panel's
// rows of the upper triangle onto the lower one.
void finish_panel(std::size_t n, Panel rows, double* matrix, const double* own) {
  const std::size_t wide = rows.end - rows.begin;
  for (std::size_t j = 0; j < wide; ++j) {
    for (std::size_t i = j; i < wide; ++i) {
      const double x = own[j * wide + i];
      matrix[(rows.begin + j) * n + rows.begin + i] = x;
      matrix[(rows.begin + i) * n + rows.begin + j] = x;
    }
  }
  constexpr std::size_t kTile = 32;
  for (std::size_t i0 = rows.end; i0 < n; i0 += kTile) {
    for (std::size_t j = rows.begin; j < rows.end; ++j) {
      for (std::size_t i = i0; i < std::min(n, i0 + kTile); ++i) {
        matrix[j * n + i] = matrix[i * n + j];
      }
    }
  }
}

bool invert_large(std::size_t n, double* matrix, std::span<double> own, Team* team) {
  assert(own.size() >= invert_room(n));
  if (!factor_large(n, matrix, team)) return false;
  const auto own_of = [&](std::size_t number) { return own.data() + number * kPanel * kPanel; };
  share(team, panels(n),
        [&](std::size_t number) { invert_panel(n, panel(n, number), matrix, own_of(number)); });
  share(team, panels(n),
        [&](std::size_t number) { finish_panel(n, panel(n, number), matrix, own_of(number)); });
  return true;
}

}  // namespace

void subtract_products(std::size_t n, const double* v, std::size_t count, double* p,
                       std::size_t stride, Team* team) {
  if (n == 0 || count == 0) return;
  use_one_thread();
  const auto subtract = [&](Panel columns) {
    subtract_lower(n, columns, v, count, p, stride);
    mirror_lower(n, columns, p, stride);
  };
  if (n < kLarge) {
    subtract({0, n});
  } else {
    share(team, panels(n), [&](std::size_t number) { subtract(panel(n, number)); });
  }
}

bool invert(std::size_t n, double* matrix, Team* team) {
  std::vector<double> room(invert_room(n));
  return invert(n, matrix, room, team);
}

bool invert(std::size_t n, double* matrix, std::span<double> room, Team* team) {
  if (n == 0) return true;
  use_one_thread();
  if (n >= kLarge) return invert_large(n, matrix, room, team);
  const int size = checked(n);
  int info = 0;
  dpotrf_("L", &size, matrix, &size, &info);
  if (info == 0) dpotri_("L", &size, matrix, &size, &info);
  if (info != 0) return false;
  mirror_lower(n, {0, n}, matrix, n);
  return true;
}

// In pieces, since the result overwrites its input.
void combine_columns(std::size_t n, std::size_t stride, double* columns, std::size_t in,
                     std::size_t out, const double* factors, std::span<double> piece) {
  use_one_thread();
  constexpr std::size_t kPiece = combine_room(1);
  assert(piece.size() >= combine_room(out));
  const int inner = checked(in), wide = checked(out), apart = checked(stride);
  const int piece_apart = checked(kPiece);
  const double one = 1, none = 0;
  for (std::size_t start = 0; start < n; start += kPiece) {
    const int height = checked(std::min(kPiece, n - start));
    dgemm_("N", "N", &height, &wide, &inner, &one, columns + start, &apart, factors, &inner, &none,
           piece.data(), &piece_apart);
    for (std::size_t c = 0; c < out; ++c) {
      std::copy_n(piece.data() + c * kPiece, height, columns + c * stride + start);
    }
  }
}

void eigenvectors(std::size_t n, double* matrix, double* values, std::span<double> work) {
  if (n == 0) return;
  use_one_thread();
  const int size = checked(n);
  const int room = checked(eigenvector_room(n));  // what LAPACK's manual asks for, blocks of 32
  assert(work.size() >= eigenvector_room(n));
  int info = 0;
  dsyev_("V", "L", &size, matrix, &size, values, work.data(), &room, &info);
  if (info == 0) return;
  std::fill_n(matrix, n * n, 0.0);
  std::fill_n(values, n, 0.0);
}

bool factor(std::size_t n, double* matrix) {
  if (n == 0) return true;
  use_one_thread();
  const int size = checked(n);
  int info = 0;
  dpotrf_("L", &size, matrix, &size, &info);
  return info == 0;
}

void solve_factored(std::size_t n, const double* factor, double* x) {
  if (n == 0) return;
  const int size = checked(n), one = 1;
  int info = 0;
  dpotrs_("L", &size, &one, factor, &size, x, &size, &info);
  assert(info == 0);
}

void solve_lower(std::size_t n, const double* factor, double* x) {
  if (n == 0) return;
  const int size = checked(n), one = 1;
  dtrsv_("L", "N", "N", &size, factor, &size, x, &one);
}

}  // namespace soba::linalg
