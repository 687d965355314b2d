#include "provider/local/dns.h"

#include "provider/local/test_site.h"
#include "provider/local/zone_file.h"

namespace strake::provider::local {
namespace {

class LocalDnsTest : public ::testing::Test {
 protected:
  LocalDnsTest() { site_.cluster.settings["LOCAL_DNS_ZONES"] = "example.com app.example.com"; }

  Outcome<> apply(DnsRecordSet records, DnsApplyOptions options = {}) {
    return driver_.dns->apply({.clock = &clock_, .journal = &told_}, site_.cluster, records,
                              options);
  }
  std::string file(std::string_view zone) const {
    for (const auto& one : std::filesystem::recursive_directory_iterator(site_.path("root"))) {
      if (one.path().filename() == fmt::format("{}.zone", zone)) return one.path();
    }
    return {};
  }
  Zone zone(std::string_view name) const { return read_zone(text_of(file(name))).value(); }

  TestSite site_;
  FakeClock clock_;
  Told told_;
  Driver driver_ = site_.driver();
};

TEST_F(LocalDnsTest, WritesToTheZoneWithTheLongestName) {
  ASSERT_TRUE(
      apply({.fqdn = "www.app.example.com", .type = "A", .ttl = 0, .rdata = {"192.0.2.1"}}));
  ASSERT_TRUE(apply({.fqdn = "www.example.com.", .type = "a", .ttl = 60, .rdata = {"192.0.2.2"}}));
  EXPECT_EQ(
      zone("app.example.com").records,
      (std::vector<ZoneRecord>{{.name = "www", .type = "A", .ttl = 300, .rdata = "192.0.2.1"}}));
  EXPECT_EQ(
      zone("example.com").records,
      (std::vector<ZoneRecord>{{.name = "www", .type = "A", .ttl = 60, .rdata = "192.0.2.2"}}));
}

TEST_F(LocalDnsTest, FollowsAHintAndWarnsOfOneThatNothingMatches) {
  ASSERT_TRUE(apply({.fqdn = "a.app.example.com", .type = "A", .rdata = {"192.0.2.1"}},
                    {.zone_hint = "example.com"}));
  EXPECT_EQ(zone("example.com").records.at(0).name, "a.app");
  ASSERT_TRUE(apply({.fqdn = "b.example.com", .type = "A", .rdata = {"192.0.2.1"}},
                    {.zone_hint = "elsewhere.test"}));
  EXPECT_EQ(zone("example.com").records.size(), 2U);
  EXPECT_EQ(told_.warnings.size(), 1U);
}

TEST_F(LocalDnsTest, MakesTheSerialGrowWithEveryChangeAndWithNoOther) {
  const DnsRecordSet one{.fqdn = "a.example.com", .type = "A", .rdata = {"192.0.2.1"}};
  ASSERT_TRUE(apply(one));
  const std::uint32_t first = zone("example.com").serial;
  ASSERT_TRUE(apply(one));
  EXPECT_EQ(zone("example.com").serial, first);
  ASSERT_TRUE(apply({.fqdn = "a.example.com", .type = "A", .rdata = {"192.0.2.2"}}));
  EXPECT_EQ(zone("example.com").serial, first + 1);
  clock_.advance(std::chrono::hours(1));
  ASSERT_TRUE(apply({.fqdn = "a.example.com", .type = "A", .rdata = {}}));
  EXPECT_EQ(zone("example.com").serial, first + 3600);
}

TEST_F(LocalDnsTest, GoesOnWhenAWriteFailsUnlessItIsStrict) {
  const DnsRecordSet one{.fqdn = "a.example.com", .type = "A", .rdata = {"192.0.2.1"}};
  ASSERT_TRUE(apply(one));
  write_text(file("example.com"), "; a person has been here\n");
  const DnsRecordSet other{.fqdn = "b.example.com", .type = "A", .rdata = {"192.0.2.1"}};
  EXPECT_TRUE(apply(other));
  EXPECT_EQ(told_.warnings.size(), 1U);
  EXPECT_EQ(apply(other, {.strict = true}).error().error_class(), FailureClass::kInternal);
  EXPECT_EQ(text_of(file("example.com")), "; a person has been here\n");
}

TEST_F(LocalDnsTest, RefusesWhatMakesNoSenseWhateverIsAsked) {
  for (const DnsRecordSet& bad :
       {DnsRecordSet{.fqdn = "", .type = "A", .rdata = {"192.0.2.1"}},
        DnsRecordSet{.fqdn = "a.example.com", .type = "A", .rdata = {"x"}},
        DnsRecordSet{.fqdn = "a.example.com", .type = "MX", .rdata = {"x"}},
        DnsRecordSet{.fqdn = "a.elsewhere.test", .type = "A", .rdata = {"192.0.2.1"}},
        DnsRecordSet{.fqdn = "example.com", .type = "CNAME", .rdata = {"a.test"}}}) {
    const auto got = apply(bad);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().error_class(), FailureClass::kValidation);
  }
}

TEST_F(LocalDnsTest, RemovesEmptyZonesWithTheirCluster) {
  ASSERT_TRUE(apply({.fqdn = "a.example.com", .type = "A", .rdata = {"192.0.2.1"}}));
  ASSERT_TRUE(apply({.fqdn = "b.app.example.com", .type = "A", .rdata = {"192.0.2.1"}}));
  ASSERT_TRUE(apply({.fqdn = "a.example.com", .type = "A", .rdata = {}}));
  ASSERT_TRUE(driver_.clusters->deprovision({}, site_.cluster, {}));
  EXPECT_EQ(file("example.com"), "");
  EXPECT_NE(file("app.example.com"), "") << "which still has records";
}

}  // namespace
}  // namespace strake::provider::local
