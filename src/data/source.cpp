#include <utility>

#include "data/dataset.h"
#include "soba/data.h"

namespace soba {

struct Source::State {
  Dataset dataset;
};

Source::Source(const std::string& data, const SourceOptions& options, Schema schema)
    : state_(new State{{Origin(data, options), options, std::move(schema)}}) {}
Source::~Source() = default;
Source::Source(Source&&) noexcept = default;

const Schema& Source::schema() const { return state_->dataset.schema(); }
Shape Source::shape() const { return state_->dataset.shape(); }
std::optional<std::int64_t> Source::rounds() const { return state_->dataset.rounds(); }
std::int64_t Source::skipped() const { return state_->dataset.bad_rows().count; }
std::string Source::first_skipped() const { return state_->dataset.bad_rows().first; }
std::string Source::description() const { return state_->dataset.description(); }
std::unique_ptr<Stream> Source::open(Reading reading) { return state_->dataset.open(reading); }

}  // namespace soba
