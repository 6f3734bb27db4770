#include "soba/lab/evaluation.h"

#include "lab/evaluation_template.h"
#include "lab/json.h"
#include "soba/version.h"

namespace soba::lab {

namespace {

constexpr std::string_view kPlace = "@EVALUATION@";  // in the template

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json pair(const Interval& interval) { return {interval.lower, interval.upper}; }

Json audit_json(const Evaluation& found) {
  const Audit& audit = found.audit;
  Json labels = Json::array(), by_policy = Json::array();
  for (const LabelAudit& one : audit.by_label) {
    labels.push_back({{"label", one.label},
                      {"played", one.played},
                      {"mean_inverse", one.inverse},
                      {"error", one.inverse_error}});
  }
  for (const PolicyResult& one : found.policies) {
    by_policy.push_back({{"name", one.name},
                         {"mean_weight", one.mean_weight},
                         {"mean_weight_error", one.mean_weight_error},
                         {"ess", one.effective_size},
                         {"largest_weight", one.largest_weight},
                         {"largest_weight_share", one.largest_share}});
  }
  return {{"right", audit.right},
          {"labels", audit.labels},
          {"min_probability", audit.min_probability},
          {"mean_inverse_probability", audit.mean_inverse},
          {"mean_inverse_probability_error", audit.mean_inverse_error},
          {"certain_share", audit.certain},
          {"mean_probability_answered", audit.probability_answered},
          {"mean_probability_unanswered", audit.probability_unanswered},
          {"stray_answers", audit.stray_answers},
          {"forgotten", audit.forgotten},
          {"bad_lines", audit.bad_lines},
          {"first_bad", audit.first_bad},
          {"warnings", audit.warnings},
          {"refusals", audit.refusals},
          {"policies", std::move(by_policy)},
          {"by_label", std::move(labels)}};
}

Json policy_json(const PolicyResult& one, double confidence) {
  Json out = {{"name", one.name}, {"question", one.question}, {"rounds", one.rounds}};
  if (!one.refused.empty()) {
    out["refused"] = one.refused;
    return out;
  }
  out["ips"] = one.ips;
  out["snips"] = one.snips;
  out["dr"] = optional(one.dr);
  out["dr_error"] = optional(one.dr_error);
  out["direct"] = optional(one.direct);
  out["switch_dr"] = optional(one.switch_dr);
  out["clipped_ips"] = optional(one.clipped);
  out["lower"] = one.betting.lower;
  out["upper"] = one.betting.upper;
  out["approximate_lower"] = one.delta.lower;
  out["approximate_upper"] = one.delta.upper;
  out["cressie_read"] = one.cressie_read;
  out["cressie_read_interval"] = pair(one.cressie_read_interval);
  out["difference"] = one.difference;
  out["difference_interval"] = pair(one.difference_interval);
  out["confidence"] = confidence;
  out["verdict"] = one.verdict;
  out["note"] = one.note;
  return out;
}

Json whole_json(const Evaluation& found) {
  Json policies = Json::array();
  for (const PolicyResult& one : found.policies) {
    policies.push_back(policy_json(one, found.confidence));
  }
  return {{"decisions", found.audit.decisions},
          {"answered", found.audit.answered},
          {"confidence", found.confidence},
          {"audit", audit_json(found)},
          {"policies", std::move(policies)}};
}

}  // namespace

std::string evaluation_json(const Evaluation& evaluation) {
  return indented(whole_json(evaluation));
}

std::string replay_json(const Replay& replay) {
  Json first = Json::array();
  for (const Mismatch& one : replay.first) {
    first.push_back({{"place", one.place}, {"id", one.id}, {"what", one.what}});
  }
  return indented({{"decisions", replay.decisions},
                   {"mismatches", replay.mismatches},
                   {"first", std::move(first)}});
}

std::string evaluation_page(const Evaluation& evaluation, const std::string& title) {
  Json all = whole_json(evaluation);
  all["title"] = title;
  all["program"] = version();
  for (std::size_t i = 0; i < evaluation.policies.size(); ++i) {
    const PolicyResult& one = evaluation.policies[i];
    Json course = Json::array();
    for (const auto& point : one.course) course.push_back({point.decision, point.ips, point.snips});
    all["policies"][i]["course"] = std::move(course);
    all["policies"][i]["weights"] = one.weights;
  }
  std::string page(kEvaluationTemplate);
  page.replace(page.find(kPlace), kPlace.size(), script_json(all));
  return page;
}

}  // namespace soba::lab
