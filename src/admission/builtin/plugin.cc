#include "admission/builtin/plugin.h"

namespace strake::admission {

std::vector<std::span<const Plugin>> all_plugins() {
  return {pod_plugins(), storage_plugins(), cluster_plugins()};
}

std::optional<value::Document> StoredObjects::find(std::string_view group, std::string_view plural,
                                                   std::string_view namespace_name,
                                                   std::string_view name) const {
  const api::EndpointPtr endpoint = registry_.find(group, plural);
  if (!endpoint || name.empty()) return std::nullopt;
  const api::ObjectPtr object = endpoint->cache().get(endpoint->key(namespace_name, name));
  if (!object) return std::nullopt;
  auto document = api::parse_stored(*object->bytes());
  return document ? std::optional(*std::move(document)) : std::nullopt;
}

std::vector<value::Document> StoredObjects::all(std::string_view group, std::string_view plural,
                                                std::string_view namespace_name) const {
  std::vector<value::Document> out;
  const api::EndpointPtr endpoint = registry_.find(group, plural);
  if (!endpoint) return out;
  for (const api::ObjectPtr& one :
       endpoint->cache().list(endpoint->key_prefix(namespace_name)).objects) {
    if (auto document = api::parse_stored(*one->bytes())) out.push_back(*std::move(document));
  }
  return out;
}

std::unexpected<meta::Status> PluginRequest::forbid(std::string_view why) const {
  return api::refuse(meta::Status::forbidden(call.group_resource(), request.name, why));
}

api::Answer<> PluginRequest::forbid_if(const std::optional<std::string>& why) const {
  if (!why || why->empty()) return {};
  return forbid(*why);
}

}  // namespace strake::admission
