#include "api/filters/authorization.h"

#include <fmt/format.h>

#include "base/quote.h"

namespace strake::api {
namespace {

using meta::Status;

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string refusal_text(const User& user, const RequestInfo& info, std::string_view reason) {
  const std::string who = html_escaped(quote(user.name));
  std::string out;
  if (!info.is_resource) {
    out = fmt::format("User {} cannot {} path {}", who, info.verb, quote(info.path));
  } else {
    const std::string resource = info.subresource.empty()
                                     ? info.resource
                                     : fmt::format("{}/{}", info.resource, info.subresource);
    out = fmt::format("User {} cannot {} resource {} in API group {}", who, info.verb,
                      quote(resource), quote(info.group));
    out += info.namespace_name.empty() || info.resource == "namespaces"
               ? std::string(" at the cluster scope")
               : fmt::format(" in the namespace {}", quote(info.namespace_name));
  }
  if (!reason.empty()) out += fmt::format(": {}", reason);
  return out;
}

}  // namespace

Passage AuthorizationStage::enter(Call& call) {
  const Authorizer::Decision decision = authorizer_.authorize(*call.user, call.info);
  if (decision.allowed) return {};
  const std::string why = refusal_text(*call.user, call.info, decision.reason);
  if (!call.info.is_resource) return refuse(Status::forbidden({}, "", why));
  return refuse(Status::forbidden({call.info.group, call.info.resource}, call.info.name, why));
}

}  // namespace strake::api
