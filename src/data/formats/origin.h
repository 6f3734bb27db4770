// Where examples come from: a file or stream in some format, or a generator.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/bytes/input.h"
#include "data/bytes/lines.h"
#include "data/column_notes.h"
#include "data/formats/cache/cache.h"
#include "data/formats/synthetic.h"
#include "data/scan.h"
#include "soba/data.h"

namespace soba {

enum class Format { kLibsvm, kCsv, kJsonl, kCache, kSynthetic };

// The format that `option` names; for "auto" the cache where the bytes start as one does, or else
// the one that the path's extension names, or else the one that the first line looks like. Throws
// Error{kUsage} or Error{kInput}.
Format choose_format(std::string_view option, const std::string& path, Input& input);

class Origin {
 public:
  // One DATA argument: a path, "-" or a generator.
  Origin(const std::string& data, const SourceOptions& options);
  Origin(Input input, const SourceOptions& options);

  Format format() const { return format_; }
  // What messages call it, and what repeats it.
  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  const Synthetic* synthetic() const { return synthetic_.get(); }
  const CacheFile* cache() const { return cache_.get(); }
  bool rereadable() const {
    return synthetic_ != nullptr || cache_ != nullptr || input_->rereadable();
  }
  // See Input::buffer. Requires: !rereadable().
  bool buffer(std::size_t most) { return input_->buffer(most); }

  // What can be known of the examples without reading them in full; nothing where that is not so.
  // Requires: rereadable().
  std::optional<Scan> glance(const Schema& schema);

  enum class Use {
    kRead,
    // What columns hold is found out. CSV: rows give labels only, and the schema gets the columns.
    kDiscover,
  };
  // A reader from the start. `fresh`: the schema is not that of a model, and the data define it.
  // Requires: `schema`, `notes` and this outlive the reader.
  std::unique_ptr<RowReader> open(Schema& schema, const SourceOptions& options, bool fresh, Use use,
                                  ColumnNotes& notes);

 private:
  std::string name_;
  std::string description_;
  std::unique_ptr<Synthetic> synthetic_;
  std::optional<Input> input_;
  std::unique_ptr<CacheFile> cache_;
  Format format_ = Format::kSynthetic;
  bool latin1_ = false;
};

}  // namespace soba
