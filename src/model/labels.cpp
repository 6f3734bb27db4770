#include "model/labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "soba/error.h"

namespace soba {

namespace {

Label classes_of(const Model& model) { return predictor(model.learner).shape().classes; }

// The names, also of labels that have had none: their numbers.
NameMap names_of(const Model& model) {
  NameMap names = model.schema.labels;
  for (Label i = names.size(); i < classes_of(model); ++i) names.add(std::to_string(i));
  return names;
}

bool is_retired(const Model& model, Label label) {
  return std::binary_search(model.retired.begin(), model.retired.end(), label);
}

Label known_label(const NameMap& names, std::string_view name) {
  const auto found = names.find(name);
  if (!found) throw Error(ErrorKind::kUsage, fmt::format("the model has no label '{}'", name));
  return *found;
}

void check_new(const Model& model, const NameMap& names, std::string_view name) {
  if (name.empty()) throw Error(ErrorKind::kUsage, "a label must have a name");
  if (const auto taken = names.find(name)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("the model already has a label '{}'{}", name,
                            is_retired(model, *taken) ? ", which is retired" : ""));
  }
}

}  // namespace

Label add_label(Model& model, std::string_view name, const Record& record) {
  NameMap names = names_of(model);
  check_new(model, names, name);
  const Label label = classes_of(model);
  if (label >= kMaxClasses) {
    throw Error(ErrorKind::kUsage, fmt::format("a model has at most {} labels", kMaxClasses));
  }
  names.add(name);
  AnyLearner learner = with_classes(model.learner, label + 1);
  if (record) record();
  std::swap(model.schema.labels, names);
  model.learner.swap(learner);
  model.position.reset();
  return label;
}

void rename_label(Model& model, std::string_view from, std::string_view to, const Record& record) {
  NameMap names = names_of(model);
  const Label label = known_label(names, from);
  if (from == to) return;
  check_new(model, names, to);
  names.rename(label, to);
  if (record) record();
  std::swap(model.schema.labels, names);
  model.position.reset();
}

void retire_label(Model& model, std::string_view name, const Record& record) {
  const Label label = known_label(names_of(model), name);
  if (is_retired(model, label)) return;
  std::vector<Label> retired = model.retired;
  retired.insert(std::upper_bound(retired.begin(), retired.end(), label), label);
  if (static_cast<Label>(retired.size()) == classes_of(model)) {
    throw Error(ErrorKind::kUsage, fmt::format("'{}' is the last label in use", name));
  }
  if (record) record();
  model.retired.swap(retired);
  model.position.reset();
}

Label add_label(Model& model, std::string_view name) { return add_label(model, name, {}); }
void rename_label(Model& model, std::string_view from, std::string_view to) {
  rename_label(model, from, to, {});
}
void retire_label(Model& model, std::string_view name) { retire_label(model, name, {}); }

void check_in_use(const Model& model, Label label) {
  if (!is_retired(model, label)) return;
  throw Error(ErrorKind::kInput,
              fmt::format("an example's right label is '{}', which is retired, so that the model "
                          "never chooses it; leave such examples out",
                          names_of(model).name(label)));
}

std::vector<Label> allowed_labels(const Model& model, std::span<const std::string> names) {
  std::vector<Label> allowed;
  if (names.empty()) {
    for (Label i = 0; !model.retired.empty() && i < classes_of(model); ++i) {
      if (!is_retired(model, i)) allowed.push_back(i);
    }
    return allowed;
  }
  const NameMap known = names_of(model);
  for (const std::string& name : names) {
    const Label label = known_label(known, name);
    if (is_retired(model, label)) {
      throw Error(ErrorKind::kUsage, fmt::format("label '{}' is retired", name));
    }
    allowed.push_back(label);
  }
  std::sort(allowed.begin(), allowed.end());
  const auto twice = std::adjacent_find(allowed.begin(), allowed.end());
  if (twice != allowed.end()) {
    throw Error(ErrorKind::kUsage, fmt::format("label '{}' is allowed twice", known.name(*twice)));
  }
  return allowed;
}

}  // namespace soba
