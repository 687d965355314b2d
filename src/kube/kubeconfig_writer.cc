#include "kube/kubeconfig_writer.h"

#include "base/base64.h"
#include "value/document.h"
#include "value/yaml_writer.h"

namespace strake::kube {
namespace {

using value::Value;

// [{name: NAME, KEY: content}]
Value named(std::string_view name, std::string_view key, const Value& content, Arena& arena) {
  Value one = Value::object({});
  one.set("name", Value::string(name), arena);
  one.set(key, content, arena);
  Value out = Value::array({});
  out.append(one, arena);
  return out;
}

}  // namespace

Secret write_kubeconfig(const NewKubeconfig& config) {
  value::Document document;
  Arena& arena = document.arena();
  const auto set = [&arena](Value& object, std::string_view key, std::string_view text) {
    if (!text.empty()) object.set(key, Value::string(arena.copy(text)), arena);
  };
  Value cluster = Value::object({});
  set(cluster, "server", config.server);
  set(cluster, "certificate-authority-data", base64_encode(config.ca_pem));
  set(cluster, "tls-server-name", config.tls_server_name);
  set(cluster, "proxy-url", config.proxy_url);
  if (config.insecure) cluster.set("insecure-skip-tls-verify", Value::boolean(true), arena);
  Value context = Value::object({});
  set(context, "cluster", config.cluster);
  set(context, "user", config.user);
  set(context, "namespace", config.namespace_name);
  Value user = Value::object({});
  set(user, "client-certificate-data", base64_encode(config.certificate_pem));
  set(user, "client-key-data", base64_encode(config.key_pem.reveal()));

  Value& root = document.root();
  root = Value::object({});
  set(root, "apiVersion", "v1");
  set(root, "kind", "Config");
  set(root, "current-context", config.context);
  root.set("clusters", named(config.cluster, "cluster", cluster, arena), arena);
  root.set("contexts", named(config.context, "context", context, arena), arena);
  root.set("users", named(config.user, "user", user, arena), arena);
  return Secret(value::to_yaml(root));
}

}  // namespace strake::kube
