// operator new and delete of the program: bulk memory for commands that have started it, malloc for
// all others. Those for arrays, and those that do not throw, are made of these by the library;
// those with an alignment stay apart. Not in builds with sanitizers, which bring their own.
#include <cstdlib>
#include <new>

#include "cli/io/bulk_memory.h"

using strake::cli::bulk_memory;

void* operator new(std::size_t bytes) {
  if (void* block = bulk_memory.take(bytes)) return block;
  while (true) {
    if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory) noexcept {
  if (bulk_memory.owns(memory)) return bulk_memory.give_back(memory);
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
