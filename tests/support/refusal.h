// What a call that must be refused says.
#pragma once

#include <string>

#include "soba/error.h"

namespace soba {

// The message of the Error that it throws; empty where it throws none.
std::string refusal(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace soba
