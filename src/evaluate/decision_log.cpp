#include "soba/decision_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/json.h"
#include "data/bytes/sink.h"
#include "soba/error.h"

namespace soba {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ErrorKind::kResource, fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

// A log ends with a whole line: cuts off what is behind the last line end.
void cut_torn_line(int file, const std::string& path) {
  off_t size = ::lseek(file, 0, SEEK_END);
  const off_t end = size;
  std::array<char, 4096> part{};
  while (size > 0) {
    const auto count = static_cast<std::size_t>(std::min<off_t>(size, part.size()));
    const off_t begin = size - static_cast<off_t>(count);
    if (::pread(file, part.data(), count, begin) != static_cast<ssize_t>(count)) {
      fail(path, "cannot be read");
    }
    const std::size_t at = std::string_view(part.data(), count).rfind('\n');
    size = at == std::string_view::npos ? begin : begin + static_cast<off_t>(at) + 1;
    if (at != std::string_view::npos) break;
  }
  if (size != end && ::ftruncate(file, size) != 0) fail(path, "cannot be shortened");
}

std::string json_text(std::string_view text) {
  std::string out;
  append_json(text, out);
  return out;
}

}  // namespace

struct DecisionLog::State {
  std::string path, learner;
  int file = -1;
  std::string lines;
  simdjson::dom::parser question, answer;
};

DecisionLog::DecisionLog(const std::string& path, std::string_view learner)
    : state_(std::make_unique<State>()) {
  for (const std::string_view ending : {".gz", ".xz", ".zst"}) {
    if (path.ends_with(ending)) {
      throw Error(ErrorKind::kUsage, "log",
                  fmt::format("'{}': a log that grows is not compressed; compress it when it is "
                              "complete, 'soba evaluate' reads it as it is",
                              path));
    }
  }
  state_->path = path;
  state_->learner = json_text(learner);
  state_->file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (state_->file < 0) fail(path, "cannot be written");
  cut_torn_line(state_->file, path);
}

DecisionLog::~DecisionLog() {
  if (state_ != nullptr && state_->file >= 0) ::close(state_->file);
}

void DecisionLog::decided(std::string_view line, std::string_view reply) {
  simdjson::dom::element asked, told;
  std::string_view label, greedy;
  double probability = 0;
  if (state_->question.parse(line.data(), line.size()).get(asked) != simdjson::SUCCESS ||
      state_->answer.parse(reply.data(), reply.size()).get(told) != simdjson::SUCCESS ||
      told["label"].get(label) != simdjson::SUCCESS ||
      told["greedy"].get(greedy) != simdjson::SUCCESS ||
      told["probability"].get(probability) != simdjson::SUCCESS) {
    return;  // no decision
  }
  std::string& out = state_->lines;
  out += "{\"id\":" + simdjson::minify(told["id"].value_unsafe());
  out += ",\"x\":" + simdjson::minify(asked["x"].value_unsafe());
  out += ",\"label\":" + json_text(label) + ",\"probability\":";
  append_json(probability, out);
  out += ",\"greedy\":" + json_text(greedy) + ",\"model\":{\"learner\":" + state_->learner + "}}\n";
}

void DecisionLog::ended(std::string_view line) {
  simdjson::dom::element event;
  if (state_->question.parse(line.data(), line.size()).get(event) != simdjson::SUCCESS) return;
  const bool answer = event["correct"].error() == simdjson::SUCCESS;
  state_->lines += "{\"id\":" + simdjson::minify(event["id"].value_unsafe());
  state_->lines += answer ? ",\"correct\":" + simdjson::minify(event["correct"].value_unsafe())
                          : std::string(",\"forget\":true");
  state_->lines += "}\n";
}

void DecisionLog::commit(bool sync) {
  std::string_view left = state_->lines;
  if (left.empty()) return;
  while (!left.empty()) {
    const ssize_t count = ::write(state_->file, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(state_->path, "cannot be written");
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  state_->lines.clear();
  if (sync && ::fdatasync(state_->file) != 0 && errno != EINVAL)
    fail(state_->path, "cannot be synced");
}

struct RunLog::State {
  std::unique_ptr<ByteSink> sink;
  std::string lines;
  std::vector<std::string> names, labels;  // as JSON

  void put_features(const Schema& schema, const Features& x) {
    lines += "\"x\":{";
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto j = static_cast<std::size_t>(x.feature(i));
      if (j >= names.size()) names.resize(j + 1);
      if (names[j].empty()) names[j] = json_text(schema.feature_name(x.feature(i)));
      if (i > 0) lines += ',';
      lines += names[j] + ':';
      append_json(x.value[i], lines);
    }
    lines += '}';
  }
};

RunLog::RunLog(const std::string& path) : state_(std::make_unique<State>()) {
  state_->sink = open_sink(path);
}
RunLog::~RunLog() = default;

void RunLog::write(const Model& model, const Block& block, std::span<const Played> rounds) {
  State& state = *state_;
  const NameMap& labels = model.schema.labels;
  for (Label y = static_cast<Label>(state.labels.size()); y < labels.size(); ++y) {
    state.labels.push_back(json_text(labels.name(y)));
  }
  const std::string learner = json_text(model.learner_name);
  std::string& out = state.lines;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const Played& row = rounds[i];
    out += fmt::format("{{\"id\":{},", row.round);
    state.put_features(model.schema, block.features(i));
    out += ",\"label\":" + state.labels[static_cast<std::size_t>(row.played)] + ",\"probability\":";
    append_json(row.probability, out);
    out += ",\"greedy\":" + state.labels[static_cast<std::size_t>(row.greedy)];
    out += fmt::format(",\"correct\":{},\"model\":{{\"learner\":{},\"round\":{}}}}}\n", row.correct,
                       learner, row.round);
    if (out.size() >= std::size_t{256} << 10) {
      state.sink->write(out);
      out.clear();
    }
  }
}

void RunLog::finish() {
  state_->sink->write(state_->lines);
  state_->sink->finish();
}

}  // namespace soba
