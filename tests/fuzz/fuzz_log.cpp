// The fuzzer's bytes as a decision log in each format: whatever they are, the answer is rows that
// keep their contract, or an Error.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "evaluate/decision_reader.h"
#include "soba/error.h"
#include "soba/evaluate.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void read_all(const std::string& path, const char* format, bool skip_bad) {
  try {
    soba::DecisionReader log({path}, {.format = format, .skip_bad = skip_bad},
                             {.policies = {"a"}, .x = true});
    while (const soba::LogRow* row = log.next()) {
      check(row->probability > 0 && row->probability <= 1 && row->correct.has_value());
      for (const auto& play : row->policies) check(!play.probability || *play.probability <= 1);
    }
    log.for_each_open([](const soba::LogRow& row) { check(row.probability > 0); });
  } catch (const soba::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = "/tmp/soba_fuzz_log." + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  for (const char* format : {"jsonl", "csv", "obp", "dsjson", "auto"}) {
    read_all(path, format, false);
    read_all(path, format, true);
  }
  try {
    soba::evaluate({path}, {{soba::PolicyKind::kUniform}, {soba::PolicyKind::kBestConstant}});
  } catch (const soba::Error&) {
  }
  ::unlink(path.c_str());
  return 0;
}
