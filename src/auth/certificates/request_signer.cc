#include "auth/certificates/request_signer.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "api/verbs/write.h"
#include "auth/certificates/signing_rules.h"
#include "base/base64.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using value::Document;
using value::text_of;
using value::Value;

constexpr std::string_view kRequests = "/registry/certificatesigningrequests/";
constexpr milliseconds kSigned{0};
constexpr milliseconds kSignLater{1000};
// What kube-controller-manager 1.36 gives when nothing shorter is asked for.
constexpr seconds kLongestCertificate{365 * 24 * 3600};
// Clocks of those who look at the certificate may be behind.
constexpr seconds kBackdated{300};

bool has_condition(const Value& request, std::string_view type) {
  return std::ranges::any_of(request.get("status").get("conditions").items(),
                             [&](const Value& one) { return text_of(one, "type") == type; });
}

bool waits_for_certificate(const Value& request) {
  return text_of(request.get("spec"), "signerName") == kClientSigner &&
         text_of(request.get("status"), "certificate").empty() &&
         has_condition(request, "Approved") && !has_condition(request, "Denied") &&
         !has_condition(request, "Failed");
}

// Empty when the certificate may be used as is asked for.
std::string wrong_usages(const Value& spec) {
  bool client = false;
  for (const Value& one : spec.get("usages").items()) {
    const std::string_view usage = value::text_of(one);
    if (usage == "client auth") {
      client = true;
    } else if (usage != "digital signature" && usage != "key encipherment") {
      return fmt::format("invalid usage for client certificate: {}", usage);
    }
  }
  return client ? "" : "missing required usage for client certificate: client auth";
}

Result<SigningFacts> read_signing_facts(const api::Object& object) {
  STRAKE_TRY(const Document document, api::parse_stored(*object.bytes()));
  return SigningFacts{.waits = waits_for_certificate(document.root())};
}

Result<std::string> sign_as_asked(const http::CertifiedKey& authority, const Value& spec,
                                  WallTime now) {
  if (std::string wrong = wrong_usages(spec); !wrong.empty())
    return fail(Code::kInvalid, "{}", wrong);
  STRAKE_TRY(const std::string pem, base64_decode(text_of(spec, "request")));
  STRAKE_TRY(const http::CertificateRequestInfo asked, http::read_request(pem));
  // Looked at again: the rule at the door may be newer than the request.
  if (std::ranges::find(asked.organizations, "system:masters") != asked.organizations.end())
    return fail(Code::kInvalid, "the group system:masters is not given");
  seconds life = kLongestCertificate;
  if (const Value& given = spec.get("expirationSeconds"); given.type() == value::Type::kInt)
    life = std::min(life, seconds(given.as_int()));
  return http::sign_request(authority, pem, {.from = now - kBackdated, .until = now + life});
}

void add_failure(Document& document, std::string_view why, std::string_view now) {
  Arena& arena = document.arena();
  Value condition = Value::object({});
  const auto say = [&](std::string_view key, std::string_view text) {
    condition.set(key, Value::string(arena.copy(text)), arena);
  };
  say("type", "Failed");
  say("status", "True");
  say("reason", "SignerValidationFailure");
  say("message", why);
  say("lastUpdateTime", now);
  say("lastTransitionTime", now);
  Value& status = document.root().object_at("status", arena);
  Value* conditions = status.find("conditions");
  if (conditions == nullptr || !conditions->is_array())
    conditions = &status.set("conditions", Value::array({}), arena);
  conditions->append(condition, arena);
}

}  // namespace

SigningInformer::SigningInformer(api::Hub& hub)
    : Informer(hub, {.prefixes = {std::string(kRequests)}, .read = read_signing_facts}) {}

boost::asio::awaitable<milliseconds> RequestSigner::sync(std::string, api::ObjectPtr object) {
  if (!object) co_return kSigned;
  const Result<Document> request = api::parse_stored(*object->bytes());
  if (!request || !waits_for_certificate(request->root())) co_return kSigned;
  const api::EndpointPtr endpoint =
      core().registry.find("certificates.k8s.io", "certificatesigningrequests");
  if (!endpoint) co_return kSignLater;
  // A signature with a key of ours takes a fraction of a millisecond.
  const Result<std::string> certificate =
      sign_as_asked(authority_, request->root().get("spec"), tls_clock_.now());
  api::Call call = api::internal_call(core(), endpoint, "", object->name());
  const std::string now = call.now_text();
  const auto write = [&](Document& document) {
    if (!waits_for_certificate(document.root())) return;
    if (!certificate) return add_failure(document, certificate.error().message(), now);
    Arena& arena = document.arena();
    document.root()
        .object_at("status", arena)
        .set("certificate", Value::string(arena.copy(base64_encode(*certificate))), arena);
  };
  const auto written = co_await api::edit_object(
      core(), call,
      {.subresource = "status", .manager = "kube-controller-manager", .apply = write});
  co_return written || written.error().reason == "NotFound" ? kSigned : kSignLater;
}

async::Task<> CertificateSigner::start(api::Core& core, http::CertifiedKey authority) {
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  signer_ =
      std::make_unique<RequestSigner>(core, requests_, executor, std::move(authority), tls_clock_);
  boost::asio::co_spawn(executor, run(), boost::asio::detached);
  co_return Result<>();
}

boost::asio::awaitable<void> CertificateSigner::run() {
  const async::Gate::Pass pass = running_.enter();
  if (pass) co_await signer_->run();
}

async::Task<> CertificateSigner::stop() {
  if (signer_) signer_->stop();
  co_return co_await running_.close();
}

}  // namespace strake::auth
