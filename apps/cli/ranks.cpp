#include "ranks.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include "soba/error.h"

#ifdef SOBA_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <chrono>
#include <thread>
#include <vector>
#endif

namespace soba::cli {

namespace {

// An error as a text that travels, and back.
std::string packed(const Error& error) {
  return std::to_string(static_cast<int>(error.kind())) + error.option() + '\n' + error.what();
}
Error unpacked(const std::string& text) {
  const auto kind = static_cast<ErrorKind>(text.front() - '0');
  const std::size_t end = text.find('\n');
  const std::string option = text.substr(1, end - 1), what = text.substr(end + 1);
  if (option.empty()) return {kind, what};
  return {kind, option, what.substr(option.size() + 2)};  // ": " stands behind its name
}

}  // namespace

void Ranks::together(const std::function<void()>& work) {
  std::string complaint;
  try {
    work();
  } catch (const Error& error) {
    complaint = packed(error);
  } catch (const std::bad_alloc&) {
    complaint = packed(Error(ErrorKind::kResource, "out of memory"));
  } catch (const std::exception& error) {
    complaint = packed(Error(ErrorKind::kResource, error.what()));
  }
  complaint = agree(complaint);
  if (!complaint.empty()) throw unpacked(complaint);
}

bool Ranks::started() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr;
}

#ifdef SOBA_MPI

namespace {

// What a message to rank 0 is; the answers to questions go back under the asking thread's tag.
enum Tag : int { kAsk = 1, kRow = 2, kFailure = 3, kLeave = 4, kAnswers = 16 };

constexpr std::int64_t kNoMore = -1;
// Waiting inside MPI would burn a core.
constexpr auto kPatience = std::chrono::milliseconds(1);

int own_tag() {
  static std::atomic<int> count = 0;
  thread_local const int tag = kAnswers + count++;
  return tag;
}

MPI_Status wait_for(int source, int tag) {
  MPI_Status status;
  for (int there = 0;;) {
    MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, &status);
    if (there != 0) return status;
    std::this_thread::sleep_for(kPatience);
  }
}

std::string receive_text(const MPI_Status& from) {
  int size = 0;
  MPI_Get_count(&from, MPI_CHAR, &size);
  std::string text(static_cast<std::size_t>(size), '\0');
  MPI_Recv(text.data(), size, MPI_CHAR, from.MPI_SOURCE, from.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return text;
}

void send_text(const std::string& text, int to, int tag) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, tag, MPI_COMM_WORLD);
}

}  // namespace

Ranks::Ranks(bool threads) {
  if (!started()) return;
  int provided = 0;
  const int wanted = threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  MPI_Init_thread(nullptr, nullptr, wanted, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (provided < wanted) {
    MPI_Finalize();
    throw Error(ErrorKind::kUsage, "this MPI serves one thread of a process; give --workers 1");
  }
}

Ranks::~Ranks() {
  if (started()) MPI_Finalize();
}

std::string Ranks::agree(const std::string& complaint) {
  if (size_ == 1) return complaint;
  int first = complaint.empty() ? size_ : rank_, all = 0;
  MPI_Allreduce(&first, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (all == size_) return "";
  auto length = static_cast<int>(complaint.size());
  MPI_Bcast(&length, 1, MPI_INT, all, MPI_COMM_WORLD);
  std::string text = complaint;
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, all, MPI_COMM_WORLD);
  return text;
}

std::optional<std::size_t> Ranks::ask() {
  const int tag = own_tag();
  send_text(std::to_string(tag), 0, kAsk);
  wait_for(0, tag);
  std::int64_t number = kNoMore;
  MPI_Recv(&number, 1, MPI_INT64_T, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return number == kNoMore ? std::nullopt : std::optional(static_cast<std::size_t>(number));
}

void Ranks::send_row(const std::string& row) { send_text(row, 0, kRow); }

void Ranks::send_failure(std::size_t number, const std::string& what) {
  send_text(std::to_string(number) + '\n' + what, 0, kFailure);
}

void Ranks::leave() { send_text("", 0, kLeave); }

void Ranks::serve(const Service& service) {
  for (int present = size_ - 1; present > 0;) {
    const MPI_Status status = wait_for(MPI_ANY_SOURCE, MPI_ANY_TAG);
    const std::string text = receive_text(status);
    if (status.MPI_TAG == kLeave) {
      --present;
    } else if (status.MPI_TAG == kAsk) {
      const std::optional<std::size_t> next = service.next();
      const std::int64_t number = next ? static_cast<std::int64_t>(*next) : kNoMore;
      MPI_Send(&number, 1, MPI_INT64_T, status.MPI_SOURCE, std::atoi(text.c_str()), MPI_COMM_WORLD);
    } else if (status.MPI_TAG == kRow) {
      service.row(text);
    } else {
      service.failure(std::strtoull(text.c_str(), nullptr, 10), text.substr(text.find('\n') + 1));
    }
  }
}

#else

Ranks::Ranks(bool) {
  if (!started()) return;
  throw Error(ErrorKind::kUsage,
              "this soba was built without MPI: every process of mpirun would do the same work");
}
Ranks::~Ranks() = default;
std::string Ranks::agree(const std::string& complaint) { return complaint; }
std::optional<std::size_t> Ranks::ask() { return std::nullopt; }
void Ranks::send_row(const std::string&) {}
void Ranks::send_failure(std::size_t, const std::string&) {}
void Ranks::leave() {}
void Ranks::serve(const Service&) {}

#endif

}  // namespace soba::cli
