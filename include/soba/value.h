// Named values: what a program knows of a case before it is made into features.
//
//   {{"amount", 120.0}, {"country", "de"}, {"returning", true}, {"age", {}}}
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace soba {

// A number, a text (not owned), a boolean, or nothing where it is missing.
class Value {
 public:
  using Variant =
      std::variant<std::monostate, double, std::int64_t, std::uint64_t, bool, std::string_view>;

  constexpr Value() = default;  // missing
  template <std::floating_point T>
  constexpr Value(T number) : held_(static_cast<double>(number)) {}
  template <std::signed_integral T>
  constexpr Value(T number) : held_(static_cast<std::int64_t>(number)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) constexpr Value(T number)
      : held_(static_cast<std::uint64_t>(number)) {}
  template <std::same_as<bool> T>
  constexpr Value(T flag) : held_(flag) {}
  constexpr Value(std::string_view text) : held_(text) {}
  constexpr Value(const char* text) : held_(std::string_view(text)) {}
  Value(const std::string& text) : held_(std::string_view(text)) {}

  constexpr const Variant& held() const { return held_; }

 private:
  Variant held_;
};

struct NamedValue {
  std::string_view name;
  Value value;
};

}  // namespace soba
