#include "auth/delegated/cluster_trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "auth/authentication_config_map.h"
#include "http/test_client.h"
#include "value/document.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using http::testing::test_pki;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

std::string config_map(const std::map<std::string, std::string>& data) {
  std::string out = R"({"kind":"ConfigMap","data":{)";
  for (const auto& [key, text] : data) {
    if (out.back() != '{') out += ',';
    value::write_json_string(key, out);
    out += ':';
    value::write_json_string(text, out);
  }
  return out + "}}";
}

Result<ClusterTrust> read(const std::string& json) {
  const value::Document document = value::read_json(std::string_view(json)).value();
  return ClusterTrust::read(document.root());
}

std::string failure(const std::map<std::string, std::string>& data) {
  const auto outcome = read(config_map(data));
  return outcome ? "none" : outcome.error().message();
}

TEST(ClusterTrust, ReadsWhatAServerWrites) {
  const FrontProxyOptions proxy{.allowed_names = {"front-proxy-client", "a \"b\""}};
  const std::string& ca = test_pki().authority.certificate_pem;
  const auto trust = read(config_map(authentication_data(ca, ca, &proxy)));
  ASSERT_TRUE(trust) << trust.error().to_string();
  EXPECT_EQ(trust->client_ca_pem, ca);
  EXPECT_EQ(trust->proxy_ca_pem, ca);
  EXPECT_THAT(trust->allowed_names, Optional(ElementsAre("front-proxy-client", "a \"b\"")));
  const auto options = trust->front_proxy();
  ASSERT_TRUE(options);
  EXPECT_THAT(options->username_headers, ElementsAre("X-Remote-User"));
  EXPECT_THAT(options->uid_headers, ElementsAre("X-Remote-Uid"));
  EXPECT_THAT(options->group_headers, ElementsAre("X-Remote-Group"));
  EXPECT_THAT(options->extra_prefixes, ElementsAre("X-Remote-Extra-"));
}

TEST(ClusterTrust, HasNoProxyWithoutAnAuthorityForProxies) {
  const auto trust = read(config_map({{"client-ca-file", test_pki().authority.certificate_pem},
                                      {"requestheader-username-headers", R"(["X-Remote-User"])"},
                                      {"requestheader-client-ca-file", ""}}));
  ASSERT_TRUE(trust) << trust.error().to_string();
  EXPECT_FALSE(trust->front_proxy());
}

TEST(ClusterTrust, TakesNothingForGrantedThatIsNotThere) {
  const auto trust =
      read(config_map({{"requestheader-client-ca-file", test_pki().authority.certificate_pem}}));
  ASSERT_TRUE(trust);
  ASSERT_TRUE(trust->front_proxy());
  EXPECT_THAT(trust->front_proxy()->username_headers, IsEmpty());
  EXPECT_THAT(trust->front_proxy()->extra_prefixes, IsEmpty());
  EXPECT_TRUE(read(R"({"kind":"ConfigMap"})"));
}

TEST(ClusterTrust, NamesTheKeyThatCannotBeUsed) {
  constexpr std::string_view kHead =
      "ConfigMap kube-system/extension-apiserver-authentication, key ";
  EXPECT_THAT(failure({{"client-ca-file", "no certificate"}}),
              HasSubstr(std::string(kHead) + "client-ca-file: "));
  EXPECT_THAT(failure({{"requestheader-client-ca-file",
                        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}}),
              HasSubstr(std::string(kHead) + "requestheader-client-ca-file: "));
  for (const char* text : {"x", "{}", "[1]", "[\"a\"", "\"a\""}) {
    EXPECT_EQ(failure({{"requestheader-allowed-names", text}}),
              std::string(kHead) + "requestheader-allowed-names: must be a JSON list of strings")
        << text;
  }
  for (const char* key : {"requestheader-username-headers", "requestheader-group-headers",
                          "requestheader-uid-headers", "requestheader-extra-headers-prefix"}) {
    EXPECT_EQ(failure({{key, R"([""])"}}),
              std::string(kHead) + key + ": the name of a header is empty");
  }
  EXPECT_THAT(read(R"({"data":{"client-ca-file":3}})").error().message(),
              HasSubstr("client-ca-file: must be a string"));
  EXPECT_THAT(read(R"({"data":[]})").error().message(), HasSubstr("data must be an object"));
}

TEST(ClusterTrust, HasLimits) {
  EXPECT_THAT(failure({{"requestheader-allowed-names", std::string(70'000, ' ')}}),
              HasSubstr("is too long"));
  EXPECT_THAT(failure({{"client-ca-file", std::string(2 << 20, ' ')}}), HasSubstr("is too long"));
  std::string many = "[\"a\"";
  for (int i = 0; i < 1000; ++i) many += ",\"a\"";
  EXPECT_THAT(failure({{"requestheader-allowed-names", many + "]"}}),
              HasSubstr("has too many entries"));
}

TEST(ClusterTrust, IsCompletedKeyByKey) {
  const ClusterTrust own{.allowed_names = std::vector<std::string>{"mine"},
                         .group_headers = std::vector<std::string>{}};
  const ClusterTrust main{.client_ca_pem = "main",
                          .proxy_ca_pem = "proxies",
                          .allowed_names = std::vector<std::string>{"theirs"},
                          .username_headers = std::vector<std::string>{"X-User"},
                          .group_headers = std::vector<std::string>{"X-Group"}};
  const ClusterTrust both = own.or_else(main);
  EXPECT_EQ(both.client_ca_pem, "main");
  EXPECT_THAT(both.allowed_names, Optional(ElementsAre("mine")));
  EXPECT_THAT(both.username_headers, Optional(ElementsAre("X-User")));
  EXPECT_THAT(both.group_headers, Optional(IsEmpty()));
  EXPECT_FALSE(both.uid_headers);
}

}  // namespace
}  // namespace strake::auth
