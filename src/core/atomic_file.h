// A file that appears whole or not at all: written beside its name, synced, then renamed over it.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace soba {

// Where a path leads if it is a link, or a link to one; else the path itself.
std::string followed(const std::string& path);

// Gives a file that was made here the owner and the permissions of another; where they cannot be
// had, it gets the group, or nothing for the group.
void take_ownership(int descriptor, uid_t owner, gid_t group, mode_t mode);

// Replaces what a link leads to, and keeps its permissions, and its owner where that is allowed.
class AtomicFile {
 public:
  // Throws Error{kResource} when the folder cannot be written.
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();  // without commit() the old file, if any, stays as it was

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* what);

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

}  // namespace soba
