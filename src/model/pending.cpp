#include "model/pending.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace soba {

namespace {

// Decisions as a file has them: one list for each member, lists of lists one after the other.
struct Columns {
  std::vector<std::string> ids;
  std::vector<std::int64_t> ends;  // of each decision's entries in index and value
  std::vector<Index> index;
  std::vector<double> value, probability;
  std::vector<Label> played, classes;
  std::vector<std::int64_t> round, time;
  std::vector<std::int64_t> allowed_ends;  // and in allowed
  std::vector<Label> allowed;

  void visit(Label known, StateVisitor& visitor) {
    visitor.field("pending.ids", ids);
    visitor.field("pending.ends", ends);
    visitor.field("pending.index", index);
    visitor.field("pending.value", value);
    visitor.field("pending.played", played);
    visitor.field("pending.probability", probability);
    if (visitor.version() >= 2) {
      visitor.field("pending.allowed_ends", allowed_ends);
      visitor.field("pending.allowed", allowed);
      visitor.field("pending.classes", classes);
      visitor.field("pending.round", round);
      visitor.field("pending.time", time);
    } else if (visitor.loading()) {  // version 1: every label is allowed
      allowed_ends.assign(ids.size(), 0);
      classes.assign(ids.size(), known);
      round.assign(ids.size(), 0);
      time.assign(ids.size(), 0);
    }
  }
};

// Whether they cut a list of this size into `count` pieces.
bool are_ends(const std::vector<std::int64_t>& ends, std::size_t count, std::size_t size) {
  return ends.size() == count && std::is_sorted(ends.begin(), ends.end()) &&
         (count == 0 || ends.front() >= 0) &&
         (count == 0 ? 0 : ends.back()) == static_cast<std::int64_t>(size);
}

template <class T>
std::vector<T> piece(const std::vector<T>& all, const std::vector<std::int64_t>& ends,
                     std::size_t i) {
  return {all.begin() + (i == 0 ? 0 : ends[i - 1]), all.begin() + ends[i]};
}

// Whether they ascend from 0 or more to `last` or less.
bool ascend(const std::vector<std::int32_t>& numbers, std::int32_t last) {
  return numbers.empty() || (numbers.front() >= 0 && numbers.back() <= last &&
                             std::adjacent_find(numbers.begin(), numbers.end(),
                                                std::greater_equal<>()) == numbers.end());
}

constexpr std::string_view kPossible = "every pending decision is a possible one";

// The members, what they hold, and the id once more in the map with about 64 bytes around it.
std::int64_t bytes_of(const Pending& one) {
  return static_cast<std::int64_t>(
      sizeof(Pending) + 64 + 2 * one.id.size() + one.index.size() * sizeof(Index) +
      one.value.size() * sizeof(double) + one.allowed.size() * sizeof(Label));
}

}  // namespace

bool possible(const Pending& one, Label classes) {
  return ascend(one.index, kMaxFeatures) &&
         std::all_of(one.value.begin(), one.value.end(),
                     [](double v) { return std::fabs(v) <= kMaxValue; }) &&
         one.classes >= 2 && one.classes <= classes && one.round >= 0 && one.played >= 0 &&
         one.played < one.classes && one.probability > 0 && one.probability <= 1 &&
         ascend(one.allowed, one.classes - 1) &&
         (one.allowed.empty() ||
          std::binary_search(one.allowed.begin(), one.allowed.end(), one.played));
}

const Pending* PendingTable::find(std::string_view id) const {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &decisions_[found->second];
}

void PendingTable::add(Pending decision) {
  const std::int64_t bytes = bytes_of(decision);
  decisions_.push_back(std::move(decision));
  try {
    places_.emplace(decisions_.back().id, decisions_.size() - 1);
  } catch (...) {
    decisions_.pop_back();
    throw;
  }
  bytes_ += bytes;
}

bool PendingTable::remove(std::string_view id) {
  const auto found = places_.find(id);
  if (found == places_.end()) return false;
  const std::size_t place = found->second;
  places_.erase(found);
  bytes_ -= bytes_of(decisions_[place]);
  if (place + 1 < decisions_.size()) {
    decisions_[place] = std::move(decisions_.back());
    places_.find(decisions_[place].id)->second = place;
  }
  decisions_.pop_back();
  return true;
}

void PendingTable::visit(Label classes, StateVisitor& visitor) {
  if (!visitor.loading()) {
    save(classes, visitor);
    return;
  }
  Columns columns;
  columns.visit(classes, visitor);
  const std::size_t count = columns.ids.size();
  visitor.require(are_ends(columns.ends, count, columns.index.size()) &&
                      columns.value.size() == columns.index.size() &&
                      columns.played.size() == count && columns.probability.size() == count &&
                      columns.classes.size() == count && columns.round.size() == count &&
                      columns.time.size() == count &&
                      are_ends(columns.allowed_ends, count, columns.allowed.size()),
                  "the pending decisions agree in number");
  *this = {};
  for (std::size_t i = 0; i < count; ++i) {
    Pending one{.id = std::move(columns.ids[i]),
                .index = piece(columns.index, columns.ends, i),
                .value = piece(columns.value, columns.ends, i),
                .played = columns.played[i],
                .probability = columns.probability[i],
                .allowed = piece(columns.allowed, columns.allowed_ends, i),
                .classes = columns.classes[i],
                .round = columns.round[i],
                .time = columns.time[i]};
    visitor.require(possible(one, classes), kPossible);
    visitor.require(find(one.id) == nullptr, "the ids of pending decisions differ");
    add(std::move(one));
  }
}

void PendingTable::save(Label classes, StateVisitor& visitor) const {
  Columns columns;
  bool all_possible = true;
  for (const Pending& one : decisions_) {
    all_possible = all_possible && possible(one, classes);
    columns.ids.push_back(one.id);
    columns.index.insert(columns.index.end(), one.index.begin(), one.index.end());
    columns.value.insert(columns.value.end(), one.value.begin(), one.value.end());
    columns.ends.push_back(static_cast<std::int64_t>(columns.index.size()));
    columns.played.push_back(one.played);
    columns.probability.push_back(one.probability);
    columns.allowed.insert(columns.allowed.end(), one.allowed.begin(), one.allowed.end());
    columns.allowed_ends.push_back(static_cast<std::int64_t>(columns.allowed.size()));
    columns.classes.push_back(one.classes);
    columns.round.push_back(one.round);
    columns.time.push_back(one.time);
  }
  columns.visit(classes, visitor);
  visitor.require(all_possible, kPossible);
}

}  // namespace soba
