#include "kinds/storage/volume_sources.h"

#include <array>
#include <string>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/storage/host_port.h"
#include "kinds/storage/volume_fields.h"
#include "meta/names.h"

namespace strake::kinds {
namespace persistent_sources {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

using Check = void (*)(const Value& source, const FieldPath& at, FieldErrors& errors);

bool is_empty(const Value& source, std::string_view key) {
  const Value* found = member(source, key);
  return found == nullptr || found->size() == 0;
}

void require(const Value& source, std::string_view key, const FieldPath& at, FieldErrors& errors) {
  if (is_empty(source, key)) errors.push_back(FieldError::required(at / key));
}

void check_range(std::int64_t number, const FieldPath& at, std::string_view range,
                 FieldErrors& errors) {
  if (number < 0 || number > 255)
    errors.push_back(FieldError::invalid(at, Value::integer(number), std::string(range)));
}

bool has_backstep(std::string_view path) {
  for (;;) {
    const std::size_t slash = path.find('/');
    if (path.substr(0, slash) == "..") return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

void check_no_backstep(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const std::string_view path = text_of(source, "path");
  if (has_backstep(path)) {
    errors.push_back(
        FieldError::invalid(at / "path", Value::string(path), "must not contain '..'"));
  }
}

void check_host_path(const Value& source, const FieldPath& at, FieldErrors& errors) {
  if (is_empty(source, "path")) return;
  check_no_backstep(source, at, errors);
  check_one_of(source, "type",
               {"", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File",
                "FileOrCreate", "Socket"},
               at, errors);
}

void check_partition(const Value& source, const FieldPath& at, FieldErrors& errors) {
  check_range(integer(source, "partition"), at / "partition",
              "must be between 1 and 255, inclusive", errors);
}

void check_glusterfs(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const Value* name_space = member(source, "endpointsNamespace");
  if (name_space == nullptr) return;
  const FieldPath here = at / "endpointsNamespace";
  const std::string_view text = value::text_of(*name_space);
  if (text.empty()) {
    errors.push_back(FieldError::invalid(
        here, *name_space, "if the endpointnamespace is set, it must be a valid namespace name"));
  } else {
    add_messages(meta::check_dns1123_label(text), text, here, errors);
  }
}

void check_flocker(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const std::string_view name = text_of(source, "datasetName");
  const bool has_uuid = !is_empty(source, "datasetUUID");
  if (name.empty() && !has_uuid)
    errors.push_back(FieldError::required(at, "one of datasetName and datasetUUID is required"));
  if (!name.empty() && has_uuid) {
    errors.push_back(
        FieldError::invalid(at, Value::string("resource"),
                            "datasetName and datasetUUID can not be specified simultaneously"));
  }
  if (name.contains('/')) {
    errors.push_back(
        FieldError::invalid(at / "datasetName", Value::string(name), "must not contain '/'"));
  }
}

void check_nfs(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const std::string_view path = text_of(source, "path");
  if (!path.starts_with('/')) {
    errors.push_back(
        FieldError::invalid(at / "path", Value::string(path), "must be an absolute path"));
  }
}

constexpr std::string_view kHostPorts =
    "must be a host:port pair or multiple pairs separated by commas";

void check_registry(std::string_view registry, const FieldPath& at, FieldErrors& errors) {
  for (std::string_view rest = registry;;) {
    const std::size_t comma = rest.find(',');
    if (!is_host_port(rest.substr(0, comma))) {
      // Each shows the whole text, which may be long.
      if (errors.full()) {
        errors.omit(1);
      } else {
        errors.push_back(FieldError::invalid(at, Value::string(registry), std::string(kHostPorts)));
      }
    }
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
  }
}

void check_quobyte(const Value& source, const FieldPath& at, FieldErrors& errors) {
  constexpr std::size_t kMostTenantBytes = 64;
  const std::string_view registry = text_of(source, "registry");
  if (registry.empty()) {
    errors.push_back(FieldError::required(at / "registry", std::string(kHostPorts)));
  } else if (text_of(source, "tenant").size() > kMostTenantBytes) {
    errors.push_back(FieldError::required(
        at / "tenant", "must be a UUID and may not exceed a length of 64 characters"));
  } else {
    check_registry(registry, at / "registry", errors);
  }
}

// {name, namespace} of a secret, where it is given.
void check_secret(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const Value* secret = member(source, "secretRef");
  if (secret == nullptr) return;
  require(*secret, "name", at / "secretRef", errors);
  require(*secret, "namespace", at / "secretRef", errors);
}

void check_fc(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const bool has_names = !is_empty(source, "targetWWNs");
  const bool has_ids = !is_empty(source, "wwids");
  if (!has_names && !has_ids) {
    errors.push_back(FieldError::required(at / "targetWWNs",
                                          "must specify either targetWWNs or wwids, but not both"));
  }
  if (!has_names) return;
  if (has_ids) {
    errors.push_back(
        FieldError::invalid(at / "targetWWNs", source.get("targetWWNs"),
                            "targetWWNs and wwids can not be specified simultaneously"));
  }
  if (const Value* lun = member(source, "lun")) {
    check_range(lun->as_int(), at / "lun", "must be between 0 and 255, inclusive", errors);
  } else {
    errors.push_back(
        FieldError::required(at / "lun", "lun is required if targetWWNs is specified"));
  }
}

void check_flex_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  for (const value::Member& option : members(source, "options")) {
    const std::string domain =
        "." + meta::to_lower_ascii(option.key.substr(0, option.key.find('/')));
    if (!domain.ends_with(".kubernetes.io") && !domain.ends_with(".k8s.io")) continue;
    errors.push_back(FieldError::invalid((at / "options").key(option.key),
                                         Value::string(option.key),
                                         "kubernetes.io and k8s.io namespaces are reserved"));
  }
}

void check_azure_file(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const Value* name_space = member(source, "secretNamespace");
  if (name_space != nullptr && name_space->size() == 0)
    errors.push_back(FieldError::required(at / "secretNamespace"));
}

void check_azure_disk(const Value& source, const FieldPath& at, FieldErrors& errors) {
  constexpr std::string_view kManaged = "Managed";
  check_one_of(source, "cachingMode", {"None", "ReadOnly", "ReadWrite"}, at, errors);
  check_one_of(source, "kind", {"Dedicated", kManaged, "Shared"}, at, errors);
  if (member(source, "kind") == nullptr) return;
  const std::string_view uri = text_of(source, "diskURI");
  if (text_of(source, "kind") == kManaged) {
    if (!uri.starts_with("/subscriptions/")) {
      errors.push_back(
          not_supported(at / "diskURI", uri,
                        {"/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/"
                         "microsoft.compute/disks/{disk-id}"}));
    }
  } else if (!uri.starts_with("https://")) {
    errors.push_back(not_supported(
        at / "diskURI", uri,
        {"https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"}));
  }
}

void check_storage_os(const Value& source, const FieldPath& at, FieldErrors& errors) {
  for (const std::string_view key : {"volumeName", "volumeNamespace"}) {
    const std::string_view name = text_of(source, key);
    if (!name.empty()) add_messages(meta::check_dns1123_label(name), name, at / key, errors);
  }
  check_secret(source, at, errors);
}

void check_csi_secret(const Value& source, std::string_view key, const FieldPath& at,
                      FieldErrors& errors) {
  const Value* secret = member(source, key);
  if (secret == nullptr) return;
  const FieldPath here = at / key;
  require(*secret, "name", here, errors);
  require(*secret, "namespace", here, errors);
  const std::string_view name = text_of(*secret, "name");
  if (!name.empty()) add_messages(meta::check_dns1123_subdomain(name), name, here / "name", errors);
  const std::string_view name_space = text_of(*secret, "namespace");
  if (!name_space.empty())
    add_messages(meta::check_dns1123_label(name_space), name_space, here / "namespace", errors);
}

void check_csi(const Value& source, const FieldPath& at, FieldErrors& errors) {
  check_driver_name(text_of(source, "driver"), at / "driver", errors);
  // kube-apiserver 1.36 does not look at nodeStageSecretRef.
  for (const std::string_view key : {"controllerPublishSecretRef", "controllerExpandSecretRef",
                                     "nodePublishSecretRef", "nodeExpandSecretRef"})
    check_csi_secret(source, key, at, errors);
}

struct Rule {
  std::string_view member;
  std::array<std::string_view, 3> required;
  Check check = nullptr;
};
constexpr Rule kRules[] = {{"hostPath", {"path"}, check_host_path},
                           {"gcePersistentDisk", {"pdName"}, check_partition},
                           {"awsElasticBlockStore", {"volumeID"}, check_partition},
                           {"glusterfs", {"endpoints", "path"}, check_glusterfs},
                           {"flocker", {}, check_flocker},
                           {"nfs", {"server", "path"}, check_nfs},
                           {"rbd", {"monitors", "image"}},
                           {"quobyte", {"volume"}, check_quobyte},
                           {"cephfs", {"monitors"}},
                           {"cinder", {"volumeID"}, check_secret},
                           {"fc", {}, check_fc},
                           {"flexVolume", {"driver"}, check_flex_volume},
                           {"azureFile", {"secretName", "shareName"}, check_azure_file},
                           {"vsphereVolume", {"volumePath"}},
                           {"photonPersistentDisk", {"pdID"}},
                           {"portworxVolume", {"volumeID"}},
                           {"azureDisk", {"diskName", "diskURI"}, check_azure_disk},
                           {"scaleIO", {"gateway", "system", "volumeName"}},
                           {"local", {"path"}, check_no_backstep},
                           {"storageos", {"volumeName"}, check_storage_os},
                           {"csi", {"volumeHandle"}, check_csi}};

constexpr VolumeSource kSources[] = {
    {"hostPath", "hostPath", "hostPath"},
    {"gcePersistentDisk", "persistentDisk", "gcePersistentDisk"},
    {"awsElasticBlockStore", "awsElasticBlockStore", "awsElasticBlockStore"},
    {"glusterfs", "glusterfs", "glusterfs"},
    {"flocker", "flocker", "flocker"},
    {"nfs", "nfs", "nfs"},
    {"rbd", "rbd", "rbd"},
    {"quobyte", "quobyte", "quobyte"},
    {"cephfs", "cephfs", "cephFS"},
    {"iscsi", "iscsi", "iscsi"},
    {"cinder", "cinder", "cinder"},
    {"fc", "fc", "fc"},
    {"flexVolume", "flexVolume", "flexVolume", true},
    {"azureFile", "azureFile", "azureFile"},
    {"vsphereVolume", "vsphereVolume", "vsphereVolume"},
    {"photonPersistentDisk", "photonPersistentDisk", "photonPersistentDisk"},
    {"portworxVolume", "portworxVolume", "portworxVolume"},
    {"azureDisk", "azureDisk", "azureDisk"},
    {"scaleIO", "scaleIO", "scaleIO"},
    {"local", "local", "local"},
    {"storageos", "storageos", "storageos"},
    {"csi", "csi", "csi"}};

struct TextDefault {
  std::string_view source;
  std::string_view key;
  std::string_view text;
  bool when_empty = true;  // and not only when absent
};
constexpr TextDefault kTextDefaults[] = {{"hostPath", "type", "", false},
                                         {"rbd", "pool", "rbd"},
                                         {"rbd", "user", "admin"},
                                         {"rbd", "keyring", "/etc/ceph/keyring"},
                                         {"iscsi", "iscsiInterface", "default"},
                                         {"azureDisk", "cachingMode", "ReadWrite", false},
                                         {"azureDisk", "fsType", "ext4", false},
                                         {"azureDisk", "kind", "Shared", false},
                                         {"scaleIO", "storageMode", "ThinProvisioned"},
                                         {"scaleIO", "fsType", "xfs"}};

}  // namespace
}  // namespace persistent_sources

using value::FieldErrors;
using value::Value;

std::span<const VolumeSource> persistent_volume_sources() { return persistent_sources::kSources; }

void check_volume_source(std::string_view name, const Value& source, const FieldPath& at,
                         FieldErrors& errors) {
  for (const persistent_sources::Rule& rule : persistent_sources::kRules) {
    if (rule.member != name) continue;
    for (const std::string_view key : rule.required) {
      if (!key.empty()) persistent_sources::require(source, key, at, errors);
    }
    if (rule.check != nullptr) rule.check(source, at, errors);
  }
}

void apply_volume_source_defaults(Value& spec, Arena& arena) {
  for (const persistent_sources::TextDefault& one : persistent_sources::kTextDefaults) {
    Value* source = spec.find(one.source);
    if (source == nullptr || !source->is_object()) continue;
    const Value* given = member(*source, one.key);
    if (given == nullptr || (one.when_empty && given->size() == 0))
      source->set(one.key, Value::string(one.text), arena);
  }
  Value* azure = spec.find("azureDisk");
  if (azure != nullptr && azure->is_object() && member(*azure, "readOnly") == nullptr)
    azure->set("readOnly", Value::boolean(false), arena);
}

}  // namespace strake::kinds
