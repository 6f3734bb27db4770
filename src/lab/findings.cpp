// What a reader of a report must not miss, in sentences.

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "soba/lab/summary.h"
#include "soba/lab/text.h"

namespace soba::lab {

namespace {

const Estimate& best_error(const ContenderSummary& contender) {
  return contender.best_point().played;
}

const ContenderSummary* best_bandit(const DataSummary& data) {
  const ContenderSummary* best = nullptr;
  for (const ContenderSummary& contender : data.contenders) {
    if (contender.full_information) continue;
    if (best == nullptr || best_error(contender).mean < best_error(*best).mean) best = &contender;
  }
  return best;
}

// Whether the confidence intervals of two means have a point in common.
bool overlap(const Estimate& a, const Estimate& b) {
  return a.half_width && b.half_width && std::abs(a.mean - b.mean) <= *a.half_width + *b.half_width;
}

std::string named_error(const ContenderSummary& contender) {
  return contender.name + ' ' + percent_text(best_error(contender));
}

// Contenders that are hardly worse than the best.
std::string ties(const DataSummary& data, const ContenderSummary& best) {
  std::vector<std::string> tied = {named_error(best)};
  for (const ContenderSummary& contender : data.contenders) {
    if (&contender == &best || contender.full_information) continue;
    if (overlap(best_error(best), best_error(contender))) tied.push_back(named_error(contender));
  }
  return tied.size() < 2 ? "" : sentence_list(tied) + " cannot be told apart.";
}

}  // namespace

std::string percent_text(const Estimate& error) {
  const std::string mean = fmt::format("{:.2f}", 100 * error.mean);
  return error.half_width ? fmt::format("{} ± {:.2f}", mean, 100 * *error.half_width) : mean;
}

std::vector<std::string> findings(const DataSummary& data) {
  std::vector<std::string> out;
  if (const ContenderSummary* best = best_bandit(data)) {
    const std::string at = grid_text(best->best_point().grid);
    out.push_back(fmt::format("Lowest played error with bandit feedback: {}{}{}, {} %.", best->name,
                              at.empty() ? "" : " at ", at, percent_text(best_error(*best))));
    if (std::string tied = ties(data, *best); !tied.empty()) out.push_back(std::move(tied));
  }
  std::vector<std::string> idle;
  std::map<std::string, std::vector<std::string>> edges;  // contenders by axis
  for (const ContenderSummary& contender : data.contenders) {
    if (contender.no_better) idle.push_back(named_error(contender));
    for (const std::string& axis : contender.edges) edges[axis].push_back(contender.name);
  }
  if (!idle.empty()) {
    out.push_back(
        fmt::format("No better than always playing the most frequent label ({:.2f} %): {}.",
                    100 * *data.constant_error, sentence_list(idle)));
  }
  for (const auto& [axis, contenders] : edges) {
    out.push_back(
        fmt::format("The best {} is on the edge of the grid, so a better one may lie beyond it: "
                    "{}.",
                    axis, sentence_list(contenders)));
  }
  for (const ContenderSummary& contender : data.contenders) {
    if (!contender.fewer_seeds) continue;
    out.push_back(fmt::format("The best point of {} rests on {}, others on {}.", contender.name,
                              plural(contender.best_point().seeds, "seed"), thousands(data.seeds)));
  }
  return out;
}

}  // namespace soba::lab
