// One list of fields, many uses: an object with state shows its fields to a StateVisitor, which
// writes them to a model file, reads them back, prints them or adds them up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "soba/types.h"

namespace soba {

inline bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

class StateVisitor {
 public:
  virtual ~StateVisitor() = default;

  // Whether fields take their values from the visitor, as from a file. One that is not loading
  // changes none; what follows from the fields is rebuilt for one that is, and only then.
  virtual bool loading() const = 0;
  // The format version of what is read; for a visitor that is not loading, that of today.
  virtual std::uint32_t version() const = 0;

  virtual void field(std::string_view name, double& value) = 0;
  virtual void field(std::string_view name, std::int64_t& value) = 0;
  virtual void field(std::string_view name, std::string& value) = 0;
  virtual void field(std::string_view name, std::vector<double>& values) = 0;
  virtual void field(std::string_view name, std::vector<float>& values) = 0;
  virtual void field(std::string_view name, std::vector<std::int32_t>& values) = 0;
  virtual void field(std::string_view name, std::vector<std::int64_t>& values) = 0;
  virtual void field(std::string_view name, std::vector<std::string>& values) = 0;

  // States what must hold once the fields above are there; a reader refuses the file when it does
  // not.
  virtual void require(bool holds, std::string_view what) = 0;
};

}  // namespace soba
