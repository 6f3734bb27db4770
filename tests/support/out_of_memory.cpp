#include "support/out_of_memory.h"

#include <cstdlib>
#include <new>

namespace soba::testing {

namespace {

thread_local bool scarce = false;
thread_local std::int64_t allocations_left = 0;

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (scarce && allocations_left-- <= 0) return nullptr;
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(size == 0 ? 1 : size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* const place = allocate(size, alignment);
  if (place == nullptr) throw std::bad_alloc();
  return place;
}

}  // namespace

OutOfMemory::OutOfMemory(std::int64_t left) {
  allocations_left = left;
  scarce = true;
}

OutOfMemory::~OutOfMemory() { scarce = false; }

}  // namespace soba::testing

// All of them, so that no pair is half ours and half the sanitizer's.
using soba::testing::allocate;
using soba::testing::allocate_or_throw;

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* place) noexcept { std::free(place); }
void operator delete[](void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t) noexcept { std::free(place); }
void operator delete(void* place, std::align_val_t) noexcept { std::free(place); }
void operator delete[](void* place, std::align_val_t) noexcept { std::free(place); }
void operator delete(void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }
void operator delete(void* place, const std::nothrow_t&) noexcept { std::free(place); }
void operator delete[](void* place, const std::nothrow_t&) noexcept { std::free(place); }
void operator delete(void* place, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(place);
}
void operator delete[](void* place, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(place);
}
