#include "kinds/workloads/time_zones.h"

#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "base/lines.h"
#include "base/trim.h"

namespace strake::kinds {
namespace {

using Names = std::unordered_set<std::string>;

Names read_names() {
  Names out;
  std::string_view area;
  for (std::string_view rest = kTimeZoneNames; !rest.empty();) {
    std::string_view line = take_line(rest);
    if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      area = line.substr(0, colon);
      line.remove_prefix(colon + 1);
    }
    for (line = trim(line); !line.empty(); line = trim(line)) {
      const std::string_view place = line.substr(0, line.find(' '));
      out.insert(area.empty() ? std::string(place) : fmt::format("{}/{}", area, place));
      line.remove_prefix(place.size());
    }
  }
  return out;
}

}  // namespace

Result<> find_time_zone(std::string_view name) {
  static const Names& names = *new Names(read_names());
  // Both have a meaning without the database.
  if (name.empty() || name == "Local") return {};
  if (name.contains("..") || name.starts_with('/') || name.starts_with('\\'))
    return fail(Code::kInvalid, "time: invalid location name");
  if (names.contains(std::string(name))) return {};
  return fail(Code::kInvalid, "unknown time zone {}", name);
}

}  // namespace strake::kinds
