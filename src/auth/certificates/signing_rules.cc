#include "auth/certificates/signing_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/request/pending_questions.h"
#include "base/base64.h"
#include "base/quote.h"
#include "http/pki.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

using api::Answer;
using api::Call;
using meta::Status;
using value::text_of;
using value::Value;

constexpr std::string_view kCertificates = "certificates.k8s.io";

bool same_status(const Value& a, const Value& b, std::string_view key) {
  return value::identical(a.get("status").get(key), b.get("status").get(key));
}

// For the signer itself, or for all of its domain.
bool may_sign(const api::Authorizer& authorizer, const api::User& user, std::string_view verb,
              std::string_view signer) {
  const auto allowed = [&](std::string name) {
    api::RequestInfo asked;
    asked.is_resource = true;
    asked.verb = verb;
    asked.group = kCertificates;
    asked.version = "*";
    asked.resource = "signers";
    asked.name = std::move(name);
    return authorizer.authorize(user, asked).allowed;
  };
  return allowed(std::string(signer)) ||
         allowed(fmt::format("{}/*", signer.substr(0, signer.find('/'))));
}

}  // namespace

api::Eventual<> SigningRules::admit(Call& call, const api::AdmissionRequest& request) const {
  using Operation = api::AdmissionRequest::Operation;
  if (request.phase != api::AdmissionRequest::Phase::kValidating || request.object == nullptr ||
      call.info.group != kCertificates || call.info.resource != "certificatesigningrequests") {
    return Answer<>();
  }
  if (request.operation == Operation::kCreate && request.subresource.empty())
    return check_create(call, request);
  if (request.operation != Operation::kUpdate || request.old == nullptr) return Answer<>();
  if (request.subresource == "approval") return check_right(call, request, "approve");
  // A status that changes neither the certificate nor the conditions is nobody's signature.
  if (request.subresource == "status" &&
      (!same_status(request.object->root(), *request.old, "certificate") ||
       !same_status(request.object->root(), *request.old, "conditions"))) {
    return check_right(call, request, "sign");
  }
  return Answer<>();
}

Answer<> SigningRules::check_create(const Call& call, const api::AdmissionRequest& request) const {
  const Value& spec = request.object->root().get("spec");
  const std::string_view encoded = text_of(spec, "request");
  const Result<std::string> pem = base64_decode(encoded);
  const auto asked = pem ? http::read_request(*pem) : fail(Code::kParse, "not base64");
  if (!asked) {
    value::FieldErrors errors;
    errors.push_back(value::FieldError::invalid(FieldPath() / "spec" / "request",
                                                Value::string(encoded), asked.error().message()));
    return api::refuse(Status::invalid(call.resource().group_kind(), request.name, errors));
  }
  if (text_of(spec, "signerName") != kClientSigner) return {};
  if (std::ranges::find(asked->organizations, "system:masters") == asked->organizations.end())
    return {};
  return api::refuse(Status::forbidden(
      call.group_resource(), request.name,
      fmt::format("use of {} signer with system:masters group is not allowed", kClientSigner)));
}

api::Eventual<> SigningRules::check_right(const Call& call, const api::AdmissionRequest& request,
                                          std::string_view verb) const {
  return api::check_rights(
      authorizer_, call, [&call, request, verb](const api::Authorizer& authorizer) -> Answer<> {
        const std::string_view signer = text_of(request.old->get("spec"), "signerName");
        if (may_sign(authorizer, *call.user, verb, signer)) return {};
        return api::refuse(
            Status::forbidden(call.group_resource(), request.name,
                              fmt::format("user not permitted to {} requests with signerName {}",
                                          verb, quote(signer))));
      });
}

}  // namespace strake::auth
