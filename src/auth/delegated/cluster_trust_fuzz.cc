// Any text as the ConfigMap of a main server: what is read of it is complete and can be written and
// read again, and what is refused is refused with the name of the key.
#include <cstdint>
#include <string_view>

#include "auth/authentication_config_map.h"
#include "auth/delegated/cluster_trust.h"
#include "base/assert.h"
#include "value/document.h"
#include "value/json_reader.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document =
      value::read_json(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!document) return 0;
  const auto trust = auth::ClusterTrust::read(document->root());
  if (!trust) {
    STRAKE_ASSERT(trust.error().message().starts_with("ConfigMap kube-system/"));
    return 0;
  }
  STRAKE_ASSERT(trust->or_else({}) == *trust);
  STRAKE_ASSERT(auth::ClusterTrust().or_else(*trust) == *trust);
  const auto proxy = trust->front_proxy();
  STRAKE_ASSERT(proxy.has_value() == trust->proxy_ca_pem.has_value());
  if (!proxy || !trust->client_ca_pem) return 0;
  // What this server would tell others of it says the same.
  value::Document again;
  value::Value& values = again.root() = value::Value::object({});
  value::Value map = value::Value::object({});
  for (const auto& [key, text] :
       auth::authentication_data(*trust->client_ca_pem, *trust->proxy_ca_pem, &*proxy))
    map.set(again.arena().copy(key), value::Value::string(again.arena().copy(text)), again.arena());
  values.set("data", map, again.arena());
  const auto twice = auth::ClusterTrust::read(again.root());
  STRAKE_ASSERT(twice.has_value());
  const auto same = twice->front_proxy();
  STRAKE_ASSERT(same && same->allowed_names == proxy->allowed_names &&
                same->username_headers == proxy->username_headers &&
                same->uid_headers == proxy->uid_headers &&
                same->group_headers == proxy->group_headers &&
                same->extra_prefixes == proxy->extra_prefixes);
  return 0;
}
