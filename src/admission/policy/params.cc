#include "admission/policy/params.h"

#include <fmt/format.h>

namespace strake::admission {

std::expected<ParamEndpoint, std::string> find_param_endpoint(const api::Registry& registry,
                                                              const meta::GroupVersionKind& kind) {
  const api::Registry::SnapshotPtr snapshot = registry.snapshot();
  if (const auto group = snapshot->groups.find(kind.group); group != snapshot->groups.end()) {
    for (const auto& [plural, endpoint] : group->second) {
      if (endpoint->resource().kind != kind.kind || !endpoint->resource().stored()) continue;
      const kinds::ServedVersion* version = endpoint->resource().served_version(kind.version);
      if (version != nullptr) return ParamEndpoint{.endpoint = endpoint, .version = version};
    }
  }
  return std::unexpected(
      fmt::format("failed to find resource referenced by paramKind: '{}/{}, "
                  "Kind={}'",
                  kind.group, kind.version, kind.kind));
}

std::expected<std::vector<api::ObjectPtr>, std::string> find_params(
    const ParamEndpoint& params, const ParamRef& ref, std::string_view namespace_name) {
  const api::Endpoint& endpoint = *params.endpoint;
  std::string_view within = {};
  if (endpoint.resource().namespaced) {
    within = !ref.namespace_name.empty() ? std::string_view(ref.namespace_name) : namespace_name;
    if (within.empty()) {
      return std::unexpected(
          "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
    }
  } else if (!ref.namespace_name.empty()) {
    return std::unexpected(
        "paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  std::vector<api::ObjectPtr> out;
  if (!ref.name.empty()) {
    if (api::ObjectPtr found = endpoint.cache().get(endpoint.key(within, ref.name)))
      out.push_back(std::move(found));
  } else if (ref.selector) {
    if (!*ref.selector) return std::unexpected(ref.selector->error().message());
    for (api::ObjectPtr& one : endpoint.cache().list(endpoint.key_prefix(within)).objects) {
      if (one->matches(**ref.selector)) out.push_back(std::move(one));
    }
  } else {
    return std::unexpected("one of name or selector must be provided");
  }
  if (out.empty() && ref.deny_missing) {
    return std::unexpected(
        "no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return out;
}

}  // namespace strake::admission
