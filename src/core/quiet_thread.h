// A thread that signals pass by: they interrupt the program's own threads, which know what to do.
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace soba {

// Throws std::system_error where no thread is to be had.
template <class Work>
std::thread start_quiet_thread(Work&& work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread;
  try {
    thread = std::thread(std::forward<Work>(work));
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace soba
