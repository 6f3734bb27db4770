// Several models in one process, each with a thread of its own. Models share nothing, so that no
// locks are needed, and a run gives the same result whatever the threads do.
#include <soba/data.h>
#include <soba/error.h>
#include <soba/play.h>

#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Run {
  std::string learner;
  std::string model = {};  // the bytes of its model file
  double error = 1;
  std::exception_ptr failure = {};
};

void play(const soba::Examples& examples, Run& run) try {
  soba::Model model = soba::new_model(run.learner, {}, examples.shape(), /*seed=*/1);
  const auto stream = examples.open({.shuffle = 1});
  while (const soba::Block* block = stream->next()) {
    soba::play(*block, model, [](const soba::Played&) {});
  }
  run.error = static_cast<double>(model.tally.mistakes) / static_cast<double>(model.tally.rounds);
  run.model = soba::write_model(model);
} catch (...) {
  run.failure = std::current_exception();
}

}  // namespace

int main() try {
  const soba::Examples examples("synnonsep:n=20000,seed=1", {});  // read once, shared by all
  std::vector<Run> runs = {{"sobadiag"}, {"bandit-arow"}, {"banditron"}, {"sobadiag"}};
  std::vector<std::thread> threads;
  for (Run& run : runs) threads.emplace_back([&] { play(examples, run); });
  for (std::thread& thread : threads) thread.join();
  for (const Run& run : runs) {
    if (run.failure) std::rethrow_exception(run.failure);
    std::printf("%-12s %4.1f %% wrong, %zu bytes\n", run.learner.c_str(), 100 * run.error,
                run.model.size());
  }
  return runs[0].model == runs[3].model && runs[0].error < 0.5 ? 0 : 1;
} catch (const soba::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
