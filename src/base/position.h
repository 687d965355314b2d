#pragma once
// A place in a source text. Lines and columns count from 1, columns in code points; the offset
// counts bytes from 0.
#include <cstdint>

namespace strake {

struct Position {
  std::uint64_t offset = 0;
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend bool operator==(const Position&, const Position&) = default;
};

}  // namespace strake
