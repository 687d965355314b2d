#include "kinds/pods/check_volumes.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/quote.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/pods/check_containers.h"
#include "kinds/pods/check_file_volumes.h"
#include "kinds/pods/check_values.h"
#include "kinds/pods/check_volume_sources.h"
#include "kinds/resource_names.h"
#include "kinds/storage/claim_spec.h"
#include "meta/label_checks.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// --- sources that only pods have

void check_empty_dir_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const Value* limit = member(source, "sizeLimit");
  if (limit == nullptr || amount_of(*limit).sign() >= 0) return;
  errors.push_back(
      FieldError::forbidden(at / "sizeLimit", "SizeLimit field must be a valid resource quantity"));
}

void check_git_repo_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "repository", at, errors);
  check_relative_path(value::text_of(source, "directory"), at / "directory", errors);
}

void check_claim_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "claimName", at, errors);
}

void check_csi_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  check_csi_driver_name(value::text_of(source, "driver"), at / "driver", errors);
  const Value* secret = member(source, "nodePublishSecretRef");
  if (secret == nullptr || !require_text(*secret, "name", at / "nodePublishSecretRef", errors))
    return;
  const std::string_view name = value::text_of(*secret, "name");
  // Named so by kube-apiserver 1.36.
  add_all_invalid(meta::check_dns1123_subdomain(name), name, at / "name", errors);
}

// Of a claim template only labels and annotations are used: nothing else may be set. Named as the
// fields of Go with a small first letter.
void check_claim_metadata(const Value& metadata, const FieldPath& at, FieldErrors& errors) {
  errors.append(meta::validate_annotations(metadata.get("annotations"), at, "annotations"));
  check_labels(members(metadata, "labels"), at / "labels", errors);
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"name", "name"},
      {"generateName", "generateName"},
      {"namespace", "namespace"},
      {"selfLink", "selfLink"},
      {"uid", "uID"},
      {"resourceVersion", "resourceVersion"},
      {"generation", "generation"},
      {"creationTimestamp", "creationTimestamp"},
      {"deletionTimestamp", "deletionTimestamp"},
      {"deletionGracePeriodSeconds", "deletionGracePeriodSeconds"},
      {"ownerReferences", "ownerReferences"},
      {"finalizers", "finalizers"},
      {"managedFields", "managedFields"}};
  for (const auto& [key, shown] : kOthers) {
    const Value* given = member(metadata, key);
    if (given == nullptr) continue;
    const bool is_zero = key == "generation" ? integer(metadata, key) == 0
                                             : given->is_string() && given->size() == 0;
    if (!is_zero) errors.push_back(FieldError::forbidden(at / shown, "cannot be set"));
  }
}

void check_ephemeral_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const Value* claim = member(source, "volumeClaimTemplate");
  if (claim == nullptr) return errors.push_back(FieldError::required(at / "volumeClaimTemplate"));
  const FieldPath here = at / "volumeClaimTemplate";
  check_claim_metadata(claim->get("metadata"), here / "metadata", errors);
  check_claim_spec(claim->get("spec"), here / "spec", errors);
}

struct SourceKind {
  std::string_view key;
  VolumeSourceCheck check;                // null for those below that need more than the source
  std::string_view named = {};            // in the errors of the check, where that is not the key
  std::string_view named_when_more = {};  // where there is another source already
};
// In the order in which kube-apiserver 1.36 looks for them, with its names.
constexpr SourceKind kVolumeSources[] = {
    {"emptyDir", check_empty_dir_volume},
    {"hostPath", check_host_path_volume},
    {"gitRepo", check_git_repo_volume},
    {"gcePersistentDisk", check_gce_disk_volume, "persistentDisk"},
    {"awsElasticBlockStore", check_aws_disk_volume},
    {"secret", check_secret_volume},
    {"nfs", check_nfs_volume},
    {"iscsi", check_iscsi_volume},
    {"glusterfs", check_gluster_fs_volume},
    {"flocker", check_flocker_volume},
    {"persistentVolumeClaim", check_claim_volume},
    {"rbd", check_rbd_volume},
    {"cinder", check_cinder_volume},
    {"cephfs", check_ceph_fs_volume, {}, "cephFS"},
    {"quobyte", check_quobyte_volume},
    {"downwardAPI", check_downward_volume, {}, "downwarAPI"},
    {"fc", check_fibre_channel_volume},
    {"flexVolume", check_flex_driver_volume},
    {"configMap", check_config_map_volume},
    {"azureFile", check_azure_file_volume},
    {"vsphereVolume", check_vsphere_volume},
    {"photonPersistentDisk", check_photon_disk_volume},
    {"portworxVolume", check_portworx_volume},
    {"azureDisk", check_azure_disk_volume},
    {"storageos", check_storage_os_volume},
    {"projected", nullptr},
    {"scaleIO", check_scale_io_volume},
    {"csi", check_csi_volume},
    {"ephemeral", nullptr},
    {"image", nullptr},
};

