// The program soba: finds the verb, parses its arguments, and maps errors to exit codes.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "help.h"
#include "interrupt.h"
#include "manual.h"
#include "output.h"
#include "soba/error.h"
#include "soba/lab/process.h"
#include "soba/parse.h"
#include "soba/version.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

constexpr std::array<Verb, 15> kVerbs = {{
    {"run", "DATA [--learner NAME] [options]", "play labelled data with simulated bandit feedback",
     define_run},
    {"sweep", "DATA… --learner NAME… [--grid OPTION=VALUES] [options]",
     "run a grid of learners, parameters and seeds", define_sweep},
    {"decide", "[DATA] --learner NAME --labels A,B,C [options]",
     "decide for real, JSON Lines in and out, answers may come late", define_decide},
    {"predict", "MODEL DATA [--scores | --probabilities] [options]",
     "what a model says of a file, as CSV", define_predict},
    {"algorithms", "[NAME] [--json]", "the learners and their options", define_algorithms},
    {"bound", "DATA --learner NAME [options]", "what is proved of a learner's mistakes on data",
     define_bound},
    {"check", "DATA [options]", "validate data and say what is in it", define_check},
    {"convert", "DATA OUTPUT [options]", "rewrite data in another format", define_convert},
    {"convert reuters4", "VECTORS... --topics FILE [options]",
     "make the paper's Reuters4 of the files of RCV1-v2", define_convert_reuters4},
    {"evaluate", "LOG... [--policy NAME]... [options]",
     "what another policy would have earned, from a log", define_evaluate},
    {"generate", "SPEC [options]", "write the examples of a generator", define_generate},
    {"inspect", "MODEL [--weights] [--fields] [--json]", "what is in a model file", define_inspect},
    {"explain", "MODEL DATA [options]", "which features decide about each row", define_explain},
    {"report", "RESULTS... [options]", "charts and tables of the results of sweeps", define_report},
    {"reproduce", "[options]", "the paper's figure, made again", define_reproduce},
}};

std::string overview() {
  std::string out =
      "Soba: online multiclass learning with bandit feedback. It picks one of k labels\n"
      "for each example and learns from being told only whether the pick was right.\n"
      "\n"
      "usage: soba VERB [arguments]        soba VERB --help explains one verb\n\n";
  for (const Verb& verb : kVerbs) {
    out += fmt::format("  {} {}\n", pad_right(verb.name, 16), verb.summary);
  }
  return out +
         "\nA first try:\n"
         "  soba run synnonsep:n=100000\n"
         "\n"
         "Exit codes: 0 ok, 1 a check failed, 2 wrong usage, 3 bad input, 4 anything else\n"
         "(no memory, full disk, an internal error). soba --version prints the version.\n"
         "soba help --man prints a manual page, soba help --completion a script for bash.\n";
}

using Words = std::span<char* const>;

// How many of the leading words spell the verb's name; 0 where they do not.
std::size_t spelled(const Verb& verb, Words words) {
  std::size_t count = 0;
  for (std::string_view rest = verb.name; !rest.empty(); ++count) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (count == words.size() || words[count] != word) return 0;
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  return count;
}

// The verb that the leading words name, and how many they are; the longest name wins.
std::pair<const Verb*, std::size_t> find_verb(Words words) {
  std::pair<const Verb*, std::size_t> found = {nullptr, 0};
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) {
    const std::size_t count = spelled(verb, words);
    if (count > found.second) found = {&verb, count};
    names.emplace_back(verb.name);
  }
  if (found.first != nullptr) return found;
  const std::string_view name = words.front();
  const bool option = name.starts_with('-');
  const std::string near = nearest(name, names);
  const std::string hint =
      near.empty() ? "'soba --help' lists the verbs" : fmt::format("did you mean '{}'?", near);
  throw Error(ErrorKind::kUsage, option
                                     ? fmt::format("unknown option '{}'; a verb comes first", name)
                                     : fmt::format("unknown verb '{}'; {}", name, hint));
}

