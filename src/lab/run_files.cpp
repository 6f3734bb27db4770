// A run and its files.

#include <fmt/format.h>

#include <filesystem>

#include "lab/trace_writer.h"
#include "soba/decision_log.h"
#include "soba/error.h"
#include "soba/lab/text.h"
#include "soba/lab/trace.h"

namespace soba::lab {

namespace {

// The file may hold the only record of the rounds before.
void check_is_new(const std::string& option, const std::optional<std::string>& path) {
  if (!path || !std::filesystem::exists(*path)) return;
  throw Error(ErrorKind::kUsage, option,
              "'" + *path +
                  "' exists, and a resumed run writes only the rounds that it plays; "
                  "name another file");
}

}  // namespace

RunResult play_to_files(Source& source, Model& model, bool resumed, RunFiles& files,
                        RunHooks hooks) {
  if (resumed) {
    check_is_new("trace", files.trace);
    check_is_new("curve", files.curve);
    check_is_new("log", files.log);
  }
  std::optional<TraceWriter> trace;
  std::vector<Tally> curve;
  std::optional<RunLog> log;
  if (files.trace) trace.emplace(*files.trace, model.schema.labels);
  if (files.log) log.emplace(*files.log);
  if (trace || log) {
    hooks.rounds = [&](const Block& block, std::span<const Played> rows) {
      if (log) log->write(model, block, rows);
      for (const Played& row : trace ? rows : rows.first(0)) trace->write(row);
    };
  }
  const auto finish = [&] {
    if (trace) trace->finish();
    if (log) log->finish();
    if (files.curve) write_curve(*files.curve, curve);
  };
  hooks.point = [&, told = std::move(hooks.point)](const Tally& so_far) {
    curve.push_back(so_far);
    if (told) told(so_far);
  };
  const std::int64_t before = resumed ? model.position->start.rounds : model.tally.rounds;
  if (files.model) {
    hooks.keep = [&] {
      if (files.lock != nullptr) {
        files.lock->replace(model);
      } else {
        save_model(model, *files.model);
      }
      files.kept = model.tally.rounds - before;
      files.complete = model.position->complete;
    };
    hooks.keep_every = files.checkpoint_every;
  }
  RunResult result;
  try {
    result = resumed ? resume(source, model, hooks) : run(source, model, hooks);
  } catch (...) {
    if (files.kept == model.tally.rounds - before) finish();
    throw;
  }
  curve = result.curve;
  if (result.complete || files.model) finish();
  return result;
}

std::string outcome_text(const RunFiles& files, const std::string& data) {
  if (!files.kept) return "no file was changed";
  const std::string kept = fmt::format("{} keeps {}", *files.model, plural(*files.kept, "round"));
  if (files.complete) return kept;
  return fmt::format("{}; resume with: soba run {} --resume {}", kept, shell_word(data),
                     shell_word(*files.model));
}

}  // namespace soba::lab
