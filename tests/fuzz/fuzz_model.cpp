// Model files: the first byte chooses between the bytes as they come, which the checksum nearly
// always stops, and the same bytes as the payload of a well-formed file, which reaches everything
// behind it, of version 1 or 2. A model that is accepted must score, learn, decide and save.
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "soba/decide.h"
#include "soba/error.h"
#include "soba/play.h"

namespace {

std::string with_valid_frame(std::uint32_t version, std::string_view payload) {
  std::string file = "SOBAMDL\n";
  const std::uint64_t size = payload.size();
  file.append(reinterpret_cast<const char*>(&version), sizeof(version));
  file.append(reinterpret_cast<const char*>(&size), sizeof(size));
  file += payload;
  const auto sum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(file.data()), file.size()));
  file.append(reinterpret_cast<const char*>(&sum), sizeof(sum));
  return file;
}

void use(soba::Model& model) {
  const std::vector<soba::Index> index = {0, 1};
  const std::vector<double> value = {1, -0.5};
  soba::Block block;
  for (soba::Label y = 0; y < 2; ++y) block.append({index, value}, y);
  soba::play(block, model, [](const soba::Played&) {});
  if (model.feedback() == "bandit") {
    soba::Decider decider(model);
    while (!model.pending.empty()) {
      const soba::Pending& decision = model.pending[0];
      const std::string id = decision.id;
      // Weights for 2^24 features are right, and take too long here.
      if (decision.index.empty() || decision.index.back() < 1000) {
        decider.feedback(id, true);
      } else {
        decider.forget(id);
      }
    }
  }
  soba::write_model(model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const std::uint32_t version = 1 + data[0] / 2 % soba::kModelVersion;
    soba::Model model =
        soba::read_model(data[0] % 2 == 0 ? std::string(bytes) : with_valid_frame(version, bytes));
    use(model);
  } catch (const soba::Error&) {
    // Refused with a reason: what should happen.
  }
  return 0;
}
