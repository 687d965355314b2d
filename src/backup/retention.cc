#include "backup/retention.h"

#include <algorithm>

#include "base/rfc3339.h"

namespace strake::backup {
namespace {

constexpr std::string_view kBefore = "strake-";
constexpr std::string_view kAfter = ".db";
constexpr std::string_view kShape = "########T######Z";  // digits where there is a #

}  // namespace

std::string backup_name(WallTime time) {
  std::string stamp = format_rfc3339(Instant::from(time));
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  return std::string(kBefore) + stamp + std::string(kAfter);
}

std::optional<WallTime> time_of(std::string_view name) {
  if (!name.starts_with(kBefore) || !name.ends_with(kAfter)) return std::nullopt;
  if (name.size() != kBefore.size() + kShape.size() + kAfter.size()) return std::nullopt;
  const std::string_view stamp = name.substr(kBefore.size(), kShape.size());
  for (std::size_t i = 0; i < stamp.size(); ++i) {
    const bool fits = kShape[i] == '#' ? stamp[i] >= '0' && stamp[i] <= '9' : stamp[i] == kShape[i];
    if (!fits) return std::nullopt;
  }
  const auto part = [&](std::size_t at, std::size_t count) { return stamp.substr(at, count); };
  std::string text;
  for (const std::string_view one :
       {part(0, 4), std::string_view("-"), part(4, 2), std::string_view("-"), part(6, 2),
        std::string_view("T"), part(9, 2), std::string_view(":"), part(11, 2),
        std::string_view(":"), part(13, 2), std::string_view("Z")})
    text += one;
  const auto time = parse_rfc3339(text);
  return time ? std::optional(time->to_wall()) : std::nullopt;
}

std::vector<std::string> to_remove(const std::vector<std::string>& names, std::string_view newest,
                                   const Retention& retention, WallTime now) {
  std::vector<std::string> older;
  for (const std::string& name : names) {
    if (time_of(name) && name < newest) older.push_back(name);
  }
  std::ranges::sort(older);
  std::size_t count = 0;
  if (retention.keep > 0 && older.size() + 1 > retention.keep)
    count = older.size() + 1 - retention.keep;
  if (retention.age.count() > 0) {
    while (count < older.size() && *time_of(older[count]) + retention.age < now) ++count;
  }
  older.resize(count);
  return older;
}

}  // namespace strake::backup
