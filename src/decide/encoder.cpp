#include <fmt/format.h>

#include "data/bytes/lines.h"
#include "data/bytes/text.h"
#include "data/named_features.h"
#include "data/preparation.h"
#include "soba/decide.h"
#include "soba/error.h"

namespace soba {

struct Encoder::State {
  State(Schema& schema, std::string_view unknown)
      : features(schema, unknown_of(unknown, schema)), preparation(schema) {}

  void read(std::span<const NamedValue> values);

  NamedFeatures features;
  Preparation preparation;
  Row row;
  Block block;
};

void Encoder::State::read(std::span<const NamedValue> values) {
  features.begin(row);
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
  block.clear();
  preparation.append(row.features(), kNoLabel, block);
}

Encoder::Encoder(Schema& schema, std::string_view unknown)
    : state_(std::make_unique<State>(schema, unknown)) {}
Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;

Features Encoder::encode(std::span<const NamedValue> values) {
  try {
    state_->read(values);
  } catch (...) {
    undo();
    throw;
  }
  return state_->block.features(0);
}

void Encoder::undo() { state_->features.undo(); }
std::int64_t Encoder::ignored() const { return state_->features.ignored(); }

}  // namespace soba
