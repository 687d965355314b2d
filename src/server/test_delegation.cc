#include "server/test_delegation.h"

#include <fmt/format.h>

#include <fstream>

#include "base/base64.h"
#include "base/log.h"

namespace strake::server {

std::string crd(std::string_view group, std::string_view versions) {
  std::string out;
  const std::string base =
      R"(,"served":true,"storage":STORAGE,"schema":{"openAPIV3Schema":{"type":"object",)"
      R"("x-kubernetes-preserve-unknown-fields":true}}})";
  bool first = true;
  for (std::size_t at = versions.find("{\"name\""); at != std::string_view::npos;
       at = versions.find("{\"name\"", at + 1)) {
    std::string one(versions.substr(at, versions.find('}', at) - at));
    std::string rest = base;
    rest.replace(rest.find("STORAGE"), 7, first ? "true" : "false");
    out += (first ? "" : ",") + one + rest;
    first = false;
  }
  return fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":)"
      R"({{"name":"things.{0}"}},"spec":{{"group":"{0}","scope":"Namespaced","names":)"
      R"({{"plural":"things","kind":"Thing"}},"versions":[{1}]}}}})",
      group, out);
}

std::string thing(std::string_view name, std::string_view group) {
  return fmt::format(R"({{"apiVersion":"{}/v1","kind":"Thing","metadata":{{"name":"{}"}}}})", group,
                     name);
}

void DelegationTest::SetUp() {
  ::setenv("no_proxy", "127.0.0.1", 1);
  log::configure({.level = log::Level::kOff});
  write("tokens",
        "ext-token,extension,1\nann-token,ann,2\nbob-token,bob,3\nstranger-token,stranger,4\n");
}

void DelegationTest::TearDown() {
  extension_.reset();
  main_.reset();
  log::configure({});
}

std::string DelegationTest::write(std::string_view name, std::string_view content) const {
  std::ofstream(folder_.file(name), std::ios::binary | std::ios::trunc) << content;
  return folder_.file(name);
}

Options DelegationTest::options(std::string_view name) const {
  Options out;
  out.data_dir = folder_.file(name);
  out.in_memory = true;
  out.port = 0;
  out.io_threads = 1;
  out.drain_timeout = std::chrono::seconds(0);  // connections that the test keeps end at once
  return out;
}

void DelegationTest::start_main(Options with) {
  with.token_file = folder_.file("tokens");
  auto started = Server::start(std::move(with));
  ASSERT_TRUE(started) << started.error().to_string();
  main_ = *std::move(started);
}

void DelegationTest::bind_roles() {
  bind("/namespaces/kube-system/rolebindings", "ext-reader", "Role",
       "extension-apiserver-authentication-reader", "extension");
  bind("/clusterrolebindings", "ext-delegator", "ClusterRole", "system:auth-delegator",
       "extension");
  make_role("ext-server",
            R"({"apiGroups":[""],"resources":["namespaces"],"verbs":["get","list","watch"]},)"
            R"({"apiGroups":[""],"resources":["services"],"verbs":["*"]},)"
            R"({"apiGroups":["discovery.k8s.io"],"resources":["endpointslices"],"verbs":["*"]},)"
            R"({"apiGroups":["apiregistration.k8s.io"],"resources":["apiservices"],)"
            R"("verbs":["*"]})");
  bind("/clusterrolebindings", "ext-server", "ClusterRole", "ext-server", "extension");
}

void DelegationTest::make_role(std::string_view name, std::string_view rules) {
  const auto made =
      main_admin("POST", fmt::format("{}/clusterroles", kRbac),
                 fmt::format(R"({{"metadata":{{"name":"{}"}},"rules":[{}]}})", name, rules));
  ASSERT_EQ(made.status, 201) << made.body;
}

