#include <libfccp/csv.h>

#include <array>
#include <tuple>
#include <utility>

#include "data/bytes/text.h"
#include "reading/reader.h"
#include "runner.h"

namespace soba::bench {

namespace {

constexpr std::size_t kColumns = 55;

// read_row() wants an argument for each column.
template <std::size_t... kColumn>
bool read_row(io::CSVReader<kColumns>& reader, std::array<char*, kColumns>& cells,
              std::index_sequence<kColumn...> /*columns*/) {
  return reader.read_row(std::get<kColumn>(cells)...);
}

}  // namespace

Reading read_fccp(const std::string& path) {
  Reading found;
  found.seconds = seconds_of([&] {
    io::CSVReader<kColumns> reader(path);
    reader.next_line();  // the header
    std::array<char*, kColumns> cells{};
    while (read_row(reader, cells, std::make_index_sequence<kColumns>())) {
      ++found.examples;
      for (std::size_t c = 0; c + 1 < kColumns; ++c) {
        double value = 0;
        scan_number(cells[c], cells[c] + std::char_traits<char>::length(cells[c]), value);
        found.entries += value != 0;
        found.sum += value;
      }
    }
  });
  return found;
}

}  // namespace soba::bench
