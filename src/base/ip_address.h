#pragma once
// IP addresses and prefixes as Go's net/netip reads and writes them, without zones.
#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace strake {

struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};  // an IPv4 address takes the first four
  bool v4 = false;

  int bits() const { return v4 ? 32 : 128; }
  bool is_v4_mapped() const;
  bool is_unspecified() const;
  bool is_loopback() const;
  bool is_multicast() const;
  bool is_link_local_multicast() const;
  bool is_link_local_unicast() const;
  bool is_global_unicast() const;
  // The IPv4 address that an IPv4-mapped one stands for; any other as it is.
  IpAddress unmapped() const;
  std::string to_string() const;
  friend bool operator==(const IpAddress&, const IpAddress&) = default;
};

struct ParsedIpAddress {
  IpAddress address;
  bool has_zone = false;
};
// The error is in netip's words.
std::expected<ParsedIpAddress, std::string> parse_ip_address(std::string_view text);
// The same with leading zeros in the numbers of an IPv4 address, which are decimal all the same, as
// Go's net.ParseIP took them before 1.17. No zones.
std::optional<IpAddress> parse_ip_address_sloppily(std::string_view text);

struct IpPrefix {
  IpAddress address;
  int length = 0;

  IpPrefix masked() const;
  bool contains(const IpAddress& other) const;
  bool overlaps(const IpPrefix& other) const;
  std::string to_string() const;
  friend bool operator==(const IpPrefix&, const IpPrefix&) = default;
};
std::expected<IpPrefix, std::string> parse_ip_prefix(std::string_view text);
std::optional<IpPrefix> parse_ip_prefix_sloppily(std::string_view text);

}  // namespace strake
