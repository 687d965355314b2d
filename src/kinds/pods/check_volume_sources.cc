#include "kinds/pods/check_volume_sources.h"

#include <algorithm>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

namespace {

void require_texts(const Value& source, Choices keys, const FieldPath& at, FieldErrors& errors) {
  for (const std::string_view key : keys) require_text(source, key, at, errors);
}

void require_list(const Value& source, std::string_view key, const FieldPath& at,
                  FieldErrors& errors) {
  if (items(source, key).empty()) errors.push_back(FieldError::required(at / key));
}

void check_disk_partition(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const std::int64_t partition = integer(source, "partition");
  // Zero is none: the text is kube-apiserver 1.36's.
  if (partition < 0 || partition > 255)
    add_invalid(at / "partition", Value::integer(partition), range_text(1, 255), errors);
}

void check_named_secret(const Value& source, const FieldPath& at, FieldErrors& errors) {
  if (const Value* secret = member(source, "secretRef"))
    require_text(*secret, "name", at / "secretRef", errors);
}

// --- iSCSI

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool all_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Whether the text has "iqn.2001-04." and something behind it.
bool has_iqn_and_domain(std::string_view text) {
  for (std::size_t at = text.find("iqn."); at != std::string_view::npos;
       at = text.find("iqn.", at + 1)) {
    const std::string_view rest = text.substr(at + 4);
    if (rest.size() > 8 && all_digits(rest.substr(0, 4)) && rest[4] == '-' &&
        all_digits(rest.substr(5, 2)) && rest[7] == '.') {
      return true;
    }
  }
  return false;
}

// iqn.2001-04.com.example:storage: a year and month, a domain, and what the domain calls it. The
// pattern of kube-apiserver 1.36 is not tied to the start of the text.
bool ends_in_iqn(std::string_view name) {
  const std::size_t last_bad = name.find_last_of(",;*&$| \t\n\f\r");
  const std::size_t tail = last_bad == std::string_view::npos ? 0 : last_bad + 1;
  std::size_t domain = 0;  // where the letters, digits, '-' and '.' before this place begin
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    if (is_letter_or_digit(name[i]) || name[i] == '-' || name[i] == '.') continue;
    if (name[i] == ':' && i >= tail && has_iqn_and_domain(name.substr(domain, i - domain)))
      return true;
    domain = i + 1;
  }
  return false;
}

// "eui.", where the dot may be any character, and so many letters and digits.
bool has_fixed_length(std::string_view name, std::size_t length) {
  return name.size() == 4 + length && name[3] != '\n' &&
         std::ranges::all_of(name.substr(4), is_letter_or_digit);
}

void check_initiator(const Value& source, const FieldPath& at, FieldErrors& errors) {
  if (member(source, "initiatorName") == nullptr) return;
  const std::string_view name = value::text_of(source, "initiatorName");
  bool starts_wrong = false;
  if (is_iscsi_name(name, starts_wrong)) return;
  add_invalid(
      at / "initiatorname", name,
      starts_wrong ? "must be valid format starting with iqn, eui, or naa" : "must be valid format",
      errors);
}

// --- Quobyte

// As Go's net.SplitHostPort takes it.
bool is_host_and_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[')) {
    // The bracket must close right before the port.
    if (text.find(']') + 1 != colon) return false;
    host = host.substr(1, host.size() - 2);
    return !host.contains('[') && !host.contains(']');
  }
  return !host.contains(':') && !text.contains('[') && !text.contains(']');
}

}  // namespace

bool is_iscsi_name(std::string_view name, bool& starts_wrong) {
  starts_wrong = false;
  if (name.starts_with("iqn")) return ends_in_iqn(name);
  if (name.starts_with("eui")) return has_fixed_length(name, 16);
  if (name.starts_with("naa")) return has_fixed_length(name, 32);
  starts_wrong = true;
  return false;
}

void check_csi_driver_name(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  constexpr std::size_t kMostBytes = 63;
  if (name.empty()) return errors.push_back(FieldError::required(at));
  if (name.size() > kMostBytes) errors.push_back(FieldError::too_long(at, kMostBytes));
  add_all_invalid(meta::check_dns1123_subdomain(meta::to_lower_ascii(name)), name, at, errors);
}

void check_aws_disk_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "volumeID", at, errors);
  check_disk_partition(source, at, errors);
}

void check_gce_disk_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "pdName", at, errors);
  check_disk_partition(source, at, errors);
}

void check_azure_disk_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_texts(source, {"diskName", "diskURI"}, at, errors);
  check_optional_choice(source, "cachingMode", {"None", "ReadOnly", "ReadWrite"}, at, errors);
  check_optional_choice(source, "kind", {"Dedicated", "Managed", "Shared"}, at, errors);
  if (member(source, "kind") == nullptr) return;
  const std::string_view uri = value::text_of(source, "diskURI");
  const bool managed = value::text_of(source, "kind") == "Managed";
  if (uri.starts_with(managed ? "/subscriptions/" : "https://")) return;
  errors.push_back(not_supported(
      at / "diskURI", uri,
      {managed ? "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/"
                 "microsoft.compute/disks/{disk-id}"
               : "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"}));
}

