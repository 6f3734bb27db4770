// The first bytes of the files that Soba writes, so that each reader can name the other's.
#pragma once

#include <string_view>

namespace soba {

inline constexpr std::string_view kModelMagic = "SOBAMDL\n";
inline constexpr std::string_view kCacheMagic = "SOBADAT\n";
inline constexpr std::string_view kLogMagic = "SOBALOG\n";

}  // namespace soba
