#include <fmt/format.h>

#include "data/bytes/input.h"
#include "data/bytes/lines.h"
#include "soba/decide.h"
#include "soba/error.h"

namespace soba {

void for_each_line(const std::string& path, const std::function<bool(std::string_view)>& take) {
  Input input = Input::open_path(path);
  LineReader lines(input.open());
  std::string_view line;
  RowError error;
  while (true) {
    const RowStatus status = lines.next(line, error);
    if (status == RowStatus::kEnd) return;
    if (status == RowStatus::kBad) {
      throw Error(ErrorKind::kInput, fmt::format("{}:{}:{}: {}", input.name(), error.line,
                                                 error.column, error.message));
    }
    if (!take(line)) return;
  }
}

}  // namespace soba
