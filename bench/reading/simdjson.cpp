#include <simdjson.h>

#include "reading/reader.h"
#include "runner.h"
#include "soba/error.h"

namespace soba::bench {

Reading read_simdjson(const std::string& path) {
  Reading found;
  found.seconds = seconds_of([&] {
    simdjson::dom::parser parser;
    simdjson::dom::document_stream lines;
    if (parser.load_many(path).get(lines) != simdjson::SUCCESS) {
      throw Error(ErrorKind::kInput, path + ": simdjson cannot read it");
    }
    for (const simdjson::dom::element line : lines) {
      ++found.examples;
      for (const simdjson::dom::key_value_pair field : simdjson::dom::object(line["x"])) {
        ++found.entries;
        found.sum += double(field.value);
      }
    }
  });
  return found;
}

}  // namespace soba::bench
