#include "data_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "soba/error.h"
#include "soba/parse.h"

namespace soba::cli {

namespace {

constexpr double kMaxCount = 9e18;

void add_flag(CLI::App& command, const OptionSpec& spec, OptionValues& given,
              const std::string& help, const std::string& group) {
  command
      .add_flag_function(
          "--" + spec.name,
          [&given, name = spec.name](std::int64_t count) {
            given[name] = count > 0 ? "true" : "false";
          },
          help)
      ->group(group);
}

void add_value(CLI::App& command, const OptionSpec& spec, OptionValues& given,
               const std::string& help, const std::string& group) {
  const auto take = [&given, spec](const std::string& text) {
    // As a value it would stand for the default: more likely it is a variable that is not set.
    if (text.empty() && spec.kind != "text") {
      throw Error(ErrorKind::kUsage, spec.name, "expected " + spec.range + ", found nothing");
    }
    given[spec.name] = text;
  };
  command.add_option_function<std::string>("--" + spec.name, take, help)
      ->type_name(spec.placeholder)
      ->group(group);
}

}  // namespace

CLI::Option* add_text_option(CLI::App& command, const std::string& name,
                             std::optional<std::string>& value, const std::string& type,
                             const std::string& help, const std::string& group) {
  return command
      .add_option_function<std::string>(
          name, [&value](const std::string& text) { value = text; }, help)
      ->type_name(type)
      ->group(group);
}

void add_data_argument(CLI::App& command, std::string& data) {
  command
      .add_option("DATA", data,
                  "A file in LIBSVM, CSV or JSON Lines format (.gz, .xz and .zst are read as "
                  "they are), a cache made of one by 'soba convert', - for standard input, or a "
                  "generator such as "
                  "synsep:n=1000000,seed=1 or synnonsep:n=1000000,seed=1,noise=0.05.")
      ->group("Arguments");
}

void add_data_option(CLI::App& command, OptionValues& given, std::string_view name,
                     const std::string& help, const std::string& group) {
  for (const OptionSpec& spec : source_option_specs()) {
    if (spec.name != name) continue;
    const auto add = spec.kind == "flag" ? add_flag : add_value;
    add(command, spec, given, help.empty() ? spec.help : help, group);
  }
}

void add_data_options(CLI::App& command, OptionValues& given,
                      std::initializer_list<std::string_view> groups) {
  for (const OptionSpec& spec : source_option_specs()) {
    if (groups.size() > 0 && std::find(groups.begin(), groups.end(), spec.group) == groups.end()) {
      continue;
    }
    add_data_option(command, given, spec.name, "", "Data");
  }
}

std::int64_t integer_or(const std::optional<std::string>& text, std::string_view option, double min,
                        std::int64_t otherwise) {
  return text ? parse_integer(option, *text, min, kMaxCount) : otherwise;
}

void require_argument(const std::string& value, std::string_view name) {
  if (value.empty()) throw Error(ErrorKind::kUsage, fmt::format("{} is missing", name));
}

}  // namespace soba::cli
