#include "cli/serve/listen.h"

#include <gtest/gtest.h>

namespace strake::cli {
namespace {

std::string advertised(std::string_view text, std::uint16_t listen_port = 6443) {
  return parse_advertised(text, listen_port).value_or("refused");
}

TEST(AdvertisedAddress, HasThePortThatIsListenedOnUnlessItNamesOne) {
  EXPECT_EQ(advertised("api.example.com"), "api.example.com:6443");
  EXPECT_EQ(advertised("192.0.2.2:16443"), "192.0.2.2:16443");
  EXPECT_EQ(advertised("192.0.2.2:16443", 0), "192.0.2.2:16443");
}

TEST(AdvertisedAddress, MayBeOfVersionSix) {
  EXPECT_EQ(advertised("2001:db8::1"), "[2001:db8::1]:6443");
  EXPECT_EQ(advertised("[2001:db8::1]"), "[2001:db8::1]:6443");
  EXPECT_EQ(advertised("[2001:db8::1]:443"), "[2001:db8::1]:443");
}

TEST(AdvertisedAddress, IsRefusedWithoutAHostOrAPort) {
  for (const std::string_view wrong : {"", ":443", "host:", "host:0", "host:x", "host:99999"})
    EXPECT_EQ(advertised(wrong), "refused") << wrong;
  EXPECT_EQ(advertised("host", 0), "refused");
}

}  // namespace
}  // namespace strake::cli
