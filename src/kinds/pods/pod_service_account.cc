#include "kinds/pods/pod_service_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/fields.h"
#include "kinds/pods/edit_members.h"
#include "meta/object_meta.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using value::Value;

constexpr std::string_view kMountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
constexpr std::string_view kMountableAnnotation = "kubernetes.io/enforce-mountable-secrets";
// What kube-apiserver 1.36 mounts: a token of an hour (and seven seconds, by which the kubelet
// knows it), the cluster's authority and the pod's namespace.
constexpr std::string_view kSources =
    R"([{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},)"
    R"({"configMap":{"items":[{"key":"ca.crt","path":"ca.crt"}],"name":"kube-root-ca.crt"}},)"
    R"({"downwardAPI":{"items":[{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"},)"
    R"("path":"namespace"}]}}])";
constexpr std::int64_t kTokenFileMode = 0644;

// The pod decides, else the account, else it is mounted.
bool mounts_token(const Value& pod, const Value& account) {
  constexpr std::string_view kKey = "automountServiceAccountToken";
  for (const Value* said : {member(pod, {"spec", kKey}), member(account, kKey)}) {
    if (said != nullptr) return said->is_bool() && said->as_bool();
  }
  return true;
}

Value token_volume(std::string_view name, Arena& arena) {
  const value::Document sources = *value::read_json(kSources);
  Value projected = Value::object({});
  projected.set("defaultMode", Value::integer(kTokenFileMode), arena);
  projected.set("sources", value::deep_copy(sources.root(), arena), arena);
  Value out = Value::object({});
  out.set("name", Value::string(name), arena);
  out.set("projected", projected, arena);
  return out;
}

Value& list_at(Value& holder, std::string_view key, Arena& arena) {
  Value* list = holder.find(key);
  return list != nullptr && list->is_array() ? *list : holder.set(key, Value::array({}), arena);
}

// Gives the containers their mount. False when all of them mount something there already.
bool add_mounts(Value& spec, std::string_view volume_name, Arena& arena) {
  bool added = false;
  for (const std::string_view key : {"initContainers", "containers"}) {
    edit_each(spec, key, [&](Value& container) {
      const bool mounts = std::ranges::any_of(items(container, "volumeMounts"), [](const Value& m) {
        return text_of(m, "mountPath") == kMountPath;
      });
      if (mounts) return;
      Value mount = Value::object({});
      mount.set("mountPath", Value::string(kMountPath), arena);
      mount.set("name", Value::string(volume_name), arena);
      mount.set("readOnly", Value::boolean(true), arena);
      list_at(container, "volumeMounts", arena).append(mount, arena);
      added = true;
    });
  }
  return added;
}

void mount_token(Value& spec, std::string_view new_name, Arena& arena) {
  const auto volumes = items(spec, "volumes");
  const auto mounted = std::ranges::find_if(volumes, [](const Value& one) {
    return text_of(one, "name").starts_with(kTokenVolumePrefix);
  });
  const bool is_new = mounted == volumes.end();
  const std::string_view name = arena.copy(is_new ? new_name : text_of(*mounted, "name"));
  if (add_mounts(spec, name, arena) && is_new)
    list_at(spec, "volumes", arena).append(token_volume(name, arena), arena);
}

std::set<std::string_view> names_in(const Value& object, std::string_view key) {
  std::set<std::string_view> out;
  for (const Value& one : items(object, key)) out.insert(text_of(one, "name"));
  return out;
}

// The fault of the first secret that a container reads and the account does not name.
std::string container_fault(const Value& container, const std::set<std::string_view>& allowed,
                            std::string_view what, std::string_view account) {
  for (const Value& one : items(container, "env")) {
    const Value* secret = member(one, {"valueFrom", "secretKeyRef"});
    if (secret == nullptr || allowed.contains(text_of(*secret, "name"))) continue;
    return fmt::format(
        "{} {} with envVar {} referencing secret.secretName=\"{}\" is not allowed because service "
        "account {} does not reference that secret",
        what, text_of(container, "name"), text_of(one, "name"), text_of(*secret, "name"), account);
  }
  for (const Value& one : items(container, "envFrom")) {
    const Value* secret = member(one, "secretRef");
    if (secret == nullptr || allowed.contains(text_of(*secret, "name"))) continue;
    return fmt::format(
        "{} {} with envFrom referencing secret.secretName=\"{}\" is not allowed because service "
        "account {} does not reference that secret",
        what, text_of(container, "name"), text_of(*secret, "name"), account);
  }
  return {};
}

std::string containers_fault(const Value& spec, std::string_view key, std::string_view what,
                             const std::set<std::string_view>& allowed, std::string_view account) {
  for (const Value& one : items(spec, key)) {
    if (std::string fault = container_fault(one, allowed, what, account); !fault.empty())
      return fault;
  }
  return {};
}

