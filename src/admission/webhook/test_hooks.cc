#include "admission/webhook/test_hooks.h"

#include <gtest/gtest.h>

#include "base/base64.h"
#include "value/json_reader.h"

namespace strake::admission::testing {
namespace {

using value::Value;

http::Validity around_now() {
  const WallTime now = system_clock().now();
  return {.from = now - std::chrono::hours(1), .until = now + std::chrono::hours(24)};
}

std::string_view plural_of(Phase phase) {
  return phase == Phase::kMutating ? "mutatingwebhookconfigurations"
                                   : "validatingwebhookconfigurations";
}

Asked read_asked(std::string path, std::string query, std::string body) {
  value::Document review =
      value::read_json(std::string_view(body), value::ReadOptions::as_api_server()).value();
  return {.path = std::move(path),
          .query = std::move(query),
          .body = std::move(body),
          .review = std::move(review)};
}

}  // namespace

std::string Asked::uid() const {
  return std::string(review.root().get("request").get("uid").as_string());
}

const Value& Asked::object() const { return review.root().get("request").get("object"); }

http::Response json_answer(std::string text, int code, std::string_view type) {
  http::Response out;
  out.status = code;
  if (!type.empty()) out.headers.add("Content-Type", std::string(type));
  out.body.emplace_back(std::move(text));
  return out;
}

HookServer::HookServer() {
  authority_ = http::make_ca("hooks", around_now()).value();
  const http::CertifiedKey serving =
      http::issue_certificate(authority_, {.common_name = "hook",
                                           .organizations = {},
                                           .dns_names = {"hook.example"},
                                           .ip_addresses = {"127.0.0.1"},
                                           .validity = around_now()})
          .value();
  http::ServerOptions options;
  options.tls = http::TlsOptions{.certificate_pem = serving.certificate_pem,
                                 .key_pem = std::string(serving.key_pem.reveal()),
                                 .client_ca_pem = {}};
  server_ = http::Server::listen(std::move(options), loops_, *this).value();
}

HookServer::~HookServer() = default;

std::string HookServer::url(std::string_view path) const {
  return fmt::format("https://127.0.0.1:{}{}", port(), path);
}

std::string HookServer::ca_bundle() const { return base64_encode(authority_.certificate_pem); }

std::vector<std::string> HookServer::take_asked() {
  const std::lock_guard lock(mu_);
  return std::exchange(asked_, {});
}

Asked HookServer::last() {
  const std::lock_guard lock(mu_);
  return read_asked({}, {}, last_);
}

boost::asio::awaitable<http::Response> HookServer::handle(http::Request request) {
  const Asked asked = read_asked(request.path, request.query, std::move(request.body));
  const std::string allowed =
      fmt::format(R"({{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",)"
                  R"("response":{{"uid":"{}","allowed":true}}}})",
                  asked.uid());
  if (asked.body.contains("kube-root-ca.crt")) co_return json_answer(allowed);
  {
    const std::lock_guard lock(mu_);
    asked_.push_back(asked.path);
    last_ = asked.body;
  }
  if (reply) co_return co_await reply(asked);
  const std::string said = say ? say(asked) : R"("allowed":true)";
  co_return json_answer(
      fmt::format(R"({{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",)"
                  R"("response":{{"uid":"{}",{}}}}})",
                  asked.uid(), said));
}

Hooked::Hooked(MakePart part) : server({.part = std::move(part)}) {}

void Hooked::configure(Phase phase, std::string_view name, std::vector<HookText> list) {
  std::string texts;
  int position = 0;
  for (const HookText& one : list) {
    const std::string client =
        one.client.empty()
            ? fmt::format(R"("url":"{}","caBundle":"{}")", hooks.url(one.path), hooks.ca_bundle())
            : one.client;
    if (!texts.empty()) texts += ",";
    texts += fmt::format(
        R"({{"name":"h{}.{}.example","clientConfig":{{{}}},"rules":[{}],"sideEffects":"None",)"
        R"("admissionReviewVersions":["v1"]{}}})",
        position++, name, client, one.rules, one.more);
  }
  const std::string path =
      fmt::format("/apis/admissionregistration.k8s.io/v1/{}", plural_of(phase));
  const std::string body =
      fmt::format(R"({{"metadata":{{"name":"{}"}},"webhooks":[{}]}})", name, texts);
  const std::string one = fmt::format("{}/{}", path, name);
  if (server.get(one).code == 200) server.remove(one);
  const auto made = server.post(path, body);
  ASSERT_EQ(made.code, 201) << made.body;
}

void Hooked::unconfigure(Phase phase, std::string_view name) {
  api::testing::expect_ok(server.remove(
      fmt::format("/apis/admissionregistration.k8s.io/v1/{}/{}", plural_of(phase), name)));
}

api::testing::Answered Hooked::make(std::string_view name, std::string_view data,
                                    std::string_view metadata, std::string_view query) {
  return server.post(fmt::format("{}{}", kMaps, query),
                     api::testing::config_map_json(name, data, metadata));
}

}  // namespace strake::admission::testing
