#include "data/formats/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "core/draws.h"
#include "core/fields.h"
#include "data/bytes/text.h"
#include "soba/error.h"
#include "soba/rng.h"

namespace soba {

namespace {

constexpr std::uint32_t kFewestOnes = 20, kMostOnes = 40;
constexpr int kTurnedOff = 5, kTurnedOn = 20;
constexpr std::array<std::string_view, 9> kLabels = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};

template <class Words>
bool test_bit(const Words& words, Index j) {
  return (words[static_cast<std::size_t>(j) / 64] >> (j % 64) & 1) != 0;
}

template <class Words>
void flip_bit(Words& words, Index j) {
  words[static_cast<std::size_t>(j) / 64] ^= std::uint64_t{1} << (j % 64);
}

std::uint64_t parse_seed(const std::string& name, std::string_view text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, seed);
  if (code != std::errc() || stop != end || text.empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: '{}' is not accepted; expected a whole number >= 0", name, text));
  }
  return seed;
}

void set_parameter(std::string_view text, SyntheticOptions& options) {
  static const std::vector<std::string> kNames = {"n", "seed", "noise"};
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = text.substr(std::min(equals + 1, text.size()));
  if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
    const std::string near = nearest(name, kNames);
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{}: unknown parameter {}{}; expected n=…, seed=… or noise=…", options.name,
                    shown(name), near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
  }
  const std::string called = fmt::format("{}: {}", options.name, name);
  if (name == "n") options.n = parse_integer(called, value, 1, 0x1p53);
  if (name == "seed") options.seed = parse_seed(called, value);
  if (name == "noise") options.noise = parse_number(called, value, 0, 1);
}

}  // namespace

std::string_view synthetic_label(Label label) { return kLabels[static_cast<std::size_t>(label)]; }

std::optional<SyntheticOptions> parse_synthetic(std::string_view data, std::uint64_t seed) {
  const std::size_t colon = std::min(data.find(':'), data.size());
  SyntheticOptions options;
  options.name = data.substr(0, colon);
  options.seed = seed;
  if (options.name != "synsep" && options.name != "synnonsep") return std::nullopt;
  if (options.name == "synnonsep") options.noise = 0.05;
  std::string_view rest = data.substr(colon);
  while (!rest.empty()) {
    rest.remove_prefix(1);  // ':' or ','
    const std::size_t comma = std::min(rest.find(','), rest.size());
    set_parameter(rest.substr(0, comma), options);
    rest = rest.substr(comma);
  }
  return options;
}

std::string nearest_synthetic(std::string_view data) {
  static const std::vector<std::string> kNames = {"synsep", "synnonsep"};
  return nearest(data.substr(0, data.find(':')), kNames);
}

Synthetic::Synthetic(const SyntheticOptions& options) : options_(options) {
  const Rng rng(options.seed, Purpose::kTopics);
  for (std::size_t c = 0; c < topics_.size(); ++c) {
    Draws draws(rng, c);
    const std::size_t ones = kFewestOnes + draws.below(kMostOnes - kFewestOnes + 1);
    while (topics_[c].size() < ones) {
      const auto j = static_cast<Index>(draws.below(kTopicFeatures));
      if (test_bit(bits_[c], j)) continue;
      flip_bit(bits_[c], j);
      topics_[c].push_back(j);
    }
  }
}

// The order of the draws is part of what (seed, i) means: class, ones turned off, ones turned on,
// noise.
Label Synthetic::example(std::int64_t i, Row& row) const {
  Draws draws(Rng(options_.seed, Purpose::kExamples), static_cast<std::uint64_t>(i));
  auto label = static_cast<Label>(draws.below(kClasses));
  const std::vector<Index>& topic = topics_[static_cast<std::size_t>(label)];
  auto bits = bits_[static_cast<std::size_t>(label)];
  for (int off = 0; off < kTurnedOff;) {
    const Index j = topic[draws.below(static_cast<std::uint32_t>(topic.size()))];
    if (!test_bit(bits, j)) continue;
    flip_bit(bits, j);
    ++off;
  }
  for (int on = 0; on < kTurnedOn;) {
    const auto j = static_cast<Index>(kTopicFeatures + draws.below(kFeatures - kTopicFeatures));
    if (test_bit(bits, j)) continue;
    flip_bit(bits, j);
    ++on;
  }
  if (options_.noise > 0 && draws.uniform() < options_.noise) {
    label = static_cast<Label>(draws.below(kClasses));
  }
  row.index.clear();
  for (std::size_t w = 0; w < kWords; ++w) {
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) {
      row.index.push_back(
          static_cast<Index>(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
    }
  }
  row.value.assign(row.index.size(), 1.0);
  return label;
}

std::string Synthetic::description() const {
  std::string text = fmt::format("{}:n={},seed={}", options_.name, options_.n, options_.seed);
  if (options_.noise > 0 || options_.name == "synnonsep") {
    text += fmt::format(",noise={}", options_.noise);
  }
  return text;
}

RowStatus SyntheticReader::next(Row& row, RowError&) {
  if (next_ == synthetic_.options().n) return RowStatus::kEnd;
  const Label label = synthetic_.example(next_++, row);
  row.has_label = true;
  row.label = synthetic_label(label);
  row.line = next_;
  return RowStatus::kRow;
}

}  // namespace soba
