#include "soba/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "model/file.h"
#include "soba/error.h"
#include "soba/registry.h"

namespace soba {

namespace {

// Everything of a model but its learner's state.
struct Header {
  std::string learner;
  std::vector<std::string> names, values;  // the options
  std::int64_t seed = 0;
  std::int64_t classes = 0, features = 0;

  void visit(StateVisitor& visitor) {
    visitor.field("learner", learner);
    visitor.field("options.names", names);
    visitor.field("options.values", values);
    visitor.field("seed", seed);
    visitor.field("classes", classes);
    visitor.field("features", features);
    visitor.require(names.size() == values.size(), "every option has a value");
    visitor.require(classes >= 2 && classes <= kMaxClasses, "the number of classes is possible");
    visitor.require(features >= 0 && features <= kMaxFeatures + 1,
                    "the number of features is possible");
  }
};

// More than there will ever be, and so few that counting on does not overflow.
constexpr std::int64_t kMostRounds = std::int64_t{1} << 62;

void visit_tally(Tally& tally, StateVisitor& visitor) {
  visitor.field("tally.rounds", tally.rounds);
  visitor.field("tally.answers", tally.answers);
  visitor.field("tally.mistakes", tally.mistakes);
  visitor.field("tally.greedy_mistakes", tally.greedy_mistakes);
  visitor.field("tally.updates", tally.updates);
  if (visitor.version() >= 2) visitor.field("tally.skipped", tally.skipped);
  for (const std::int64_t count : {tally.rounds, tally.answers, tally.mistakes,
                                   tally.greedy_mistakes, tally.updates, tally.skipped}) {
    visitor.require(count >= 0 && count <= kMostRounds, "every count is possible");
  }
}

void visit_journal(JournalPosition& journal, StateVisitor& visitor) {
  if (visitor.version() < 2) return;
  visitor.field("journal.id", journal.id);
  visitor.field("journal.events", journal.events);
  visitor.field("journal.chain", journal.chain);
  visitor.require(journal.id.size() <= 32 && journal.events >= 0 && journal.chain >= 0 &&
                      journal.chain <= std::numeric_limits<std::uint32_t>::max(),
                  "the place in the journal is possible");
}

void visit_retired(std::vector<Label>& retired, Label classes, StateVisitor& visitor) {
  if (visitor.version() < 2) return;
  visitor.field("labels.retired", retired);
  bool possible = retired.size() < static_cast<std::size_t>(classes);
  for (std::size_t i = 0; i < retired.size(); ++i) {
    possible = possible && retired[i] < classes && retired[i] > (i == 0 ? -1 : retired[i - 1]);
  }
  visitor.require(possible, "the retired labels ascend, and leave one in use");
}

// Stored as data.state.
constexpr std::int64_t kNoPosition = 0, kMidway = 1, kAtTheEnd = 2;

void visit_midway(DataPosition& position, StateVisitor& visitor) {
  const Tally& start = position.start;
  std::vector<std::int64_t> counts = {start.rounds,          start.answers, start.mistakes,
                                      start.greedy_mistakes, start.updates, start.skipped};
  auto fingerprint = static_cast<std::int64_t>(position.fingerprint);
  std::int64_t fresh = position.fresh, need_size = position.reading.need_size;
  std::int64_t labelled = position.labelled;
  auto seed = static_cast<std::int64_t>(position.reading.data_seed);
  // The labels apart: as one text they would have to be without commas.
  std::vector<std::string> names, values, labels = position.reading.labels;
  if (!visitor.loading()) {
    SourceOptions unlabelled = position.reading;
    unlabelled.labels.clear();
    for (const auto& [name, value] : source_option_values(unlabelled)) {
      names.push_back(name);
      values.push_back(value);
    }
  }
  visitor.field("data.examples", position.examples);
  visitor.field("data.fingerprint", fingerprint);
  visitor.field("data.start", counts);
  visitor.field("data.fresh", fresh);
  visitor.field("data.labelled", labelled);
  visitor.field("data.need_size", need_size);
  visitor.field("data.seed", seed);
  visitor.field("data.options.names", names);
  visitor.field("data.options.values", values);
  visitor.field("data.labels", labels);
  visitor.require(position.examples >= 0 && counts.size() == 6 &&
                      *std::min_element(counts.begin(), counts.end()) >= 0,
                  "the position in the data is possible");
  visitor.require(names.size() == values.size(), "every option of the data has a value");
  if (!visitor.loading()) return;
  OptionValues options;
  for (std::size_t i = 0; i < names.size(); ++i) options[names[i]] = values[i];
  try {
    position.reading = parse_source_options(options);
  } catch (const Error& error) {
    visitor.require(false, error.what());
  }
  position.reading.labels = labels;
  position.reading.need_size = need_size != 0;
  position.reading.data_seed = static_cast<std::uint64_t>(seed);
  position.fresh = fresh != 0;
  position.labelled = labelled != 0;
  position.fingerprint = static_cast<std::uint64_t>(fingerprint);
  position.start = {counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]};
}

void visit_position(std::optional<DataPosition>& position, StateVisitor& visitor) {
  if (visitor.version() < 2) return;
  std::int64_t state = !position ? kNoPosition : position->complete ? kAtTheEnd : kMidway;
  visitor.field("data.state", state);
  visitor.require(state >= kNoPosition && state <= kAtTheEnd, "data.state is 0 … 2");
  if (visitor.loading() && state != kNoPosition) position.emplace().complete = state == kAtTheEnd;
  if (state == kMidway) visit_midway(*position, visitor);
}

}  // namespace

