// Being asked to stop (SIGINT, SIGTERM): noticed, finished in order.
#pragma once

#include <atomic>
#include <string>

namespace soba::cli {

// From now on the first request only sets a mark; a second one ends the program at once.
void catch_interrupts();
// The signal that asked to stop, or 0.
int interrupted();
// True from then on.
std::atomic<bool>& stop_flag();

// Thrown where work is given up because of a signal, so that half-written files are removed.
struct Interrupted {
  int signal;
  std::string outcome = "no file was changed";  // said to the user
};

// Waits until `descriptor` can be read or has ended. False when a signal asks to stop instead.
// Requires: catch_interrupts() was called.
bool wait_readable(int descriptor);

}  // namespace soba::cli
