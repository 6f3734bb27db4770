// What a caller can get wrong. The library throws Error from constructors, parsers and loaders, and
// from reserve() where a learner would outgrow the memory allowed; it never prints, exits or
// aborts. Applications map a kind to an exit code or an HTTP status.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace soba {

enum class ErrorKind {
  kUsage,     // an option, a name or a combination that makes no sense
  kInput,     // a file or a line that cannot be read as what it should be
  kResource,  // the machine refused: memory, disk, permissions
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  // About the value of one option. what() starts with its name: "labels: expected …".
  Error(ErrorKind kind, std::string option, const std::string& message)
      : std::runtime_error(option + ": " + message), kind_(kind), option_(std::move(option)) {}

  ErrorKind kind() const { return kind_; }
  // The option that the error is about, as the library calls it, so that a front end can write it
  // as its users do (--labels); empty where it is about something else.
  const std::string& option() const { return option_; }

 private:
  ErrorKind kind_;
  std::string option_;
};

}  // namespace soba
