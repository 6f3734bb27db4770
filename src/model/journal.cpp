#include "soba/journal.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <filesystem>
#include <optional>

#include "core/atomic_file.h"
#include "log/log.h"
#include "model/answer.h"
#include "model/journal.h"
#include "model/pending.h"
#include "soba/error.h"

namespace soba {

namespace {

constexpr std::uint64_t kLong = 64 << 20;  // bytes of a journal that are folded into the model

// The first byte of a record. Part of the stored format: never renumber.
enum class Kind : char {
  kDecided = 'D',
  kAnswered = 'A',
  kForgot = 'F',
  kChanged = 'O',
  kAddedLabel = 'L',
  kRenamedLabel = 'N',
  kRetiredLabel = 'R'
};

// Builds a record: numbers as they lie in memory, texts and lists behind their lengths.
class RecordWriter {
 public:
  explicit RecordWriter(Kind kind) : bytes_(1, static_cast<char>(kind)) {}

  template <class T>
  RecordWriter& number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  RecordWriter& text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
    return *this;
  }
  template <class T>
  RecordWriter& list(const std::vector<T>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) number(value);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Takes one apart. Every call throws Error{kInput} where the record is shorter.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }
  std::string_view text() { return take(number<std::uint32_t>()); }
  template <class T>
  std::vector<T> list() {
    const auto count = number<std::uint32_t>();
    const std::string_view bytes = take(std::size_t{count} * sizeof(T));
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  bool done() const { return rest_.empty(); }
  void finish() const {
    if (!done()) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorKind::kInput, "it is not as long as it says");
  }
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) refuse();
    const std::string_view head = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return head;
  }

  std::string_view rest_;
};

[[noreturn]] void refuse(const char* what) { throw Error(ErrorKind::kInput, what); }

std::size_t room_for_scores(const Model& model) {
  const Predictor& learner = predictor(model.learner);
  return static_cast<std::size_t>(learner.shape().classes) + learner.workings();
}

void apply_decision(Model& model, RecordReader& record) {
  Pending decision;
  decision.id = record.text();
  const auto names = record.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < names; ++i) {
    if (model.schema.features.size() >= kMaxFeatures) refuse("it names too many features");
    const std::int32_t next = model.schema.features.size();
    if (model.schema.features.add(record.text()) != next) refuse("it names a known feature as new");
  }
  decision.index = record.list<Index>();
  decision.value = record.list<double>();
  decision.played = record.number<Label>();
  decision.probability = record.number<double>();
  decision.allowed = record.list<Label>();
  if (!record.done()) decision.time = record.number<std::int64_t>();
  decision.classes = predictor(model.learner).shape().classes;
  decision.round = model.tally.rounds + 1;
  if (!possible(decision, predictor(model.learner).shape().classes)) {
    refuse("it is an impossible decision");
  }
  if (model.pending.find(decision.id) != nullptr) refuse("a decision already waits under its id");
  model.pending.add(std::move(decision));
  model.position.reset();
  ++model.tally.rounds;
}

// `out` has room for the learner's scores and workings.
void apply(Model& model, std::string_view bytes, std::vector<double>& out,
           const Registry& registry) {
  RecordReader record(bytes);
  const auto kind = record.number<Kind>();
  if (kind == Kind::kDecided) {
    apply_decision(model, record);
  } else if (kind == Kind::kAnswered) {
    const std::string_view id = record.text();
    const auto correct = record.number<std::uint8_t>();
    if (!learn_answer(model, id, correct != 0, out)) refuse("no decision waits under its id");
  } else if (kind == Kind::kForgot) {
    if (!model.pending.remove(record.text())) refuse("no decision waits under its id");
  } else if (kind == Kind::kChanged) {
    const std::string_view option = record.text();
    change_option(model, option, record.text(), registry);
  } else if (kind == Kind::kAddedLabel) {
    add_label(model, record.text());
    out.resize(room_for_scores(model));
  } else if (kind == Kind::kRenamedLabel) {
    const std::string_view from = record.text();
    rename_label(model, from, record.text());
  } else if (kind == Kind::kRetiredLabel) {
    retire_label(model, record.text());
  } else {
    refuse("it is of an unknown kind; a later version of Soba may have written it");
  }
  record.finish();
}

