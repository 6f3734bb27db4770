#include <fmt/format.h>

#include "soba/lab/facts.h"
#include "soba/lab/text.h"

namespace soba::lab {

namespace {

// Whether the counts are those of the paper, or which are not.
std::string verdict(const Reuters4Counts& counts) {
  std::vector<std::string> differences;
  if (counts.all_kept() != kReuters4Documents) {
    differences.push_back(fmt::format("{} instead of {}", plural(counts.all_kept(), "document"),
                                      thousands(kReuters4Documents)));
  }
  if (counts.features != kReuters4Features) {
    differences.push_back(fmt::format("{} instead of {}", plural(counts.features, "feature"),
                                      thousands(kReuters4Features)));
  }
  if (!differences.empty()) return "not the paper's Reuters4: " + sentence_list(differences);
  return fmt::format("the counts are those of the paper's Reuters4: {}, {}",
                     plural(kReuters4Documents, "document"), plural(kReuters4Features, "feature"));
}

}  // namespace

std::vector<std::string> reuters4_remarks(const Reuters4Counts& counts) {
  std::vector<std::string> out;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < kReuters4Topics.size(); ++i) {
    labels.push_back(fmt::format("{} {} {}", i + 1, kReuters4Topics[i], thousands(counts.kept[i])));
  }
  out.push_back(fmt::format("{} read, {} kept, {}", plural(counts.documents, "document"),
                            thousands(counts.all_kept()), plural(counts.features, "feature")));
  out.push_back("labels: " + sentence_list(labels));
  out.push_back(
      fmt::format("left out: {} with none of these topics, {} with several, {} not in the topics "
                  "file",
                  thousands(counts.none), thousands(counts.several), thousands(counts.unlisted)));
  if (counts.without_vector() > 0) {
    out.push_back(fmt::format("in the topics file, but in none of these vectors files: {}",
                              plural(counts.without_vector(), "document")));
  }
  out.push_back(verdict(counts));
  return out;
}

}  // namespace soba::lab
