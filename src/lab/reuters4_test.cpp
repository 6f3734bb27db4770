#include <gmock/gmock.h>

#include "soba/lab/facts.h"

namespace soba::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Reuters4Remarks, SayWhetherTheCountsAreThePapers) {
  Reuters4Counts counts;
  counts.listed = 10;
  counts.documents = 8;
  counts.kept = {1, 2, 3, 1};
  counts.none = 1;
  EXPECT_THAT(reuters4_remarks(counts),
              ElementsAre("8 documents read, 7 kept, 0 features",
                          "labels: 1 CCAT 1, 2 ECAT 2, 3 GCAT 3 and 4 MCAT 1",
                          HasSubstr("1 with none of these topics"), HasSubstr("2 documents"),
                          HasSubstr("not the paper's Reuters4: 7 documents instead of 665,265")));
  counts.kept = {kReuters4Documents, 0, 0, 0};
  counts.features = kReuters4Features;
  EXPECT_THAT(reuters4_remarks(counts).back(), HasSubstr("the counts are those of the paper's"));
}

}  // namespace
}  // namespace soba::lab
