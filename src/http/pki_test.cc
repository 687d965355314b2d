#include "http/pki.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/test_client.h"

namespace strake::http {
namespace {

using strake::http::testing::around_now;
using strake::http::testing::test_pki;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Pki, MakesAnAuthority) {
  const CertifiedKey ca = make_ca("strake-ca", around_now()).value();
  const CertificateInfo info = read_certificate(ca.certificate_pem).value();
  EXPECT_EQ(info.common_name, "strake-ca");
  EXPECT_EQ(info.issuer, "strake-ca");
  EXPECT_TRUE(info.is_ca);
  EXPECT_EQ(info.sha256.size(), 64u);
}

TEST(Pki, IssuesServingCertificatesWithNames) {
  const CertifiedKey made =
      issue_certificate(test_pki().authority, {.common_name = "server",
                                               .dns_names = {"localhost", "strake.default.svc"},
                                               .ip_addresses = {"127.0.0.1", "::1"},
                                               .validity = around_now()})
          .value();
  const CertificateInfo info = read_certificate(made.certificate_pem).value();
  EXPECT_THAT(info.dns_names, ElementsAre("localhost", "strake.default.svc"));
  EXPECT_THAT(info.ip_addresses, ElementsAre("127.0.0.1", "::1"));
  EXPECT_EQ(info.issuer, "test authority");
  EXPECT_FALSE(info.is_ca);
}

TEST(Pki, IssuesClientCertificatesWithGroups) {
  const CertifiedKey made = test_pki().client("admin", {"system:masters", "dévs, and ops"});
  const CertificateInfo info = read_certificate(made.certificate_pem).value();
  EXPECT_EQ(info.common_name, "admin");
  EXPECT_THAT(info.organizations, ElementsAre("system:masters", "dévs, and ops"));
}

TEST(Pki, KeepsValidityToTheSecondEvenPast2050) {
  const Validity validity{Instant{.seconds = 1'700'000'000}.to_wall(),
                          Instant{.seconds = 4'000'000'000}.to_wall()};
  const CertifiedKey ca = make_ca("ca", validity).value();
  const CertificateInfo info = read_certificate(ca.certificate_pem).value();
  EXPECT_EQ(info.validity.from, validity.from);
  EXPECT_EQ(info.validity.until, validity.until);
  const Validity alone = read_validity(ca.certificate_pem).value();
  EXPECT_EQ(alone.from, validity.from);
  EXPECT_EQ(alone.until, validity.until);
}

TEST(Pki, AnAuthorityIssuesTheSameWhetherItWasMadeOrRead) {
  const Authority made = Authority::make("ca", around_now()).value();
  const Authority read = Authority::read(made.pair()).value();
  const WallTime now = system_clock().now();
  for (const Authority* authority : {&made, &read}) {
    const CertifiedKey issued =
        authority->issue({.common_name = "a", .dns_names = {"b"}, .validity = around_now()})
            .value();
    EXPECT_TRUE(check_certificate(issued, made.pair().certificate_pem, now));
    const CertificateInfo info = read_certificate(issued.certificate_pem).value();
    EXPECT_EQ(info.common_name, "a");
    EXPECT_EQ(info.issuer, "ca");
    EXPECT_THAT(info.dns_names, ElementsAre("b"));
    const RequestedKey request = make_request("c", {}).value();
    const CertifiedKey signed_pair{authority->sign(request.request_pem, around_now()).value(),
                                   request.key_pem};
    EXPECT_TRUE(check_certificate(signed_pair, made.pair().certificate_pem, now));
  }
}

TEST(Pki, RefusesAnAddressThatIsNone) {
  const auto made = issue_certificate(
      test_pki().authority,
      {.common_name = "a", .ip_addresses = {"127.0.0.300"}, .validity = around_now()});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), Code::kInvalid);
  EXPECT_THAT(made.error().message(), HasSubstr("127.0.0.300"));
}

TEST(Pki, RefusesToSignWithWhatIsNoAuthority) {
  const auto made =
      issue_certificate(test_pki().serving, {.common_name = "a", .validity = around_now()});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("may not sign"));
}

TEST(Pki, ChecksWhatItIssued) {
  const auto& pki = test_pki();
  const WallTime now = system_clock().now();
  const std::string& authority = pki.authority.certificate_pem;
  EXPECT_TRUE(check_certificate(pki.serving, authority, now));
  const auto expired = check_certificate(pki.serving, authority, now + std::chrono::hours(2));
  ASSERT_FALSE(expired);
  EXPECT_THAT(expired.error().message(), HasSubstr("expired"));
  const CertifiedKey other = make_ca("other", around_now()).value();
  EXPECT_FALSE(check_certificate(pki.serving, other.certificate_pem, now));
  const auto mixed =
      check_certificate({pki.serving.certificate_pem, other.key_pem}, authority, now);
  ASSERT_FALSE(mixed);
  EXPECT_THAT(mixed.error().message(), HasSubstr("does not belong"));
}

TEST(Pki, ReadsNothingOutOfGarbage) {
  const auto info =
      read_certificate("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code(), Code::kParse);
  for (const std::string_view text :
       {"", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nMAMwAQA=\n-----END CERTIFICATE-----\n"}) {
    const auto validity = read_validity(text);
    ASSERT_FALSE(validity);
    EXPECT_EQ(validity.error().code(), Code::kParse);
  }
}

}  // namespace
}  // namespace strake::http
