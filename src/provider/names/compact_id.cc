#include "provider/names/compact_id.h"

#include <sys/random.h>

#include <cerrno>

#include "provider/names/base36.h"

namespace strake::provider {
namespace {

constexpr std::size_t kSecondsDigits = 7;
constexpr std::size_t kChanceDigits = kCompactIdSize - kSecondsDigits;
constexpr std::int64_t kSecondsEnd = 78'364'164'096;  // 36^7
constexpr std::uint32_t kChanceEnd = 60'466'176;      // 36^5

}  // namespace

Outcome<> system_random(std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t got = ::getrandom(out.data(), out.size(), 0);
    if (got > 0) {
      out = out.subspan(static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      return refuse(FailureClass::kInternal, "the kernel gives no random bytes (errno {})", errno);
    }
  }
  return {};
}

Outcome<std::string> compact_id(const Clock& clock, const RandomSource& random) {
  std::array<std::uint8_t, 3> bytes{};
  STRAKE_CHECK(random(bytes));
  return compact_id(Instant::from(clock.now()).seconds, bytes);
}

Outcome<std::string> compact_id(std::int64_t unix_seconds, std::array<std::uint8_t, 3> random) {
  if (unix_seconds < 0 || unix_seconds >= kSecondsEnd) {
    return refuse(FailureClass::kInternal,
                  "a compact ID needs a time from 0 to {} seconds after 1970, got {}",
                  kSecondsEnd - 1, unix_seconds);
  }
  const std::uint32_t chance =
      (std::uint32_t{random[0]} << 16) | (std::uint32_t{random[1]} << 8) | std::uint32_t{random[2]};
  return to_base36(static_cast<std::uint64_t>(unix_seconds), kSecondsDigits) +
         to_base36(chance % kChanceEnd, kChanceDigits);
}

std::optional<std::int64_t> compact_id_seconds(std::string_view id) {
  if (id.size() != kCompactIdSize) return std::nullopt;
  const auto seconds = from_base36(id.substr(0, kSecondsDigits));
  const auto chance = from_base36(id.substr(kSecondsDigits));
  // Three bytes do not reach all that five digits can say.
  if (!seconds || !chance || *chance > 0xffffff) return std::nullopt;
  return static_cast<std::int64_t>(*seconds);
}

}  // namespace strake::provider
