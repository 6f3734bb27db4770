// Predictions as CSV: the labels as they are called, a row for each example.

#include <fmt/format.h>

#include <iterator>
#include <memory>

#include "data/bytes/sink.h"
#include "soba/lab/files.h"
#include "soba/lab/text.h"

namespace soba::lab {

namespace {

constexpr std::size_t kBuffer = 1 << 16;

std::string header(const std::vector<std::string>& labels, Forecast forecast) {
  std::string out = "label";
  if (forecast != Forecast::kLabel) {
    for (const std::string& label : labels) out += ',' + label;
  }
  return out + '\n';
}

}  // namespace

std::int64_t write_predictions(Source& source, const Model& model, Forecast forecast,
                               const std::string& path) {
  std::vector<std::string> labels;  // as fields of CSV
  for (const std::string& label : model.schema.labels.names()) labels.push_back(csv_field(label));
  const std::unique_ptr<ByteSink> sink = open_sink(path);
  fmt::memory_buffer buffer;
  buffer.append(header(labels, forecast));
  std::int64_t rows = 0;
  const auto flush = [&] {
    sink->write({buffer.data(), buffer.size()});
    buffer.clear();
  };
  const auto write = [&](Label greedy, std::span<const double> numbers) {
    buffer.append(labels[static_cast<std::size_t>(greedy)]);
    for (const double number : numbers) fmt::format_to(std::back_inserter(buffer), ",{}", number);
    buffer.push_back('\n');
    ++rows;
    if (buffer.size() >= kBuffer) flush();
  };
  const std::unique_ptr<Stream> stream = source.open(Reading::kAhead);
  while (const Block* block = stream->next()) {
    predict(model, *block, forecast, write);
    flush();  // a reader of a pipe need not wait for more
  }
  sink->finish();
  return rows;
}

}  // namespace soba::lab
