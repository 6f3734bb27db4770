// Journals: the first byte chooses between the bytes as they come, which the checksums nearly always
// stop, and the same bytes cut into records of a well-formed journal, which reach everything behind
// them. A journal that is accepted leaves a model that can be saved and loaded.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "log/log.h"
#include "model/journal.h"
#include "soba/decide.h"
#include "soba/error.h"

namespace {

const std::string& path() {
  static const std::string name =
      (std::filesystem::temp_directory_path() / ("fuzz_journal-" + std::to_string(::getpid())))
          .string();
  return name;
}

// Each record behind a byte that says how long it is.
std::string framed(std::string_view bytes, const std::string& id) {
  soba::Log log(path(), 0600);
  log.restart({id, 1, 0});
  while (bytes.size() > 1) {
    const std::size_t size =
        std::min<std::size_t>(1 + static_cast<unsigned char>(bytes[0]), bytes.size() - 1);
    log.append(bytes.substr(1, size));
    bytes.remove_prefix(1 + size);
    if (size % 2 == 0) log.commit(false);
  }
  log.commit(false);
  std::string all = log.read();
  log.remove();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  soba::Model model = soba::new_model("sobadiag", {}, soba::named_schema({"a", "b", "c"}), 1);
  model.journal = {"fuzz", 0, 0};
  try {
    soba::replay_journal(model, data[0] % 2 == 0 ? std::string(bytes) : framed(bytes, "fuzz"),
                         "journal", soba::Registry::builtin());
  } catch (const soba::Error&) {
    return 0;  // refused with a reason: what should happen
  }
  soba::read_model(soba::write_model(model));
  return 0;
}
