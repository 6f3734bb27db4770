// Reading, on one thread but for our search for labels, files in the page cache: each text format
// beside a reader that is known to be fast, and beside taking in the bytes and doing nothing; and
// the binary cache.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reading/reader.h"
#include "runner.h"
#include "soba/error.h"

namespace soba::bench {

namespace {

struct Reader {
  std::string name;
  std::function<Reading()> read;
};

bool same(const Reading& one, const Reading& other) {
  return one.examples == other.examples && one.entries == other.entries &&
         std::fabs(one.sum - other.sum) <= 1e-6 * std::fabs(one.sum);
}

// The medians, ours first; empty where answers differ.
std::vector<double> compare(const std::string& title, double bytes,
                            const std::vector<Reader>& readers, int repetitions) {
  std::vector<Trial> trials;
  std::vector<Reading> found(readers.size());
  for (std::size_t i = 0; i < readers.size(); ++i) {
    trials.push_back({readers[i].name, [&found, &readers, i] {
                        found[i] = readers[i].read();
                        return found[i].seconds;
                      }});
  }
  for (const Trial& trial : trials) trial.run();
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (readers[i].name != "bytes alone" && !same(found[0], found[i])) {
      fmt::print("{}: {} and {} read different data MISSED\n", title, readers[0].name,
                 readers[i].name);
      return {};
    }
  }
  std::vector<double> seconds = medians(trials, repetitions);
  fmt::print("\n{}: {:.0f} MB, {} examples, {} values\n{:<26}{:>9}{:>9}{:>14}{:>9}\n", title,
             bytes / 1e6, found[0].examples, found[0].entries, "", "seconds", "MB/s", "examples/s",
             "ratio");
  for (std::size_t i = 0; i < readers.size(); ++i) {
    fmt::print("{:<26}{:>9.3f}{:>9.0f}{:>14.0f}{:>9.2f}\n", readers[i].name, seconds[i],
               bytes / seconds[i] / 1e6, static_cast<double>(found[0].examples) / seconds[i],
               seconds[i] / seconds[0]);
  }
  return seconds;
}

bool compare_libsvm(const Settings& settings, const Workspace& files) {
  const std::string path = files.path("synnonsep.libsvm");
  const double bytes =
      write_data(fmt::format("synnonsep:n={},seed=1", settings.rounds), path, "libsvm");
  const auto seconds = compare("LIBSVM, synnonsep", bytes,
                               {{"soba, labels given", [&] { return read_soba(path, 9); }},
                                {"soba, labels found", [&] { return read_soba(path, 0); }},
                                {"LIBLINEAR train", [&] { return read_liblinear(path); }},
                                {"bytes alone", [&] { return read_bytes(path); }}},
                               settings.repetitions);
  if (seconds.empty()) return false;
  const bool rate = at_least("LIBSVM text, MB/s", bytes / seconds[0] / 1e6, 600);
  const bool ratio =
      at_least("LIBLINEAR's time over ours, labels found", seconds[2] / seconds[1], 10);
  return rate && ratio;
}

// The cache of data that is there as text: bytes of the file, and of the indices and values that
// come out of it (12 for each entry).
bool compare_caches(const std::vector<std::pair<std::string, std::string>>& texts,
                    const Workspace& files, int repetitions) {
  fmt::print("\n{:<26}{:>9}{:>9}{:>9}{:>14}{:>10}{:>12}\n", "caches (rates at best)", "MB",
             "seconds", "at best", "examples/s", "GB/s", "GB/s given");
  bool same_data = true;
  double rate = 0;
  for (const auto& [name, text] : texts) {
    const std::string path = files.path(name + ".soba");
    const double bytes = write_data(text, path, "cache");
    const Reading expected = read_soba(text, 0), found = read_soba(path, 0);
    same_data &= same(expected, found);
    const std::vector<double> seconds =
        times({{name, [&] { return read_blocks(path); }}}, 3 * repetitions)[0];
    const double usual = median(seconds), best = *std::ranges::min_element(seconds);
    fmt::print("{:<26}{:>9.1f}{:>9.4f}{:>9.4f}{:>14.0f}{:>10.2f}{:>12.1f}\n", name, bytes / 1e6,
               usual, best, static_cast<double>(found.examples) / best, bytes / best / 1e9,
               12 * static_cast<double>(found.entries) / best / 1e9);
    rate = std::max(rate, name == "synnonsep" ? bytes / best / 1e9 : 0);
  }
  fmt::print("the same data from text and cache: {}\n", same_data ? "ok" : "MISSED");
  return at_least("synnonsep's cache at best, GB/s of the file", rate, 2) && same_data;
}

}  // namespace

bool reading_task(const Settings& settings) {
  const Workspace files;
  const bool libsvm = compare_libsvm(settings, files);

  const std::string text = files.path("covtype.libsvm"), csv = files.path("covtype.csv"),
                    json = files.path("covtype.jsonl");
  double bytes = write_data(settings.covtype, text, "libsvm");
  bool ok = !compare("LIBSVM, covtype", bytes,
                     {{"soba, labels given", [&] { return read_soba(text, 7); }},
                      {"soba, labels found", [&] { return read_soba(text, 0); }},
                      {"LIBLINEAR train", [&] { return read_liblinear(text); }},
                      {"bytes alone", [&] { return read_bytes(text); }}},
                     settings.repetitions)
                 .empty();
  bytes = write_data(settings.covtype, csv, "csv");
  ok &= !compare("CSV, covtype", bytes,
                 {{"soba (reads it twice)", [&] { return read_soba(csv, 7); }},
                  {"Fast C++ CSV Parser", [&] { return read_fccp(csv); }},
                  {"bytes alone", [&] { return read_bytes(csv); }}},
                 settings.repetitions)
             .empty();
  bytes = write_data(settings.covtype, json, "jsonl");
  ok &= !compare("JSON Lines, covtype", bytes,
                 {{"soba, labels given", [&] { return read_soba(json, 7); }},
                  {"simdjson, names ignored", [&] { return read_simdjson(json); }},
                  {"bytes alone", [&] { return read_bytes(json); }}},
                 settings.repetitions)
             .empty();
  const bool caches =
      compare_caches({{"synnonsep", files.path("synnonsep.libsvm")}, {"covtype", text}}, files,
                     settings.repetitions);
  return libsvm && ok && caches;
}

}  // namespace soba::bench
