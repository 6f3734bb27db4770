#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lab/rows.h"
#include "soba/lab/report.h"
#include "soba/lab/text.h"

namespace soba::lab {

namespace {

std::string one_line(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string table_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& text : cells) out += " " + cell(text) + " |";
  return out + '\n';
}

// A header and the line below it; numbers stand to the right.
std::string table_header(const std::vector<std::string>& names, std::size_t first_number) {
  std::string out = table_row(names) + '|';
  for (std::size_t i = 0; i < names.size(); ++i) out += i < first_number ? "---|" : "---:|";
  return out + '\n';
}

std::string contender_title(const ContenderSummary& contender) {
  return contender.name + (contender.full_information ? " (full information)" : "");
}

bool has_paper(const DataSummary& data) {
  for (const ContenderSummary& contender : data.contenders) {
    if (contender.paper.percent || !contender.paper.statement.empty()) return true;
  }
  return false;
}

std::string paper_text(const PaperClaim& paper) {
  return paper.percent ? fmt::format("{}", *paper.percent) : paper.statement;
}

std::string best_text(const ContenderSummary& contender) {
  const std::string grid = grid_text(contender.best_point().grid);
  return contender.edges.empty() ? grid : grid + " (edge of the grid)";
}

std::string seeds_text(const ContenderSummary& contender, const DataSummary& data) {
  const std::string seeds = thousands(contender.best_point().seeds);
  return contender.fewer_seeds ? fmt::format("{} of {}", seeds, thousands(data.seeds)) : seeds;
}

std::string best_table(const DataSummary& data) {
  const bool paper = has_paper(data);
  std::vector<std::string> names = {"contender", "best at",  "played %", "greedy %",
                                    "updates",   "rounds/s", "seeds"};
  if (paper) names.emplace_back("paper %");
  std::string out = table_header(names, 2);
  for (const ContenderSummary& contender : data.contenders) {
    const GridPoint& best = contender.best_point();
    std::vector<std::string> cells = {contender_title(contender),
                                      best_text(contender),
                                      percent_text(best.played),
                                      percent_text(best.greedy),
                                      thousands(std::llround(best.updates)),
                                      thousands(std::llround(best.rounds_per_second)),
                                      seeds_text(contender, data)};
    if (paper) cells.push_back(paper_text(contender.paper));
    out += table_row(cells);
  }
  return out;
}

std::string axis_table(const DataSummary& data, const VariedAxis& axis) {
  std::vector<std::string> names = {axis.name};
  std::set<GridValue> values;
  for (const AxisLine& line : axis.lines) {
    const ContenderSummary& contender = data.contenders[line.contender];
    names.push_back(contender_title(contender));
    for (const std::size_t point : line.points) {
      values.insert(*find_axis(contender.points[point].grid, axis.name));
    }
  }
  std::string out = table_header(names, 1);
  for (const GridValue& value : values) {
    std::vector<std::string> cells = {shown_value(value)};
    for (const AxisLine& line : axis.lines) {
      cells.emplace_back();
      for (const std::size_t place : line.points) {
        const GridPoint& point = data.contenders[line.contender].points[place];
        if (*find_axis(point.grid, axis.name) == value) cells.back() = percent_text(point.played);
      }
    }
    out += table_row(cells);
  }
  return out;
}

}  // namespace

std::string default_title(const Summary& summary) {
  std::vector<std::string> names;
  for (const DataSummary& data : summary.data) names.push_back(data.name);
  return "Results on " + sentence_list(names);
}

std::string report_markdown(const Summary& summary, const std::string& title) {
  std::string out = fmt::format(
      "# {}\n\n{}. Errors in percent: mean ± half the 95 % confidence interval over the seeds.\n",
      one_line(title), plural(summary.runs, "run"));
  for (const DataSummary& data : summary.data) {
    out += fmt::format("\n## {}\n\n{}, {} classes, {}; {}; examples {}\n\n", one_line(data.name),
                       plural(data.rounds, "round"), thousands(data.classes),
                       plural(data.features, "feature"), plural(data.runs, "run"),
                       sentence_list(data.fingerprints));
    for (const std::string& finding : findings(data)) out += "- " + one_line(finding) + '\n';
    out += '\n' + best_table(data);
    for (const VariedAxis& axis : data.axes) {
      out += fmt::format("\nPlayed error by {}:\n\n", one_line(axis.name)) + axis_table(data, axis);
    }
  }
  return printable(out);
}

}  // namespace soba::lab
