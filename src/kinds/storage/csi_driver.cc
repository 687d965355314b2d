// CSIDrivers.
#include <fmt/format.h>

#include <unordered_set>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/storage/strategies.h"
#include "kinds/storage/table_cells.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kTokensInSecrets = "serviceAccountTokenInSecrets";

const FieldPath& at_driver_spec() {
  static const FieldPath path = FieldPath() / "spec";
  return path;
}

void default_flag(Value& spec, std::string_view key, bool flag, Arena& arena) {
  if (member(spec, key) == nullptr) spec.set(key, Value::boolean(flag), arena);
}

void check_token_requests(const Value& spec, FieldErrors& errors) {
  constexpr std::int64_t kLeastSeconds = 600;
  constexpr std::int64_t kMostSeconds = std::int64_t{1} << 32;
  const auto requests = items(spec, "tokenRequests");
  std::unordered_set<std::string_view> audiences;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const FieldPath at = at_driver_spec() / "tokenRequests" / i;
    const std::string_view audience = text_of(requests[i], "audience");
    if (!audiences.insert(audience).second) {
      errors.push_back(FieldError::duplicate(at / "audience", Value::string(audience)));
      continue;
    }
    const Value* seconds = member(requests[i], "expirationSeconds");
    if (seconds == nullptr) continue;
    if (seconds->as_int() < kLeastSeconds) {
      errors.push_back(FieldError::invalid(at / "expirationSeconds", *seconds,
                                           "may not specify a duration less than 10 minutes"));
    }
    if (seconds->as_int() > kMostSeconds) {
      errors.push_back(FieldError::invalid(at / "expirationSeconds", *seconds,
                                           "may not specify a duration larger than 2^32 seconds"));
    }
  }
}

void check_driver_spec(const Value& object, FieldErrors& errors) {
  constexpr std::int64_t kLeastPeriod = 10;
  const Value& spec = object.get("spec");
  check_one_of(spec, "fsGroupPolicy", {"File", "None", "ReadWriteOnceWithFSType"}, at_driver_spec(),
               errors);
  check_token_requests(spec, errors);
  for (const Value& mode : items(spec, "volumeLifecycleModes")) {
    check_text_is_one_of(value::text_of(mode), {"Persistent", "Ephemeral"},
                         at_driver_spec() / "volumeLifecycleModes", errors);
  }
  const Value* period = member(spec, "nodeAllocatableUpdatePeriodSeconds");
  if (period != nullptr && period->as_int() < kLeastPeriod) {
    errors.push_back(FieldError::invalid(at_driver_spec() / "nodeAllocatableUpdatePeriodSeconds",
                                         *period, "must be greater than or equal to 10 seconds"));
  }
  const Value* in_secrets = member(spec, kTokensInSecrets);
  if (in_secrets != nullptr && items(spec, "tokenRequests").empty()) {
    errors.push_back(
        FieldError::invalid(at_driver_spec() / kTokensInSecrets, *in_secrets,
                            "serviceAccountTokenInSecrets is set but no tokenRequests are "
                            "specified"));
  }
}

std::string joined_by_comma(std::span<const Value> list, std::string_view key) {
  std::string out;
  bool first = true;
  for (const Value& one : list) {
    if (!first) out += ',';
    first = false;
    out += key.empty() ? value::text_of(one) : text_of(one, key);
  }
  return out;
}

class CsiDriverStrategy final : public BuiltinStrategy {
 public:
  CsiDriverStrategy() : BuiltinStrategy("io.k8s.api.storage.v1.CSIDriver") {
    set_columns({name_column(),
                 flag_column("AttachRequired", "Whether volumes must be attached first."),
                 flag_column("PodInfoOnMount", "Whether the driver is told of the pod."),
                 flag_column("StorageCapacity", "Whether the driver says how much it can hold."),
                 text_column("TokenRequests", "The audiences of the tokens that it is given."),
                 flag_column("RequiresRepublish", "Whether volumes are published again and again."),
                 text_column("Modes", "The kinds of volumes that it can make."), age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = object.object_at("spec", arena);
    default_flag(spec, "attachRequired", true, arena);
    if (member(spec, "fsGroupPolicy") == nullptr)
      spec.set("fsGroupPolicy", Value::string("ReadWriteOnceWithFSType"), arena);
    for (const std::string_view key :
         {"podInfoOnMount", "requiresRepublish", "seLinuxMount", "storageCapacity"})
      default_flag(spec, key, false, arena);
    if (items(spec, "volumeLifecycleModes").empty()) {
      Value modes = Value::array({});
      modes.append(Value::string("Persistent"), arena);
      spec.set("volumeLifecycleModes", modes, arena);
    }
  }

  // The feature behind it is off in kube-apiserver 1.36.
  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    object.object_at("spec", arena).remove("preventPodSchedulingIfMissing");
  }
  // Changes are counted although a new driver has no generation.
  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    if (member(old, {"spec", "preventPodSchedulingIfMissing"}) == nullptr)
      object.object_at("spec", arena).remove("preventPodSchedulingIfMissing");
    if (same_member(object, old, "spec")) return;
    resource::set_meta(object, "generation",
                       Value::integer(meta::ObjectMeta::of(old).generation() + 1), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_driver_spec(object, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_driver_spec(object, errors);
    const Value& spec = object.get("spec");
    // kube-apiserver 1.36 misspells the field.
    if (!same_member(spec, old.get("spec"), "attachRequired")) {
      errors.push_back(FieldError::invalid(at_driver_spec() / "attachedRequired",
                                           spec.get("attachRequired"), "field is immutable"));
    }
    if (!same_member(spec, old.get("spec"), "volumeLifecycleModes")) {
      errors.push_back(FieldError::invalid(at_driver_spec() / "volumeLifecycleModes",
                                           spec.get("volumeLifecycleModes"), "field is immutable"));
    }
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    const Value& spec = object.get("spec");
    if (items(spec, "tokenRequests").empty() || member(spec, kTokensInSecrets) != nullptr ||
        (old != nullptr && same_member(spec, old->get("spec"), "tokenRequests"))) {
      return {};
    }
    return {
        "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true "
        "to prevent possible logging of tokens in volume attributes"};
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value& spec = object.get("spec");
    const auto flag = [&](std::string_view key) {
      return Value::boolean(value::flag_of(spec, key));
    };
    const std::string tokens = member(spec, "tokenRequests") != nullptr
                                   ? joined_by_comma(items(spec, "tokenRequests"), "audience")
                                   : "<unset>";
    out = {name_cell(object),
           flag("attachRequired"),
           flag("podInfoOnMount"),
           flag("storageCapacity"),
           Value::string(arena.copy(tokens)),
           flag("requiresRepublish"),
           Value::string(arena.copy(joined_by_comma(items(spec, "volumeLifecycleModes"), {}))),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& csi_driver_strategy() {
  static const CsiDriverStrategy& strategy = *new CsiDriverStrategy();
  return strategy;
}

}  // namespace strake::kinds
