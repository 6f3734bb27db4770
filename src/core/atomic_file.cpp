#include "core/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "soba/error.h"

namespace soba {

namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace

std::string followed(const std::string& path) {
  std::filesystem::path now = path;
  std::error_code code;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(now, code); ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(now, code);
    if (code) break;
    now = now.parent_path() / target;  // target alone where that is absolute
  }
  return now.string();
}

void take_ownership(int descriptor, uid_t owner, gid_t group, mode_t mode) {
  if (::fchown(descriptor, owner, group) != 0 &&
      ::fchown(descriptor, static_cast<uid_t>(-1), group) != 0) {
    mode &= ~static_cast<mode_t>(S_IRWXG);
  }
  ::fchmod(descriptor, mode);
}

AtomicFile::AtomicFile(const std::string& path) : path_(followed(path)) {
  struct stat old {};
  const bool exists = ::stat(path_.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    throw Error(ErrorKind::kUsage, path_ + ": is not a regular file, so it cannot be replaced");
  }
  const mode_t mode = exists ? 0600 : 0666;  // nobody else until it has its owner
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = path_ + ".new-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ >= 0 || (errno == EEXIST && attempt < 100)) continue;
    const int code = errno;
    temporary_.clear();
    throw Error(ErrorKind::kResource, path_ + ": cannot create a file in " + folder_of(path_) +
                                          ": " + std::strerror(code));
  }
  if (exists) take_ownership(descriptor_, old.st_uid, old.st_gid, old.st_mode & 0777);
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
  // Until the folder is on the disk, too, a power cut may bring the old file back.
  const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = folder >= 0 && (::fsync(folder) == 0 || errno == EINVAL);
  const int code = errno;
  if (folder >= 0) ::close(folder);
  if (!synced) {
    throw Error(ErrorKind::kResource,
                path_ + ": written, but its folder cannot be synced: " + std::strerror(code));
  }
}

}  // namespace soba
