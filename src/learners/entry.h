// Ties a learner's options table and its constructor into the functions of its LearnerInfo.
#pragma once

#include <span>
#include <utility>

#include "core/fields.h"
#include "soba/registry.h"

namespace soba {

template <class Options, class Make>
LearnerInfo with_options(LearnerInfo info, std::span<const Field<Options>> fields, Make make) {
  info.options = describe(fields);
  info.complete = [fields](const OptionValues& values) {
    return option_values(fields, parse_options(fields, values));
  };
  info.make = [fields, make](Shape shape, const OptionValues& values) -> AnyLearner {
    return make(shape, parse_options(fields, values));
  };
  return info;
}

template <class Make>
LearnerInfo without_options(LearnerInfo info, Make make) {
  info.make = [make](Shape shape, const OptionValues&) -> AnyLearner { return make(shape); };
  return info;
}

}  // namespace soba