// The volumes of one pod.
class Volumes {
 public:
  Volumes(PodScope& pod, const Value* metadata, FieldErrors& errors) : pod_(pod), errors_(errors) {
    if (metadata != nullptr) pod_name_ = value::text_of(*metadata, "name");
    if (pod_name_.empty()) return;
    for (const Value& volume : items(pod.spec, "volumes")) {
      if (member(volume, "ephemeral") != nullptr)
        made_claims_.insert(claim_of(value::text_of(volume, "name")));
    }
  }

  void check(const Value& volume, const FieldPath& at) {
    const std::uint64_t before = count_of(errors_);
    check_source(volume, at);
    const std::string_view name = value::text_of(volume, "name");
    require_text(volume, "name", at, errors_);
    check_optional_text(volume, "name", meta::check_dns1123_label, at, errors_);
    if (pod_.volumes.contains(name))
      errors_.push_back(FieldError::duplicate(at / "name", Value::string(name)));
    // A bad one is not there for containers, nor does it take its name.
    if (count_of(errors_) == before) pod_.volumes.emplace(name, &volume);
    check_no_made_claim(volume, at);
  }

 private:
  // The claim that is made for an ephemeral volume.
  std::string claim_of(std::string_view volume) const {
    return fmt::format("{}-{}", pod_name_, volume);
  }

  void check_source(const Value& volume, const FieldPath& at) {
    bool any = false;
    for (const SourceKind& kind : kVolumeSources) {
      const Value* source = member(volume, kind.key);
      if (source == nullptr) continue;
      if (any) {
        errors_.push_back(FieldError::forbidden(
            at / (kind.named_when_more.empty() ? kind.key : kind.named_when_more),
            "may not specify more than 1 volume type"));
      } else {
        check_only_source(kind, *source, volume, at);
      }
      any = true;
      if (kind.key == "iscsi") check_iscsi_length(*source, volume, at);
    }
    if (!any) errors_.push_back(FieldError::required(at, "must specify a volume type"));
  }

  void check_only_source(const SourceKind& kind, const Value& source, const Value& volume,
                         const FieldPath& at) {
    const FieldPath here = at / (kind.named.empty() ? kind.key : kind.named);
    if (kind.check != nullptr) return kind.check(source, here, errors_);
    if (kind.key == "projected") return check_projected_volume(source, pod_.allowed, here, errors_);
    if (kind.key == "image") {
      // A template may leave the image out, for who fills it in later.
      if (pod_.is_pod) require_text(source, "reference", here, errors_);
      return check_pull_policy(source, "pullPolicy", here, errors_);
    }
    check_ephemeral_volume(source, here, errors_);
    check_name_of_claim(value::text_of(volume, "name"), at);
  }

  void check_name_of_claim(std::string_view volume, const FieldPath& at) {
    if (pod_name_.empty() || volume.empty()) return;
    const std::string claim = claim_of(volume);
    for (const std::string& message : meta::check_dns1123_subdomain(claim))
      add_invalid(at / "name", volume, fmt::format("PVC name {}: {}", quote(claim), message),
                  errors_);
  }

  void check_iscsi_length(const Value& source, const Value& volume, const FieldPath& at) {
    constexpr std::size_t kMostBytes = 64;
    const std::string_view name = value::text_of(volume, "name");
    const std::size_t size = name.size() + 1 + value::text_of(source, "targetPortal").size();
    if (member(source, "initiatorName") == nullptr || size <= kMostBytes) return;
    add_invalid(at / "name", name,
                "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
                "iscsi.initiatorName is specified.",
                errors_);
  }

  void check_no_made_claim(const Value& volume, const FieldPath& at) {
    const Value* claim = member(volume, "persistentVolumeClaim");
    if (claim == nullptr) return;
    const std::string_view name = value::text_of(*claim, "claimName");
    if (made_claims_.contains(name)) {
      add_invalid(at / "persistentVolumeClaim" / "claimName", name,
                  "must not reference a PVC that gets created for an ephemeral volume", errors_);
    }
  }

  PodScope& pod_;
  FieldErrors& errors_;
  std::string_view pod_name_;  // empty where it is not known
  std::unordered_set<std::string, TextHash, std::equal_to<>> made_claims_;
};

}  // namespace

void check_volumes(PodScope& pod, const Value* metadata, const FieldPath& at, FieldErrors& errors) {
  Volumes volumes(pod, metadata, errors);
  const auto list = items(pod.spec, "volumes");
  for (std::size_t i = 0; i < list.size(); ++i) volumes.check(list[i], at / i);
}

}  // namespace strake::kinds
