#pragma once
// Names that are made up: of disks and snapshots that were given none, and of runs. 12 characters:
// the second they were made in, then chance, so they sort by time.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "provider/failure.h"

namespace strake::provider {

// Fills all of `out`. Tests give one that is no chance at all.
using RandomSource = std::function<Outcome<>(std::span<std::uint8_t> out)>;
// Of the kernel. May be called from any thread.
Outcome<> system_random(std::span<std::uint8_t> out);

inline constexpr std::size_t kCompactIdSize = 12;

// Fails with kInternal when the clock is before 1970 or far in the future, or without random bytes.
Outcome<std::string> compact_id(const Clock& clock, const RandomSource& random = system_random);
Outcome<std::string> compact_id(std::int64_t unix_seconds, std::array<std::uint8_t, 3> random);

// The second that a compact ID was made in; nothing when the text is none.
std::optional<std::int64_t> compact_id_seconds(std::string_view id);

}  // namespace strake::provider