[[noreturn]] void refuse_foreign(const std::string& name, const char* why) {
  throw Error(ErrorKind::kInput,
              fmt::format("{}: {}; it must not be lost if the model that it belongs to is still "
                          "wanted: move it beside that one, or away",
                          name, why));
}

std::string new_id(const Model& model) {
  const std::string bytes = write_model(model);
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// Deletes PATH.new-PID-N: whoever writes the model has the lock, so they are nobody's.
void remove_leftovers(const std::filesystem::path& path) {
  const std::string prefix = path.filename().string() + ".new-";
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !entry.is_regular_file(ignored)) continue;
    const std::string_view rest = std::string_view(name).substr(prefix.size());
    const std::size_t dash = rest.find('-');
    const auto number = [](std::string_view digits) {
      return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (dash == std::string_view::npos) continue;
    if (!number(rest.substr(0, dash)) || !number(rest.substr(dash + 1))) continue;
    std::filesystem::remove(entry.path(), ignored);
  }
}

void write_file(const Model& model, const std::string& path) {
  const std::string bytes = write_model(model);
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

// Empty where there is no such file, or no longer.
std::string bytes_if_there(const std::string& path) {
  try {
    return model_bytes(path);
  } catch (const Error&) {
    if (std::filesystem::exists(path)) throw;
    return "";
  }
}

bool follows(const JournalPosition& known, std::uint64_t number, std::uint32_t chain) {
  return number == static_cast<std::uint64_t>(known.events) + 1 &&
         chain == static_cast<std::uint32_t>(known.chain);
}

// Throws where the journal holds what the model does not. Returns where its records end.
std::size_t check_known(const Model& model, const std::string& bytes, const std::string& name) {
  LogReader reader(bytes, name);
  std::optional<LogRecord> last;
  while (const auto record = reader.next()) last = record;
  const bool known = !last || (reader.head().id == model.journal.id &&
                               follows(model.journal, last->number + 1, last->chain));
  if (!known) {
    refuse_foreign(name, "holds events that the model to be saved beside it does not know");
  }
  return reader.place();
}

}  // namespace

std::string journal_path(const std::string& model_path) {
  return followed(model_path) + ".journal";
}

void replay_journal(Model& model, std::string_view bytes, const std::string& name,
                    const Registry& registry) {
  LogReader reader(bytes, name);
  const LogHead& head = reader.head();
  JournalPosition& known = model.journal;
  std::vector<double> out(room_for_scores(model));
  bool joined = follows(known, head.first, head.chain), any = false;
  while (const auto record = reader.next()) {
    if (head.id != known.id) refuse_foreign(name, "is the journal of another model");
    any = true;
    if (!joined) {  // the model may know the first ones
      joined = follows(known, record->number + 1, record->chain);
      continue;
    }
    if (!std::holds_alternative<std::unique_ptr<Learner>>(model.learner)) {
      refuse_foreign(name, "is of a learner that decides, and the model's does not");
    }
    try {
      apply(model, record->bytes, out, registry);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}: record {} at byte {}: {}", name, record->number,
                                            record->place, error.what()));
    }
    known.events = static_cast<std::int64_t>(record->number);
    known.chain = record->chain;
    ++model.replayed;
  }
  const bool later =
      head.id == known.id && head.first > static_cast<std::uint64_t>(known.events) + 1;
  if (!joined && !head.id.empty() && (any || later)) {
    refuse_foreign(name, "does not follow on from the model");
  }
}

struct Journal::State {
  State(const std::string& model_path, Durability chosen)
      : path(followed(model_path)), durability(chosen), log(path + ".journal", path) {}

  void record(const RecordWriter& record) {
    if (model == nullptr) throw Error(ErrorKind::kUsage, "the journal has not begun");
    log.append(record.bytes());
    model->journal.events = static_cast<std::int64_t>(log.number());
    model->journal.chain = log.chain();
  }

