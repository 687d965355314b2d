#include "api/fairness/list_seats.h"

#include <algorithm>

namespace strake::api {
namespace {

// As kube-apiserver 1.36 estimates: a seat for each 100 kB; what comes from the cache is written
// out in parts, and holds no more than 1 MB at once.
constexpr std::int64_t kBytesOfSeat = 100'000;
constexpr std::int64_t kMostAtOnce = 1'000'000;
constexpr std::int64_t kMostSeats = 100;

}  // namespace

int list_seats(const ListWork& work, int most) {
  std::int64_t bound = kMostSeats;
  if (most > 0) bound = std::min<std::int64_t>(bound, most);
  if (work.objects <= 0) return 1;
  std::int64_t loaded = work.objects;
  if (work.limit > 0) loaded = std::min(loaded, work.limit);
  if (work.single) {
    loaded = 1;
  } else if (!work.from_cache && work.selective) {
    loaded = std::max(loaded, work.objects / 2);
  }
  const double average = static_cast<double>(work.bytes) / static_cast<double>(work.objects);
  double bytes = static_cast<double>(loaded) * average;
  if (work.from_cache) bytes = std::min(bytes, static_cast<double>(kMostAtOnce));
  const std::int64_t whole = static_cast<std::int64_t>(bytes);
  return static_cast<int>(
      std::clamp<std::int64_t>((whole + kBytesOfSeat - 1) / kBytesOfSeat, 1, bound));
}

}  // namespace strake::api
