#include "evaluation.h"

#include <fmt/format.h>

#include "text.h"

namespace soba::cli {

namespace {

std::string points(double fraction) { return fmt::format("{:.2f}", 100 * fraction); }

std::string range(const Interval& interval) {
  return points(interval.lower) + " to " + points(interval.upper);
}

std::string item(const std::string& mark, const std::string& text) {
  return "  " + mark + " " + wrap(text, 3 + display_width(mark), 3 + display_width(mark)) + '\n';
}

std::string audit_text(const Audit& audit) {
  std::string out =
      fmt::format("{}, {} answered, {} % of these right; {}\n", plural(audit.decisions, "decision"),
                  thousands(audit.answered), points(fraction(audit.right, audit.answered)),
                  plural(audit.labels, "label"));
  out += "audit\n";
  out +=
      item("·", fmt::format("mean of 1/probability {:.4g} ± {:.2g}, for {}; smallest probability "
                            "{:.4g}",
                            audit.mean_inverse, audit.mean_inverse_error,
                            plural(audit.labels, "label"), audit.min_probability));
  if (audit.bad_lines > 0) {
    out +=
        item("·", plural(audit.bad_lines, "bad line") + " left out; the first: " + audit.first_bad);
  }
  if (audit.forgotten > 0) out += item("·", plural(audit.forgotten, "decision") + " forgotten");
  for (const std::string& warning : audit.warnings) out += item("!", warning);
  for (const std::string& refusal : audit.refusals) out += item("refused:", refusal);
  return out;
}

std::string weights_text(const PolicyResult& one) {
  return item(
      "·", fmt::format("{}: mean weight {:.4g} ± {:.2g}, effective sample {}, largest weight "
                       "{:.4g} with {:.2g} % of all",
                       one.name, one.mean_weight, one.mean_weight_error,
                       thousands(static_cast<std::int64_t>(one.effective_size)), one.largest_weight,
                       100 * one.largest_share));
}

std::string extras(const PolicyResult& one) {
  std::string out = fmt::format("Cressie-Read {} ({}, approximate)", points(one.cressie_read),
                                range(one.cressie_read_interval));
  if (one.clipped) out += fmt::format("; clipped IPS {}", points(*one.clipped));
  if (one.switch_dr) out += fmt::format("; switch-DR {}", points(*one.switch_dr));
  if (one.dr) {
    out += fmt::format("; doubly robust {} ± {}; direct method {}, a diagnostic only",
                       points(*one.dr), points(*one.dr_error), points(*one.direct));
  }
  return out;
}

std::string policy_text(const PolicyResult& one) {
  std::string out = fmt::format("  {}: {}\n", one.name, one.question);
  if (!one.refused.empty()) return out + item("  refused:", one.refused);
  const std::string dr = one.dr ? points(*one.dr) : "-";
  out += fmt::format("    {} {} {} {} {}\n", pad_left(points(one.ips), 8),
                     pad_left(points(one.snips), 8), pad_left(dr, 8),
                     pad_left(range(one.betting), 18), pad_left(range(one.delta), 18));
  out += item("  ·", extras(one));
  if (one.name != "log") {
    out += item("  ·", fmt::format("minus the log's own: {} ({}): {}", points(one.difference),
                                   range(one.difference_interval), one.verdict));
  }
  if (!one.note.empty()) out += item("  !", one.note);
  return out;
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation) {
  std::string out = audit_text(evaluation.audit);
  if (!evaluation.audit.refusals.empty()) return printable(out);
  for (const PolicyResult& one : evaluation.policies) {
    if (one.name != "log" && one.largest_weight > 0) out += weights_text(one);
  }
  out +=
      fmt::format("share of right answers in %, {:g} % intervals\n", 100 * evaluation.confidence);
  out +=
      fmt::format("    {} {} {} {} {}\n", pad_left("IPS", 8), pad_left("SNIPS", 8),
                  pad_left("DR", 8), pad_left("holds (betting)", 18), pad_left("approximate", 18));
  for (const PolicyResult& one : evaluation.policies) out += policy_text(one);
  return printable(out);
}

std::string replay_text(const Replay& replay) {
  std::string out;
  for (const Mismatch& one : replay.first) {
    out += item("·", fmt::format("{}: decision {}: {}", one.place, one.id, one.what));
  }
  out += fmt::format("{} decided again, {} otherwise\n", plural(replay.decisions, "decision"),
                     thousands(replay.mismatches));
  return printable(out);
}

}  // namespace soba::cli