  std::string path;
  Durability durability;
  Log log;
  Model* model = nullptr;
  std::int32_t names = 0;  // features of the schema that the file or a record names
};

Journal::Journal(const std::string& path, Durability durability)
    : state_(std::make_unique<State>(path, durability)) {
  remove_leftovers(state_->path);
}
Journal::~Journal() = default;
Journal::Journal(Journal&&) noexcept = default;

bool Journal::found() const {
  std::error_code none;
  return std::filesystem::exists(state_->path, none);
}

void Journal::begin(Model& model) {
  state_->log.trim(check_known(model, state_->log.read(), state_->log.path()));
  if (model.journal.id.empty()) model.journal = {new_id(model), 0, 0};
  state_->model = &model;
  save();
}

void Journal::decided(const Pending& decision) {
  if (state_->model == nullptr) throw Error(ErrorKind::kUsage, "the journal has not begun");
  const NameMap& features = state_->model->schema.features;
  RecordWriter record(Kind::kDecided);
  record.text(decision.id).number(static_cast<std::uint32_t>(features.size() - state_->names));
  for (std::int32_t i = state_->names; i < features.size(); ++i) record.text(features.name(i));
  record.list(decision.index).list(decision.value).number(decision.played);
  record.number(decision.probability).list(decision.allowed);
  if (decision.time != 0) record.number(decision.time);
  state_->record(record);
  state_->names = features.size();
}

void Journal::answered(std::string_view id, bool correct) {
  state_->record(RecordWriter(Kind::kAnswered).text(id).number(static_cast<std::uint8_t>(correct)));
}

void Journal::forgot(std::string_view id) { state_->record(RecordWriter(Kind::kForgot).text(id)); }

void Journal::changed(std::string_view option, std::string_view value) {
  state_->record(RecordWriter(Kind::kChanged).text(option).text(value));
}

void Journal::added_label(std::string_view name) {
  state_->record(RecordWriter(Kind::kAddedLabel).text(name));
}

void Journal::renamed_label(std::string_view from, std::string_view to) {
  state_->record(RecordWriter(Kind::kRenamedLabel).text(from).text(to));
}

void Journal::retired_label(std::string_view name) {
  state_->record(RecordWriter(Kind::kRetiredLabel).text(name));
}

void Journal::commit() {
  state_->log.commit(state_->durability == Durability::kStrict);
  if (state_->log.size() > kLong) save();
}

void Journal::save() {
  const Model& model = *state_->model;
  // What the journal has up to here is what the model has: the next reader compares the two.
  state_->log.commit(true);
  write_file(model, state_->path);
  state_->log.restart({model.journal.id, static_cast<std::uint64_t>(model.journal.events) + 1,
                       static_cast<std::uint32_t>(model.journal.chain)});
  state_->names = model.schema.features.size();
}

void Journal::close() {
  state_->log.commit(true);
  write_file(*state_->model, state_->path);
  state_->log.remove();
}

void Journal::replace(const Model& model) {
  check_known(model, state_->log.read(), state_->log.path());
  write_file(model, state_->path);
  state_->log.clear();
}

void save_model(const Model& model, const std::string& path) { Journal(path).replace(model); }

Model load_model(const std::string& path, const Registry& registry) {
  constexpr int kLooks = 100;
  const std::string journal = journal_path(path);
  std::string before, before_events;
  for (int look = 1;; ++look) {
    // Of one moment, as far as a model is saved before its journal is emptied.
    const std::string bytes = model_bytes(path);
    const std::string events = bytes_if_there(journal);
    const bool steady = model_bytes(path) == bytes;
    try {
      Model model = read_model(bytes, registry);
      if (!events.empty()) replay_journal(model, events, journal, registry);
      if (steady) return model;
    } catch (const Error& error) {
      // A writer may have come between: look again, unless it is all as it was.
      if (look == kLooks || (bytes == before && events == before_events)) {
        const std::string what = error.what();
        throw Error(error.kind(),
                    what.starts_with(journal) ? what : fmt::format("{}: {}", path, what));
      }
    }
    before = bytes;
    before_events = events;
  }
}

}  // namespace soba
