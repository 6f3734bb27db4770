#include "evaluate/estimators.h"

namespace soba {

double ips(const Column& column) { return column.wr() / column.n(); }

double snips(const Column& column) { return column.w() > 0 ? column.wr() / column.w() : 0; }

double clipped_ips(const Column& column, double most) {
  double sum = 0;
  column.for_each([&](double w, bool correct) { sum += correct ? std::min(w, most) : 0; });
  return sum / column.n();
}

double cressie_read(const Column& column) {
  const double n = column.n();
  // What is missing to a mean weight of 1 is on a weight that was never seen, beyond all limits;
  // what is too much is balanced by an unseen weight of 0.
  double gamma = -1 / n, beta = 0;
  if (column.w() >= n) {
    const double a = column.w() / (1 + n), b = column.ww() / (1 + n);
    if (a * a >= b) return ips(column);  // every weight is the same
    gamma = (b - a) / (a * a - b) / (1 + n);
    beta = (1 - a) / (a * a - b) / (1 + n);
  }
  const double value = -gamma * column.wr() - beta * column.wwr();
  const double missing = std::max(0.0, 1 + gamma * column.w() + beta * column.ww());
  return value + missing * column.right() / n;
}

double effective_size(const Column& column) {
  return column.ww() > 0 ? column.w() * column.w() / column.ww() : 0;
}

double largest_share(const Column& column) {
  return column.w() > 0 ? column.largest() / column.w() : 0;
}

double weight_error(const Column& column) {
  const double n = column.n(), mean = column.w() / n;
  return std::sqrt(std::max(0.0, column.ww() / n - mean * mean) / n);
}

double DoublyRobust::error() const {
  return std::sqrt(std::max(0.0, squares_ / n() - value() * value()) / n());
}

}  // namespace soba