std::string_view Model::feedback() const {
  return std::holds_alternative<std::unique_ptr<Learner>>(learner) ? "bandit" : "full information";
}

Model new_model(std::string_view name, const OptionValues& options, Shape shape, std::uint64_t seed,
                const Registry& registry) {
  const LearnerChoice choice = settle(registry.choose(name, options), shape);
  return {.learner_name = choice.info->name,
          .options = choice.options,
          .reason = choice.reason,
          .seed = seed,
          .tally = {},
          .schema = {},
          .retired = {},
          .pending = {},
          .journal = {},
          .replayed = 0,
          .position = {},
          .learner = make_learner(choice, shape)};
}

Model new_model(std::string_view name, const OptionValues& options, Schema schema,
                std::uint64_t seed, const Registry& registry) {
  const Shape shape{.classes = schema.labels.size()};
  Model model = new_model(name, options, shape, seed, registry);
  model.schema = std::move(schema);
  return model;
}

Schema named_schema(const std::vector<std::string>& labels) {
  Schema schema;
  schema.named_features = true;
  for (const std::string& label : labels) {
    if (schema.labels.find(label)) {
      throw Error(ErrorKind::kUsage, fmt::format("label '{}' is given twice", label));
    }
    schema.labels.add(label);
  }
  return schema;
}

std::string write_model(const Model& model) {
  const Shape shape = predictor(model.learner).shape();
  Header header{.learner = model.learner_name,
                .names = {},
                .values = {},
                .seed = static_cast<std::int64_t>(model.seed),
                .classes = shape.classes,
                .features = shape.features};
  for (const auto& [name, value] : model.options) {
    header.names.push_back(name);
    header.values.push_back(value);
  }
  Tally tally = model.tally;
  std::optional<DataPosition> position = model.position;
  FieldWriter writer;
  header.visit(writer);
  visit_tally(tally, writer);
  visit_position(position, writer);
  model.schema.save(writer);
  std::vector<Label> retired = model.retired;
  visit_retired(retired, shape.classes, writer);
  model.pending.save(shape.classes, writer);
  JournalPosition journal = model.journal;
  visit_journal(journal, writer);
  predictor(model.learner).save(writer);
  return writer.finish();
}

