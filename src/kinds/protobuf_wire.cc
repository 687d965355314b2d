#include "kinds/protobuf_wire.h"

namespace strake::kinds {

Result<std::uint64_t> WireReader::varint() {
  std::uint64_t out = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (left_.empty()) return fail(Code::kBadRequest, "protobuf: unexpected end within a number");
    const auto byte = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    // The tenth byte has room for the last bit alone.
    if (shift == 63 && byte > 1) break;
    out |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return out;
  }
  return fail(Code::kBadRequest, "protobuf: a number of more than 64 bits");
}

Result<std::string_view> WireReader::take(std::uint64_t size) {
  if (size > left_.size()) {
    return fail(Code::kBadRequest, "protobuf: unexpected end: {} bytes wanted, {} left", size,
                left_.size());
  }
  const std::string_view out = left_.substr(0, size);
  left_.remove_prefix(size);
  return out;
}

Result<WireField> WireReader::next() {
  constexpr std::uint64_t kLargestNumber = (1u << 29) - 1;
  STRAKE_TRY(const std::uint64_t tag, varint());
  const std::uint64_t number = tag >> 3;
  if (number == 0 || number > kLargestNumber)
    return fail(Code::kBadRequest, "protobuf: illegal field number {}", number);
  WireField out{.number = static_cast<std::uint32_t>(number)};
  switch (const auto type = static_cast<unsigned>(tag & 7)) {
    case 0: {
      STRAKE_TRY(out.varint, varint());
      return out;
    }
    case 1: {
      out.type = WireField::Type::kFixed64;
      STRAKE_TRY(out.bytes, take(8));
      return out;
    }
    case 2: {
      out.type = WireField::Type::kBytes;
      STRAKE_TRY(const std::uint64_t size, varint());
      STRAKE_TRY(out.bytes, take(size));
      return out;
    }
    case 5: {
      out.type = WireField::Type::kFixed32;
      STRAKE_TRY(out.bytes, take(4));
      return out;
    }
    case 3:
    case 4:
      return fail(Code::kBadRequest, "protobuf: field {} is a group, which is not supported",
                  number);
    default:
      return fail(Code::kBadRequest, "protobuf: field {} has the illegal wire type {}", number,
                  type);
  }
}

}  // namespace strake::kinds
