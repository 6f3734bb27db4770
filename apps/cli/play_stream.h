// A whole stream played with a model: soba::play block by block, with the clock, the files and the
// progress around it.
#pragma once

#include "progress.h"
#include "soba/play.h"
#include "trace.h"

namespace soba::cli {

// Who looks on; null = nobody.
struct Onlookers {
  Progress* progress = nullptr;
  TraceFile* trace = nullptr;
  CurveFile* curve = nullptr;
  bool watch_scale = false;  // a note on standard error where the input has the wrong scale
};

struct Outcome {
  Tally tally;               // of this stream alone
  double learn_seconds = 0;  // inside soba::play
};

// Plays everything that source.open() gives. Leaves the source's schema in the model. Throws what
// the stream throws, and Interrupted between two blocks.
Outcome play_stream(Source& source, Model& model, const Onlookers& onlookers);

}  // namespace soba::cli
