#include "data/formats/reuters.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <utility>

#include "data/bytes/lines.h"
#include "data/bytes/text.h"
#include "soba/error.h"

namespace soba {

namespace {

constexpr std::size_t kBlock = 1024;  // documents

[[noreturn]] void fail(const std::string& name, const RowError& error) {
  throw Error(ErrorKind::kInput,
              fmt::format("{}:{}:{}: {}", name, error.line, error.column, error.message));
}

// The lines of a file that are not blank, each taken apart word by word. What does not fit is an
// Error{kInput} that names the place.
class WordReader {
 public:
  explicit WordReader(Input input)
      : input_(std::move(input)), lines_(input_.open()), name_(input_.name()) {}

  // Goes to the first word of the next line; false at the end of the file.
  bool next_line() {
    RowError error;
    do {
      const RowStatus status = lines_.next(line_, error);
      if (status == RowStatus::kBad) fail(name_, error);
      if (status == RowStatus::kEnd) return false;
      end_ = 0;
    } while (!next_word());
    return true;
  }

  // Goes to the next word of the line; false, with an empty word, where there is none.
  bool next_word() {
    begin_ = end_;
    while (begin_ < line_.size() && is_blank(line_[begin_])) ++begin_;
    end_ = begin_;
    while (end_ < line_.size() && !is_blank(line_[end_])) ++end_;
    return end_ > begin_;
  }

  std::string_view word() const { return line_.substr(begin_, end_ - begin_); }
  std::int64_t line() const { return lines_.number(); }

  // The word as the number of a document.
  std::int32_t document() const {
    std::int32_t number = 0;
    const auto [stop, code] = std::from_chars(line_.data() + begin_, line_.data() + end_, number);
    if (code != std::errc() || stop != line_.data() + end_ || number < 1) {
      refuse(fmt::format("expected the number of a document, from 1 to {}",
                         std::numeric_limits<std::int32_t>::max()));
    }
    return number;
  }

  // The word as term:weight, for a term that comes after `last`; appends it to a row.
  Index add_term(Index last, Row& row) const {
    const char* const end = line_.data() + end_;
    Index term = 0;
    const auto [colon, code] = std::from_chars(line_.data() + begin_, end, term);
    if (code != std::errc() || colon == end || *colon != ':' || term < 1 || term > kMaxFeatures) {
      refuse(fmt::format("expected term:weight with a term from 1 to {}", kMaxFeatures));
    }
    if (term <= last) refuse(fmt::format("expected a term after {}", last));
    double weight = 0;
    if (scan_number(colon + 1, end, weight) != end) {
      refuse("expected a number after ':'", static_cast<std::size_t>(colon + 1 - line_.data()));
    }
    if (weight != 0) {
      row.index.push_back(term - 1);
      row.value.push_back(weight);
    }
    return term;
  }

  // Complains about the word.
  [[noreturn]] void refuse(std::string_view expected) const { refuse(expected, begin_); }
  // Says what is wrong at the word.
  [[noreturn]] void complain(std::string message) const { complain(std::move(message), begin_); }

 private:
  [[noreturn]] void refuse(std::string_view expected, std::size_t at) const {
    const std::string_view found = line_.substr(at, end_ - at);
    complain(fmt::format("{}, found {}", expected, found.empty() ? "nothing" : shown(found)), at);
  }
  [[noreturn]] void complain(std::string message, std::size_t at) const {
    fail(name_, {line(), static_cast<std::int64_t>(at) + 1, std::move(message)});
  }

  Input input_;
  LineReader lines_;
  std::string name_;
  std::string_view line_;
  std::size_t begin_ = 0, end_ = 0;  // of the word
};

}  // namespace

class Reuters4::VectorsStream : public Stream {
 public:
  VectorsStream(Reuters4& set, Input vectors) : set_(set), words_(std::move(vectors)) {}

