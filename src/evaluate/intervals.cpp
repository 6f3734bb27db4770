#include "evaluate/intervals.h"

#include <array>
#include <bit>
#include <limits>
#include <numbers>
#include <vector>

#include "evaluate/estimators.h"

namespace soba {

namespace {

constexpr std::size_t kBets = 14;
using Bets = std::array<double, kBets>;

constexpr Bets bets() {
  Bets out{};
  double share = 1;
  for (double& bet : out) bet = share /= 2;
  return out;
}

template <Gain gain>
double gain_of(double held) {
  const double w = Column::weight(held);
  const bool correct = Column::correct(held);
  if constexpr (gain == Gain::kRight) return correct ? w : 0;
  if constexpr (gain == Gain::kWrong) return correct ? 0 : w;
  if constexpr (gain == Gain::kRightOrRefused) return correct ? w : 1;
  return correct ? 1 : w;
}

// The logarithm of 1/14 Σ_j Π_t (start_j + slope_j·X_t), products kept within the range of doubles.
class LogMixture {
 public:
  LogMixture(const Bets& start, const Bets& slope) : start_(start), slope_(slope) {
    products_.fill(1);
  }

  void multiply(double x, double times) {
    if (times != 1 || std::fabs(slope_[0] * x) > 1e12) {  // too large for a product of several
      for (std::size_t j = 0; j < kBets; ++j) {
        logs_[j] += times * std::log(start_[j] + slope_[j] * x);
      }
      return;
    }
    for (std::size_t j = 0; j < kBets; ++j) products_[j] *= start_[j] + slope_[j] * x;
    if (++factors_ % 8 == 0) settle();
  }

  double value() {
    settle();
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t j = 0; j < kBets; ++j) {
      logs_[j] += std::log(products_[j]);
      most = std::max(most, logs_[j]);
    }
    for (const double one : logs_) sum += std::exp(one - most);
    return most + std::log(sum / kBets);
  }

 private:
  void settle() {
    for (std::size_t j = 0; j < kBets; ++j) {
      if (products_[j] > 1e-100 && products_[j] < 1e100) continue;
      logs_[j] += std::log(products_[j]);
      products_[j] = 1;
    }
  }

  Bets start_, slope_, products_{}, logs_{};
  std::int64_t factors_ = 0;
};

// The numbers of a column, each once with how often it is there, in the order of their first
// appearance: logs have few different weights. Where they are too many, nothing is gathered.
class Distinct {
 public:
  explicit Distinct(const Column& column) : column_(column), slots_(kSlots) {
    column.for_each_chunk([&](std::span<const double> part) {
      for (const double held : part) {
        if (values_.size() > kMost) return;
        count(held);
      }
    });
  }

