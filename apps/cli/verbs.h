// The verbs of the program. Each defines its arguments on an empty command and returns what is to
// be done once they are parsed; that returns the exit code, or throws.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace soba::cli {

// What scripts rely on: never renumber.
enum ExitCode : int { kOk = 0, kFailedCheck = 1, kUsage = 2, kBadInput = 3, kInternal = 4 };

using Action = std::function<int()>;

Action define_algorithms(CLI::App& command);
Action define_bound(CLI::App& command);
Action define_check(CLI::App& command);
Action define_convert(CLI::App& command);
Action define_convert_reuters4(CLI::App& command);
Action define_decide(CLI::App& command);
Action define_evaluate(CLI::App& command);
Action define_explain(CLI::App& command);
Action define_generate(CLI::App& command);
Action define_inspect(CLI::App& command);
Action define_predict(CLI::App& command);
Action define_report(CLI::App& command);
Action define_reproduce(CLI::App& command);
Action define_run(CLI::App& command);
Action define_sweep(CLI::App& command);

}  // namespace soba::cli
