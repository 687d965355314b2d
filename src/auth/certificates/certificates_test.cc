// CertificateSigningRequests over a whole server in the test program: who may have them approved
// and signed, and what becomes of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/x509.h>

#include "api/test_server.h"
#include "auth/certificates/request_signer.h"
#include "auth/certificates/signing_rules.h"
#include "auth/jwt/test_keys.h"
#include "base/base64.h"

namespace strake::auth {
namespace {

using api::testing::Answered;
using api::testing::Asking;
using api::testing::expect_ok;
using api::testing::expect_status;
using api::testing::TestServer;
using std::chrono::hours;
using ::testing::ElementsAre;

constexpr std::string_view kRequests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
constexpr std::string_view kClient = "kubernetes.io/kube-apiserver-client";

// In base64, as the API has it.
std::string request_for(std::string_view name, std::string_view group, bool broken = false) {
  const http::Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  const http::Owned<EVP_PKEY> other(EVP_EC_gen("P-256"));
  const http::Owned<X509_REQ> request(X509_REQ_new());
  X509_NAME* subject = X509_REQ_get_subject_name(request.get());
  const auto add = [&](const char* field, std::string_view text) {
    X509_NAME_add_entry_by_txt(subject, field, MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(text.data()),
                               static_cast<int>(text.size()), -1, 0);
  };
  add("O", group);
  add("CN", name);
  X509_REQ_set_pubkey(request.get(), key.get());
  X509_REQ_sign(request.get(), broken ? other.get() : key.get(), EVP_sha256());
  const http::Owned<BIO> bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509_REQ(bio.get(), request.get());
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &bytes);
  return base64_encode(std::string_view(bytes, static_cast<std::size_t>(size)));
}

// Members of system:masters may do everything, others all but approve and sign.
class SignerRights final : public api::Authorizer {
 public:
  Decision authorize(const api::User& user, const api::RequestInfo& request) const override {
    if (request.resource != "signers") return {.allowed = true, .reason = {}};
    return {.allowed = user.in_group("system:masters") ||
                       (user.name == "ann" && request.name == "example.com/*"),
            .reason = {}};
  }
  Rules rules_of(const api::User&, std::string_view) const override { return {}; }
};

class Part final : public api::testing::TestPart {
 public:
  Part(api::Hub& hub, http::CertifiedKey authority)
      : authority_(std::move(authority)), signer_(hub, tls_clock_) {}
  const api::Authorizer* authorizer() const override { return &rights_; }
  std::vector<const api::Admission*> admission() const override { return {&rules_}; }
  async::Task<> start(api::Core& core) override { return signer_.start(core, authority_); }
  async::Task<> stop() override { return signer_.stop(); }

