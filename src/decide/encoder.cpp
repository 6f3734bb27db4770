#include <fmt/format.h>

#include "data/bytes/lines.h"
#include "data/bytes/text.h"
#include "data/named_features.h"
#include "data/preparation.h"
#include "soba/decide.h"
#include "soba/error.h"

namespace soba {

struct Encoder::State {
  explicit State(Schema& schema) : features(schema), preparation(schema) {}

  NamedFeatures features;
  Preparation preparation;
  Row row;
  Block block;
};

Encoder::Encoder(Schema& schema) : state_(std::make_unique<State>(schema)) {}
Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;

Features Encoder::encode(std::span<const NamedValue> values) {
  NamedFeatures& features = state_->features;
  features.begin(/*add_new=*/true, state_->row);
  for (const NamedValue& one : values) {
    if (!features.name(one.name) || !features.put(one.value)) {
      throw Error(ErrorKind::kInput, features.problem());
    }
  }
  if (const std::optional<Index> twice = features.finish()) {
    const Schema& schema = features.schema();
    const std::string name = schema.feature_name(*twice + (schema.bias ? 1 : 0));
    throw Error(ErrorKind::kInput, fmt::format("two values give the feature {}", shown(name)));
  }
  state_->block.clear();
  state_->preparation.append(state_->row.features(), kNoLabel, state_->block);
  return state_->block.features(0);
}

}  // namespace soba
