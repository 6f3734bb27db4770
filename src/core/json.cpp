// Numbers are written with Grisu2 (F. Loitsch, "Printing Floating-Point Numbers Quickly and
// Accurately with Integers", PLDI 2010), not with std::to_chars. Both give texts that read back as
// the same double, and mostly the same text; about one in two thousand differs in its last digits,
// and programs that compare Soba's output by its bytes have the one of Grisu2.
#include "core/json.h"

#include <bit>
#include <cmath>
#include <cstddef>

namespace soba {

namespace {

// f·2^e
struct Scaled {
  std::uint64_t f;
  int e;
};

// 10^k for k = −300, −292, …, 324, as f·2^e with 2^63 <= f, rounded to nearest.
constexpr int kFirstPower = -300, kPowerStep = 8;
constexpr std::uint64_t kPowers[] = {
    0xab70fe17c79ac6ca, 0xff77b1fcbebcdc4f, 0xbe5691ef416bd60c, 0x8dd01fad907ffc3c,
    0xd3515c2831559a83, 0x9d71ac8fada6c9b5, 0xea9c227723ee8bcb, 0xaecc49914078536d,
    0x823c12795db6ce57, 0xc21094364dfb5637, 0x9096ea6f3848984f, 0xd77485cb25823ac7,
    0xa086cfcd97bf97f4, 0xef340a98172aace5, 0xb23867fb2a35b28e, 0x84c8d4dfd2c63f3b,
    0xc5dd44271ad3cdba, 0x936b9fcebb25c996, 0xdbac6c247d62a584, 0xa3ab66580d5fdaf6,
    0xf3e2f893dec3f126, 0xb5b5ada8aaff80b8, 0x87625f056c7c4a8b, 0xc9bcff6034c13053,
    0x964e858c91ba2655, 0xdff9772470297ebd, 0xa6dfbd9fb8e5b88f, 0xf8a95fcf88747d94,
    0xb94470938fa89bcf, 0x8a08f0f8bf0f156b, 0xcdb02555653131b6, 0x993fe2c6d07b7fac,
    0xe45c10c42a2b3b06, 0xaa242499697392d3, 0xfd87b5f28300ca0e, 0xbce5086492111aeb,
    0x8cbccc096f5088cc, 0xd1b71758e219652c, 0x9c40000000000000, 0xe8d4a51000000000,
    0xad78ebc5ac620000, 0x813f3978f8940984, 0xc097ce7bc90715b3, 0x8f7e32ce7bea5c70,
    0xd5d238a4abe98068, 0x9f4f2726179a2245, 0xed63a231d4c4fb27, 0xb0de65388cc8ada8,
    0x83c7088e1aab65db, 0xc45d1df942711d9a, 0x924d692ca61be758, 0xda01ee641a708dea,
    0xa26da3999aef774a, 0xf209787bb47d6b85, 0xb454e4a179dd1877, 0x865b86925b9bc5c2,
    0xc83553c5c8965d3d, 0x952ab45cfa97a0b3, 0xde469fbd99a05fe3, 0xa59bc234db398c25,
    0xf6c69a72a3989f5c, 0xb7dcbf5354e9bece, 0x88fcf317f22241e2, 0xcc20ce9bd35c78a5,
    0x98165af37b2153df, 0xe2a0b5dc971f303a, 0xa8d9d1535ce3b396, 0xfb9b7cd9a4a7443c,
    0xbb764c4ca7a44410, 0x8bab8eefb6409c1a, 0xd01fef10a657842c, 0x9b10a4e5e9913129,
    0xe7109bfba19c0c9d, 0xac2820d9623bf429, 0x80444b5e7aa7cf85, 0xbf21e44003acdd2d,
    0x8e679c2f5e44ff8f, 0xd433179d9c8cb841, 0x9e19db92b4e31ba9,
};

struct CachedPower {
  Scaled scaled;
  int k;
};

// The power c = 10^k for which w·c has an exponent of −60 … −32, where w = f·2^e.
CachedPower cached_power(int e) {
  const int exponent = -61 - e;
  const int least = exponent * 78913 / (1 << 18) + (exponent > 0 ? 1 : 0);  // 78913/2^18 ≈ log10(2)
  const int place = (least - kFirstPower + kPowerStep - 1) / kPowerStep;
  const int k = kFirstPower + place * kPowerStep;
  return {{kPowers[place], ((k * 1741647) >> 19) - 63}, k};  // 1741647/2^19 ≈ log2(10)
}

Scaled normalized(Scaled x) {
  const int shift = std::countl_zero(x.f);
  return {x.f << shift, x.e - shift};
}

// The upper 64 bits of the product, rounded.
Scaled product(Scaled x, Scaled y) {
  __extension__ typedef unsigned __int128 Wide;
  const Wide wide = static_cast<Wide>(x.f) * y.f + (Wide{1} << 63);
  return {static_cast<std::uint64_t>(wide >> 64), x.e + y.e + 64};
}

// digits·10^exponent
struct Decimal {
  char digits[17];
  int count = 0;
  int exponent = 0;

