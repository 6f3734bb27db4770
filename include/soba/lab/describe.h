// Learners, models and runs described for programs, documents and terminals.
#pragma once

#include <string>
#include <vector>

#include "soba/model.h"
#include "soba/registry.h"
#include "soba/run.h"
#include "soba/survey.h"

namespace soba::lab {

// Whether the scale of features matters to a learner, in a line.
std::string_view scale_text(ScaleFree scale_free);

// "sobadiag = soba --covariance diagonal".
std::string alias_text(const LearnerAlias& alias);

// Every option that some learner has, and one in the words of all learners that have it: learners
// that say the same share a line. Ranges and defaults are on the learners' own pages.
std::vector<std::string> learner_option_names();
std::string learner_option_help(const std::string& option);

// One learner, or all of them, as JSON.
std::string learner_json(const LearnerInfo& info);
std::string learners_json();

// A learner's section of docs/algorithms.md, or the whole document.
std::string learner_markdown(const LearnerInfo& info);
std::string learners_markdown();

// What a model knows of columns: "ignore id; text message". Empty where that is nothing.
std::string columns_text(const Schema& schema);
std::string position_text(const DataPosition& position);
// What is in a model, as JSON; with the stored fields where there are any.
std::string model_json(const Model& model, const std::vector<FieldSummary>& fields);

// What `soba check` found, as JSON.
std::string survey_json(const Survey& survey);

// A run's 20 most frequent labels, for a terminal: recall, precision, what was played instead; and
// the confusion matrix in percent of each label's examples.
std::string class_table(const RunResult& result);
std::string confusion_table(const RunResult& result);

// The share of wrong labels among the answers so far; 0 where there are none.
double played_error(const Tally& tally);

// "gamma 0.05, covariance exact", without options whose value is empty.
std::string options_text(const OptionValues& values);

}  // namespace soba::lab
