// soba::Model as Python has it: by names, from any thread, and with its journal where it has one.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "rows.h"
#include "soba/decide.h"
#include "soba/explain.h"
#include "soba/journal.h"
#include "soba/model.h"
#include "soba/predict.h"
#include "soba/run.h"
#include "values.h"

namespace soba::python {

using LabelNames = std::shared_ptr<const std::vector<std::string>>;

struct LiveDecision {
  std::string id;
  Decision drawn;
  std::vector<double> distribution;  // empty for one that was asked for again
  LabelNames labels;
  bool limited = false;  // not all labels were allowed
};

template <class T>
using Vector = py::array_t<T, py::array::c_style | py::array::forcecast>;
using Matrix = py::array_t<double, py::array::c_style>;

// Threads: any, at the same time. The interpreter's lock is let go before the model's is waited
// for, and is never waited for under it but to ask whether the user has interrupted.
class LiveModel {
 public:
  explicit LiveModel(Model model);
  // Opens the file with its journal; `fresh` where there is none.
  LiveModel(std::optional<Model> fresh, const std::string& path, Durability durability);
  LiveModel(const LiveModel&) = delete;
  LiveModel& operator=(const LiveModel&) = delete;

  // `allowed`: the labels to choose from, or None.
  LiveDecision decide(const py::object& x, const py::object& id, const py::object& allowed);
  bool reward(const std::string& id, bool correct);
  bool forget(const std::string& id);
  void change(const std::string& option, const std::string& value);
  void add_label(const std::string& name);
  void rename_label(const std::string& from, const std::string& to);
  void retire_label(const std::string& name);
  // Why it would decide as it does about x, or has about the decision that waits under an id.
  Explanation explain(const py::object& x, const py::object& id, const py::object& allowed,
                      std::size_t most);
  Weights weights(std::size_t most);
  // The scores for x, or the probabilities with which labels would be played.
  std::vector<double> numbers_of(const py::object& x, bool probabilities);

  Tally play(const Rows& rows, const Vector<std::int32_t>& labels,
             const Vector<std::int64_t>& order);
  Tally learn_log(const Rows& rows, const Vector<std::int32_t>& played, const Vector<bool>& correct,
                  const Vector<double>& probability);
  // The scores of every row, or the probabilities with which labels would be played; and the label
  // with the highest score.
  std::pair<Matrix, Vector<std::int32_t>> predict(const Rows& rows, bool probabilities);

  py::bytes bytes();
  void save(const std::string& path);
  void close();

  // Calls work(model) without the interpreter's lock, with the model's.
  template <class Work>
  auto with(Work&& work) {
    const py::gil_scoped_release unlocked;
    const std::unique_lock lock(mutex_);
    check_open();
    return work(model_);
  }
  LabelNames labels();

 private:
  void check_open() const;
  Decider& decider();
  Encoder& encoder();
  Features encode(const Given& given);
  std::vector<double> forecast(const Features& x, Forecast what, std::span<const Label> allowed);
  void commit() {
    if (journal_) journal_->commit();
  }
  void check_rows(const Rows& rows) const;
  std::string next_id() const;
  void forget_names();  // after rows were learnt, whose encoder is another

  Model model_;
  std::optional<Journal> journal_;
  std::optional<Encoder> encoder_;
  std::optional<Decider> decider_;
  LabelNames labels_;
  Block one_;  // room for an x
  bool closed_ = false;
  std::shared_mutex mutex_;
};

// A hook for RunHooks::block that throws where the user has interrupted.
std::function<void(const Tally&)> interrupt_check();

py::dict tally_dict(const Tally& tally);
void define_model(py::module_& module);

}  // namespace soba::python
