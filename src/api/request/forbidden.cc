#include "api/request/forbidden.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "meta/names.h"
#include "meta/selectors.h"

namespace strake::api {
namespace {

using meta::Status;

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
    out += info.namespace_name.empty()
               ? std::string(" at the cluster scope")
               : fmt::format(" in the namespace {}", quote(info.namespace_name));
  }
  if (!reason.empty()) out += fmt::format(": {}", reason);
  return out;
}

}  // namespace

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

std::optional<RequestInfo> request_for_one(const Call& call) {
  const RequestInfo& info = call.info;
  if (!info.name.empty() || (info.verb != "list" && info.verb != "watch")) return std::nullopt;
  if (info.selectors == nullptr) return std::nullopt;
  const auto selector = meta::FieldSelector::parse(call.query.get("fieldSelector").value_or(""));
  if (!selector) return std::nullopt;
  const auto name = selector->required_value("metadata.name");
  if (!name || name->empty() || !meta::check_path_segment_name(*name).empty()) return std::nullopt;
  RequestInfo out = info;
  out.name = *name;
  return out;
}

Status forbidden(const User& user, const RequestInfo& info, std::string_view reason) {
  const std::string why = refusal_text(user, info, reason);
  if (!info.is_resource) return Status::forbidden({}, "", why);
  return Status::forbidden({info.group, info.resource}, info.name, why);
}

}  // namespace strake::api
