#include <pybind11/stl.h>

#include "model.h"
#include "soba/lab/describe.h"
#include "soba/registry.h"

namespace soba::python {

namespace {

py::dict distribution_of(const LiveDecision& decision) {
  py::dict out;
  for (std::size_t i = 0; i < decision.distribution.size(); ++i) {
    if (decision.distribution[i] == 0 && decision.limited) continue;
    out[py::str((*decision.labels)[i])] = decision.distribution[i];
  }
  return out;
}

py::dict explanation_dict(const Explanation& found) {
  py::list features;
  for (const Contribution& one : found.features) {
    features.append(py::make_tuple(one.feature, one.value, one.amount));
  }
  py::dict out;
  out["member"] = found.member;
  out["label"] = found.label;
  out["over"] = found.over;
  out["lead"] = found.lead;
  out["constant"] = found.constant;
  out["features"] = features;
  out["rest"] = found.rest;
  return out;
}

py::dict weights_dict(const Weights& found) {
  py::dict out;
  for (const LabelWeights& label : found.labels) {
    py::dict features;
    for (const NamedWeight& one : label.features) features[py::str(one.feature)] = one.weight;
    out[py::str(label.label)] = features;
  }
  return out;
}

// A model with nothing learnt: of named features where `columns` is negative, else of a matrix.
std::unique_ptr<LiveModel> make(const std::string& learner, const OptionValues& options,
                                const std::vector<std::string>& labels, Index columns,
                                std::uint64_t seed, const std::string& normalize, bool bias) {
  Schema schema = named_schema(labels);
  schema.bias = bias;
  if (normalize != "none" && normalize != "l2") {
    throw Error(ErrorKind::kUsage, "normalize", "'" + normalize + "' is not none or l2");
  }
  if (normalize == "l2") schema.normalize = Normalize::kL2;
  if (columns < 0) {
    return std::make_unique<LiveModel>(new_model(learner, options, std::move(schema), seed));
  }
  schema.named_features = false;
  const Shape shape{schema.labels.size(), columns};
  Model model = new_model(learner, options, shape, seed);
  model.schema = std::move(schema);
  return std::make_unique<LiveModel>(std::move(model));
}

std::unique_ptr<LiveModel> open(const std::string& path, LiveModel* fresh, bool strict) {
  std::optional<Model> model;
  if (fresh != nullptr) {
    model.emplace(fresh->with([](Model& taken) { return std::move(taken); }));
  }
  const py::gil_scoped_release unlocked;
  return std::make_unique<LiveModel>(std::move(model), path,
                                     strict ? Durability::kStrict : Durability::kRelaxed);
}

// Called with the model's lock, and without the interpreter's.
struct Facts {
  std::string learner;
  OptionValues options;
  std::uint64_t seed;
  Tally tally;
  Shape shape;
  std::vector<std::string> labels, retired;
  std::vector<std::string> pending;
  std::string reason, remarks;
  bool named;
};

Facts facts_of(LiveModel& live) {
  return live.with([](Model& model) {
    Facts out{model.learner_name,
              model.options,
              model.seed,
              model.tally,
              predictor(model.learner).shape(),
              model.schema.labels.names(),
              {},
              {},
              model.reason,
              predictor(model.learner).remarks(),
              model.schema.named_features};
    for (const Label y : model.retired) out.retired.push_back(model.schema.labels.name(y));
    for (const Pending& waiting : model.pending) out.pending.push_back(waiting.id);
    return out;
  });
}

}  // namespace

py::dict tally_dict(const Tally& tally) {
  py::dict out;
  out["rounds"] = tally.rounds;
  out["answers"] = tally.answers;
  out["mistakes"] = tally.mistakes;
  out["greedy_mistakes"] = tally.greedy_mistakes;
  out["updates"] = tally.updates;
  out["skipped_updates"] = tally.skipped;
  return out;
}

void define_model(py::module_& module) {
  py::class_<LiveDecision>(module, "Decision",
                           "A label that was chosen for one x.\n\n"
                           "id: give it to reward(). label: what to do. probability: with which\n"
                           "the label was drawn. greedy: the label with the highest score.\n"
                           "distribution: {label: probability}; empty where an id that still\n"
                           "waits was asked for again.")
      .def_readonly("id", &LiveDecision::id)
      .def_property_readonly("label", [](const LiveDecision& d) { return d.drawn.label; })
      .def_property_readonly("probability",
                             [](const LiveDecision& d) { return d.drawn.probability; })
      .def_property_readonly("greedy", [](const LiveDecision& d) { return d.drawn.greedy; })
      .def_property_readonly("distribution", &distribution_of)
      .def("__repr__", [](const LiveDecision& d) {
        return "Decision(id=" + py::repr(py::str(d.id)).cast<std::string>() +
               ", label=" + py::repr(py::str(d.drawn.label)).cast<std::string>() +
               ", probability=" + to_text(d.drawn.probability) +
               ", greedy=" + py::repr(py::str(d.drawn.greedy)).cast<std::string>() + ")";
      });

  py::class_<LiveModel>(module, "Model")
      .def(py::init([](const py::bytes& bytes) {
             const std::string held = bytes;
             const py::gil_scoped_release unlocked;
             return std::make_unique<LiveModel>(read_model(held));
           }),
           py::arg("bytes"))
      .def("decide", &LiveModel::decide, py::arg("x"), py::arg("id"), py::arg("allowed"))
      .def("add_label", &LiveModel::add_label)
      .def("rename_label", &LiveModel::rename_label)
      .def("retire_label", &LiveModel::retire_label)
      .def("explain",
           [](LiveModel& live, const py::object& x, const py::object& id, const py::object& allowed,
              std::size_t most) { return explanation_dict(live.explain(x, id, allowed, most)); })
      .def("weights",
           [](LiveModel& live, std::size_t most) { return weights_dict(live.weights(most)); })
      .def("reward", &LiveModel::reward, py::arg("id"), py::arg("correct"))
      .def("forget", &LiveModel::forget, py::arg("id"))
      .def("change", &LiveModel::change, py::arg("option"), py::arg("value"))
      .def("numbers_of", &LiveModel::numbers_of, py::arg("x"), py::arg("probabilities"))
      .def("play",
           [](LiveModel& live, const Rows& rows, const Vector<std::int32_t>& labels,
              const Vector<std::int64_t>& order) {
             return tally_dict(live.play(rows, labels, order));
           })
      .def("learn_log",
           [](LiveModel& live, const Rows& rows, const Vector<std::int32_t>& played,
              const Vector<bool>& correct, const Vector<double>& probability) {
             return tally_dict(live.learn_log(rows, played, correct, probability));
           })
      .def("predict", &LiveModel::predict, py::arg("rows"), py::arg("probabilities"))
      .def("bytes", &LiveModel::bytes)
      .def("save", &LiveModel::save, py::arg("path"))
      .def("close", &LiveModel::close)
      .def("facts", [](LiveModel& live) {
        const Facts facts = facts_of(live);
        py::dict out;
        out["learner"] = facts.learner;
        out["options"] = facts.options;
        out["seed"] = facts.seed;
        out["classes"] = facts.shape.classes;
        out["features"] = facts.shape.features;
        out["labels"] = facts.labels;
        out["retired"] = facts.retired;
        out["pending"] = facts.pending;
        out["tally"] = tally_dict(facts.tally);
        out["reason"] = facts.reason;
        out["remarks"] = facts.remarks;
        out["named"] = facts.named;
        return out;
      });
  module.def("make_model", &make, py::arg("learner"), py::arg("options"), py::arg("labels"),
             py::arg("columns"), py::arg("seed"), py::arg("normalize"), py::arg("bias"));
  module.def("open_model", &open, py::arg("path"), py::arg("fresh").none(true), py::arg("strict"));
  module.def("load_model", [](const std::string& path) {
    const py::gil_scoped_release unlocked;
    return std::make_unique<LiveModel>(load_model(path));
  });
}

}  // namespace soba::python
