#include "provider/names/sizes.h"

#include <algorithm>
#include <limits>

#include "base/quantity.h"
#include "provider/names/quote_briefly.h"

namespace strake::provider {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

std::int64_t rounded_up(std::int64_t bytes, std::int64_t unit) {
  return bytes / unit + (bytes % unit > 0 ? 1 : 0);
}

}  // namespace

Outcome<std::int64_t> parse_size(std::string_view text) {
  const Result<Quantity> read = Quantity::parse(text);
  if (!read) {
    return refuse(FailureClass::kValidation, "invalid size {}: {}", quote_briefly(text),
                  read.error().message());
  }
  if (read->sign() < 0) {
    return refuse(FailureClass::kValidation, "invalid size {}: must not be negative",
                  quote_briefly(text));
  }
  // Quantities with a binary suffix end here: larger ones are read as this one. Of others, value()
  // would lose the upper bits.
  if (*read >= Quantity(std::numeric_limits<std::int64_t>::max())) {
    return refuse(FailureClass::kValidation, "invalid size {}: too large", quote_briefly(text));
  }
  return read->value();
}

std::int64_t managed_disk_gib(std::int64_t bytes) {
  return std::max<std::int64_t>(1, bytes / kGiB);
}

std::int64_t file_share_gib(std::int64_t bytes) {
  return std::max<std::int64_t>(1, rounded_up(bytes, kGiB));
}

std::string size_quantity(std::int64_t bytes) {
  std::int64_t rounded = 0;
  if (__builtin_mul_overflow(rounded_up(bytes, kMiB), kMiB, &rounded)) return "8Ei";
  return Quantity(rounded, Quantity::Format::kBinarySi).to_string();
}

}  // namespace strake::provider