void check_azure_file_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_texts(source, {"secretName", "shareName"}, at, errors);
}

void check_ceph_fs_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_list(source, "monitors", at, errors);
}

void check_cinder_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "volumeID", at, errors);
  check_named_secret(source, at, errors);
}

void check_fibre_channel_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const bool by_target = !items(source, "targetWWNs").empty();
  const bool by_id = !items(source, "wwids").empty();
  if (!by_target && !by_id) {
    errors.push_back(FieldError::required(at / "targetWWNs",
                                          "must specify either targetWWNs or wwids, but not both"));
  }
  if (!by_target) return;
  if (by_id) {
    add_invalid(at / "targetWWNs", source.get("targetWWNs"),
                "targetWWNs and wwids can not be specified simultaneously", errors);
  }
  if (member(source, "lun") == nullptr) {
    errors.push_back(
        FieldError::required(at / "lun", "lun is required if targetWWNs is specified"));
  }
  check_number_range(source, "lun", 0, 255, at, errors);
}

void check_flex_driver_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "driver", at, errors);
  for (const Member& option : members(source, "options")) {
    const std::string domain =
        "." + meta::to_lower_ascii(option.key.substr(0, option.key.find('/')));
    if (domain.ends_with(".kubernetes.io") || domain.ends_with(".k8s.io")) {
      add_invalid((at / "options").key(option.key), option.key,
                  "kubernetes.io and k8s.io namespaces are reserved", errors);
    }
  }
}

void check_flocker_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const std::string_view name = value::text_of(source, "datasetName");
  const std::string_view uuid = value::text_of(source, "datasetUUID");
  if (name.empty() && uuid.empty()) {
    errors.push_back(FieldError::required(at, "one of datasetName and datasetUUID is required"));
  }
  if (!name.empty() && !uuid.empty()) {
    add_invalid(at, "resource", "datasetName and datasetUUID can not be specified simultaneously",
                errors);
  }
  if (name.contains('/')) add_invalid(at / "datasetName", name, "must not contain '/'", errors);
}

void check_gluster_fs_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_texts(source, {"endpoints", "path"}, at, errors);
}

void check_host_path_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  if (!require_text(source, "path", at, errors)) return;
  check_no_backsteps(value::text_of(source, "path"), at / "path", errors);
  check_optional_choice(source, "type",
                        {"", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File",
                         "FileOrCreate", "Socket"},
                        at, errors);
}

void check_iscsi_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "targetPortal", at, errors);
  if (require_text(source, "iqn", at, errors)) {
    const std::string_view name = value::text_of(source, "iqn");
    bool starts_wrong = false;
    if (!is_iscsi_name(name, starts_wrong)) {
      add_invalid(at / "iqn", name,
                  starts_wrong ? "must be valid format starting with iqn, eui, or naa"
                               : "must be valid format",
                  errors);
    }
  }
  check_number_range(source, "lun", 0, 255, at, errors);
  const bool authenticates =
      value::flag_of(source, "chapAuthDiscovery") || value::flag_of(source, "chapAuthSession");
  if (authenticates && member(source, "secretRef") == nullptr)
    errors.push_back(FieldError::required(at / "secretRef"));
  check_initiator(source, at, errors);
}

void check_nfs_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_texts(source, {"server", "path"}, at, errors);
  const std::string_view path = value::text_of(source, "path");
  if (!path.starts_with('/')) add_invalid(at / "path", path, "must be an absolute path", errors);
}

void check_photon_disk_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "pdID", at, errors);
}

void check_portworx_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "volumeID", at, errors);
}

void check_quobyte_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  constexpr std::string_view kRegistry =
      "must be a host:port pair or multiple pairs separated by commas";
  constexpr std::size_t kTenantBytes = 65;
  const std::string_view registry = value::text_of(source, "registry");
  if (registry.empty()) {
    errors.push_back(FieldError::required(at / "registry", std::string(kRegistry)));
  } else if (value::text_of(source, "tenant").size() >= kTenantBytes) {
    errors.push_back(FieldError::required(
        at / "tenant", "must be a UUID and may not exceed a length of 64 characters"));
  } else {
    for (std::size_t from = 0; from <= registry.size();) {
      const std::size_t comma = std::min(registry.find(',', from), registry.size());
      if (!is_host_and_port(registry.substr(from, comma - from)))
        add_invalid(at / "registry", registry, std::string(kRegistry), errors);
      from = comma + 1;
    }
  }
  require_text(source, "volume", at, errors);
}

void check_rbd_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_list(source, "monitors", at, errors);
  require_text(source, "image", at, errors);
}

void check_scale_io_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_texts(source, {"gateway", "system", "volumeName"}, at, errors);
}

void check_storage_os_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "volumeName", at, errors);
  check_optional_text(source, "volumeName", meta::check_dns1123_label, at, errors);
  check_optional_text(source, "volumeNamespace", meta::check_dns1123_label, at, errors);
  check_named_secret(source, at, errors);
}

void check_vsphere_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "volumePath", at, errors);
}

}  // namespace strake::kinds
