#include "kinds/service_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/quote.h"
#include "base/trim.h"
#include "kinds/ip_fields.h"

namespace strake::kinds {
namespace {

// Ports and addresses that are counted, at most: the numbers of a range fit a word, however large
// the network is.
constexpr int kMostBits = 62;
constexpr int kShortestIpv6 = 64;  // a prefix of fewer bits is refused
constexpr int kHighestPort = 65'535;

// How much of a range of addresses is left to people: a sixteenth, 16 to 256, and nothing of a
// small one.
std::uint64_t lower_ips(std::uint64_t size) {
  constexpr std::uint64_t kLeast = 16;
  constexpr std::uint64_t kMost = 256;
  constexpr std::uint64_t kStep = 16;
  if (size <= kLeast) return 0;
  return std::clamp(size / kStep, kLeast, kMost);
}

// The same of ports: a thirty-second, 16 to 128.
std::uint64_t lower_ports(std::uint64_t size) {
  constexpr std::uint64_t kLeast = 16;
  constexpr std::uint64_t kMost = 128;
  constexpr std::uint64_t kStep = 32;
  if (size <= kLeast) return 0;
  return std::clamp(size / kStep, kLeast, kMost);
}

IpAddress plus(IpAddress address, std::uint64_t number) {
  for (int at = address.bits() / 8 - 1; at >= 0 && number > 0; --at) {
    std::uint8_t& byte = address.bytes[static_cast<std::size_t>(at)];
    number += byte;
    byte = static_cast<std::uint8_t>(number & 0xff);
    number >>= 8;
  }
  return address;
}

std::optional<int> parse_port(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > kHighestPort)
    return std::nullopt;
  return port;
}

}  // namespace

std::optional<std::uint64_t> NumberRange::next(
    std::uint64_t start, const std::function<bool(std::uint64_t)>& is_taken) const {
  const std::uint64_t upper = size - lower;
  for (std::uint64_t i = 0; i < upper; ++i) {
    const std::uint64_t number = lower + (start % upper + i) % upper;
    if (!is_taken(number)) return number;
  }
  for (std::uint64_t number = 0; number < lower; ++number) {
    if (!is_taken(number)) return number;
  }
  return std::nullopt;
}

IpRange::IpRange(const IpPrefix& prefix) : prefix_(prefix.masked()) {
  const int bits = std::min(prefix.address.bits() - prefix.length, kMostBits);
  const std::uint64_t all = std::uint64_t{1} << bits;
  // Without the first address, and of IPv4 without the last.
  const std::uint64_t kept = prefix.address.v4 ? 2 : 1;
  numbers_.size = all > kept ? all - kept : 0;
  numbers_.lower = lower_ips(numbers_.size);
}

std::string_view IpRange::family() const { return prefix_.address.v4 ? kIpv4 : kIpv6; }

IpAddress IpRange::address(std::uint64_t number) const { return plus(prefix_.address, number + 1); }

std::optional<std::string> IpRange::refusal(const IpAddress& ip) const {
  const bool is_last = ip.v4 && ip == address(numbers_.size);
  if (contains(ip) && ip != prefix_.address && !is_last) return std::nullopt;
  return fmt::format("the provided IP ({}) is not in the valid range. The range of valid IPs is {}",
                     ip.to_string(), prefix_.to_string());
}

std::vector<std::string_view> ServiceRanges::families() const {
  std::vector<std::string_view> out;
  for (const IpRange& range : ips) out.push_back(range.family());
  return out;
}

const IpRange* ServiceRanges::of_family(std::string_view family) const {
  const auto found = std::ranges::find(ips, family, &IpRange::family);
  return found != ips.end() ? &*found : nullptr;
}

NumberRange ServiceRanges::ports() const {
  const auto size = static_cast<std::uint64_t>(last_port - first_port + 1);
  return {.size = size, .lower = lower_ports(size)};
}

std::optional<std::string> ServiceRanges::port_refusal(std::int64_t port) const {
  if (port >= first_port && port <= last_port) return std::nullopt;
  return fmt::format("provided port is not in the valid range. The range of valid ports is {}-{}",
                     first_port, last_port);
}

ServiceRanges default_service_ranges() {
  const IpAddress network{.bytes = {10, 0, 0, 0}, .v4 = true};
  return {.ips = {IpRange({network, 24})}};
}

Result<std::vector<IpRange>> parse_ip_ranges(std::string_view text) {
  std::vector<IpRange> out;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view one = trim(rest.substr(0, comma));
    const auto prefix = parse_ip_prefix(one);
    if (!prefix || prefix->address.is_v4_mapped()) {
      return fail(Code::kInvalid, "must be a network such as 10.0.0.0/24, got {}", quote(one));
    }
    const IpRange range(*prefix);
    if (range.numbers().size == 0) return fail(Code::kInvalid, "{} has no room for a service", one);
    if (!prefix->address.v4 && prefix->length < kShortestIpv6)
      return fail(Code::kInvalid, "an IPv6 network must have at least 64 bits, got {}", one);
    if (!out.empty() && (out.size() > 1 || out.front().family() == range.family())) {
      return fail(Code::kInvalid, "must be one network, or one of IPv4 and one of IPv6, got {}",
                  quote(text));
    }
    out.push_back(range);
    if (comma == std::string_view::npos) return out;
    rest.remove_prefix(comma + 1);
  }
}

Result<std::pair<int, int>> parse_port_range(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto first = parse_port(trim(text.substr(0, dash)));
  const auto last = parse_port(trim(text.substr(std::min(dash + 1, text.size()))));
  if (!first || !last || *first > *last)
    return fail(Code::kInvalid, "must be ports such as 30000-32767, got {}", quote(text));
  return std::pair(*first, *last);
}

DryRunPool::DryRunPool(const ServiceRanges& ranges,
                       std::function<bool(std::int64_t port)> is_port_taken)
    : ranges_(ranges), families_(ranges.families()), is_port_taken_(std::move(is_port_taken)) {}

std::optional<std::string> DryRunPool::take_ip(const IpAddress& ip) {
  const IpAddress asked = ip.unmapped();
  const IpRange* range = ranges_.of_family(asked.v4 ? kIpv4 : kIpv6);
  return (range != nullptr ? *range : ranges_.ips.front()).refusal(asked);
}

std::optional<std::string> DryRunPool::take_port(std::int64_t port) {
  const auto at = std::ranges::lower_bound(ports_, port);
  if (is_port_taken_(port) || (at != ports_.end() && *at == port)) return std::string(kPortIsTaken);
  ports_.insert(at, port);
  return std::nullopt;
}

std::optional<IpAddress> DryRunPool::next_ip(std::string_view family) {
  const IpRange* range = ranges_.of_family(family);
  if (range == nullptr) return std::nullopt;
  return range->prefix().address;
}

std::optional<int> DryRunPool::next_port() {
  // Above those that there are, so that nobody takes it for one that will be given.
  constexpr std::int64_t kBeforeFirst = 32'768;
  const std::int64_t next = (ports_.empty() ? kBeforeFirst : ports_.back()) + 1;
  ports_.push_back(next);
  return static_cast<int>(next);
}

}  // namespace strake::kinds
