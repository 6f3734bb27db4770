#include "evaluate/decision_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/bytes/text.h"
#include "data/formats/jsonl.h"
#include "soba/error.h"
#include "soba/parse.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 5> kFormats = {"auto", "jsonl", "csv", "obp", "dsjson"};

bool blank(std::string_view line) { return std::all_of(line.begin(), line.end(), is_blank); }

std::string format_of(std::string_view first_line) {
  const std::string_view line = trimmed(first_line);
  if (!line.starts_with('{')) {
    const bool obp = line.find("propensity_score") != std::string_view::npos ||
                     line.find("pscore") != std::string_view::npos;
    return obp ? "obp" : "csv";
  }
  return line.find("\"_label_cost\"") != std::string_view::npos ? "dsjson" : "jsonl";
}

}  // namespace

DecisionReader::DecisionReader(const std::vector<std::string>& paths, const LogOptions& options,
                               LogWants wants)
    : paths_(paths), options_(options), wants_(std::move(wants)) {
  parse_choice("format", options_.format, kFormats);
  if (paths_.empty()) throw Error(ErrorKind::kUsage, "LOG is missing");
}

DecisionReader::~DecisionReader() = default;

// The next file; false where there is none.
bool DecisionReader::open_file() {
  lines_.reset();
  if (file_ == paths_.size()) return false;
  const std::string& path = paths_[file_++];
  input_ = std::make_unique<Input>(Input::open_path(path));
  lines_ = std::make_unique<LineReader>(input_->open());
  formats_.emplace_back();
  return true;
}

std::string DecisionReader::place() const {
  return fmt::format("{}:{}", paths_[row_file_] == "-" ? "<stdin>" : paths_[row_file_], row_line_);
}

void DecisionReader::refuse(std::string_view key, const std::string& message) const {
  const std::size_t at = row_.line.starts_with('{') ? json_place(row_.line, key, {}) : 0;
  throw Error(ErrorKind::kInput, fmt::format("{}:{}: {}", place(), at + 1, message));
}

bool DecisionReader::bad(const RowError& error) {
  const std::string text = fmt::format("{}:{}: {}", place(), error.column, error.message);
  if (!options_.skip_bad) throw Error(ErrorKind::kInput, text);
  if (counts_.bad_lines++ == 0) counts_.first_bad = text;
  return true;
}

const LogRow* DecisionReader::next_line() {
  for (;;) {
    if (lines_ == nullptr && !open_file()) return nullptr;
    RowError error;
    std::string_view line;
    const RowStatus status = lines_->next(line, error);
    row_file_ = file_ - 1;
    row_line_ = lines_->number();
    if (status == RowStatus::kEnd) {
      lines_.reset();
      continue;
    }
    if (status == RowStatus::kBad) {
      bad(error);
      continue;
    }
    if (blank(line)) continue;
    auto& format = formats_.back();
    if (format == nullptr) {
      const std::string word = options_.format == "auto" ? format_of(line) : options_.format;
      const bool table = word == "csv" || word == "obp";
      format = table ? csv_log(wants_, options_, word == "obp", line, paths_[row_file_])
               : word == "dsjson" ? dsjson_log(wants_)
                                  : json_log(wants_);
      if (table) continue;
    }
    if (format->parse(line, row_, error)) return &row_;
    bad(error);
  }
}

void DecisionReader::reparse(const Open& open) {
  row_file_ = open.file;
  row_line_ = open.line;
  RowError error;
  const std::string_view text(open.text.data(), open.text.size() - LineReader::kPadding);
  open.format->parse(text, row_, error);  // which it has done before
}

bool DecisionReader::join() {
  if (row_.kind == LogRow::Kind::kDecision) {
    if (row_.correct) {
      if (!row_.id.empty() && !open_.empty() && open_.contains(row_.id)) {
        return !bad({row_line_, 1,
                     fmt::format("a decision with the id {} waits for its answer already",
                                 shown(row_.id))});
      }
      ++counts_.decisions;
      ++counts_.answered;
      return true;
    }
    // Without an id no answer can be for it.
    std::string id =
        row_.id.empty() ? fmt::format("{}{}", '\0', counts_.decisions) : std::string(row_.id);
    Open open{std::string(row_.line), formats_.back().get(), row_file_, row_line_,
              counts_.decisions};
    open.text.append(LineReader::kPadding, '\0');
    if (!open_.try_emplace(std::move(id), std::move(open)).second) {
      return !bad(
          {row_line_, 1,
           fmt::format("a decision with the id {} waits for its answer already", shown(row_.id))});
    }
    ++counts_.decisions;
    return false;
  }
  const auto found = open_.find(row_.id);
  if (row_.kind == LogRow::Kind::kForgotten) {
    counts_.forgotten += found != open_.end();
    return false;  // it stays without an answer
  }
  if (found == open_.end()) {
    ++counts_.stray_answers;
    return false;
  }
  const bool correct = *row_.correct;
  taken_ = std::move(found->second);
  open_.erase(found);
  reparse(taken_);
  row_.correct = correct;
  ++counts_.answered;
  return true;
}

const LogRow* DecisionReader::next() {
  while (next_line() != nullptr) {
    if (join()) return &row_;
  }
  return nullptr;
}

void DecisionReader::for_each_open(const std::function<void(const LogRow&)>& visit) {
  std::vector<const Open*> all;
  all.reserve(open_.size());
  for (const auto& [id, open] : open_) all.push_back(&open);
  std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->number < b->number; });
  for (const Open* open : all) {
    reparse(*open);
    visit(row_);
  }
}

}  // namespace soba
