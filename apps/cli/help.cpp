#include "help.h"

#include <vector>

#include "text.h"

namespace soba::cli {

namespace {

constexpr int kTextColumn = 25;  // where the explanations start

std::string spelled(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  std::string out;
  for (const std::string& name : option.get_snames()) out += "-" + name + ", ";
  for (const std::string& name : option.get_lnames()) out += "--" + name;
  if (option.get_expected_max() > 0) out += " " + option.get_type_name();
  return out;
}

std::string entry(const CLI::Option& option) {
  std::string line = "  " + spelled(option);
  if (display_width(line) + 2 > kTextColumn) line += '\n';
  const bool own_line = line.back() == '\n';
  line += std::string(
      static_cast<std::size_t>(own_line ? kTextColumn : kTextColumn - display_width(line)), ' ');
  return line + wrap(option.get_description(), kTextColumn, kTextColumn) + '\n';
}

}  // namespace

std::string help_text(const CLI::App& command, std::string_view usage) {
  std::string out = "usage: " + wrap(usage, 11, 7) + "\n\n";
  out += wrap(command.get_description(), 0, 0) + '\n';
  if (!command.get_footer().empty()) out += "\nExamples:\n" + command.get_footer();
  for (const std::string& group : command.get_groups()) {
    std::string entries;
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_group() == group) entries += entry(*option);
    }
    if (!group.empty() && !entries.empty()) out.append("\n" + group + ":\n").append(entries);
  }
  return out;
}

}  // namespace soba::cli
