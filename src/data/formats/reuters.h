// Reuters4 while its files are read: see soba/lab/reuters4.h.
//
// A vectors file has a document a line, `document  term:weight term:weight …`, with terms that
// count from 1 and ascend. A topics file has a topic of a document a line, `TOPIC document 1`.
// Documents are numbers. Blank lines are skipped.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/bytes/input.h"
#include "soba/data.h"
#include "soba/lab/reuters4.h"

namespace soba {

// Memory: some fifty bytes for each document, whatever the size of its vector.
class Reuters4 {
 public:
  // Reads the topics file. Throws Error{kInput} at its first bad line.
  explicit Reuters4(Input topics);

  // Those documents of a vectors file that have exactly one of the four topics, in the order of the
  // file. A document that came before, in this file or another, is an error like a bad line.
  // Requires: this outlives the stream; one stream at a time.
  std::unique_ptr<Stream> open(Input vectors);

  const Schema& schema() const { return schema_; }          // its labels
  const Reuters4Counts& counts() const { return counts_; }  // so far

 private:
  class VectorsStream;

  struct Document {
    std::uint8_t topics = 0;  // bit i: kReuters4Topics[i]
    bool listed = false;
    std::int32_t file = -1;  // where its vector is: in files_, and the line; -1: not met yet
    std::int64_t line = 0;
  };

  Schema schema_;
  Reuters4Counts counts_;
  std::unordered_map<std::int32_t, Document> documents_;
  std::vector<std::string> files_;
};

}  // namespace soba