 private:
  http::CertifiedKey authority_;
  SignerRights rights_;
  SigningRules rules_{rights_};
  FakeClock tls_clock_;
  CertificateSigner signer_;
};

class SigningRequests : public ::testing::Test {
 protected:
  static std::string body(std::string_view name, std::string_view request, std::string_view signer,
                          std::string_view more = R"(,"usages":["client auth"])") {
    return fmt::format(
        R"({{"metadata":{{"name":"{}"}},"spec":{{"request":"{}","signerName":"{}"{}}}}})", name,
        request, signer, more);
  }
  Answered approve(std::string_view name, std::string_view as = "") {
    const std::string target = fmt::format("{}/{}/approval", kRequests, name);
    Asking asking{.method = "PATCH",
                  .target = target,
                  .body = R"({"status":{"conditions":[{"type":"Approved","status":"True"}]}})",
                  .type = "application/merge-patch+json"};
    if (!as.empty()) asking.headers.push_back({"Impersonate-User", std::string(as)});
    return server.ask(asking);
  }
  // Until the signer has had its say.
  Answered settled(std::string_view name) {
    Answered got;
    for (int i = 0; i < 500; ++i) {
      got = server.get(fmt::format("{}/{}", kRequests, name));
      if (!got.text("status.certificate").empty() ||
          got.at("status.conditions").find("Failed") != std::string::npos)
        break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return got;
  }

  const WallTime now = FakeClock().now();
  const http::CertifiedKey authority =
      http::make_ca("test-ca", {.from = now - hours(1), .until = now + hours(24 * 3650)}).value();
  TestServer server{
      {.part = [this](api::Hub& hub) { return std::make_unique<Part>(hub, authority); }}};
};

TEST_F(SigningRequests, BecomeCertificatesWhenTheyAreApproved) {
  server.create(kRequests,
                body("jane", request_for("jane", "devs"), kClient,
                     R"(,"usages":["client auth","digital signature"],"expirationSeconds":3600)"));
  EXPECT_EQ(server.get(fmt::format("{}/jane", kRequests)).at("status"), "{}");
  expect_ok(approve("jane"));
  const std::string encoded = settled("jane").text("status.certificate");
  ASSERT_FALSE(encoded.empty());
  const auto made = http::read_certificate(base64_decode(encoded).value()).value();
  EXPECT_EQ(made.common_name, "jane");
  EXPECT_THAT(made.organizations, ElementsAre("devs"));
  EXPECT_EQ(made.issuer, "test-ca");
  EXPECT_EQ(made.validity.until, now + std::chrono::seconds(3600));
  EXPECT_FALSE(made.is_ca);
}

TEST_F(SigningRequests, AreSignedForClientsAlone) {
  server.create(kRequests, body("web", request_for("web", "devs"), kClient,
                                R"(,"usages":["client auth","server auth"])"));
  expect_ok(approve("web"));
  const Answered got = settled("web");
  EXPECT_EQ(got.text("status.certificate"), "");
  EXPECT_EQ(got.text("status.conditions.1.message"),
            "invalid usage for client certificate: server auth");
  // Other signers sign elsewhere.
  server.create(kRequests, body("other", request_for("x", "devs"), "example.com/signer"));
  expect_ok(approve("other"));
  EXPECT_EQ(server.get(fmt::format("{}/other", kRequests)).at("status.certificate"), "");
}

TEST_F(SigningRequests, AreRefusedAtTheDoor) {
  expect_status(
      server.post(kRequests, body("m", request_for("root", "system:masters"), kClient)), 403,
      "Forbidden",
      R"(certificatesigningrequests.certificates.k8s.io "m" is forbidden: use of )"
      R"(kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed)");
  EXPECT_EQ(server.post(kRequests, body("b", request_for("b", "devs", true), kClient)).code, 422);
}

TEST_F(SigningRequests, AreApprovedAndSignedByThoseWhoMay) {
  server.create(kRequests, body("a", request_for("a", "devs"), kClient));
  expect_status(
      approve("a", "ann"), 403, "Forbidden",
      R"(certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not )"
      R"(permitted to approve requests with signerName "kubernetes.io/kube-apiserver-client")");
  // Ann has the whole domain.
  server.create(kRequests, body("e", request_for("e", "devs"), "example.com/signer"));
  expect_ok(approve("e", "ann"));
  Asking sign{.method = "PATCH",
              .target = "/apis/certificates.k8s.io/v1/certificatesigningrequests/e/status",
              .body = R"({"status":{"conditions":[{"type":"Approved","status":"True"},)"
                      R"({"type":"Failed","status":"True"}]}})",
              .type = "application/merge-patch+json"};
  sign.headers.push_back({"Impersonate-User", "bob"});
  expect_status(server.ask(sign), 403, "Forbidden",
                R"(certificatesigningrequests.certificates.k8s.io "e" is forbidden: user not )"
                R"(permitted to sign requests with signerName "example.com/signer")");
  sign.headers.front().value = "ann";
  expect_ok(server.ask(sign));
}

TEST_F(SigningRequests, SayWhoAsked) {
  Asking asking{.method = "POST", .target = kRequests, .type = "application/json"};
  const std::string text = body("z", request_for("z", "devs"), "example.com/signer",
                                R"(,"usages":["client auth"],"username":"forged","uid":"forged")");
  asking.body = text;
  asking.headers = {{"Impersonate-User", "zed"}, {"Impersonate-Group", "system:masters"}};
  const Answered got = server.ask(asking);
  expect_ok(got, 201);
  EXPECT_EQ(got.text("spec.username"), "zed");
  EXPECT_EQ(got.at("spec.uid"), "");
  EXPECT_EQ(got.at("spec.groups"), R"(["system:masters","system:authenticated"])");
  EXPECT_EQ(got.at("metadata.managedFields"), "");
}

}  // namespace
}  // namespace strake::auth
