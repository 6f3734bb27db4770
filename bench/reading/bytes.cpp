#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "reading/reader.h"
#include "runner.h"

namespace soba::bench {

Reading read_bytes(const std::string& path) {
  Reading found;
  found.seconds = seconds_of([&] {
    const int file = ::open(path.c_str(), O_RDONLY);
    std::vector<char> buffer(std::size_t{256} << 10);
    for (ssize_t count = 0; (count = ::read(file, buffer.data(), buffer.size())) > 0;) {
      found.examples += std::count(buffer.begin(), buffer.begin() + count, '\n');
    }
    ::close(file);
  });
  return found;
}

}  // namespace soba::bench
