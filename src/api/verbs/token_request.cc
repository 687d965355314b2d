#include "api/verbs/token_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/verbs/body_kind.h"
#include "api/verbs/by_worker.h"
#include "api/verbs/judge.h"
#include "api/verbs/respond.h"
#include "api/verbs/write.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "kinds/builtins.h"
#include "meta/object_meta.h"
#include "value/fields.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using std::chrono::seconds;
using value::Document;
using value::text_of;
using value::Value;

constexpr std::string_view kSubresource = "token";

// Pods are given tokens of this life by the admission plugin of kube-apiserver 1.36. They may be
// used by programs that never read the file again: such tokens live for a year, and who uses one
// after its hour is counted.
constexpr seconds kInjectedLife{3607};
constexpr seconds kExtendedLife{365 * 24 * 3600};

AnswerTask<Document> read_request(Core& core, Call& call, EndpointPtr requests,
                                  const WriteOptions& options) {
  STRAKE_CO_TRY(Document document, co_await read_body_as(core, call, requests, options));
  const AsKind as_request(call, std::move(requests));
  own_fields(call, document, nullptr, kSubresource, manager_of(call, options));
  co_return document;
}

// A body may name the account that its path names, and no other.
Answer<> check_name(const Call& call, const Document& document) {
  const std::string_view name = ObjectMeta::of(document.root()).name();
  if (name.empty() || name == call.info.name) return {};
  value::FieldErrors errors;
  errors.push_back(value::FieldError::invalid(FieldPath() / "metadata" / "name",
                                              Value::string(name),
                                              "must match the service account name if specified"));
  return refuse(
      Status::invalid(kinds::token_request_resource()->group_kind(), call.info.name, errors));
}

Answer<> check_request(Call& call, const Document& document, EndpointPtr requests) {
  const AsKind as_request(call, std::move(requests));
  const std::string now = call.now_text();
  STRAKE_TRY(const resource::Verdict verdict,
             answer(call.strategy().check_create(document.root(), call.write_request(now))));
  if (verdict.errors.empty()) return {};
  return refuse(Status::invalid(call.resource().group_kind(), "", verdict.errors));
}

// An object that a token is to be about.
struct Subject {
  TokenIssuer::Reference reference;
  std::string account;  // of a pod
  std::string node;     // of a pod
};

Answer<Subject> find_subject(Core& core, const meta::GroupResource& resource,
                             std::string_view namespace_name, std::string_view name) {
  if (name.empty()) return refuse(Status::bad_request("Name parameter required."));
  if (const meta::Messages wrong = meta::check_path_segment_name(name); !wrong.empty()) {
    return refuse(Status::bad_request(
        fmt::format("Name parameter invalid: {}: {}", quote(name), fmt::join(wrong, ";"))));
  }
  const EndpointPtr endpoint = core.registry.find(resource.group, resource.resource);
  const ObjectPtr object =
      endpoint ? endpoint->cache().get(endpoint->key(namespace_name, name)) : nullptr;
  if (!object) return refuse(Status::not_found(resource, name));
  STRAKE_TRY(const Document document, answer(parse_stored(*object->bytes())));
  const Value& spec = document.root().get("spec");
  return Subject{.reference = {.name = std::string(name),
                               .uid = std::string(ObjectMeta::of(document.root()).uid())},
                 .account = std::string(text_of(spec, "serviceAccountName")),
                 .node = std::string(text_of(spec, "nodeName"))};
}

// What the token is bound to, into the order. As in kube-apiserver 1.36 the version of the object
// is not looked at.
Answer<> bind(Core& core, const Value& reference, TokenIssuer::Order& order) {
  const std::string_view name = text_of(reference, "name");
  const meta::GroupVersionKind gvk =
      meta::from_api_version_and_kind(text_of(reference, "apiVersion"), text_of(reference, "kind"));
  std::optional<TokenIssuer::Reference>* to = nullptr;
  if (gvk.group.empty() && gvk.kind == "Pod") {
    STRAKE_TRY(Subject pod, find_subject(core, {"", "pods"}, order.namespace_name, name));
    if (pod.account != order.account.name) {
      return refuse(Status::bad_request(fmt::format(
          "cannot bind token for serviceaccount {} to pod running with different serviceaccount "
          "name.",
          quote(order.account.name))));
    }
    order.pod = std::move(pod.reference);
    if (!pod.node.empty()) {
      // A node that is gone leaves its name.
      const Answer<Subject> node = find_subject(core, {"", "nodes"}, "", pod.node);
      order.node = node ? node->reference : TokenIssuer::Reference{.name = pod.node};
    }
    to = &order.pod;
  } else if (gvk.group.empty() && gvk.kind == "Node") {
    STRAKE_TRY(Subject node, find_subject(core, {"", "nodes"}, "", name));
    order.node = std::move(node.reference);
    to = &order.node;
  } else if (gvk.group.empty() && gvk.kind == "Secret") {
    STRAKE_TRY(Subject secret, find_subject(core, {"", "secrets"}, order.namespace_name, name));
    order.secret = std::move(secret.reference);
    to = &order.secret;
  } else {
    return refuse(Status::bad_request(
        fmt::format("cannot bind token to object of type {}", gvk.to_string())));
  }
  const std::string_view uid = text_of(reference, "uid");
  if (uid.empty() || uid == (*to)->uid) return {};
  return refuse(Status::conflict(
      {gvk.group, gvk.kind}, name,
      fmt::format("the UID in the bound object reference ({}) does not match the UID in record. "
                  "The object might have been deleted and then recreated",
                  uid)));
}

