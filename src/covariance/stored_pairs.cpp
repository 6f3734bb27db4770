#include "covariance/stored_pairs.h"

#include <algorithm>
#include <functional>

#include "linalg/kernels.h"
#include "linalg/room.h"

namespace soba {

namespace {

// Time of a pair in the scan and in the index, in that of an entry; an entry takes about as long in
// either (docs/performance.md).
constexpr std::size_t kScannedPair = 8;
constexpr std::size_t kListedPair = 2;

// (e_up − e_down)·(e_up' − e_down'), one of −2, −1, 0, 1, 2.
int label_product(Label up, Label down, Label up2, Label down2) {
  return (up == up2) - (up == down2) - (down == up2) + (down == down2);
}

}  // namespace

PairVector StoredPairs::pair(std::size_t i) const {
  const auto first = static_cast<std::size_t>(begin_[i]);
  const auto count = static_cast<std::size_t>(begin_[i + 1]) - first;
  return {up_[i], down_[i], {{index_.data() + first, count}, {value_.data() + first, count}}};
}

std::size_t StoredPairs::list_of(Index feature) {
  const auto j = static_cast<std::size_t>(feature);
  if (list_of_feature_.size() <= j) list_of_feature_.resize(j + 1, -1);
  if (list_of_feature_[j] < 0) {
    if (spare_lists_.empty()) spare_lists_.emplace_back();
    lists_.push_back(std::move(spare_lists_.back()));
    spare_lists_.pop_back();
    list_of_feature_[j] = static_cast<std::int32_t>(lists_.size() - 1);
  }
  return static_cast<std::size_t>(list_of_feature_[j]);
}

const std::vector<StoredPairs::Entry>* StoredPairs::find_list(Index feature) const {
  const auto j = static_cast<std::size_t>(feature);
  if (j >= list_of_feature_.size() || list_of_feature_[j] < 0) return nullptr;
  return &lists_[static_cast<std::size_t>(list_of_feature_[j])];
}

std::size_t StoredPairs::lists_missing(const Size& x) const {
  const auto extent = static_cast<std::size_t>(x.extent);
  const std::size_t features = std::max(list_of_feature_.size(), extent);
  return std::min(x.entries, features - lists_.size());
}

void StoredPairs::reserve_products(const Size& x) {
  const auto extent = static_cast<std::size_t>(x.extent);
  linalg::make_room(dense_, std::max(list_of_feature_.size(), extent));
  linalg::make_room(sums_, 4 * size());
}

void StoredPairs::reserve(const Size& x) {
  reserve_products(x);
  linalg::make_room(up_, size() + 1);
  linalg::make_room(down_, size() + 1);
  linalg::make_room(root_weight_, size() + 1);
  linalg::make_room(begin_, size() + 2);
  linalg::make_room(index_, index_.size() + x.entries);
  linalg::make_room(value_, value_.size() + x.entries);
  linalg::make_room(list_of_feature_, static_cast<std::size_t>(x.extent));
  while (!full_lists_.empty()) {
    std::vector<Entry>& list = lists_[full_lists_.back()];
    linalg::make_room(list, list.size() + 1);
    full_lists_.pop_back();
  }
  linalg::make_room(full_lists_, x.entries);
  const std::size_t missing = lists_missing(x);
  linalg::make_room(lists_, lists_.size() + missing);
  while (spare_lists_.size() < missing) {
    std::vector<Entry> list;
    list.reserve(2);
    spare_lists_.push_back(std::move(list));
  }
}

void StoredPairs::push_back(const PairVector& v, double root_weight) {
  up_.push_back(v.up);
  down_.push_back(v.down);
  root_weight_.push_back(root_weight);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    if (v.x.value[i] == 0) continue;
    index_.push_back(v.x.feature(i));
    value_.push_back(v.x.value[i]);
  }
  begin_.push_back(static_cast<std::int64_t>(index_.size()));
  add_to_index(size() - 1);
}

void StoredPairs::add_to_index(std::size_t i) {
  const Features x = pair(i).x;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const std::size_t number = list_of(x.index[j]);
    std::vector<Entry>& list = lists_[number];
    list.push_back({x.value[j], static_cast<std::uint32_t>(4 * i + j % 4)});
    if (list.size() == list.capacity()) full_lists_.push_back(number);
  }
}

