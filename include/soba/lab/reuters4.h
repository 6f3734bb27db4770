// Reuters4, the text data of the paper, from the files of RCV1-v2: D. D. Lewis, Y. Yang, T. Rose,
// F. Li, "RCV1: A New Benchmark Collection for Text Categorization Research", JMLR 5, 2004.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "soba/types.h"

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

// What the paper says of its Reuters4.
inline constexpr std::int64_t kReuters4Documents = 665'265;
inline constexpr Index kReuters4Features = 47'236;

// Called before each file is read, and again after every few documents.
using Reuters4Progress = std::function<void(const std::string& file, const Reuters4Counts& so_far)>;

// Writes those documents of the vectors files that have exactly one of the four topics, in their
// order, as LIBSVM text; output "-" is standard output. All files are opened before the work
// starts, which takes minutes. Throws Error{kInput} at the first bad line, at a document that comes
// twice, and where there is nothing to write.
Reuters4Counts convert_reuters4(const std::vector<std::string>& vectors, const std::string& topics,
                                const std::string& output, const Reuters4Progress& progress);

}  // namespace soba