std::string volumes_fault(const Value& spec, const std::set<std::string_view>& allowed,
                          std::string_view account) {
  for (const Value& one : items(spec, "volumes")) {
    const Value* secret = member(one, "secret");
    if (secret == nullptr || allowed.contains(text_of(*secret, "secretName"))) continue;
    return fmt::format(
        "volume with secret.secretName=\"{}\" is not allowed because service account {} does not "
        "reference that secret",
        text_of(*secret, "secretName"), account);
  }
  return {};
}

std::string pull_fault(const Value& spec, const Value& account, std::string_view name) {
  const std::set<std::string_view> allowed = names_in(account, "imagePullSecrets");
  const auto given = items(spec, "imagePullSecrets");
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (allowed.contains(text_of(given[i], "name"))) continue;
    return fmt::format(
        "imagePullSecrets[{}].name=\"{}\" is not allowed because service account {} does not "
        "reference that imagePullSecret",
        i, text_of(given[i], "name"), name);
  }
  return {};
}

bool limits_secrets(const Value& account) {
  const Value* annotations = meta::ObjectMeta::of(account).annotations();
  const Value* said = annotations != nullptr ? annotations->find(kMountableAnnotation) : nullptr;
  // What strconv.ParseBool takes for true.
  constexpr std::string_view kTrue[] = {"1", "t", "T", "true", "TRUE", "True"};
  return said != nullptr && std::ranges::find(kTrue, value::text_of(*said)) != std::end(kTrue);
}

}  // namespace

std::string_view service_account_of_pod(const Value& pod) {
  return text_of(pod, {"spec", "serviceAccountName"});
}

void give_service_account(Value& pod, Arena& arena) {
  // Both names of the field are written, as a decoded pod has them.
  Value& spec = pod.object_at("spec", arena);
  for (const std::string_view key : {"serviceAccountName", "serviceAccount"})
    set_if_empty(spec, key, "default", arena);
}

void use_service_account(Value& pod, const Value& account, std::string_view volume_name,
                         Arena& arena) {
  Value& spec = pod.object_at("spec", arena);
  if (mounts_token(pod, account)) mount_token(spec, volume_name, arena);
  const Value* pull_secrets = member(account, "imagePullSecrets");
  if (items(spec, "imagePullSecrets").empty() && pull_secrets != nullptr &&
      !pull_secrets->items().empty()) {
    spec.set("imagePullSecrets", value::deep_copy(*pull_secrets, arena), arena);
  }
}

std::optional<std::string> mirror_pod_fault(const Value& pod) {
  if (!service_account_of_pod(pod).empty())
    return "a mirror pod may not reference service accounts";
  const auto has_secret = [](const Value& container) {
    return std::ranges::any_of(items(container, "env"),
                               [](const Value& one) {
                                 return member(one, {"valueFrom", "secretKeyRef"}) != nullptr;
                               }) ||
           std::ranges::any_of(items(container, "envFrom"), [](const Value& one) {
             return member(one, "secretRef") != nullptr;
           });
  };
  const Value& spec = pod.get("spec");
  bool secrets = !items(spec, "imagePullSecrets").empty();
  for (const std::string_view key : {"containers", "initContainers", "ephemeralContainers"})
    secrets = secrets || std::ranges::any_of(items(spec, key), has_secret);
  bool token = false;
  for (const Value& volume : items(spec, "volumes")) {
    secrets = secrets || member(volume, "secret") != nullptr;
    for (const Value& source : items(volume.get("projected"), "sources"))
      token = token || member(source, "serviceAccountToken") != nullptr;
  }
  if (secrets) return "a mirror pod may not reference secrets";
  if (token) return "a mirror pod may not use ServiceAccountToken volume projections";
  return std::nullopt;
}

std::optional<std::string> service_account_fault(const Value& pod, const Value& account,
                                                 bool is_create) {
  if (!limits_secrets(account)) return std::nullopt;
  const std::set<std::string_view> allowed = names_in(account, "secrets");
  const std::string_view name = meta::ObjectMeta::of(account).name();
  const Value& spec = pod.get("spec");
  std::string fault;
  if (is_create) {
    fault = volumes_fault(spec, allowed, name);
    if (fault.empty())
      fault = containers_fault(spec, "initContainers", "init container", allowed, name);
    if (fault.empty()) fault = containers_fault(spec, "containers", "container", allowed, name);
    if (fault.empty()) fault = pull_fault(spec, account, name);
  } else {
    fault = containers_fault(spec, "ephemeralContainers", "ephemeral container", allowed, name);
  }
  return fault.empty() ? std::nullopt : std::optional(std::move(fault));
}

}  // namespace strake::kinds
