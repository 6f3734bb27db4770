// Readers of one file, each timed from opening it to its last example.
#pragma once

#include <cstdint>
#include <string>

namespace soba::bench {

// What a reader found, to be compared before times are.
struct Reading {
  double seconds = 0;
  std::int64_t examples = 0;
  std::int64_t entries = 0;  // values, without zeros where the format leaves them out
  double sum = 0;            // of the values
};

// Ours, on one thread but for the search for labels: what must be known before round 1, then all
// blocks. `labels` are given, or found in the data.
Reading read_soba(const std::string& path, int classes);
// The seconds of the same, labels found, where nobody looks at the blocks.
double read_blocks(const std::string& path);
// The reader of LIBLINEAR's program `train`, up to the point where it would start to train.
// Throws Error{kResource} where the program is not installed.
Reading read_liblinear(const std::string& path);
// Fast C++ CSV Parser (Ben Strasser), with our conversion of numbers: 54 columns and a label.
Reading read_fccp(const std::string& path);
// simdjson's own stream of documents, all numbers of "x" added up; no names are looked at.
Reading read_simdjson(const std::string& path);
// No reader at all: the bytes are taken in and line ends counted.
Reading read_bytes(const std::string& path);

}  // namespace soba::bench