  // Calls visit(number, times).
  template <class Visit>
  void for_each(Visit&& visit) const {
    if (values_.size() <= kMost) {
      for (std::size_t i = 0; i < values_.size(); ++i) visit(values_[i], times_[i]);
      return;
    }
    column_.for_each_chunk([&](std::span<const double> part) {
      for (const double held : part) visit(held, 1.0);
    });
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 16, kSlots = 4 * kMost;

  void count(double held) {
    const auto bits = std::bit_cast<std::uint64_t>(held);
    std::size_t slot = (bits * 0x9E3779B97F4A7C15u) >> 46;  // 18 bits
    while (slots_[slot] != 0 && std::bit_cast<std::uint64_t>(values_[slots_[slot] - 1]) != bits) {
      slot = (slot + 1) % kSlots;
    }
    if (slots_[slot] == 0) {
      values_.push_back(held);
      times_.push_back(0);
      slots_[slot] = static_cast<std::uint32_t>(values_.size());
    }
    ++times_[slots_[slot] - 1];
  }

  const Column& column_;
  std::vector<std::uint32_t> slots_;  // 0: empty, else the place in values_, from 1
  std::vector<double> values_, times_;
};

template <Gain gain>
double log_wealth(const Distinct& numbers, const Bets& start, const Bets& slope) {
  LogMixture mixture(start, slope);
  numbers.for_each(
      [&](double held, double times) { mixture.multiply(gain_of<gain>(held), times); });
  return mixture.value();
}

// That of bets that the mean of X is above m.
double log_wealth_above(const Distinct& numbers, Gain gain, double m) {
  Bets start = bets(), slope = bets();
  for (double& one : start) one = 1 - one;
  for (double& one : slope) one /= m;
  switch (gain) {
    case Gain::kRight:
      return log_wealth<Gain::kRight>(numbers, start, slope);
    case Gain::kWrong:
      return log_wealth<Gain::kWrong>(numbers, start, slope);
    case Gain::kRightOrRefused:
      return log_wealth<Gain::kRightOrRefused>(numbers, start, slope);
    case Gain::kWrongOrKept:
      break;
  }
  return log_wealth<Gain::kWrongOrKept>(numbers, start, slope);
}

// Where f, which ascends or descends through 0 once between the two, does so: regula falsi, halved
// where one end stays (the "Illinois" rule).
template <class F>
double root(F&& f, double low, double at_low, double high, double at_high) {
  for (int i = 0; i < 200 && high - low > 1e-11 * std::fabs(high); ++i) {
    double middle = (low * at_high - high * at_low) / (at_high - at_low);
    if (!(middle > low && middle < high)) middle = (low + high) / 2;
    const double at = f(middle);
    if (at == 0) return middle;
    if ((at > 0) == (at_low > 0)) {
      low = middle;
      at_low = at;
      at_high /= 2;
    } else {
      high = middle;
      at_high = at;
      at_low /= 2;
    }
  }
  return (low + high) / 2;
}

double total(const Column& column, Gain gain) {
  const double wrong = column.w() - column.wr(), refused = column.n() - column.right();
  switch (gain) {
    case Gain::kRight:
      return column.wr();
    case Gain::kWrong:
      return wrong;
    case Gain::kRightOrRefused:
      return column.wr() + refused;
    case Gain::kWrongOrKept:
      break;
  }
  return wrong + column.right();
}

}  // namespace

double betting_lower(const Column& column, Gain gain, double alpha, double cap) {
  if (!(total(column, gain) > 0)) return 0;
  const double goal = -std::log(alpha);
  const Distinct numbers(column);
  // In the logarithm of m, where the wealth is smooth.
  const auto f = [&](double log_m) {
    return log_wealth_above(numbers, gain, std::exp(log_m)) - goal;
  };
  double high = std::log(cap), at_high = f(high);
  if (at_high >= 0) return cap;
  double low = high - 1, at_low = f(low);
  for (double step = 2; at_low < 0; step *= 2) {
    high = low;
    at_high = at_low;
    low -= step;
    at_low = f(low);
  }
  return std::exp(root(f, low, at_low, high, at_high));
}

double betting_upper(const Column& column, double bound, double alpha) {
  const double goal = -std::log(alpha);
  const Distinct numbers(column);
  const auto f = [&](double m) {
    Bets start = bets(), slope = bets();
    for (double& one : start) one = 1 + one * m / (bound - m);
    for (double& one : slope) one = -one / (bound - m);
    return log_wealth<Gain::kRight>(numbers, start, slope) - goal;
  };
  if (!(bound > 1)) return 1;
  const double low = std::min(1.0, ips(column));
  const double at_low = f(low), at_high = f(1);
  if (at_low >= 0) return low;
  return at_high < 0 ? 1 : root(f, low, at_low, 1, at_high);
}

Interval betting_interval(const Column& column, double confidence, std::optional<double> bound) {
  const double side = (1 - confidence) / 2;
  const double lower = betting_lower(column, Gain::kRight, side, 1);
  if (!bound) return {lower, 1 - betting_lower(column, Gain::kWrong, side, 1)};
  const double usual = 1 - betting_lower(column, Gain::kWrong, side / 2, 1);
  return {lower, std::min(usual, betting_upper(column, *bound, side / 2))};
}

Interval betting_difference(const Column& column, double confidence) {
  const double side = (1 - confidence) / 2;
  return {betting_lower(column, Gain::kRightOrRefused, side, 2) - 1,
          1 - betting_lower(column, Gain::kWrongOrKept, side, 2)};
}

Interval delta_interval(const Column& column, double confidence) {
  if (!(column.w() > 0)) return {0, 1};
  const double n = column.n(), value = snips(column), mean = column.w() / n;
  // Σ(w(r − v))², whose terms have a mean of zero.
  const double squares = (1 - 2 * value) * column.wwr() + value * value * column.ww();
  const double error = std::sqrt(std::max(0.0, squares) / n) / mean / std::sqrt(n);
  const double half = normal_quantile(confidence) * error;
  return {std::max(0.0, value - half), std::min(1.0, value + half)};
}

Interval cressie_read_interval(const Column& column, double confidence) {
  const double n = column.n();
  if (n < 2) return {0, 1};
  const double w = column.w(), ww = column.ww(), wr = column.wr(), wwr = column.wwr();
  double balance = 1 + 1 / n;
  if (w >= n) {
    const double a = w / (1 + n), b = ww / (1 + n);
    balance = b > a * a ? (1 + n) * (a - 1) * (a - 1) / (b - a * a) : 0;
  }
  // The F quantile with 1 and n degrees of freedom is Student's t, squared.
  const double z = normal_quantile(confidence), t = z + (z * z * z + z) / (4 * n);
  const double phi = (-balance - t * t) / (2 * (1 + n));
  const auto bound = [&](double r, double sign) {
    double best = std::numeric_limits<double>::infinity();
    const auto consider = [&](double x, double y, double slack) {
      if (slack <= 0 && y * slack >= 0) best = std::min(best, x - std::sqrt(2 * y * slack));
    };
    // An unseen weight of 0, whose answer does not matter.
    const double mean = w / (1 + n), square = ww / (1 + n), reward = sign * wr / (1 + n);
    const double cross = sign * wwr / (1 + n), spread = square - mean * mean;
    if (spread > 0) {
      const double slope = (cross - mean * reward) / spread;
      consider(reward + (1 - mean) * slope,
               slope * (cross - mean * reward) - (wwr / (1 + n) - reward * reward),
               phi + (1 - mean) * (1 - mean) / spread / 2);
    }
    // One beyond all limits, whose answer is r.
    const double gap = r * w - wr;
    consider(sign * (r + (wr - w * r) / n),
             gap * gap / (n * (1 + n)) - (r * r * ww - 2 * r * wwr + wwr) / (1 + n),
             phi + 1 / (2 * n));
    return std::clamp(sign * best, 0.0, 1.0);
  };
  return {bound(0, 1), bound(1, -1)};
}

double normal_quantile(double confidence) {
  double low = 0, high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::numbers::sqrt2) > 1 - confidence ? low : high) = middle;
  }
  return low;
}

}  // namespace soba