void StoredPairs::products(const PairVector& v, std::vector<double>& out) {
  std::size_t scanned = 0, listed = kListedPair * size();
  for (std::size_t i = 0; i < size(); ++i) {
    const bool shared = label_product(v.up, v.down, up_[i], down_[i]) != 0;
    scanned += shared * (kScannedPair + static_cast<std::size_t>(begin_[i + 1] - begin_[i]));
  }
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    const std::vector<Entry>* list = v.x.value[i] == 0 ? nullptr : find_list(v.x.feature(i));
    if (list != nullptr) listed += list->size();
  }
  if (listed < scanned) {
    products_by_index(v, out);
  } else {
    products_by_scan(v, out);
  }
}

void StoredPairs::products_by_scan(const PairVector& v, std::vector<double>& out) {
  const auto extent =
      static_cast<std::size_t>(std::max(v.x.extent(), static_cast<Index>(list_of_feature_.size())));
  if (dense_.size() < extent) dense_.resize(extent);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    dense_[static_cast<std::size_t>(v.x.feature(i))] = v.x.value[i];
  }
  out.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const int labels = label_product(v.up, v.down, up_[i], down_[i]);
    out[i] =
        labels == 0 ? 0 : labels * root_weight_[i] * linalg::sparse_dot(pair(i).x, dense_.data());
  }
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    dense_[static_cast<std::size_t>(v.x.feature(i))] = 0;
  }
}

void StoredPairs::products_by_index(const PairVector& v, std::vector<double>& out) {
  // The features ascend in v and in every stored pair, so each partial sum takes its products in
  // the order of the scan; the products with zeros that the scan adds as well change no sum.
  sums_.assign(4 * size(), 0.0);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    const double x = v.x.value[i];
    const std::vector<Entry>* list = x == 0 ? nullptr : find_list(v.x.feature(i));
    if (list == nullptr) continue;
    for (const Entry& entry : *list) sums_[entry.sum] += entry.value * x;
  }
  out.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const int labels = label_product(v.up, v.down, up_[i], down_[i]);
    const double* sums = sums_.data() + 4 * i;
    out[i] = labels == 0 ? 0 : labels * root_weight_[i] * (sums[0] + sums[1] + sums[2] + sums[3]);
  }
}

double StoredPairs::bytes_after(const Size& x) const {
  // An entry takes 12 bytes where it is stored and 16 in the list of its feature, which may have
  // room for twice as many; a pair 24 and its sums; a list 24; a feature 12.
  const auto entries = static_cast<double>(index_.size() + x.entries);
  const auto lists = static_cast<double>(lists_.size() + x.entries);
  const auto features =
      static_cast<double>(std::max<std::size_t>(list_of_feature_.size(), x.extent));
  return 44 * entries + 56 * static_cast<double>(size() + 1) + 24 * lists + 12 * features;
}

void StoredPairs::visit(Shape shape, StateVisitor& visitor) {
  visitor.field("covariance.dual.up", up_);
  visitor.field("covariance.dual.down", down_);
  visitor.field("covariance.dual.root_weight", root_weight_);
  visitor.field("covariance.dual.begin", begin_);
  visitor.field("covariance.dual.index", index_);
  visitor.field("covariance.dual.value", value_);

  visitor.require(up_.size() == size() && down_.size() == size() && begin_.size() == size() + 1 &&
                      index_.size() == value_.size(),
                  "the stored updates agree in number");
  visitor.require(begin_.front() == 0 && std::is_sorted(begin_.begin(), begin_.end()) &&
                      begin_.back() == static_cast<std::int64_t>(index_.size()),
                  "the stored updates follow one another");
  for (std::size_t i = 0; i < size(); ++i) {
    visitor.require(
        up_[i] >= 0 && up_[i] < shape.classes && down_[i] >= 0 && down_[i] < shape.classes,
        "every stored update is a pair of classes");
  }
  for (const Index j : index_) {
    visitor.require(j >= 0 && j < shape.features, "every stored feature is a known one");
  }
  for (std::size_t i = 0; i < size(); ++i) {
    const auto index = pair(i).x.index;
    visitor.require(
        std::adjacent_find(index.begin(), index.end(), std::greater_equal<>()) == index.end(),
        "the features of a stored update ascend");
  }
  visitor.require(all_finite(value_), "every stored value is finite");
  if (visitor.loading()) rebuild_index();
}

void StoredPairs::forget_room() {
  spare_lists_.clear();
  rebuild_index();
}

void StoredPairs::rebuild_index() {
  list_of_feature_.clear();
  lists_.clear();
  for (std::size_t i = 0; i < size(); ++i) add_to_index(i);
  full_lists_.clear();  // has those that were full on the way
  for (std::size_t number = 0; number < lists_.size(); ++number) {
    if (lists_[number].size() == lists_[number].capacity()) full_lists_.push_back(number);
  }
}

}  // namespace soba
