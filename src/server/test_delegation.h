#pragma once
// An extension server behind a main server for tests, both whole and over TLS.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/private_folder.h"
#include "http/fetch.h"
#include "http/pki.h"
#include "server/delegation.h"
#include "server/server.h"
#include "server/temporary_folder.h"

namespace strake::server {

inline constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
inline constexpr std::string_view kThings = "/apis/a.example/v1/namespaces/default/things";
inline constexpr std::string_view kRbac = "/apis/rbac.authorization.k8s.io/v1";

// A definition of things in that group, the first version being stored, and one of them.
std::string crd(std::string_view group, std::string_view versions = R"([{"name":"v1"}])");
std::string thing(std::string_view name, std::string_view group = "a.example");

struct Caller {
  std::string certificate = {};
  std::string key = {};
  std::string token = {};
  std::vector<http::Header> headers = {};
};

class DelegationTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::string write(std::string_view name, std::string_view content) const;
  static std::string text_of(const std::string& file) { return read_file(file).value(); }
  std::string pki(std::string_view server, std::string_view name) const {
    return text_of(fmt::format("{}/pki/{}", folder_.file(server), name));
  }

  Options options(std::string_view name) const;
  void start_main(Options with);
  void start_main() { start_main(options("main")); }
  // What an administrator does once.
  void bind_roles();
  void make_role(std::string_view name, std::string_view rules);
  void bind(std::string_view path, std::string_view name, std::string_view kind,
            std::string_view role, std::string_view user);
  std::string main_kubeconfig(std::string_view token = "ext-token") const;
  DelegationOptions delegation() const;
  Options extension_options() const {
    Options out = options("extension");
    out.delegation = delegation();
    return out;
  }
  void start_extension(Options with);
  // Both, with a definition that ann may use.
  void start_both();
  void define(std::string_view group, std::string_view versions = R"([{"name":"v1"}])");

  http::FetchResponse ask(const Server& server, std::string_view name, std::string_view method,
                          std::string_view path, std::string_view body, const Caller& as) const;
  Caller admin_of(std::string_view name) const {
    return {.certificate = pki(name, "admin.crt"), .key = pki(name, "admin.key")};
  }
  http::FetchResponse main_admin(std::string_view method, std::string_view path,
                                 std::string_view body = "") const {
    return ask(*main_, "main", method, path, body, admin_of("main"));
  }
  http::FetchResponse own_admin(std::string_view method, std::string_view path,
                                std::string_view body = "") const {
    return ask(*extension_, "extension", method, path, body, admin_of("extension"));
  }
  http::FetchResponse get(const Caller& as, std::string_view path = kThings) const {
    return ask(*extension_, "extension", "GET", path, "", as);
  }
  // As the main server's proxy sends a request of that user.
  Caller proxied(std::string_view user) const;
  // A client with a certificate of that authority.
  Caller certified(const http::CertifiedKey& authority, std::string name,
                   std::optional<http::Validity> validity = {}) const;
  http::CertifiedKey authority(std::string_view server, std::string_view name) const {
    return {.certificate_pem = pki(server, fmt::format("{}.crt", name)),
            .key_pem = Secret(pki(server, fmt::format("{}.key", name)))};
  }

  const TemporaryFolder folder_ = TemporaryFolder::make("strake-test").value();
  std::unique_ptr<Server> main_;
  std::unique_ptr<Server> extension_;
};

}  // namespace strake::server
