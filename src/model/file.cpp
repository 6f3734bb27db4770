#include "model/file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <cstring>

#include "core/magic.h"
#include "soba/error.h"

namespace soba {

static_assert(std::endian::native == std::endian::little, "model files are little-endian");

namespace {

constexpr std::size_t kHeaderSize = 8 + 4 + 8;  // magic, version, size of the payload
constexpr std::size_t kChecksumSize = 4;

[[noreturn]] void refuse(const std::string& reason) { throw Error(ErrorKind::kInput, reason); }

template <class T>
void put(std::string& bytes, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}

template <class T>
T peek(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

// Takes `size` bytes off the front, or refuses the file.
std::string_view take(std::string_view& bytes, std::uint64_t size) {
  if (size > bytes.size()) refuse("the model file is corrupt: a field runs past its end");
  const std::string_view head = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return head;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint64_t element_size(FieldType type) {
  switch (type) {
    case FieldType::kDouble:
    case FieldType::kInt64:
    case FieldType::kDoubles:
    case FieldType::kInt64s:
      return 8;
    case FieldType::kFloats:
    case FieldType::kInt32s:
      return 4;
    case FieldType::kText:
    case FieldType::kTexts:
      return 1;
  }
  refuse("the model file is corrupt: a field of unknown type");
}

// The content of a field of texts: for each its length, then its bytes.
std::string_view take_texts(std::string_view& payload, std::uint64_t count) {
  std::string_view rest = payload;
  for (std::uint64_t i = 0; i < count; ++i) {
    take(rest, peek<std::uint64_t>(take(rest, 8)));
  }
  return take(payload, payload.size() - rest.size());
}

}  // namespace

FieldWriter::FieldWriter(std::uint32_t version) : version_(version), bytes_(kModelMagic) {
  put(bytes_, version);
  put(bytes_, std::uint64_t{0});  // the size, known in finish()
}

void FieldWriter::begin(std::string_view name, FieldType type, std::size_t count) {
  put(bytes_, type);
  put(bytes_, static_cast<std::uint16_t>(name.size()));
  bytes_ += name;
  put(bytes_, static_cast<std::uint64_t>(count));
}

template <class T>
void FieldWriter::numbers(const T* values, std::size_t count) {
  if (count > 0) bytes_.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

void FieldWriter::field(std::string_view name, double& value) {
  begin(name, FieldType::kDouble, 1);
  numbers(&value, 1);
}
void FieldWriter::field(std::string_view name, std::int64_t& value) {
  begin(name, FieldType::kInt64, 1);
  numbers(&value, 1);
}
void FieldWriter::field(std::string_view name, std::string& value) {
  begin(name, FieldType::kText, value.size());
  bytes_ += value;
}
void FieldWriter::field(std::string_view name, std::vector<double>& values) {
  begin(name, FieldType::kDoubles, values.size());
  numbers(values.data(), values.size());
}
void FieldWriter::field(std::string_view name, std::vector<float>& values) {
  begin(name, FieldType::kFloats, values.size());
  numbers(values.data(), values.size());
}
void FieldWriter::field(std::string_view name, std::vector<std::int32_t>& values) {
  begin(name, FieldType::kInt32s, values.size());
  numbers(values.data(), values.size());
}
void FieldWriter::field(std::string_view name, std::vector<std::int64_t>& values) {
  begin(name, FieldType::kInt64s, values.size());
  numbers(values.data(), values.size());
}
void FieldWriter::field(std::string_view name, std::vector<std::string>& values) {
  begin(name, FieldType::kTexts, values.size());
  for (const std::string& value : values) {
    put(bytes_, static_cast<std::uint64_t>(value.size()));
    bytes_ += value;
  }
}

void FieldWriter::require(bool holds, std::string_view what) {
  if (!holds) {
    refuse(
        fmt::format("the model cannot be saved, for it would not be usable: it must be that {}; "
                    "were values of the data so large that sums of them overflow?",
                    what));
  }
}

std::string FieldWriter::finish() {
  const std::uint64_t size = bytes_.size() - kHeaderSize;
  std::memcpy(bytes_.data() + kHeaderSize - sizeof(size), &size, sizeof(size));
  put(bytes_, checksum(bytes_));
  return std::move(bytes_);
}

FieldReader::FieldReader(std::string_view bytes) {
  if (bytes.starts_with(kCacheMagic)) refuse("is data, not a model");
  if (!bytes.starts_with(kModelMagic)) refuse("not a Soba model file");
  if (bytes.size() < kHeaderSize + kChecksumSize) refuse("the model file is truncated");
  version_ = peek<std::uint32_t>(bytes.substr(kModelMagic.size()));
  if (version_ < 1 || version_ > kModelVersion) {
    refuse(
        fmt::format("the model file has format version {}, and this program reads versions 1 to "
                    "{}{}",
                    version_, kModelVersion,
                    version_ > kModelVersion ? "; a later version of Soba wrote it" : ""));
  }
  const auto size = peek<std::uint64_t>(bytes.substr(kModelMagic.size() + sizeof(version_)));
  const std::uint64_t held = bytes.size() - kHeaderSize - kChecksumSize;
  if (size > held) {
    refuse(fmt::format("the model file is truncated: {} bytes of {}", held, size));
  }
  if (size < held) refuse("the model file is corrupt: bytes follow its end");
  const auto stored = peek<std::uint32_t>(bytes.substr(kHeaderSize + size));
  if (stored != checksum(bytes.substr(0, kHeaderSize + size))) {
    refuse("the model file is corrupt: its checksum does not match");
  }
  read_entries(bytes.substr(kHeaderSize, size));
}

void FieldReader::read_entries(std::string_view payload) {
  while (!payload.empty()) {
    const auto type = peek<FieldType>(take(payload, 1));
    std::string name(take(payload, peek<std::uint16_t>(take(payload, 2))));
    const auto count = peek<std::uint64_t>(take(payload, 8));
    std::string_view content;
    if (type == FieldType::kTexts) {
      content = take_texts(payload, count);
    } else {
      const std::uint64_t size = element_size(type);
      if (count > payload.size() / size) refuse("the model file is corrupt: a field is too long");
      content = take(payload, count * size);
    }
    const bool single = type == FieldType::kDouble || type == FieldType::kInt64;
    if (single && count != 1) refuse("the model file is corrupt: a number that is not one");
    if (!by_name_.emplace(name, entries_.size()).second) {
      refuse("the model file is corrupt: two fields are called '" + name + "'");
    }
    entries_.emplace_back(std::move(name), Entry{type, count, content});
  }
}

const FieldReader::Entry& FieldReader::find(std::string_view name, FieldType type) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) refuse(fmt::format("the model file has no field '{}'", name));
  const Entry& entry = entries_[found->second].second;
  if (entry.type != type) refuse(fmt::format("the model file's field '{}' has another type", name));
  read_.emplace(name);
  return entry;
}

template <class T>
void FieldReader::numbers(std::string_view name, FieldType type, std::vector<T>& values) {
  const Entry& entry = find(name, type);
  values.resize(entry.count);
  if (entry.count > 0) std::memcpy(values.data(), entry.content.data(), entry.content.size());
}

void FieldReader::field(std::string_view name, double& value) {
  value = peek<double>(find(name, FieldType::kDouble).content);
}
void FieldReader::field(std::string_view name, std::int64_t& value) {
  value = peek<std::int64_t>(find(name, FieldType::kInt64).content);
}
void FieldReader::field(std::string_view name, std::string& value) {
  value = find(name, FieldType::kText).content;
}
void FieldReader::field(std::string_view name, std::vector<double>& values) {
  numbers(name, FieldType::kDoubles, values);
}
void FieldReader::field(std::string_view name, std::vector<float>& values) {
  numbers(name, FieldType::kFloats, values);
}
void FieldReader::field(std::string_view name, std::vector<std::int32_t>& values) {
  numbers(name, FieldType::kInt32s, values);
}
void FieldReader::field(std::string_view name, std::vector<std::int64_t>& values) {
  numbers(name, FieldType::kInt64s, values);
}
void FieldReader::field(std::string_view name, std::vector<std::string>& values) {
  const Entry& entry = find(name, FieldType::kTexts);
  std::string_view rest = entry.content;
  values.clear();
  for (std::uint64_t i = 0; i < entry.count; ++i) {
    values.emplace_back(take(rest, peek<std::uint64_t>(take(rest, 8))));
  }
}

void FieldReader::require(bool holds, std::string_view what) {
  if (!holds) refuse(fmt::format("the model file contradicts itself: it must be that {}", what));
}

void FieldReader::finish() const {
  for (const auto& [name, entry] : entries_) {
    if (!read_.contains(name))
      refuse(fmt::format("the model file has an unknown field '{}'", name));
  }
}

}  // namespace soba
