// What the records of a model's journal say, and how a model plays them again.
#pragma once

#include <string>
#include <string_view>

#include "soba/model.h"

namespace soba {

// The journal of a model file; of a link, that of the file it leads to.
std::string journal_path(const std::string& model_path);

// Takes over what the journal `bytes` hold beyond the model. Counts it into model.replayed. Throws
// Error{kInput} naming the place where the journal is another model's, or damaged; the model is
// then of no use.
void replay_journal(Model& model, std::string_view bytes, const std::string& name,
                    const Registry& registry);

}  // namespace soba
