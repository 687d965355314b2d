#pragma once
// The protobuf encoding itself: a message as a run of numbered fields. Groups, which no API type
// has, are refused, so that nothing here is nested.
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace strake::kinds {

struct WireField {
  enum class Type : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  std::uint32_t number = 0;
  Type type = Type::kVarint;
  std::uint64_t varint = 0;  // of kVarint; negative numbers are in two's complement
  std::string_view bytes;    // of the others, within the message
};

class WireReader {
 public:
  explicit WireReader(std::string_view message) : left_(message) {}

  bool done() const { return left_.empty(); }
  // The next field; there must be one. Fails with kBadRequest when the message is cut off or is no
  // protobuf.
  Result<WireField> next();
  // A number without a field, of a list that is packed.
  Result<std::uint64_t> varint();

 private:
  Result<std::string_view> take(std::uint64_t size);

  std::string_view left_;
};

}  // namespace strake::kinds
