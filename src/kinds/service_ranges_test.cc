#include "kinds/service_ranges.h"

#include <gtest/gtest.h>

#include <set>

namespace strake::kinds {
namespace {

TEST(IpRange, LeavesOutTheAddressesOfTheNetworkItself) {
  const IpRange range = parse_ip_ranges("10.0.0.7/24")->front();
  EXPECT_EQ(range.prefix().to_string(), "10.0.0.0/24");
  EXPECT_EQ(range.numbers().size, 254U);
  EXPECT_EQ(range.numbers().lower, 16U);
  EXPECT_EQ(range.address(0).to_string(), "10.0.0.1");
  EXPECT_EQ(range.address(253).to_string(), "10.0.0.254");
  const auto refused = [&](std::string_view ip) {
    return range.refusal(parse_ip_address(ip)->address).has_value();
  };
  EXPECT_TRUE(refused("10.0.0.0"));
  EXPECT_FALSE(refused("10.0.0.1"));
  EXPECT_FALSE(refused("10.0.0.254"));
  EXPECT_TRUE(refused("10.0.0.255"));
  EXPECT_TRUE(refused("10.0.1.1"));
  EXPECT_TRUE(refused("::1"));
}

TEST(IpRange, CountsOverBytes) {
  const IpRange wide = parse_ip_ranges("10.96.0.0/12")->front();
  EXPECT_EQ(wide.address(255).to_string(), "10.96.1.0");
  EXPECT_EQ(wide.address(wide.numbers().size - 1).to_string(), "10.111.255.254");
  EXPECT_EQ(wide.numbers().lower, 256U);
  const IpRange six = parse_ip_ranges("fd00::/108")->front();
  EXPECT_EQ(six.family(), "IPv6");
  EXPECT_EQ(six.address(65535).to_string(), "fd00::1:0");
  EXPECT_FALSE(six.refusal(parse_ip_address("fd00::f:ffff")->address));
}

TEST(IpRange, IsReadFromOneOrTwoNetworks) {
  EXPECT_EQ(parse_ip_ranges("10.0.0.0/24, fd00::/112")->size(), 2U);
  for (const std::string_view wrong :
       {"", "10.0.0.0", "10.0.0.0/32", "10.0.0.0/24,10.1.0.0/24", "fd00::/8",
        "10.0.0.0/24,fd00::/112,fd01::/112", "::ffff:10.0.0.0/120"}) {
    EXPECT_FALSE(parse_ip_ranges(wrong)) << wrong;
  }
  EXPECT_EQ(*parse_port_range("30000-32767"), std::pair(30000, 32767));
  EXPECT_EQ(*parse_port_range("80 - 80"), std::pair(80, 80));
  for (const std::string_view wrong : {"", "80", "80-", "-80", "90-80", "0-80", "1-65536", "a-b"})
    EXPECT_FALSE(parse_port_range(wrong)) << wrong;
}

TEST(DryRunPool, GivesWhatNobodyTakesForReal) {
  const ServiceRanges ranges = default_service_ranges();
  DryRunPool pool(ranges, [](std::int64_t port) { return port == 30001; });
  EXPECT_EQ(pool.next_ip("IPv4")->to_string(), "10.0.0.0");
  EXPECT_FALSE(pool.next_ip("IPv6"));
  EXPECT_EQ(pool.next_port(), 32769);
  EXPECT_EQ(pool.take_port(30005), std::nullopt);
  EXPECT_EQ(pool.next_port(), 32770);
  EXPECT_EQ(pool.take_port(32770), kPortIsTaken);
  EXPECT_EQ(pool.take_port(30001), kPortIsTaken);
}

TEST(NumberRange, GivesTheUpperPartFirst) {
  const NumberRange range{.size = 6, .lower = 2};
  std::set<std::uint64_t> taken;
  std::vector<std::uint64_t> given;
  const auto is_taken = [&](std::uint64_t number) { return taken.contains(number); };
  while (const auto next = range.next(3, is_taken)) {
    given.push_back(*next);
    taken.insert(*next);
  }
  EXPECT_EQ(given, (std::vector<std::uint64_t>{5, 2, 3, 4, 0, 1}));
}

}  // namespace
}  // namespace strake::kinds
