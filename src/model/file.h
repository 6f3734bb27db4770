// The container of a model file: named, typed fields behind a header and before a checksum.
// docs/formats.md describes the bytes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "soba/model.h"
#include "soba/state.h"

namespace soba {

// Part of the stored format: never renumber.
enum class FieldType : std::uint8_t {
  kDouble = 1,
  kInt64 = 2,
  kText = 3,
  kDoubles = 4,
  kFloats = 5,
  kInt32s = 6,
  kInt64s = 7,
  kTexts = 8,
};

// Collects fields; finish() wraps them up into the bytes of a file.
class FieldWriter final : public StateVisitor {
 public:
  // `version` is an earlier one for tests of the reader alone.
  explicit FieldWriter(std::uint32_t version = kModelVersion);
  void field(std::string_view name, double& value) override;
  void field(std::string_view name, std::int64_t& value) override;
  void field(std::string_view name, std::string& value) override;
  void field(std::string_view name, std::vector<double>& values) override;
  void field(std::string_view name, std::vector<float>& values) override;
  void field(std::string_view name, std::vector<std::int32_t>& values) override;
  void field(std::string_view name, std::vector<std::int64_t>& values) override;
  void field(std::string_view name, std::vector<std::string>& values) override;
  void require(bool holds, std::string_view what) override;
  bool loading() const override { return false; }
  std::uint32_t version() const override { return version_; }
  std::string finish();

 private:
  void begin(std::string_view name, FieldType type, std::size_t count);
  template <class T>
  void numbers(const T* values, std::size_t count);

  std::uint32_t version_;
  std::string bytes_;
};

// Hands out the fields of a file whose header, sizes and checksum were found right. `bytes` must
// outlive it. Every call throws Error{kInput} on what does not fit.
class FieldReader final : public StateVisitor {
 public:
  struct Entry {
    FieldType type;
    std::uint64_t count;
    std::string_view content;
  };

  explicit FieldReader(std::string_view bytes);
  void field(std::string_view name, double& value) override;
  void field(std::string_view name, std::int64_t& value) override;
  void field(std::string_view name, std::string& value) override;
  void field(std::string_view name, std::vector<double>& values) override;
  void field(std::string_view name, std::vector<float>& values) override;
  void field(std::string_view name, std::vector<std::int32_t>& values) override;
  void field(std::string_view name, std::vector<std::int64_t>& values) override;
  void field(std::string_view name, std::vector<std::string>& values) override;
  void require(bool holds, std::string_view what) override;
  bool loading() const override { return true; }
  std::uint32_t version() const override { return version_; }
  // Throws when a field was left unread.
  void finish() const;

  // In the order of the file.
  const std::vector<std::pair<std::string, Entry>>& entries() const { return entries_; }

 private:
  void read_entries(std::string_view payload);
  const Entry& find(std::string_view name, FieldType type);
  template <class T>
  void numbers(std::string_view name, FieldType type, std::vector<T>& values);

  std::uint32_t version_ = 0;
  std::vector<std::pair<std::string, Entry>> entries_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::set<std::string, std::less<>> read_;
};

}  // namespace soba
