#include "linalg/blas.h"

#include <algorithm>
#include <cassert>
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
void openblas_set_num_threads(int count);
}

namespace soba::linalg {

namespace {

int checked(std::size_t n) {
  assert(n <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  return static_cast<int>(n);
}

void use_one_thread() {
  static const bool once = (openblas_set_num_threads(1), true);
  static_cast<void>(once);
}

// Copies the lower triangle onto the upper one. Tiles stay in the cache; four columns at a time are
// read from, so that each line of the upper triangle is written in whole pieces.
void mirror_lower(std::size_t n, double* p) {
  constexpr std::size_t kTile = 32;
  for (std::size_t j0 = 0; j0 < n; j0 += kTile) {
    const std::size_t j1 = std::min(n, j0 + kTile);
    for (std::size_t i0 = j0; i0 < n; i0 += kTile) {
      for (std::size_t i = i0; i < std::min(n, i0 + kTile); ++i) {
        double* row = p + i * n;
        const double* from = p + i;
        std::size_t j = j0;
        const std::size_t end = std::min(j1, i);
        for (; j + 4 <= end; j += 4) {
          const double a = from[j * n], b = from[(j + 1) * n];
          const double c = from[(j + 2) * n], d = from[(j + 3) * n];
          row[j] = a;
          row[j + 1] = b;
          row[j + 2] = c;
          row[j + 3] = d;
        }
        for (; j < end; ++j) row[j] = from[j * n];
      }
    }
  }
}

}  // namespace

void subtract_products(std::size_t n, const double* v, std::size_t count, double* p) {
  if (n == 0 || count == 0) return;
  use_one_thread();
  const int size = checked(n), inner = checked(count);
  const double minus = -1, keep = 1;
  dsyrk_("L", "N", &size, &inner, &minus, v, &size, &keep, p, &size);
  mirror_lower(n, p);
}

bool invert(std::size_t n, double* matrix) {
  if (n == 0) return true;
  use_one_thread();
  const int size = checked(n);
  int info = 0;
  dpotrf_("L", &size, matrix, &size, &info);
  if (info == 0) dpotri_("L", &size, matrix, &size, &info);
  if (info != 0) return false;
  mirror_lower(n, matrix);
  return true;
}

// In pieces, since the result takes the place of what it is made of.
void combine_columns(std::size_t n, std::size_t stride, double* columns, std::size_t in,
                     std::size_t out, const double* factors) {
  use_one_thread();
  constexpr std::size_t kPiece = 1024;
  std::vector<double> piece(kPiece * out);
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

void eigenvectors(std::size_t n, double* matrix, double* values) {
  if (n == 0) return;
  use_one_thread();
  const int size = checked(n);
  const int room = 34 * size;  // what LAPACK's manual asks for with blocks of 32
  std::vector<double> work(static_cast<std::size_t>(room));
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
