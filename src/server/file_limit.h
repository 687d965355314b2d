#pragma once
// How many files the process may have open, and how many connections that leaves room for.
#include <cstddef>

namespace strake::server {

// Kept for the store, logs, loops and listeners.
inline constexpr std::size_t kReservedFiles = 64;

// Raises the limit on open files (RLIMIT_NOFILE) as far as the system lets us; tells what it is.
std::size_t raise_file_limit();

// `wanted` connections, or as many as so many open files allow.
std::size_t connections_within(std::size_t files, std::size_t wanted);

}  // namespace strake::server
