#pragma once
// Whole numbers in text, as Go's strconv.Atoi reads them: digits, with a sign before them.
#include <cstdint>
#include <string>
#include <string_view>

namespace strake::kinds {

enum class NumberFault : std::uint8_t { kNone, kSyntax, kRange };

struct ReadNumber {
  std::int64_t value = 0;  // out of range: the nearest there is; 0 when it is no number
  NumberFault fault = NumberFault::kNone;
  bool ok() const { return fault == NumberFault::kNone; }
};
ReadNumber read_number(std::string_view text);
// What strconv.Atoi says of text that it refuses.
std::string describe_fault(std::string_view text, NumberFault fault);

}  // namespace strake::kinds
