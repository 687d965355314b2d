#pragma once
// STRAKE_ASSERT guards against our own mistakes, never against input: it prints the place and ends
// the process.
#include <cstdio>
#include <cstdlib>

#define STRAKE_ASSERT(condition)                                                             \
  do {                                                                                       \
    if (!(condition)) [[unlikely]] {                                                         \
      std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
