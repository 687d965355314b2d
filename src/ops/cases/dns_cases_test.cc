#include "ops/cases/dns_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/cases/test_site.h"

namespace strake::ops {
namespace {

using provider::Failure;
using provider::FailureClass;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::shown;

class DnsCases : public ::testing::Test {
 protected:
  DnsCases() {
    EXPECT_TRUE(site_.deploy({.bootstrap_disks = true}));
    default_host_ = site_.names().default_host(8080, "apps.test");
  }
  static std::vector<std::string> lines(const std::vector<DnsResult>& results) {
    std::vector<std::string> out;
    for (const DnsResult& one : results)
      out.push_back(fmt::format("{} {} {} {}", one.host, one.type, one.ip, to_string(one.action)));
    return out;
  }
  auto deploy(const DnsOptions& options = {}) {
    return deploy_dns(site_.session(), site_.call(), site_.app, options);
  }

  testing::KubeSite site_;
  std::string default_host_;
};

TEST_F(DnsCases, ApplyARecordForEachHostWithAnAddress) {
  site_.give_address("app1-app-custom", "192.0.2.7");
  const auto done = deploy();
  ASSERT_TRUE(done) << shown(done);
  EXPECT_THAT(lines(*done),
              ElementsAre(default_host_ + " A  skipped", "www.shop.test A 192.0.2.7 updated"));
  EXPECT_EQ(site_.fake.dns.size(), 1U);
  site_.give_address("app1-app-custom", "2001:db8::1");
  EXPECT_THAT(lines(deploy().value()),
              ElementsAre(default_host_ + " A  skipped", "www.shop.test AAAA 2001:db8::1 updated"));
}

TEST_F(DnsCases, FailWithoutAnAddressWhenStrict) {
  site_.give_address("app1-app-custom", "192.0.2.7");
  const auto done = deploy({.strict = true});
  EXPECT_EQ(shown(done),
            fmt::format("not found: host {}: its Ingress has no address yet", default_host_));
  EXPECT_EQ(site_.fake.dns.size(), 1U);  // the others are done all the same
}

TEST_F(DnsCases, TellWhatFailedAndFailWhenStrict) {
  site_.give_address("app1-app-custom", "192.0.2.7");
  site_.fake.failures.emplace("ClusterDNSApply", Failure(FailureClass::kServer, "down"));
  const auto done = deploy();
  ASSERT_TRUE(done) << shown(done);
  EXPECT_EQ(done->back().action, DnsAction::kFailed);
  EXPECT_EQ(done->back().message, "down");
  EXPECT_EQ(site_.told.warnings(), 1U);
  site_.give_address("app1-app-default", "192.0.2.7");
  EXPECT_THAT(shown(deploy({.strict = true})), HasSubstr("server: "));
}

TEST_F(DnsCases, AlwaysFailForWhatMakesNoSenseAndTheEndOfTheCall) {
  site_.give_address("app1-app-custom", "192.0.2.7");
  for (const FailureClass of :
       {FailureClass::kValidation, FailureClass::kCanceled, FailureClass::kTimeout}) {
    site_.fake.failures = {{"ClusterDNSApply", Failure(of, "no")}};
    const auto done = deploy();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().error_class(), of);
  }
}

TEST_F(DnsCases, PlanWithoutAChange) {
  site_.give_address("app1-app-custom", "192.0.2.7");
  const auto plan = deploy_dns(site_.session(), site_.dry_call(), site_.app);
  EXPECT_EQ(plan.value().back().action, DnsAction::kPlanned);
  EXPECT_THAT(site_.fake.dns, IsEmpty());
}

TEST_F(DnsCases, DeleteAllTypesOfAllHosts) {
  site_.fake.dns = {{"A www.shop.test", "1"},
                    {"AAAA www.shop.test", "2"},
                    {"CNAME www.shop.test", "3"},
                    {"TXT www.shop.test", "4"}};
  const auto done = destroy_dns(site_.session(), site_.call(), site_.app);
  ASSERT_TRUE(done) << shown(done);
  EXPECT_EQ(done->size(), 6U);
  EXPECT_EQ(site_.fake.dns.size(), 1U);
  EXPECT_TRUE(destroy_dns(site_.session(), site_.call(), site_.app));
  site_.fake.provisioned = false;
  EXPECT_THAT(destroy_dns(site_.session(), site_.call(), site_.app).value(), IsEmpty());
}

}  // namespace
}  // namespace strake::ops