void DelegationTest::bind(std::string_view path, std::string_view name, std::string_view kind,
                          std::string_view role, std::string_view user) {
  const auto made = main_admin(
      "POST", fmt::format("{}{}", kRbac, path),
      fmt::format(R"({{"metadata":{{"name":"{}"}},"roleRef":{{"apiGroup":)"
                  R"("rbac.authorization.k8s.io","kind":"{}","name":"{}"}},"subjects":[{{)"
                  R"("apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"{}"}}]}})",
                  name, kind, role, user));
  ASSERT_EQ(made.status, 201) << made.body;
}

std::string DelegationTest::main_kubeconfig(std::string_view token) const {
  return write(
      fmt::format("{}.kubeconfig", token),
      fmt::format("clusters:\n- name: c\n  cluster: {{server: \"{}\", "
                  "certificate-authority-data: {}}}\nusers:\n- name: u\n  user: {{token: {}}}\n"
                  "contexts:\n- name: x\n  context: {{cluster: c, user: u}}\ncurrent-context: x\n",
                  main_->url(), base64_encode(pki("main", "ca.crt")), token));
}

DelegationOptions DelegationTest::delegation() const {
  // Nothing is kept, so that tests see changes at once.
  return {.main_kubeconfig = main_kubeconfig(),
          .tokens_kept = std::chrono::seconds(0),
          .allowed_kept = std::chrono::seconds(0),
          .refused_kept = std::chrono::seconds(0)};
}

void DelegationTest::start_extension(Options with) {
  auto started = Server::start(std::move(with));
  ASSERT_TRUE(started) << started.error().to_string();
  extension_ = *std::move(started);
}

void DelegationTest::start_both() {
  start_main();
  bind_roles();
  start_extension(extension_options());
  define("a.example");
  make_role("things", R"({"apiGroups":["a.example"],"resources":["things"],"verbs":["*"]})");
  bind("/clusterrolebindings", "things", "ClusterRole", "things", "ann");
}

void DelegationTest::define(std::string_view group, std::string_view versions) {
  const auto made = own_admin("POST", kCrds, crd(group, versions));
  ASSERT_EQ(made.status, 201) << made.body;
}

http::FetchResponse DelegationTest::ask(const Server& server, std::string_view name,
                                        std::string_view method, std::string_view path,
                                        std::string_view body, const Caller& as) const {
  http::FetchRequest request{.url = server.url() + std::string(path),
                             .method = std::string(method),
                             .ca_pem = pki(name, "ca.crt")};
  request.client_certificate_pem = as.certificate;
  request.client_key_pem = Secret(as.key);
  request.bearer_token = Secret(as.token);
  request.body = body;
  if (!body.empty()) request.headers.add("Content-Type", "application/json");
  if (method == "PATCH") request.headers.set("Content-Type", "application/merge-patch+json");
  for (const http::Header& one : as.headers) request.headers.add(one.name, one.value);
  auto answered = http::fetch(request);
  if (!answered) return {.status = 0, .body = answered.error().to_string()};
  return *std::move(answered);
}

Caller DelegationTest::proxied(std::string_view user) const {
  return {.certificate = pki("main", "front-proxy-client.crt"),
          .key = pki("main", "front-proxy-client.key"),
          .headers = {{"X-Remote-User", std::string(user)},
                      {"X-Remote-Group", "system:authenticated"}}};
}

Caller DelegationTest::certified(const http::CertifiedKey& authority, std::string name,
                                 std::optional<http::Validity> validity) const {
  const WallTime now = system_clock().now();
  const auto made =
      http::issue_certificate(
          authority,
          {.common_name = std::move(name),
           .use = http::CertificateUse::kClient,
           .validity = validity.value_or(http::Validity{.from = now - std::chrono::hours(1),
                                                        .until = now + std::chrono::hours(1)})})
          .value();
  return {.certificate = made.certificate_pem,
          .key = made.key_pem.reveal(),
          .headers = {{"X-Remote-User", "ann"}}};
}

}  // namespace strake::server
