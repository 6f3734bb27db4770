#include <fmt/format.h>

#include <filesystem>

#include "figure1/figure1.h"
#include "soba/lab/text.h"

namespace soba::figure1 {

namespace {

// The number of documents of the paper's set; other files are called what they are.
constexpr std::int64_t kReutersDocuments = 665'265;

// The data set `name`: read from `given`, or from where the plan says, or left out.
void locate(Figure1Plan& out, const std::string& name, const std::optional<std::string>& given,
            std::string_view option) {
  for (lab::SweepData& data : out.plan.data) {
    if (data.name != name) continue;
    if (given) data.data = *given;
    std::error_code unknown;
    if (given || std::filesystem::exists(data.data, unknown)) return;
    out.remarks.push_back(fmt::format("{} is not here, so {} is left out; {} PATH names it",
                                      data.data, name, option));
    lab::drop_data(out.plan, name);
    return;
  }
}

void name_sample(Figure1Plan& out) {
  for (const lab::SweepData& data : out.plan.data) {
    if (data.name != "Reuters4") continue;
    SourceOptions options = parse_source_options(data.options);
    options.shuffle.reset();
    options.limit = 0;
    options.need_size = true;
    const std::int64_t documents = Source(data.data, options, Schema{}).rounds().value_or(0);
    if (documents == kReutersDocuments) return;
    out.remarks.push_back(fmt::format("{} holds {} documents, not the paper's {}: a sample",
                                      data.data, lab::thousands(documents),
                                      lab::thousands(kReutersDocuments)));
    lab::rename_data(out.plan, "Reuters4", "Reuters4 (sample)");
    return;
  }
}

}  // namespace

Figure1Plan make_plan(bool full, const Places& places) {
  Figure1Plan out;
  out.plan = full ? lab::parse_plan(kFullPlan, "experiments/figure1/full.json")
                  : lab::parse_plan(kQuickPlan, "experiments/figure1/quick.json");
  locate(out, "Covtype", places.covtype, "--covtype");
  locate(out, "Covtype, scaled", places.covtype, "--covtype");
  locate(out, "Reuters4", places.reuters4, "--reuters4");
  for (lab::SweepData& data : out.plan.data) {
    if (places.limit) data.options["limit"] = *places.limit;
    parse_source_options(data.options);  // throws if the limit is invalid
  }
  name_sample(out);
  return out;
}

}  // namespace soba::figure1
