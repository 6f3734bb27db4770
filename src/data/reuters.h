// Reuters4, the text data of the paper, out of the files of RCV1-v2: D. D. Lewis, Y. Yang, T. Rose,
// F. Li, "RCV1: A New Benchmark Collection for Text Categorization Research", JMLR 5, 2004.
//
// A vectors file has a document a line, `document  term:weight term:weight …`, with terms that
// count from 1 and ascend. A topics file has a topic of a document a line, `TOPIC document 1`.
// Documents are numbers. Blank lines are skipped.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/bytes.h"
#include "soba/data.h"

namespace soba {

// The topics that matter; their labels are "1" … "4", in this order.
inline constexpr std::array<std::string_view, 4> kReuters4Topics = {"CCAT", "ECAT", "GCAT", "MCAT"};

struct Reuters4Counts {
  std::int64_t listed = 0;     // documents in the topics file
  std::int64_t documents = 0;  // documents in the vectors files; of these
  std::array<std::int64_t, kReuters4Topics.size()> kept{};  // with just this one of the four topics
  std::int64_t none = 0;                                    // listed with none of the four
  std::int64_t several = 0;                                 // with more than one
  std::int64_t unlisted = 0;                                // not in the topics file
  Index features = 0;  // the highest term of the documents kept

  std::int64_t all_kept() const { return kept[0] + kept[1] + kept[2] + kept[3]; }
  std::int64_t without_vector() const { return listed - (documents - unlisted); }
};

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
