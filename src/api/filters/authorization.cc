#include "api/filters/authorization.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "meta/names.h"
#include "meta/selectors.h"

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

// A list or watch of one name is authorized as a request for that object: the name. Empty for every
// other request.
std::string selected_name(const Call& call) {
  const RequestInfo& info = call.info;
  if (!info.name.empty() || (info.verb != "list" && info.verb != "watch")) return {};
  const auto text = call.query.get("fieldSelector");
  if (!text) return {};
  const auto selector = meta::FieldSelector::parse(*text);
  if (!selector) return {};
  const auto name = selector->required_value("metadata.name");
  return name && meta::check_path_segment_name(*name).empty() ? std::string(*name) : std::string();
}

Passage check(const Call& call, const RequestInfo& asked, const Authorizer& authorizer) {
  const Authorizer::Decision decision = authorizer.authorize(*call.user, asked);
  if (decision.allowed) return {};
  const std::string why = refusal_text(*call.user, asked, decision.reason);
  if (!asked.is_resource) return refuse(Status::forbidden({}, "", why));
  return refuse(Status::forbidden({asked.group, asked.resource}, asked.name, why));
}

}  // namespace

Passage AuthorizationStage::enter(Call& call) {
  std::string name = selected_name(call);
  if (name.empty()) return check(call, call.info, authorizer_);
  RequestInfo asked = call.info;
  asked.name = std::move(name);
  return check(call, asked, authorizer_);
}

}  // namespace strake::api
