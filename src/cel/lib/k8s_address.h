#pragma once
// IP addresses and prefixes as Go's net/netip reads and writes them, without zones.
#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace strake::cel {

struct Address {
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
  std::string to_string() const;
  friend bool operator==(const Address&, const Address&) = default;
};

struct ParsedAddress {
  Address address;
  bool has_zone = false;
};
// The error is in netip's words.
std::expected<ParsedAddress, std::string> parse_address(std::string_view text);

struct Prefix {
  Address address;
  int length = 0;

  Prefix masked() const;
  bool contains(const Address& other) const;
  bool overlaps(const Prefix& other) const;
  std::string to_string() const;
  friend bool operator==(const Prefix&, const Prefix&) = default;
};
std::expected<Prefix, std::string> parse_prefix(std::string_view text);

}  // namespace strake::cel
