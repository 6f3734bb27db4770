#include "interrupt.h"

#include <sys/select.h>

#include <cerrno>
#include <csignal>

namespace soba::cli {

namespace {

// All that a signal handler may touch.
std::atomic<int> g_signal = 0;
std::atomic<bool> g_stop = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

extern "C" void remember_signal(int signal) {
  g_signal = signal;
  g_stop = true;
}

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = remember_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
}

int interrupted() { return g_signal; }
std::atomic<bool>& stop_flag() { return g_stop; }

bool wait_readable(int descriptor) {
  // Blocked outside pselect, so that no signal falls between the test and the wait.
  const sigset_t blocked = stop_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &blocked, &before);
  while (g_signal == 0) {
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(descriptor, &readable);
    if (pselect(descriptor + 1, &readable, nullptr, nullptr, nullptr, &before) >= 0) break;
    if (errno != EINTR) break;  // reading will say what is wrong
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return g_signal == 0;
}

}  // namespace soba::cli
