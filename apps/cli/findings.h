// What a comparison of the learners shows, in sentences made from its numbers.
#pragma once

#include <string>
#include <vector>

#include "result.h"

namespace soba::cli {

struct Contender {
  std::string name;  // as asked for; an alias stays one
  RunResult result;
};

struct Comparison {
  std::string title;    // of the data
  std::string command;  // that repeats one line of it, up to the learner
  std::vector<Contender> contenders;
};

std::vector<std::string> findings(const Comparison& comparison);

}  // namespace soba::cli