std::vector<std::string> audiences_of(const Value& spec) {
  std::vector<std::string> out;
  for (const Value& one : spec.get("audiences").items()) {
    if (one.is_string()) out.emplace_back(one.as_string());
  }
  return out;
}

// Fills in what the request leaves to the server.
void complete(const Call& call, Document& document, const std::vector<std::string>& audiences) {
  Arena& arena = document.arena();
  const auto text = [&](std::string_view from) { return Value::string(arena.copy(from)); };
  Value& spec = document.root().object_at("spec", arena);
  if (audiences_of(spec).empty()) {
    Value list = Value::array({});
    for (const std::string& one : audiences) list.append(text(one), arena);
    spec.set("audiences", list, arena);
  }
  // A pointer that kube-apiserver 1.36 writes even where there is nothing.
  if (spec.find("boundObjectRef") == nullptr) spec.set("boundObjectRef", Value(), arena);
  document.root().remove("status");
  set_meta(document, "name", text(call.info.name));
  set_meta(document, "namespace", text(call.info.namespace_name));
  set_meta(document, "creationTimestamp", text(call.now_text()));
}

// How long the token will live, as far as the request says.
seconds shortened_life(Call& call, Value& spec, const TokenIssuer& issuer, Arena& arena) {
  seconds life(spec.get("expirationSeconds").as_int());
  const seconds longest = issuer.longest_life();
  if (longest.count() == 0 || life <= longest) return life;
  call.warnings.push_back(fmt::format("requested expiration of {} seconds shortened to {} seconds",
                                      life.count(), longest.count()));
  spec.set("expirationSeconds", Value::integer(longest.count()), arena);
  return longest;
}

// Whether only the server itself is meant.
bool is_for_server(const TokenIssuer::Order& order, const TokenIssuer& issuer) {
  return std::ranges::any_of(order.audiences, [&](const std::string& one) {
    return std::ranges::find(issuer.audiences(), one) != issuer.audiences().end();
  });
}

}  // namespace

AnswerTask<http::Response> create_token(Core& core, Call& call, EndpointPtr requests) {
  const TokenIssuer* issuer = core.token_issuer;
  if (issuer == nullptr) co_return refuse(Status::method_not_supported());
  STRAKE_CO_TRY(const WriteOptions options, read_write_options(call.query, "CreateOptions"));
  STRAKE_CO_TRY(Document document, co_await read_request(core, call, requests, options));
  AdmissionRequest asked{.phase = AdmissionRequest::Phase::kMutating,
                         .operation = AdmissionRequest::Operation::kCreate,
                         .name = call.info.name,
                         .subresource = kSubresource,
                         .object = &document,
                         .dry_run = options.dry_run};
  Eventual<> admitted = core.admission->admit(call, asked);
  STRAKE_CO_CHECK(admitted.must_wait() ? co_await admitted.wait() : admitted.take());
  STRAKE_CO_CHECK(check_name(call, document));
  STRAKE_CO_TRY(const Subject account, find_subject(core, call.group_resource(),
                                                    call.info.namespace_name, call.info.name));
  complete(call, document, issuer->audiences());
  STRAKE_CO_CHECK(check_request(call, document, requests));
  asked.phase = AdmissionRequest::Phase::kValidating;
  Eventual<> validated = core.admission->admit(call, asked);
  STRAKE_CO_CHECK(validated.must_wait() ? co_await validated.wait() : validated.take());

  Arena& arena = document.arena();
  Value& spec = document.root().object_at("spec", arena);
  TokenIssuer::Order order{.namespace_name = call.info.namespace_name,
                           .account = account.reference,
                           .audiences = audiences_of(spec),
                           .now = call.now,
                           .id = new_uid()};
  if (const Value& reference = spec.get("boundObjectRef"); reference.is_object())
    STRAKE_CO_CHECK(bind(core, reference, order));
  const seconds life = shortened_life(call, spec, *issuer, arena);
  order.life = life;
  if (order.pod && life == kInjectedLife && is_for_server(order, *issuer)) {
    order.warn_after = life;
    order.life = kExtendedLife;
  }
  const auto issue = [&]() -> Answer<std::string> {
    Result<std::string> token = issuer->issue(order);
    if (!token)
      return refuse(
          Status::raw_error(fmt::format("failed to generate token: {}", token.error().message())));
    return *std::move(token);
  };
  STRAKE_CO_TRY(const std::string token, co_await by_worker(core, issue));
  Value status = Value::object({});
  status.set("token", Value::string(arena.copy(token)), arena);
  status.set("expirationTimestamp",
             Value::string(arena.copy(format_rfc3339(Instant::from(call.now + life)))), arena);
  document.root().set("status", status, arena);
  const AsKind as_request(call, std::move(requests));
  co_return object_response(call, 201, encode_with_version(document, 0));
}

}  // namespace strake::api
