#include "kinds/workloads/integers.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "base/quote.h"

namespace strake::kinds {

ReadNumber read_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  // std::from_chars takes a minus, but not behind the plus.
  if (digits.empty() || (digits.size() < text.size() && digits.starts_with('-')))
    return {.fault = NumberFault::kSyntax};
  std::int64_t out = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, out);
  if (stopped != end || error == std::errc::invalid_argument)
    return {.fault = NumberFault::kSyntax};
  if (error == std::errc()) return {.value = out};
  return {.value = negative ? std::numeric_limits<std::int64_t>::min()
                            : std::numeric_limits<std::int64_t>::max(),
          .fault = NumberFault::kRange};
}

std::string describe_fault(std::string_view text, NumberFault fault) {
  return fmt::format("strconv.Atoi: parsing {}: {}", quote(text),
                     fault == NumberFault::kRange ? "value out of range" : "invalid syntax");
}

}  // namespace strake::kinds
