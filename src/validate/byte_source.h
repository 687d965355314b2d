#pragma once
// Bytes from their start, in pieces; for files that are too large to be held.
#include <cstdint>
#include <span>

#include "base/result.h"

namespace strake::validate {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // As many as there are, up to the size of the buffer; 0 at the end. Code::kIo.
  virtual Result<std::size_t> read(std::span<char> into) = 0;
  // Lets read() go on at the offset. False when the source can be read once only.
  virtual bool seek(std::uint64_t offset) = 0;
};

}  // namespace strake::validate
