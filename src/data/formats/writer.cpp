#include "data/formats/writer.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/bytes/text.h"
#include "data/formats/cache/cache.h"
#include "soba/error.h"
#include "soba/parse.h"

namespace soba {

namespace {

constexpr std::size_t kFlush = std::size_t{256} << 10;

// Lines collect in a buffer, which goes out in large pieces.
class LineWriter : public Writer {
 public:
  void finish() override {
    flush();
    sink_->finish();
  }

 protected:
  LineWriter(std::unique_ptr<ByteSink> sink, const Schema& schema)
      : schema_(schema), sink_(std::move(sink)) {}

  // The shortest decimal that reads back as the same number.
  template <class Number>
  void put_number(Number value) {
    char digits[32];
    const auto [end, code] = std::to_chars(digits, digits + sizeof digits, value);
    static_cast<void>(code);  // 24 characters are enough for any double
    buffer_.append(digits, end);
  }
  void end_line() {
    buffer_ += '\n';
    if (buffer_.size() >= kFlush) flush();
  }

  const Schema& schema_;
  std::string buffer_;

 private:
  void flush() {
    sink_->write(buffer_);
    buffer_.clear();
  }

  std::unique_ptr<ByteSink> sink_;
};

class LibsvmWriter : public LineWriter {
 public:
  LibsvmWriter(std::unique_ptr<ByteSink> sink, const Schema& schema)
      : LineWriter(std::move(sink), schema) {
    for (const std::string& label : schema.labels.names()) {
      if (label.empty() || label.find_first_of(" \t\r\n\v\f:#") != std::string::npos ||
          label.find('\0') != std::string::npos || label.starts_with("\xEF\xBB\xBF")) {
        throw Error(
            ErrorKind::kInput,
            fmt::format("label {} cannot be written as LIBSVM, where a label has no blanks, "
                        "':' or '#'; use csv or jsonl",
                        shown(label)));
      }
    }
  }

  void write(const Features& x, Label label) override {
    if (label == kNoLabel && x.size() == 0) {
      throw Error(ErrorKind::kInput,
                  "an example without label and without features is no line in LIBSVM; use csv or "
                  "jsonl");
    }
    if (label != kNoLabel) buffer_ += schema_.labels.name(label);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x.value[i] == 0) continue;
      if (i > 0 || label != kNoLabel) buffer_ += ' ';
      put_number(x.feature(i) + (schema_.zero_based ? 0 : 1));
      buffer_ += ':';
      put_number(x.value[i]);
    }
    end_line();
  }
};

class CsvWriter : public LineWriter {
 public:
  CsvWriter(std::unique_ptr<ByteSink> sink, const Schema& schema, Index features)
      : LineWriter(std::move(sink), schema), features_(features) {
    std::unordered_set<std::string> names = {"label"};
    for (Index j = 0; j < features; ++j) {
      const std::string name = schema.feature_name(j);
      if (name.empty() || !names.insert(name).second) {
        throw Error(
            ErrorKind::kInput,
            fmt::format("feature {} cannot be a column of its own in CSV, where names differ "
                        "and 'label' is the label; use libsvm or jsonl",
                        shown(name)));
      }
      put_text(name);
      buffer_ += ',';
    }
    buffer_ += "label";
    end_line();
  }

  void write(const Features& x, Label label) override {
    if (x.extent() > features_) {
      throw Error(
          ErrorKind::kInput,
          fmt::format("feature {} came after the header of {} features was written; CSV needs "
                      "all features known first",
                      x.extent() - 1, features_));
    }
    std::size_t i = 0;
    for (Index j = 0; j < features_; ++j) {
      const bool present = i < x.size() && x.feature(i) == j;
      if (present) {
        put_number(x.value[i++]);
      } else {
        buffer_ += '0';
      }
      buffer_ += ',';
    }
    if (label != kNoLabel) put_text(schema_.labels.name(label));
    end_line();
  }

 private:
  void put_text(std::string_view text) {
    if (text.find_first_of(",;\t\"\r\n") == std::string_view::npos && !text.starts_with(' ') &&
        !text.ends_with(' ') && !text.starts_with("\xEF\xBB\xBF")) {
      buffer_ += text;
      return;
    }
    buffer_ += '"';
    for (const char c : text) {
      if (c == '"') buffer_ += '"';
      buffer_ += c;
    }
    buffer_ += '"';
  }

  Index features_;
};

class JsonlWriter : public LineWriter {
 public:
  JsonlWriter(std::unique_ptr<ByteSink> sink, const Schema& schema)
      : LineWriter(std::move(sink), schema) {
    for (const std::string& label : schema.labels.names()) labels_.push_back(json_text(label));
  }

  void write(const Features& x, Label label) override {
    buffer_ += '{';
    if (label != kNoLabel) {
      buffer_ += "\"label\":";
      buffer_ += labels_[static_cast<std::size_t>(label)];
      buffer_ += ',';
    }
    buffer_ += "\"x\":{";
    bool first = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x.value[i] == 0) continue;
      if (!first) buffer_ += ',';
      first = false;
      buffer_ += name(x.feature(i));
      buffer_ += ':';
      put_number(x.value[i]);
    }
    buffer_ += "}}";
    end_line();
  }

 private:
  // Names are escaped once, when their feature is met first.
  const std::string& name(Index j) {
    const auto i = static_cast<std::size_t>(j);
    if (i >= names_.size()) names_.resize(i + 1);
    if (names_[i].empty()) names_[i] = json_text(schema_.feature_name(j));
    return names_[i];
  }

  static std::string json_text(std::string_view text) {
    if (!simdjson::validate_utf8(text.data(), text.size())) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{} is not UTF-8, so it cannot be written as JSON", shown(text)));
    }
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      } else {
        out += c;
      }
    }
    return out + '"';
  }

  std::vector<std::string> labels_, names_;
};

}  // namespace

std::unique_ptr<Writer> make_writer(std::unique_ptr<ByteSink> sink, std::string_view format,
                                    const Schema& schema, Index features) {
  if (format == "libsvm") return std::make_unique<LibsvmWriter>(std::move(sink), schema);
  if (format == "csv") return std::make_unique<CsvWriter>(std::move(sink), schema, features);
  if (format == "jsonl") return std::make_unique<JsonlWriter>(std::move(sink), schema);
  if (format == "cache") return make_cache_writer(std::move(sink), schema);
  const std::vector<std::string> formats(data_formats().begin(), data_formats().end());
  const std::string near = nearest(format, formats);
  throw Error(
      ErrorKind::kUsage,
      fmt::format("unknown format {}{}; expected {}", shown(format),
                  near.empty() ? "" : fmt::format(", did you mean '{}'?", near), listing(formats)));
}

Converted convert(Source& source, Writer& writer) {
  Converted done;
  const std::unique_ptr<Stream> stream = source.open();
  while (const Block* block = stream->next()) {
    for (std::size_t i = 0; i < block->size(); ++i) {
      writer.write(block->features(i), block->label[i]);
    }
    done.examples += static_cast<std::int64_t>(block->size());
    done.values += static_cast<std::int64_t>(block->value.size());
  }
  writer.finish();
  return done;
}

std::unique_ptr<Writer> open_writer(const std::string& path, const std::string& format,
                                    const Schema& schema, Index features) {
  return make_writer(open_sink(path), format, schema, features);
}

}  // namespace soba
