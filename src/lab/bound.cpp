#include "soba/lab/bound.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "lab/json.h"
#include "lab/page.h"
#include "soba/error.h"
#include "soba/lab/trace.h"
#include "soba/version.h"

namespace soba::lab {

namespace {

// The learner's own losses beside each other: what a mistake is compared with.
Json competitor_json(const Competitor& u, const Certificate& certificate) {
  return {{"loss", u.loss},
          {"eta", u.alpha > 0 ? u.alpha : u.eta},
          {"value", u.value()},
          {"hinge", u.powers.front()},
          {"squared_hinge", u.powers.back()},
          {"norm", u.norm},
          {"longest_row", u.longest},
          {"zero_one", u.zero_one},
          {"regret", certificate.mean.mistakes - u.value()},
          {"weight", u.weight},
          {"gap", u.gap}};
}

Json bound_object(const Bound& bound) {
  return {{"theorem", bound.theorem},
          {"about", bound.about},
          {"eta", bound.eta},
          {"competitor", bound.competitor},
          {"competitor_loss", bound.competitor_loss},
          {"regulariser", bound.regulariser},
          {"quadratic", bound.quadratic},
          {"exploration", bound.exploration},
          {"bound", bound.total},
          {"holds", bound.holds},
          {"vacuous", bound.vacuous},
          {"useful_from", bound.useful_from > 0 ? Json(bound.useful_from) : Json()},
          {"every_run", bound.every_run},
          {"certified", !bound.order_only}};
}

Json certificate_json(const Certificate& certificate, const std::string& data) {
  Json out;
  out["learner"] = certificate.learner;
  out["options"] = options_json(certificate.learner, certificate.options);
  out["data"] = data;
  out["rounds"] = certificate.facts.rounds;
  out["classes"] = certificate.facts.shape.classes;
  out["features"] = certificate.facts.shape.features;
  out["largest_norm"] = certificate.facts.largest_norm;
  out["runs"] = certificate.runs.size();
  out["mistakes"] = certificate.mean.mistakes;
  out["greedy_mistakes"] = certificate.mean.greedy_mistakes;
  out["competitors"] = Json::array();
  for (const Competitor& u : certificate.competitors) {
    out["competitors"].push_back(competitor_json(u, certificate));
  }
  out["bounds"] = Json::array();
  for (const Bound& bound : certificate.bounds) out["bounds"].push_back(bound_object(bound));
  out["tightest"] =
      certificate.bounds.empty() ? Json() : Json(certificate.bounds[certificate.tightest].theorem);
  out["verdict"] = certificate.verdict();
  out["remarks"] = certificate.remarks;
  return out;
}

// Points of the charts: rounds, mistakes, and what each bound and its competitor's loss were.
Json curve_json(const Certificate& certificate) {
  Json points = Json::array();
  const auto& seen = certificate.mean.curve;
  for (std::size_t i = 0; i < seen.size() && i < certificate.facts.curve.size(); ++i) {
    Json point = {{"round", seen[i].rounds},
                  {"mistakes", seen[i].mistakes},
                  {"greedy", seen[i].greedy_mistakes}};
    if (!certificate.bounds.empty()) {
      const Bound& bound = certificate.bounds[certificate.tightest];
      if (i < bound.curve.size()) {
        point["competitor"] = bound.loss_curve[i];
        point["bound"] = bound.curve[i];
      }
    }
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

std::vector<Played> trace_rounds(const std::string& path, const Schema& schema) {
  Trace trace = read_trace(path);
  std::vector<Label> label;
  for (const std::string& name : trace.labels.names()) {
    const auto known = schema.labels.find(name);
    if (!known) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: label '{}' is not one of the data's", path, name));
    }
    label.push_back(*known);
  }
  for (Played& row : trace.rounds) {
    for (Label* const one : {&row.label, &row.greedy, &row.played}) {
      *one = label[static_cast<std::size_t>(*one)];
    }
  }
  return std::move(trace.rounds);
}

std::string bound_json(const Certificate& certificate, const std::string& data) {
  return indented(certificate_json(certificate, data));
}

std::string bound_page(const Certificate& certificate, const std::string& data) {
  Json out = {{"title", fmt::format("What is proved of {} on {}", certificate.learner, data)},
              {"program", version()},
              {"bound", certificate_json(certificate, data)}};
  out["bound"]["curve"] = curve_json(certificate);
  return filled_page(out);
}

}  // namespace soba::lab
