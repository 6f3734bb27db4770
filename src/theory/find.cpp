// The search for competitors: two passes over the data, and a path of norms for each loss.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "soba/error.h"
#include "soba/lab/theory.h"
#include "soba/parse.h"
#include "theory/competitor.h"
#include "theory/losses.h"

namespace soba {

using theory::CompetitorSolver;
using theory::MarginKind;

double Competitor::eta_sum(double at) const {
  const double share = theory::squared_share(at);
  return (1 - share) * powers.front() + share * powers.back();
}

double Competitor::value() const { return alpha > 0 ? logistic : eta_sum(eta); }

namespace {

double number(const OptionValues& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

// The first examples of the source: all where `most` is 0.
Block first_examples(Source& source, std::int64_t most) {
  Block out;
  const std::unique_ptr<Stream> stream = source.open();
  while (const Block* const block = stream->next()) {
    for (std::size_t i = 0; i < block->size(); ++i) {
      if (most > 0 && static_cast<std::int64_t>(out.size()) == most) return out;
      const Features x = block->features(i);
      out.append(x, block->label[i]);
    }
  }
  return out;
}

Shape shape_of(const Block& block, Label classes) {
  Index features = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    features = std::max(features, block.features(i).extent());
  }
  return {classes, features};
}

class Search {
 public:
  Search(const Block& block, Shape shape, const CompetitorSettings& settings,
         const TheoryProgress& progress)
      : block_(block), shape_(shape), settings_(settings), progress_(progress) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      largest_ = std::max(largest_, squared_norm(block.features(i)));
    }
    if (largest_ == 0) largest_ = 1;
  }

  // False where the caller gave up.
  bool path(double eta, std::vector<Competitor>& out) {
    const MarginKind kind =
        settings_.one_vs_rest ? MarginKind::kOneVsRest : MarginKind::kMulticlass;
    CompetitorSolver solver(block_, shape_, kind, eta);
    // From where U is about 0 to where a single example could lift its own margin to 10.
    const double first = 10 / (static_cast<double>(block_.size()) * largest_);
    const double last = std::max(first, 10 / largest_);
    double norm = 0;
    for (int i = 0; i < settings_.points; ++i) {
      const double along = settings_.points == 1 ? 1 : i / (settings_.points - 1.0);
      Competitor u;
      u.loss = settings_.one_vs_rest ? "one-vs-rest" : "eta";
      u.one_vs_rest = settings_.one_vs_rest;
      u.eta = eta;
      u.weight = first * std::pow(last / first, along);
      bool wanted = true;
      const theory::Fit fit =
          solver.fit(u.weight, {settings_.gap, settings_.epochs}, [&](double gap) {
            wanted = tell(eta, i, gap);
            return wanted;
          });
      u.gap = fit.gap();
      u.weights = solver.weights();
      theory::measure_norms(shape_.classes, u);
      if (u.norm > 0) out.push_back(u);
      ++done_;
      if (!wanted) return false;
      if (u.norm <= norm * 1.001) break;  // no loss is left, and the norm is the least
      norm = u.norm;
    }
    done_ = (done_ + settings_.points - 1) / settings_.points * settings_.points;
    return true;
  }

 private:
  bool tell(double eta, int point, double gap) {
    if (!progress_) return true;
    const double all = static_cast<double>(settings_.etas.size()) * settings_.points;
    return progress_(fmt::format("competitor: eta {:g}, norm {} of {}, gap {:.2g}", eta, point + 1,
                                 settings_.points, gap),
                     done_ / all);
  }

  const Block& block_;
  const Shape shape_;
  const CompetitorSettings& settings_;
  const TheoryProgress& progress_;
  double largest_ = 0;  // ‖x‖²
  int done_ = 0;        // fits
};

// Each U brought into the ball, where it is outside, and asked for its logistic loss.
void bring_into_ball(Label classes, const CompetitorSettings& settings,
                     std::vector<Competitor>& all) {
  for (Competitor& u : all) {
    if (settings.alpha > 0) {
      u.loss = "logistic";
      u.alpha = settings.alpha;
    }
    if (u.norm <= settings.ball) continue;
    for (double& weight : u.weights) weight *= settings.ball / u.norm;
    theory::measure_norms(classes, u);
  }
}

void measure(Source& source, const TheoryProgress& progress, Competitors& found) {
  DataFacts& facts = found.facts;
  const std::unique_ptr<Stream> stream = source.open();
  const double all = static_cast<double>(source.rounds().value_or(0));
  std::vector<double> scores(static_cast<std::size_t>(stream->shape().classes));
  std::int64_t next = next_curve_round(0);
  double largest = 0;
  const auto mark = [&] {
    facts.curve.push_back(facts.rounds);
    for (Competitor& u : found.all) u.curve.push_back({u.powers.front(), u.powers.back()});
  };
  while (const Block* const block = stream->next()) {
    for (std::size_t i = 0; i < block->size(); ++i) {
      const Features x = block->features(i);
      largest = std::max(largest, squared_norm(x));
      for (Competitor& u : found.all) theory::add_example(x, block->label[i], scores, u);
      if (++facts.rounds != next) continue;
      mark();
      next = next_curve_round(next);
    }
    if (progress && all > 0) progress("losses", static_cast<double>(facts.rounds) / all);
  }
  if (facts.rounds == 0) {
    throw Error(ErrorKind::kInput, source.description() + ": holds no example");
  }
  if (facts.curve.back() != facts.rounds) mark();
  facts.shape = source.shape();
  facts.largest_norm = std::sqrt(largest);
}

}  // namespace

CompetitorSettings settings_for(const LearnerChoice& choice) {
  CompetitorSettings settings;
  const std::string& name = choice.info->name;
  settings.one_vs_rest = name == "soba-ovr";
  if (name == "newtron" || name == "expconcave") settings.ball = number(choice.options, "D");
  if (name == "newtron") settings.alpha = number(choice.options, "alpha");
  return settings;
}

Competitors find_competitors(Source& source, const CompetitorSettings& settings,
                             const TheoryProgress& progress) {
  Competitors found;
  {
    const Block block = first_examples(source, settings.fit);
    const Shape shape = shape_of(block, source.shape().classes);
    Search search(block, shape, settings, progress);
    for (const double eta : settings.etas) {
      if (!search.path(eta, found.all)) break;
    }
    if (settings.ball > 0) bring_into_ball(shape.classes, settings, found.all);
  }
  // U = 0 loses 1 a round, and has no other term.
  Competitor zero;
  zero.loss = settings.one_vs_rest ? "one-vs-rest" : settings.alpha > 0 ? "logistic" : "eta";
  zero.one_vs_rest = settings.one_vs_rest;
  zero.alpha = settings.alpha;
  found.all.push_back(zero);
  measure(source, progress, found);
  return found;
}

}  // namespace soba
