// Journals: the first byte chooses between the bytes as they come, which the checksums nearly
// always stop, and the same bytes cut into records of a well-formed journal, which reach everything
// behind them. A journal that is accepted leaves a model that can be saved and loaded.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "log/log.h"
#include "model/journal.h"
#include "soba/error.h"

namespace {

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// Each record behind a byte that says how long it is, less one.
std::string with_valid_frames(std::string_view bytes) {
  std::string file = "SOBALOG\n";
  put(file, std::uint32_t{1});             // version
  put(file, std::uint32_t{0});             // chain
  file += "fuzz" + std::string(28, '\0');  // id
  put(file, std::uint64_t{1});             // first record
  put(file, std::uint32_t{0});
  put(file, checksum(file));
  file.resize(128);
  for (std::uint64_t number = 1; bytes.size() > 1; ++number) {
    const std::size_t size =
        std::min<std::size_t>(1 + static_cast<unsigned char>(bytes[0]), bytes.size() - 1);
    std::string rest;
    put(rest, number);
    put(rest, std::uint64_t{128});
    rest += bytes.substr(1, size);
    std::string summed = "fuzz";
    put(summed, static_cast<std::uint32_t>(size));
    put(file, static_cast<std::uint32_t>(size));
    put(file, checksum(summed + rest));
    file += rest;
    file.resize((file.size() + 7) / 8 * 8);
    bytes.remove_prefix(1 + size);
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string file = data[0] % 2 == 0 ? std::string(bytes) : with_valid_frames(bytes);
  soba::Model model = soba::new_model("sobadiag", {}, soba::named_schema({"a", "b", "c"}), 1);
  try {
    const soba::LogHead head = soba::LogReader(file, "journal").head();
    if (head.first == 0 || head.first > (std::uint64_t{1} << 62)) return 0;
    model.journal = {head.id, static_cast<std::int64_t>(head.first) - 1, head.chain};
    soba::replay_journal(model, file, "journal", soba::Registry::builtin());
  } catch (const soba::Error&) {
    return 0;  // refused with a reason: what should happen
  }
  soba::read_model(soba::write_model(model));
  return 0;
}