  const Block* next() override {
    block_.clear();
    while (block_.size() < kBlock && words_.next_line()) {
      const Document& document = meet();
      read_vector();
      add(document);
    }
    return block_.size() > 0 ? &block_ : nullptr;
  }
  const Schema& schema() const override { return set_.schema(); }
  Shape shape() const override { return {set_.schema().labels.size(), 0}; }

 private:
  // Whose vector the line is.
  const Document& meet() {
    const std::int32_t number = words_.document();
    Document& document = set_.documents_[number];
    if (document.file >= 0) {
      words_.complain(fmt::format("document {} appears twice, first in {}:{}", number,
                                  set_.files_[static_cast<std::size_t>(document.file)],
                                  document.line));
    }
    document.file = static_cast<std::int32_t>(set_.files_.size()) - 1;
    document.line = words_.line();
    return document;
  }

  void read_vector() {
    row_.clear();
    Index last = 0;
    while (words_.next_word()) last = words_.add_term(last, row_);
  }

  void add(const Document& document) {
    Reuters4Counts& counts = set_.counts_;
    ++counts.documents;
    if (!document.listed) {
      ++counts.unlisted;
    } else if (document.topics == 0) {
      ++counts.none;
    } else if (!std::has_single_bit(document.topics)) {
      ++counts.several;
    } else {
      const int label = std::countr_zero(document.topics);
      ++counts.kept[static_cast<std::size_t>(label)];
      counts.features = std::max(counts.features, row_.features().extent());
      block_.append(row_.features(), label);
    }
  }

  Reuters4& set_;
  WordReader words_;
  Row row_;
  Block block_;
};

Reuters4::Reuters4(Input topics) {
  for (std::size_t i = 0; i < kReuters4Topics.size(); ++i) {
    schema_.labels.add(std::to_string(i + 1));
  }
  WordReader words(std::move(topics));
  while (words.next_line()) {
    const auto topic = std::find(kReuters4Topics.begin(), kReuters4Topics.end(), words.word());
    words.next_word();
    Document& document = documents_[words.document()];
    document.listed = true;
    if (topic != kReuters4Topics.end()) {
      document.topics |= static_cast<std::uint8_t>(1U << (topic - kReuters4Topics.begin()));
    }
    if (!words.next_word() || words.word() != "1") words.refuse("expected 1 after the document");
    if (words.next_word()) words.refuse("expected the end of the line");
  }
  counts_.listed = static_cast<std::int64_t>(documents_.size());
}

std::unique_ptr<Stream> Reuters4::open(Input vectors) {
  files_.push_back(vectors.name());
  return std::make_unique<VectorsStream>(*this, std::move(vectors));
}

Reuters4Counts convert_reuters4(const std::vector<std::string>& vectors, const std::string& topics,
                                const std::string& output, const Reuters4Progress& progress) {
  std::vector<Input> inputs;
  inputs.reserve(vectors.size());
  for (const std::string& path : vectors) inputs.push_back(Input::open_path(path));
  progress(topics, {});
  Reuters4 set(Input::open_path(topics));
  const std::unique_ptr<Writer> writer = open_writer(output, "libsvm", set.schema(), 0);
  for (Input& input : inputs) {
    const std::string name = input.name();
    progress(name, set.counts());
    const std::unique_ptr<Stream> stream = set.open(std::move(input));
    while (const Block* block = stream->next()) {
      for (std::size_t i = 0; i < block->size(); ++i) {
        writer->write(block->features(i), block->label[i]);
      }
      progress(name, set.counts());
    }
  }
  if (set.counts().all_kept() == 0) {
    throw Error(ErrorKind::kInput,
                fmt::format("none of the {} has exactly one of the topics {} in {}",
                            counted(set.counts().documents, "document"),
                            in_words(std::vector<std::string>(kReuters4Topics.begin(),
                                                              kReuters4Topics.end())),
                            topics));
  }
  writer->finish();
  return set.counts();
}

}  // namespace soba