  void push(std::uint64_t digit) { digits[count++] = static_cast<char>('0' + digit); }
  // Lowers the last digit while that brings the number, `rest` below the upper bound, closer to the
  // value, `distance` below it, and not below the lower bound, `delta` below it.
  void approach(std::uint64_t distance, std::uint64_t delta, std::uint64_t rest,
                std::uint64_t unit) {
    while (rest < distance && delta - rest >= unit &&
           (rest + unit < distance || distance - rest > rest + unit - distance)) {
      --digits[count - 1];
      rest += unit;
    }
  }
};

// The digits of the upper bound, from the left, until the number is within the bounds.
Decimal shortest_digits(Scaled low, Scaled value, Scaled high, int exponent) {
  Decimal out;
  std::uint64_t delta = high.f - low.f, distance = high.f - value.f;
  const int shift = -high.e;
  const std::uint64_t one = std::uint64_t{1} << shift;
  auto whole = static_cast<std::uint32_t>(high.f >> shift);
  std::uint64_t fraction = high.f & (one - 1);
  std::uint32_t power = 1;
  int left = 1;
  while (whole / power >= 10) {
    power *= 10;
    ++left;
  }
  while (left > 0) {
    out.push(whole / power);
    whole %= power;
    --left;
    const std::uint64_t rest = (std::uint64_t{whole} << shift) + fraction;
    if (rest <= delta) {
      out.exponent = exponent + left;
      out.approach(distance, delta, rest, std::uint64_t{power} << shift);
      return out;
    }
    power /= 10;
  }
  do {
    fraction *= 10;
    out.push(fraction >> shift);
    fraction &= one - 1;
    --left;
    delta *= 10;
    distance *= 10;
  } while (fraction > delta);
  out.exponent = exponent + left;
  out.approach(distance, delta, fraction, one);
  return out;
}

// Requires: value is finite and positive.
Decimal grisu2(double value) {
  constexpr std::uint64_t kHidden = std::uint64_t{1} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto biased = static_cast<int>(bits >> 52);
  const std::uint64_t fraction = bits & (kHidden - 1);
  const Scaled v =
      biased == 0 ? Scaled{fraction, -1074} : Scaled{fraction + kHidden, biased - 1075};
  // Half way to the neighbours; below a power of two the lower one is nearer.
  const bool nearer = fraction == 0 && biased > 1;
  const Scaled above = normalized({2 * v.f + 1, v.e - 1});
  Scaled below = nearer ? Scaled{4 * v.f - 1, v.e - 2} : Scaled{2 * v.f - 1, v.e - 1};
  below = {below.f << (below.e - above.e), above.e};

  const CachedPower power = cached_power(above.e);
  Scaled low = product(below, power.scaled), high = product(above, power.scaled);
  ++low.f;  // the products may be off by one
  --high.f;
  return shortest_digits(low, product(normalized(v), power.scaled), high, -power.k);
}

void append_decimal(const Decimal& decimal, std::string& out) {
  constexpr int kLeast = -4, kMost = 15;  // where the point is written without an exponent
  const std::string_view digits(decimal.digits, static_cast<std::size_t>(decimal.count));
  const int point = decimal.count + decimal.exponent;  // digits before it
  if (decimal.count <= point && point <= kMost) {
    out.append(digits).append(static_cast<std::size_t>(decimal.exponent), '0').append(".0");
  } else if (0 < point && point <= kMost) {
    out.append(digits.substr(0, static_cast<std::size_t>(point))).append(".");
    out.append(digits.substr(static_cast<std::size_t>(point)));
  } else if (kLeast < point && point <= 0) {
    out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
  } else {
    out += digits[0];
    if (digits.size() > 1) out.append(".").append(digits.substr(1));
    const int exponent = point - 1;
    out.append(exponent < 0 ? "e-" : "e+");
    if (std::abs(exponent) < 10) out += '0';
    out += std::to_string(std::abs(exponent));
  }
}

// How many bytes from `at` on are one character in UTF-8; or, negated, how many of them are the
// beginning of one that does not go on, at least 1.
int utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return -1;
  const int length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  // The second byte rules out what a shorter form has, surrogates, and numbers above 0x10FFFF.
  unsigned low = 0x80, high = 0xBF;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  for (int i = 1; i < length; ++i) {
    const std::size_t next = at + static_cast<std::size_t>(i);
    if (next == text.size() || byte(next) < low || byte(next) > high) return -i;
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

void append_control(char c, std::string& out) {
  constexpr std::string_view kNamed = "\b\t\n\f\r\"\\", kLetters = "btnfr\"\\";
  if (const std::size_t place = kNamed.find(c); place != std::string_view::npos) {
    out.append({'\\', kLetters[place]});
    return;
  }
  constexpr std::string_view kHex = "0123456789abcdef";
  out.append("\\u00");
  out.append({kHex[static_cast<unsigned char>(c) >> 4], kHex[c & 15]});
}

}  // namespace

void append_json(std::string_view text, std::string& out) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const int length = utf8_length(text, at);
    const auto size = static_cast<std::size_t>(std::abs(length));
    const char c = text[at];
    if (length < 0) {
      out.append("\xEF\xBF\xBD");
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\') {
      append_control(c, out);
    } else {
      out.append(text.substr(at, size));
    }
    at += size;
  }
  out += '"';
}

void append_json(double value, std::string& out) {
  if (!std::isfinite(value)) {
    out.append("null");
    return;
  }
  if (std::signbit(value)) out += '-';
  if (value == 0) {
    out.append("0.0");
  } else {
    append_decimal(grisu2(std::fabs(value)), out);
  }
}

}  // namespace soba
