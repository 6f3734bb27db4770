#include "soba/version.h"

namespace soba {

std::string_view version() { return SOBA_VERSION; }

}  // namespace soba