Model read_model(std::string_view bytes, const Registry& registry) {
  FieldReader reader(bytes);
  Header header;
  header.visit(reader);
  reader.require(static_cast<std::uint64_t>(header.classes * header.features) <= bytes.size(),
                 "the file holds its weights");
  OptionValues options;
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    options[header.names[i]] = header.values[i];
  }
  const Shape shape{static_cast<Label>(header.classes), static_cast<Index>(header.features)};
  const LearnerInfo* const info = registry.find(header.learner);
  if (info == nullptr) {
    throw Error(ErrorKind::kInput, fmt::format("the model file cannot be used: its learner '{}' is "
                                               "not in the registry that it is read with",
                                               header.learner));
  }
  for (const OptionSpec& spec : info->options) {
    if (reader.version() == 1 && !spec.version1.empty()) options.emplace(spec.name, spec.version1);
  }
  Model model;
  try {
    model = new_model(header.learner, options, shape, static_cast<std::uint64_t>(header.seed),
                      registry);
  } catch (const Error& error) {
    throw Error(ErrorKind::kInput, std::string("the model file cannot be used: ") + error.what());
  }
  visit_tally(model.tally, reader);
  visit_position(model.position, reader);
  model.schema.visit(reader);
  visit_retired(model.retired, shape.classes, reader);
  model.pending.visit(shape.classes, reader);
  visit_journal(model.journal, reader);
  reader.require(model.schema.labels.size() == 0 || model.schema.labels.size() == shape.classes,
                 "every class has a label");
  predictor(model.learner).visit(reader);
  reader.finish();
  return model;
}

std::string model_bytes(const std::string& path) {
  std::error_code none;
  const std::filesystem::file_type type = std::filesystem::status(path, none).type();
  if (type == std::filesystem::file_type::character || type == std::filesystem::file_type::fifo) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: is not a regular file, which can be read twice", path));
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  std::vector<char> piece(1 << 16);
  while (file && !std::filesystem::is_directory(path)) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    bytes.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof()) {
    const int code = std::filesystem::is_directory(path) ? EISDIR : errno;
    throw Error(ErrorKind::kInput, fmt::format("{}: cannot read: {}", path, std::strerror(code)));
  }
  return bytes;
}

std::vector<FieldSummary> summarize(std::string_view bytes) {
  const FieldReader reader(bytes);
  std::vector<FieldSummary> rows;
  for (const auto& [name, entry] : reader.entries()) {
    FieldSummary row{name, "", static_cast<std::int64_t>(entry.count), ""};
    double number = 0;
    std::int64_t integer = 0;
    switch (entry.type) {
      case FieldType::kDouble:
        row.type = "double";
        std::memcpy(&number, entry.content.data(), sizeof(number));
        row.value = to_text(number);
        break;
      case FieldType::kInt64:
        row.type = "int64";
        std::memcpy(&integer, entry.content.data(), sizeof(integer));
        row.value = to_text(integer);
        break;
      case FieldType::kText:
        row.type = "text";
        row.value = entry.content.substr(0, 60);
        break;
      case FieldType::kDoubles:
        row.type = "double[]";
        break;
      case FieldType::kFloats:
        row.type = "float[]";
        break;
      case FieldType::kInt32s:
        row.type = "int32[]";
        break;
      case FieldType::kInt64s:
        row.type = "int64[]";
        break;
      case FieldType::kTexts:
        row.type = "text[]";
        break;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void change_option(Model& model, std::string_view name, std::string_view value,
                   const Registry& registry) {
  OptionValues options = model.options;
  options[std::string(name)] = value;
  LearnerChoice choice = registry.choose(model.learner_name, options);  // checks name and value
  const OptionSpec* const spec = find_option(*choice.info, name);
  if (spec == nullptr || !spec->live) {
    std::vector<std::string> live;
    for (const OptionSpec& one : choice.info->options) {
      if (one.live) live.push_back(one.name);
    }
    const std::string last = live.empty() ? "no option" : live.back();
    if (!live.empty()) live.pop_back();
    throw Error(ErrorKind::kUsage, std::string(name),
                fmt::format("cannot be changed on a model that has learnt; {}{}{} can",
                            fmt::join(live, ", "), live.empty() ? "" : " and ", last));
  }
  predictor(model.learner).reconfigure(choice.options);
  model.options.swap(choice.options);
}

}  // namespace soba
