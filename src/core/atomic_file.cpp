#include "core/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "soba/error.h"

namespace soba {

namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::kUsage, path_ + ": is not a regular file, so it cannot be replaced");
  }
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = path_ + ".new-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0 || (errno == EEXIST && attempt < 100)) continue;
    const int code = errno;
    temporary_.clear();
    throw Error(ErrorKind::kResource, path_ + ": cannot create a file in " + folder_of(path_) +
                                          ": " + std::strerror(code));
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) {
  throw Error(ErrorKind::kResource,
              path_ + ": " + what + ": " + std::strerror(errno) + "; the file was left as it was");
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("write failed");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail("sync failed");
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("close failed");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename failed");
  temporary_.clear();
  const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

}  // namespace soba