// Throws Error{kUsage} naming the first argument that nobody took.
void refuse_extras(const CLI::App& command) {
  const std::vector<std::string> extras = command.remaining();
  for (const std::string& extra : extras) {
    if (extra.size() < 2 || extra.front() != '-') continue;
    const std::string name = extra.substr(0, extra.find('='));
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& spelled : option->get_lnames()) known.push_back("--" + spelled);
    }
    const std::string near = nearest(name, known);
    throw Error(ErrorKind::kUsage,
                fmt::format("unknown option '{}'{}", name,
                            near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  }
  if (!extras.empty()) {
    throw Error(ErrorKind::kUsage, fmt::format("unexpected argument '{}'", extras.front()));
  }
}

int run_verb(const Verb& verb, int argc, char** argv) {
  CLI::App command;
  command.set_help_flag();  // ours comes last
  command.allow_extras();
  const Action action = verb.define(command);
  command.set_help_flag("--help,-h", "Print this.")->group("Help");
  try {
    command.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(help_text(command, fmt::format("soba {} {}", verb.name, verb.arguments)));
    return kOk;
  }
  refuse_extras(command);
  return action();
}

int run_program(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "--help";
  const Words words(argv + std::min(argc, 1), argv + argc);
  if (first == "--version") {
    print(fmt::format("soba {}\n", version()));
    return kOk;
  }
  if (first == "--help" || first == "-h" || (first == "help" && argc == 2)) {
    print(overview());
    return kOk;
  }
  if (first == "help" && argc == 3 && std::string_view(argv[2]) == "--man") {
    print(man_page(kVerbs));
    return kOk;
  }
  if (first == "help" && argc == 3 && std::string_view(argv[2]) == "--completion") {
    print(bash_completion(kVerbs));
    return kOk;
  }
  if (first == "help") {
    std::string help = "--help";
    std::array<char*, 3> arguments = {argv[0], help.data(), nullptr};
    return run_verb(*find_verb(words.subspan(1)).first, 2, arguments.data());
  }
  const auto [verb, count] = find_verb(words);
  const int taken = static_cast<int>(count);
  return run_verb(*verb, argc - taken, argv + taken);
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return kUsage;
    case ErrorKind::kInput:
      return kBadInput;
    case ErrorKind::kResource:
      break;
  }
  return kInternal;
}

// Says what the exception in flight means, and gives its exit code.
int report_exception() {
  try {
    throw;
  } catch (const Error& error) {
    if (std::string_view(error.what()).ends_with(std::strerror(EPIPE))) {  // as other tools end
      std::signal(SIGPIPE, SIG_DFL);
      std::raise(SIGPIPE);
    }
    // The library calls options by their names; here they have dashes.
    note((error.option().empty() ? "" : "--") + std::string(error.what()));
    return exit_code(error.kind());
  } catch (const CLI::ParseError& error) {
    note(error.what());
    return kUsage;
  } catch (const Interrupted& interrupted) {
    note("stopped; " + interrupted.outcome);
    std::signal(interrupted.signal, SIG_DFL);
    std::raise(interrupted.signal);
    return kInternal;
  } catch (const std::bad_alloc&) {
    note("out of memory");
    return kInternal;
  } catch (const std::exception& error) {
    note(fmt::format("internal error: {}", error.what()));
    return kInternal;
  }
}

}  // namespace

}  // namespace soba::cli

int main(int argc, char** argv) {
  soba::lab::stop_blas_threads();
  soba::cli::guard_standard_streams();
  try {
    return soba::cli::run_program(argc, argv);
  } catch (...) {
    const int code = soba::cli::report_exception();
    if (code == soba::cli::kUsage && argc > 1 && argv[1][0] != '-') {
      soba::cli::print_error("Try 'soba --help' or 'soba VERB --help'.\n");
    }
    return code;
  }
}
