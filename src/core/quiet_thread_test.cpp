#include "core/quiet_thread.h"

#include <gtest/gtest.h>

namespace soba {
namespace {

bool blocks(int signal) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, signal) == 1;
}

TEST(QuietThread, SignalsPassItByAndNotTheCaller) {
  const bool blocked_before = blocks(SIGINT);
  bool interrupts = true, terminates = true;
  start_quiet_thread([&] {
    interrupts = !blocks(SIGINT);
    terminates = !blocks(SIGTERM);
  }).join();
  EXPECT_FALSE(interrupts);
  EXPECT_FALSE(terminates);
  EXPECT_EQ(blocks(SIGINT), blocked_before);
}

}  // namespace
}  // namespace soba
