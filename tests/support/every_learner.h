// Every learner in every form that its options make worth a test of its own. A new learner is added
// by nothing but its line in the registry; a line here only for further forms.
#pragma once

#include <cctype>
#include <string>
#include <vector>

#include "soba/registry.h"

namespace soba::testing {

struct Form {
  std::string learner;
  OptionValues options;
};

inline std::vector<Form> every_form() {
  std::vector<Form> forms;
  for (const LearnerInfo& info : learners()) forms.push_back({info.name, {}});
  for (const LearnerAlias& alias : learner_aliases()) forms.push_back({alias.name, {}});
  forms.push_back({"soba", {{"gamma", "0.2"}}});
  forms.push_back({"soba", {{"gamma", "theory"}, {"horizon", "1000"}}});
  forms.push_back({"soba", {{"gamma", "adaptive"}, {"gamma-scale", "1"}, {"a", "0.1"}}});
  forms.push_back({"soba", {{"explore", "gap"}}});
  forms.push_back({"soba", {{"explore", "gap-bounded"}}});
  forms.push_back({"sobadiag", {{"explore", "gap"}}});
  forms.push_back({"sobadiag", {{"explore", "gap-bounded"}, {"gap-floor", "0.5"}}});
  forms.push_back({"sobadiag", {{"gamma", "0.2"}}});
  forms.push_back({"sobadiag", {{"gamma", "adaptive"}, {"gamma-scale", "1"}}});
  forms.push_back({"soba", {{"covariance", "sketch"}, {"sketch-size", "3"}}});
  forms.push_back({"soba", {{"covariance", "auto"}}});
  forms.push_back({"soba-adaptive", {{"exact-cells", "6"}, {"gamma", "0.2"}}});
  forms.push_back({"banditron", {{"gamma", "0"}}});
  forms.push_back({"banditron", {{"gamma", "adaptive"}}});
  forms.push_back({"banditron-eg", {{"eta", "3"}, {"gamma", "0.2"}}});
  forms.push_back({"bandit-arow", {{"gamma", "0.1"}}});
  forms.push_back({"bpa", {{"C", "0.1"}, {"gamma", "0.1"}}});
  forms.push_back({"ova-logistic", {{"eta", "2"}, {"gamma", "0.1"}}});
  forms.push_back({"passive-aggressive", {{"variant", "pa"}}});
  forms.push_back({"passive-aggressive", {{"variant", "pa2"}}});
  forms.push_back({"arow", {{"covariance", "full"}, {"r", "0.1"}}});
  forms.push_back({"second-order-perceptron", {{"covariance", "full"}, {"a", "2"}}});
  forms.push_back({"squarecb", {{"covariance", "full"}, {"gamma-scale", "1"}}});
  forms.push_back({"squarecb", {{"gamma-exponent", "0.25"}, {"a", "0.1"}}});
  forms.push_back({"auto", {{"rescale", "false"}}});
  forms.push_back({"auto", {{"rule", "1"}}});
  forms.push_back({"soba-ovr", {{"gate", "on"}, {"explore", "constant"}}});
  forms.push_back({"soba-ovr", {{"gate", "on"}, {"slack", "2"}, {"scale-free", "false"}}});
  forms.push_back({"soba-ovr", {{"covariance", "full"}, {"ridges", "0.1,1"}}});
  forms.push_back({"soba-ovr", {{"covariance", "diagonal"}}});
  forms.push_back({"soba-ovr", {{"constant", "false"}, {"explore-scale", "0.5"}}});
  forms.push_back({"gaptron", {{"loss", "hinge"}}});
  forms.push_back({"gaptron", {{"loss", "logistic"}, {"gamma", "0.01"}}});
  forms.push_back({"rdue", {{"q", "0.1"}, {"b", "1"}}});
  forms.push_back({"rdue", {{"q", "0"}}});
  forms.push_back({"exp4", {{"members", "soba,banditron,gaptron,rdue"}, {"gamma", "0.1"}}});
  forms.push_back({"exp4", {{"advice", "distribution"}, {"eta", "0.01"}}});
  forms.push_back({"confidit", {{"gamma", "0.1"}, {"alpha", "0.5"}}});
  forms.push_back({"confidit", {{"covariance", "full"}, {"eta", "10"}}});
  forms.push_back({"expconcave", {{"oracle", "ftal"}, {"gamma", "0.2"}, {"D", "0.5"}}});
  forms.push_back({"expconcave", {{"covariance", "full"}, {"gamma", "0.2"}}});
  forms.push_back(
      {"expconcave",
       {{"covariance", "full"}, {"oracle", "ftal"}, {"gamma", "0.2"}, {"beta", "0.1"}}});
  forms.push_back({"newtron", {{"gamma", "0.2"}, {"D", "100"}}});
  forms.push_back({"pnewtron", {{"gamma", "0.1"}, {"D", "100"}}});
  return forms;
}

// A name that gtest accepts.
inline std::string form_name(const Form& form) {
  std::string name = form.learner;
  for (const auto& [option, value] : form.options) name += "_" + option + "_" + value;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

}  // namespace soba::testing
