#include "runs.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "model.h"
#include "soba/lab/describe.h"
#include "soba/lab/report.h"
#include "soba/lab/results.h"
#include "soba/lab/rows.h"
#include "soba/lab/summary.h"
#include "soba/lab/sweep.h"
#include "soba/lab/trace.h"
#include "soba/run.h"

namespace soba::python {

namespace {

using Clock = std::chrono::steady_clock;

py::list curve_rows(const std::vector<Tally>& curve) {
  py::list out;
  for (const Tally& point : curve) {
    out.append(py::make_tuple(point.rounds, point.mistakes, point.greedy_mistakes, point.updates));
  }
  return out;
}

// Plays `source` with the model, and leaves the files that are asked for. Without the locks of
// interpreter and model being anyone else's.
RunResult play_source(Source& source, Model& model, lab::RunFiles& files) {
  const Clock::time_point begin = Clock::now();
  RunResult result = lab::play_to_files(source, model, false, files, {.block = interrupt_check()});
  result.total_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

py::tuple told(const RunResult& result, std::unique_ptr<LiveModel> model) {
  return py::make_tuple(lab::result_json(result, result.skipped > 0), curve_rows(result.curve),
                        std::move(model));
}

py::tuple run_new(const std::string& data, const std::string& learner, const OptionValues& options,
                  const OptionValues& reading, std::uint64_t seed, const lab::RunFiles& given) {
  lab::RunFiles files = given;
  RunResult result;
  std::unique_ptr<LiveModel> out;
  {
    const py::gil_scoped_release unlocked;
    SourceOptions how = parse_source_options(reading);
    how.data_seed = seed;
    how.need_size = needs_size(choose_learner(learner, options));
    Source source(data, how, Schema{});
    Model model = new_model(learner, options, source, seed);
    result = play_source(source, model, files);
    out = std::make_unique<LiveModel>(std::move(model));
  }
  return told(result, std::move(out));
}

py::tuple run_more(const std::string& data, LiveModel& live, const OptionValues& reading,
                   const lab::RunFiles& given) {
  lab::RunFiles files = given;
  const RunResult result = live.with([&](Model& model) {
    SourceOptions how = source_options_for(reading, model.schema);
    how.data_seed = model.seed;
    Source source(data, how, model.schema);
    return play_source(source, model, files);
  });
  return told(result, nullptr);
}

// Plays what has no row yet; the reasons of runs that failed, by their commands.
py::tuple sweep(const std::string& plan, const std::string& path, int workers) {
  lab::SweepOutcome outcome;
  std::vector<std::string> failures;
  std::atomic<bool> stop = false, interrupted = false;
  {
    const py::gil_scoped_release unlocked;
    lab::Sweep all(lab::parse_plan(plan, "plan"));
    lab::ResultsFile file(path);
    file.check(all);
    all.read_data([](const std::string&) {});
    lab::RunQueue::Watch watch;
    watch.stop = &stop;
    watch.failure = [&](std::size_t number, const std::string& why) {
      failures.push_back(lab::run_command(all.plan(), all.runs()[number]) + ": " + why);
    };
    // The workers know nothing of Python: the calling thread looks for an interrupt meanwhile.
    std::atomic<bool> over = false;
    std::exception_ptr failure;
    std::thread playing([&] {
      try {
        outcome = lab::play_missing(all, file, {.workers = workers, .watch = watch});
      } catch (...) {
        failure = std::current_exception();
      }
      over = true;
    });
    while (!over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (interrupted) continue;
      const py::gil_scoped_acquire locked;
      if (PyErr_CheckSignals() != 0) interrupted = stop = true;
    }
    playing.join();
    if (failure) std::rethrow_exception(failure);
  }
  if (interrupted) throw py::error_already_set();
  return py::make_tuple(outcome.runs, outcome.before, outcome.played, failures);
}

std::string report(const std::vector<std::string>& paths, const std::string& format,
                   const std::string& title) {
  const py::gil_scoped_release unlocked;
  const lab::ResultRows read = lab::read_rows(paths);
  if (read.rows.empty()) throw Error(ErrorKind::kInput, "there are no result rows");
  const lab::Summary summary = lab::summarize(read.rows);
  const std::string named = title.empty() ? lab::default_title(summary) : title;
  if (format == "html") return lab::report_page(summary, {named, paths, read.remarks});
  if (format == "md") return lab::report_markdown(summary, named);
  if (format == "csv") return lab::report_csv(summary);
  throw Error(ErrorKind::kUsage, "format", "'" + format + "' is not html, md or csv");
}

template <class T>
py::array_t<T> as_array(std::vector<T>&& held) {
  auto* const kept = new std::vector<T>(std::move(held));
  const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return py::array_t<T>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

// Everything that a DATA argument holds, as the parts of a CSR matrix.
py::dict load(const std::string& data, const OptionValues& reading) {
  Block all;
  Schema schema;
  Shape shape;
  {
    const py::gil_scoped_release unlocked;
    Source source(data, parse_source_options(reading), Schema{});
    const std::unique_ptr<Stream> stream = source.open();
    while (const Block* const block = stream->next()) {
      const std::size_t before = all.index.size();
      all.index.insert(all.index.end(), block->index.begin(), block->index.end());
      all.value.insert(all.value.end(), block->value.begin(), block->value.end());
      all.label.insert(all.label.end(), block->label.begin(), block->label.end());
      for (std::size_t i = 1; i < block->begin.size(); ++i) {
        all.begin.push_back(before + block->begin[i]);
      }
    }
    schema = source.schema();
    shape = source.shape();
  }
  py::list features;
  for (Index j = 0; j < shape.features; ++j) features.append(schema.feature_name(j));
  py::dict out;
  out["begin"] = as_array(std::vector<std::int64_t>(all.begin.begin(), all.begin.end()));
  out["index"] = as_array(std::move(all.index));
  out["value"] = as_array(std::move(all.value));
  out["label"] = as_array(std::move(all.label));
  out["labels"] = schema.labels.names();
  out["features"] = features;
  return out;
}

}  // namespace

void define_runs(py::module_& module) {
  py::class_<lab::RunFiles>(module, "RunFiles")
      .def(py::init([](std::optional<std::string> model, std::optional<std::string> trace,
                       std::optional<std::string> curve) {
             return lab::RunFiles{std::move(model), std::move(trace), std::move(curve)};
           }),
           py::arg("model"), py::arg("trace"), py::arg("curve"));
  module.def("run_new", &run_new);
  module.def("run_more", &run_more);
  module.def("sweep", &sweep);
  module.def("report", &report);
  module.def("load", &load);
  module.def("learners", &lab::learners_json);
  module.def("data_options", [] {
    py::dict out;
    for (const OptionSpec& spec : source_option_specs()) out[py::str(spec.name)] = spec.kind;
    return out;
  });
}

}  // namespace soba::python
