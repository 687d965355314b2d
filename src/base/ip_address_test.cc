#include "base/ip_address.h"

#include <gtest/gtest.h>

namespace strake {
namespace {

std::string sloppy(std::string_view text) {
  const auto address = parse_ip_address_sloppily(text);
  return address ? address->to_string() : "none";
}

TEST(IpAddress, IsReadWithLeadingZerosWhereOldClientsWroteThem) {
  EXPECT_EQ(sloppy("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(sloppy("010.000.00.09"), "10.0.0.9");
  EXPECT_EQ(sloppy("::ffff:01.2.3.004"), "::ffff:102:304");
  EXPECT_EQ(sloppy("2001:0db8::1"), "2001:db8::1");
  for (const std::string_view wrong : {"", "x", "1.2.3", "1.2.3.4.5", "1.2.3.256", "0x1.2.3.4",
                                       "1.2.3.", ".1.2.3", "fe80::1%eth0", "1.2.3.4 "}) {
    EXPECT_EQ(sloppy(wrong), "none") << wrong;
  }
  // Only the strict reader refuses them.
  EXPECT_FALSE(parse_ip_address("10.0.0.01"));
  EXPECT_TRUE(parse_ip_address("10.0.0.1"));
}

TEST(IpAddress, OfMappedFormIsTheIpv4AddressItStandsFor) {
  EXPECT_EQ(parse_ip_address("::ffff:1.2.3.4")->address.unmapped().to_string(), "1.2.3.4");
  EXPECT_EQ(parse_ip_address("::1")->address.unmapped().to_string(), "::1");
}

TEST(IpPrefix, IsReadWithLeadingZerosWhereOldClientsWroteThem) {
  const auto sloppy_prefix = [](std::string_view text) {
    const auto prefix = parse_ip_prefix_sloppily(text);
    return prefix ? prefix->to_string() : "none";
  };
  EXPECT_EQ(sloppy_prefix("010.0.0.0/08"), "10.0.0.0/8");
  EXPECT_EQ(sloppy_prefix("10.0.0.1/24"), "10.0.0.1/24");
  EXPECT_EQ(sloppy_prefix("10.0.0.0"), "none");
  EXPECT_EQ(sloppy_prefix("10.0.0.0/"), "none");
  EXPECT_EQ(sloppy_prefix("10.0.0.0/33"), "none");
  EXPECT_EQ(sloppy_prefix("1/2/3"), "none");
  EXPECT_FALSE(parse_ip_prefix("10.0.0.0/08"));
}

}  // namespace
}  // namespace strake
