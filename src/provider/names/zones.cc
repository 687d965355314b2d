#include "provider/names/zones.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "meta/names.h"
#include "provider/names/quote_briefly.h"

namespace strake::provider {
namespace {

bool is_zone_index(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<std::string> sorted_native_zones(std::span<const std::string> zones) {
  std::vector<std::string> out;
  for (const std::string& zone : zones) out.push_back(native_zone(zone));
  std::ranges::sort(out);
  return out;
}

}  // namespace

std::string native_zone(std::string_view zone) {
  const std::size_t dash = zone.rfind('-');
  if (dash == std::string_view::npos || dash == 0) return std::string(zone);
  const std::string_view index = zone.substr(dash + 1);
  return std::string(is_zone_index(index) ? index : zone);
}

std::string neutral_zone(std::string_view location, std::string_view native) {
  if (location.empty() || !is_zone_index(native)) return std::string(native);
  return fmt::format("{}-{}", location, native);
}

bool same_zones(std::span<const std::string> a, std::span<const std::string> b) {
  return sorted_native_zones(a) == sorted_native_zones(b);
}

Outcome<> check_zone(std::string_view zone) {
  if (zone.empty()) return refuse(FailureClass::kValidation, "zone must not be empty");
  if (const auto wrong = meta::check_label_value(zone); !wrong.empty()) {
    return refuse(FailureClass::kValidation, "invalid zone {}: {}", quote_briefly(zone),
                  meta::join(wrong));
  }
  return {};
}

}  // namespace strake::provider
