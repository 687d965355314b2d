// PersistentVolumes.
#include <fmt/format.h>

#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/node_labels.h"
#include "kinds/storage/persistent_volume_spec.h"
#include "kinds/storage/strategies.h"
#include "kinds/storage/table_cells.h"
#include "kinds/storage/volume_fields.h"
#include "kinds/storage/volume_sources.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kMountOptions = "volume.beta.kubernetes.io/mount-options";
constexpr std::string_view kSince = "lastPhaseTransitionTime";

// The sources whose volumes take mount options by the old annotation.
constexpr std::string_view kMounted[] = {"gcePersistentDisk",
                                         "awsElasticBlockStore",
                                         "glusterfs",
                                         "nfs",
                                         "rbd",
                                         "quobyte",
                                         "iscsi",
                                         "cinder",
                                         "cephfs",
                                         "azureFile",
                                         "vsphereVolume",
                                         "azureDisk",
                                         "photonPersistentDisk"};

bool has_volume_annotation(const Value& object, std::string_view name) {
  return member(object, {"metadata", "annotations", name}) != nullptr;
}

void check_mount_annotation(const Value& object, FieldErrors& errors) {
  for (const std::string_view source : kMounted) {
    if (member(object, {"spec", source}) != nullptr) return;
  }
  if (!has_volume_annotation(object, kMountOptions)) return;
  errors.push_back(FieldError::forbidden(FieldPath() / "metadata" / "annotations" / kMountOptions,
                                         "may not specify mount options for this volume type"));
}

void check_volume(const Value& object, LabelValues affinity_values, FieldErrors& errors) {
  const VolumeSpecOptions options{.volume_name = meta::ObjectMeta::of(object).name(),
                                  .affinity_values = affinity_values};
  check_persistent_volume_spec(object.get("spec"), options, FieldPath() / "spec", errors);
}

LabelValues affinity_values_of(const Value& old) {
  const Value* selector = member(old, {"spec", "nodeAffinity", "required"});
  return selector != nullptr && has_invalid_node_label_value(*selector) ? LabelValues::kAny
                                                                        : LabelValues::kChecked;
}

struct DeprecatedSource {
  std::string_view member;
  std::string_view shown;
  std::string_view message;
};
constexpr DeprecatedSource kDeprecatedSources[] = {
    {"cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"},
    {"photonPersistentDisk", "photonPersistentDisk",
     "deprecated in v1.11, non-functional in v1.16+"},
    {"scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
    {"storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"},
    {"glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
    {"rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"}};

std::string shown_claim(const Value& object) {
  const Value* claim = member(object, {"spec", "claimRef"});
  if (claim == nullptr) return {};
  return fmt::format("{}/{}", text_of(*claim, "namespace"), text_of(*claim, "name"));
}

std::string_view capacity_of(const Value& object) {
  const std::string_view capacity = text_of(object, {"spec", "capacity", kStorage});
  return capacity.empty() ? "0" : capacity;
}

class PersistentVolumeStrategy final : public StatusStrategy {
 public:
  PersistentVolumeStrategy() : StatusStrategy("io.k8s.api.core.v1.PersistentVolume") {
    set_columns({name_column(), text_column("Capacity", "How much the volume holds."),
                 text_column("Access Modes", "All ways in which the volume can be mounted."),
                 text_column("Reclaim Policy", "What becomes of the volume without its claim."),
                 text_column("Status", "Whether the volume is available, bound or released."),
                 text_column("Claim", "The claim that the volume is bound to."),
                 text_column("StorageClass", "StorageClass of the pv"),
                 text_column("VolumeAttributesClass", "VolumeAttributesClass of the pv"),
                 text_column("Reason", "Why the volume is in its phase, in one word."),
                 age_column(),
                 text_column("VolumeMode", "Whether the volume has a file system.", 1)});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    apply_persistent_volume_spec_defaults(object.object_at("spec", arena), arena);
    Value& status = object.object_at("status", arena);
    if (text_of(status, "phase").empty()) status.set("phase", Value::string("Pending"), arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest& request) const override {
    Value status = Value::object({});
    status.set(kSince, Value::string(arena.copy(request.now)), arena);
    status.set("phase", Value::string("Pending"), arena);
    object.set("status", status, arena);
  }

  // The time at which the phase changed is the server's to say unless the client does.
  void prepare_status(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    StatusStrategy::prepare_status(object, old, arena, request);
    Value& status = object.object_at("status", arena);
    const Value& before = old.get("status");
    const bool says_when = member(status, kSince) != nullptr;
    if (text_of(status, "phase") == text_of(before, "phase")) {
      if (!says_when) keep_member(status, before, kSince, arena);
    } else if (!says_when || same_member(status, before, kSince)) {
      status.set(kSince, Value::string(arena.copy(request.now)), arena);
    }
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_volume(object, LabelValues::kChecked, errors);
    check_mount_annotation(object, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const LabelValues affinity_values = affinity_values_of(old);
    check_volume(object, affinity_values, errors);
    check_mount_annotation(object, errors);
    // kube-apiserver 1.36 checks a changed volume twice: so do the causes of its answer.
    check_volume(object, affinity_values, errors);
    check_volume_spec_stays(object.get("spec"), old.get("spec"), errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override;
  std::vector<std::string> status_warnings(const Value&, const Value&) const override { return {}; }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const auto text = [&](std::string_view one) { return Value::string(arena.copy(one)); };
    out = {name_cell(object),
           text(capacity_of(object)),
           text(short_access_modes(items(object.get("spec"), "accessModes"))),
           text(text_of(object, {"spec", "persistentVolumeReclaimPolicy"})),
           phase_cell(object),
           text(shown_claim(object)),
           class_cell(object),
           text_or_unset_cell(object, "volumeAttributesClassName"),
           text(text_of(object, {"status", "reason"})),
           age_cell(object, now, arena),
           text_or_unset_cell(object, "volumeMode")};
  }
};

std::vector<std::string> PersistentVolumeStrategy::warnings(const Value& object,
                                                            const Value*) const {
  std::vector<std::string> out;
  const Value& spec = object.get("spec");
  warn_of_class_annotation(object, out);
  if (has_volume_annotation(object, kMountOptions)) {
    out.push_back(fmt::format(
        R"(metadata.annotations[{}]: deprecated since v1.31; use "mountOptions" attribute instead)",
        kMountOptions));
  }
  if (text_of(spec, "persistentVolumeReclaimPolicy") == "Recycle") {
    out.emplace_back(
        "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, "
        "the recommended approach is to use dynamic provisioning.");
  }
  if (const Value* selector = member(spec, {"nodeAffinity", "required"})) {
    const FieldPath at = FieldPath() / "spec" / "nodeAffinity" / "required" / "nodeSelectorTerms";
    const auto terms = items(*selector, "nodeSelectorTerms");
    WarningsList said;
    for (std::size_t i = 0; i < terms.size() && !said.full(); ++i)
      warn_of_node_selector_term(terms[i], false, at / i, said);
    std::ranges::move(said.take(), std::back_inserter(out));
  }
  for (const DeprecatedSource& source : kDeprecatedSources) {
    if (member(spec, source.member) != nullptr)
      out.push_back(fmt::format("spec.{}: {}", source.shown, source.message));
  }
  return out;
}

}  // namespace

const BuiltinStrategy& persistent_volume_strategy() {
  static const PersistentVolumeStrategy& strategy = *new PersistentVolumeStrategy();
  return strategy;
}

}  // namespace strake::kinds
