// The updates that the dual form keeps: z_i = √w_i·(e_up − e_down) ⊗ x_i, with x_i sparse, and Zᵀv
// for a v.
//
// Zᵀv can be had in two ways. A scan goes through all stored pairs that share a class with v, with
// the x of v written out. The index has, for each feature, the pairs that have it: it goes through
// the lists of v's features alone. Which is cheaper is counted each time. Both add the same
// products in the same order, four partial sums to a pair, so the choice changes no bit.
#pragma once

#include <cstdint>
#include <vector>

#include "covariance/pair_vector.h"
#include "soba/state.h"

namespace soba {

class StoredPairs {
 public:
  // How large an x is: its extent and its entries, or more.
  struct Size {
    Index extent = 0;
    std::size_t entries = 0;

    static Size of(const Features& x) { return {x.extent(), x.size()}; }
    bool holds(const Features& x) const { return x.extent() <= extent && x.size() <= entries; }
  };

  std::size_t size() const { return root_weight_.size(); }
  PairVector pair(std::size_t i) const;  // without √w_i
  double root_weight(std::size_t i) const { return root_weight_[i]; }

  // Room for products() with a v of this size, and for push_back() of one as well: neither throws
  // then. Nothing else changes, bytes_after() included.
  void reserve_products(const Size& x);
  void reserve(const Size& x);
  void push_back(const PairVector& v, double root_weight);

  // Zᵀv into `out`, a number for each pair: the cheaper of the two ways below.
  void products(const PairVector& v, std::vector<double>& out);
  void products_by_scan(const PairVector& v, std::vector<double>& out);
  void products_by_index(const PairVector& v, std::vector<double>& out);

  // To be called on a copy, which has not the room ahead that the original has.
  void forget_room();

  // Bytes held at most, after one more pair along x.
  double bytes_after(const Size& x) const;
  void visit(Shape shape, StateVisitor& visitor);

 private:
  // An entry of x_i in the list of its feature.
  struct Entry {
    double value;
    std::uint32_t sum;  // 4·i + the partial sum of z_iᵀv that it belongs to
  };
  // The number of the feature's list, a new one if there is none.
  std::size_t list_of(Index feature);
  const std::vector<Entry>* find_list(Index feature) const;
  void add_to_index(std::size_t i);
  void rebuild_index();
  // Features of an x that have no list yet, at most.
  std::size_t lists_missing(const Size& x) const;

  std::vector<Label> up_, down_;        // v_i = (e_up − e_down) ⊗ x_i
  std::vector<double> root_weight_;     // √w_i
  std::vector<std::int64_t> begin_{0};  // x_i = entries begin_[i] … begin_[i+1]−1
  std::vector<Index> index_;
  std::vector<double> value_;
  // The index, which is not saved: the number of each feature's list, −1 for none, and the lists.
  std::vector<std::int32_t> list_of_feature_;
  std::vector<std::vector<Entry>> lists_;
  // So that an update never waits for memory: lists for features yet to come, and the numbers of
  // the lists that have no room for one more entry, which reserve() gives them.
  std::vector<std::vector<Entry>> spare_lists_;
  std::vector<std::size_t> full_lists_;
  // Room for x written out, zeros between calls, and for the partial sums of each pair.
  std::vector<double> dense_;
  std::vector<double> sums_;
};

}  // namespace soba
