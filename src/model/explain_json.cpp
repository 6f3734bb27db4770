#include "model/explain_json.h"

namespace soba {

void write_json(const Explanation& explanation, JsonWriter& json) {
  json.begin_object();
  if (!explanation.member.empty()) json.member("member", explanation.member);
  json.member("label", explanation.label);
  if (!explanation.over.empty()) {
    json.member("over", explanation.over).member("lead", explanation.lead);
    json.member("constant", explanation.constant).key("features").begin_array();
    for (const Contribution& one : explanation.features) {
      json.begin_object().member("name", one.feature).member("value", one.value);
      json.member("amount", one.amount).end_object();
    }
    json.end_array().member("rest", explanation.rest);
  }
  json.end_object();
}

std::string explanation_json(const Explanation& explanation) {
  JsonWriter json;
  write_json(explanation, json);
  return json.text();
}

std::string weights_json(const Weights& weights) {
  JsonWriter json;
  json.begin_object();
  if (!weights.member.empty()) json.member("member", weights.member);
  json.key("labels").begin_array();
  for (const LabelWeights& label : weights.labels) {
    json.begin_object().member("label", label.label).member("constant", label.constant);
    json.key("features").begin_array();
    for (const NamedWeight& one : label.features) {
      json.begin_object().member("name", one.feature).member("weight", one.weight).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.text();
}

}  // namespace soba
