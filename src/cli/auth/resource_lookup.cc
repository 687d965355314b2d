#include "cli/auth/resource_lookup.h"

#include <algorithm>
#include <optional>

#include "meta/names.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::cli {
namespace {

using value::text_of;
using value::Value;

// What API servers since 1.30 answer with; older ones know the second.
constexpr std::string_view kAccept =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

struct WantedResource {
  std::string name;  // in lower case
  std::optional<std::string> group;
  std::string subresource;
};

WantedResource read_name(std::string_view text) {
  WantedResource out;
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) out.subresource = text.substr(slash + 1);
  text = text.substr(0, slash);
  const std::size_t dot = text.find('.');
  if (dot != std::string_view::npos) out.group = text.substr(dot + 1);
  out.name = meta::to_lower_ascii(text.substr(0, dot));
  return out;
}

bool is_called(const Value& resource, const std::string& name) {
  if (name.empty()) return false;
  if (text_of(resource, "resource") == name || text_of(resource, "singularResource") == name)
    return true;
  if (meta::to_lower_ascii(text_of(resource.get("responseKind"), "kind")) == name) return true;
  const Value& shorts = resource.get("shortNames");
  return shorts.is_array() && std::ranges::any_of(shorts.items(), [&](const Value& one) {
           return text_of(one) == name;
         });
}

// The groups stand in the order of their priority, and so do their versions.
std::optional<FoundResource> find_in(const Value& list, const WantedResource& wanted) {
  const Value& groups = list.get("items");
  if (!groups.is_array()) return std::nullopt;
  for (const Value& group : groups.items()) {
    const std::string_view group_name = text_of(group.get("metadata"), "name");
    if (wanted.group && *wanted.group != group_name) continue;
    const Value& versions = group.get("versions");
    if (!versions.is_array()) continue;
    for (const Value& version : versions.items()) {
      const Value& resources = version.get("resources");
      if (!resources.is_array()) continue;
      for (const Value& one : resources.items()) {
        if (!is_called(one, wanted.name)) continue;
        return FoundResource{.group = std::string(group_name),
                             .resource = std::string(text_of(one, "resource")),
                             .subresource = wanted.subresource,
                             .namespaced = text_of(one, "scope") != "Cluster"};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<FoundResource> find_resource(std::string_view core_json, std::string_view groups_json,
                                    std::string_view name) {
  const WantedResource wanted = read_name(name);
  for (const std::string_view json : {core_json, groups_json}) {
    STRAKE_TRY(const value::Document list, value::read_json(json));
    if (auto found = find_in(list.root(), wanted)) return *std::move(found);
  }
  return fail(Code::kNotFound, "the cluster serves no resource \"{}\"", name);
}

Result<FoundResource> find_resource(const kube::Client& cluster, std::string_view name) {
  std::string texts[2];
  for (const std::size_t i : {0, 1}) {
    STRAKE_TRY(http::FetchResponse answer,
               cluster.send({.path = i == 0 ? "/api" : "/apis", .accept = std::string(kAccept)}));
    texts[i] = std::move(answer.body);
  }
  return find_resource(texts[0], texts[1], name);
}

}  // namespace strake::cli
