#include "data/bytes/text.h"
#include "data/date.h"
#include "data/words.h"
#include "fuzz_data.h"

namespace {

// A cell by itself.
void fuzz_cell(std::string_view cell) {
  if (const auto date = soba::parse_date(cell)) {
    soba::check(date->weekday >= 0 && date->weekday < 7 && date->hour >= 0 && date->hour < 24);
  }
  if (!soba::is_utf8(cell)) return;
  for (std::string word, again; soba::take_word(cell, word);) {
    soba::check(!word.empty() && word.size() <= soba::kLongestWord && soba::is_utf8(word));
    std::string_view rest = word;
    soba::check(soba::take_word(rest, again) && again == word && rest.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz_cell({reinterpret_cast<const char*>(data), size});
  soba::fuzz_columns("csv", "1", "2", data, size);
  return soba::fuzz_format("csv", data, size);
}
