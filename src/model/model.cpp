#include "soba/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/atomic_file.h"
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

void visit_tally(Tally& tally, StateVisitor& visitor) {
  visitor.field("tally.rounds", tally.rounds);
  visitor.field("tally.answers", tally.answers);
  visitor.field("tally.mistakes", tally.mistakes);
  visitor.field("tally.greedy_mistakes", tally.greedy_mistakes);
  visitor.field("tally.updates", tally.updates);
  visitor.require(tally.rounds >= 0 && tally.answers >= 0 && tally.mistakes >= 0 &&
                      tally.greedy_mistakes >= 0 && tally.updates >= 0,
                  "no count is negative");
}

void visit_pending(std::vector<Pending>& pending, Label classes, StateVisitor& visitor) {
  std::vector<std::string> ids;
  std::vector<std::int64_t> ends;
  std::vector<Index> index;
  std::vector<double> value, probability;
  std::vector<Label> played;
  for (const Pending& one : pending) {
    ids.push_back(one.id);
    index.insert(index.end(), one.index.begin(), one.index.end());
    value.insert(value.end(), one.value.begin(), one.value.end());
    ends.push_back(static_cast<std::int64_t>(index.size()));
    played.push_back(one.played);
    probability.push_back(one.probability);
  }
  visitor.field("pending.ids", ids);
  visitor.field("pending.ends", ends);
  visitor.field("pending.index", index);
  visitor.field("pending.value", value);
  visitor.field("pending.played", played);
  visitor.field("pending.probability", probability);
  const std::size_t count = ids.size();
  visitor.require(
      ends.size() == count && played.size() == count && probability.size() == count &&
          index.size() == value.size() &&
          (count == 0 ? index.empty() : ends.back() == static_cast<std::int64_t>(index.size())) &&
          std::is_sorted(ends.begin(), ends.end()) && (count == 0 || ends[0] >= 0),
      "the pending decisions agree in number");
  pending.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = i == 0 ? 0 : ends[i - 1];
    Pending one{.id = ids[i],
                .index = {index.begin() + first, index.begin() + ends[i]},
                .value = {value.begin() + first, value.begin() + ends[i]},
                .played = played[i],
                .probability = probability[i]};
    const bool ascending = std::adjacent_find(one.index.begin(), one.index.end(),
                                              std::greater_equal<>()) == one.index.end();
    const bool in_range =
        one.index.empty() || (one.index.front() >= 0 && one.index.back() <= kMaxFeatures);
    visitor.require(ascending && in_range && one.played >= 0 && one.played < classes &&
                        one.probability > 0 && one.probability <= 1,
                    "every pending decision is a possible one");
    pending.push_back(std::move(one));
  }
}

void visit_rest(Model& model, Label classes, StateVisitor& visitor) {
  visit_tally(model.tally, visitor);
  model.schema.visit(visitor);
  visit_pending(model.pending, classes, visitor);
}

}  // namespace

Model new_model(std::string_view name, const OptionValues& options, Shape shape,
                std::uint64_t seed) {
  const LearnerChoice choice = settle(choose_learner(name, options), shape);
  return {.learner_name = choice.info->name,
          .options = choice.options,
          .reason = choice.reason,
          .seed = seed,
          .tally = {},
          .schema = {},
          .pending = {},
          .learner = make_learner(choice, shape)};
}

std::string write_model(Model& model) {
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
  FieldWriter writer;
  header.visit(writer);
  visit_rest(model, shape.classes, writer);
  predictor(model.learner).visit(writer);
  return writer.finish();
}

Model read_model(std::string_view bytes) {
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
  Model model;
  try {
    model = new_model(header.learner, options, shape, static_cast<std::uint64_t>(header.seed));
  } catch (const Error& error) {
    throw Error(ErrorKind::kInput, std::string("the model file cannot be used: ") + error.what());
  }
  visit_rest(model, shape.classes, reader);
  reader.require(model.schema.labels.size() == 0 || model.schema.labels.size() == shape.classes,
                 "every class has a label");
  predictor(model.learner).visit(reader);
  reader.finish();
  return model;
}

void save_model(Model& model, const std::string& path) {
  const std::string bytes = write_model(model);
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

std::string model_bytes(const std::string& path) {
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

Model load_model(const std::string& path) {
  const std::string bytes = model_bytes(path);
  try {
    return read_model(bytes);
  } catch (const Error& error) {
    throw Error(error.kind(), path + ": " + error.what());
  }
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

}  // namespace soba
