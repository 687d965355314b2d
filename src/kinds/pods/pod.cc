// Pods. What any spec of a pod must be is in pod_spec.h; here is what belongs to pods alone, and
// which rules each way of writing them has.
#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "kinds/pods/pod_columns.h"
#include "kinds/pods/pod_defaults.h"
#include "kinds/pods/pod_deletion.h"
#include "kinds/pods/pod_kinds.h"
#include "kinds/pods/pod_prepare.h"
#include "kinds/pods/pod_resize.h"
#include "kinds/pods/pod_spec.h"
#include "kinds/pods/pod_status_checks.h"
#include "kinds/pods/pod_update_checks.h"
#include "meta/object_meta.h"
#include "value/fields.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// What every pod must be, new or old.
void check_whole_pod(const Value& pod, const Value* old, FieldErrors& errors) {
  const PodCheckOptions options{.old_spec = old != nullptr ? &old->get("spec") : nullptr,
                                .old_metadata = old != nullptr ? &old->get("metadata") : nullptr};
  check_pod_spec(pod.get("spec"), pod.get("metadata"), options, FieldPath() / "spec", errors);
}

// The same on an update: kube-apiserver 1.36 checks the metadata a third time there.
void check_changed_pod(const BuiltinStrategy& strategy, const Value& pod, const Value& old,
                       FieldErrors& errors) {
  errors.append(meta::validate_object_meta(
      meta::ObjectMeta::of(pod), true,
      [&](std::string_view name, bool prefix) { return strategy.check_name(name, prefix); },
      FieldPath() / "metadata"));
  check_whole_pod(pod, &old, errors);
}

class PodStrategy final : public BuiltinStrategy {
 public:
  PodStrategy() : BuiltinStrategy("io.k8s.api.core.v1.Pod") { set_columns(pod_columns()); }

  void apply_defaults(Value& object, Arena& arena) const override {
    apply_pod_defaults(object, arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest& request) const override {
    prepare_new_pod(object, request.now, arena, request.warnings);
  }
  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_whole_pod(object, nullptr, errors);
    const Value& spec = object.get("spec");
    const FieldPath at = FieldPath() / "spec";
    if (!items(spec, "ephemeralContainers").empty())
      errors.push_back(
          FieldError::forbidden(at / "ephemeralContainers", "cannot be set on create"));
    if (!value::text_of(spec, "nodeName").empty() && !items(spec, "schedulingGates").empty()) {
      errors.push_back(FieldError::forbidden(
          at / "nodeName", "cannot be set until all schedulingGates have been cleared"));
    }
    return errors;
  }

  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    keep_member(object, old, "status", arena);
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_changed_pod(*this, object, old, errors);
    check_fixed_annotations(object, old, errors);
    check_pod_changes(object, old, errors);
    return errors;
  }

  void prepare_status(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    prepare_pod_status(object, old, arena);
  }
  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_fixed_annotations(object, old, errors);
    check_pod_status(object, old, errors);
    return errors;
  }

  // "ephemeralcontainers" and "resize".
  void prepare_other(Value& object, const Value& old, Arena& arena,
                     const WriteRequest& request) const override {
    if (request.subresource == "resize") {
      prepare_resize(object, old, arena);
    } else {
      prepare_ephemeral_containers(object, old, arena);
    }
  }
  FieldErrors validate_other(const Value& object, const Value& old,
                             const WriteRequest& request) const override {
    return request.subresource == "resize" ? validate_resize(object, old)
                                           : validate_ephemeral(object, old);
  }

  // An update of a pod itself is told nothing: programs do most of them.
  std::vector<std::string> warnings(const Value& object, const Value* old) const override;
  std::vector<std::string> status_warnings(const Value& object, const Value&) const override {
    std::vector<std::string> out;
    for (const std::string_view key : {"podIPs", "hostIPs"}) {
      const auto ips = items(object.get("status"), key);
      for (std::size_t i = 0; i < ips.size(); ++i)
        warn_of_ip(value::text_of(ips[i], "ip"), FieldPath() / "status" / key / i / "ip", out);
    }
    return out;
  }

  std::optional<GracefulDeletion> begin_graceful_deletion(Value& object,
                                                          std::optional<std::int64_t> asked,
                                                          Instant now,
                                                          Arena& arena) const override {
    return begin_pod_deletion(object, asked, now, arena);
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = pod_cells(object, now, arena);
  }

  std::span<const std::string_view> field_labels() const override {
    static constexpr std::string_view kLabels[] = {"spec.nodeName",
                                                   "spec.host",
                                                   "spec.restartPolicy",
                                                   "spec.schedulerName",
                                                   "spec.serviceAccountName",
                                                   "spec.hostNetwork",
                                                   "status.phase",
                                                   "status.podIP",
                                                   "status.podIPs",
                                                   "status.nominatedNodeName"};
    return kLabels;
  }
  std::string field(const Value& object, std::string_view label) const override;

 private:
  FieldErrors validate_ephemeral(const Value& object, const Value& old) const {
    if (is_mirror_pod(old)) return refuse_pod("static pods do not support ephemeral containers");
    FieldErrors errors;
    check_changed_pod(*this, object, old, errors);
    check_fixed_annotations(object, old, errors);
    check_ephemeral_changes(object, old, errors);
    return errors;
  }
  FieldErrors validate_resize(const Value& object, const Value& old) const {
    ResizeVerdict resize = check_resize(object, old);
    if (resize.stops) return std::move(resize.errors);
    FieldErrors errors;
    check_changed_pod(*this, object, old, errors);
    errors.append(std::move(resize.errors));
    return errors;
  }
};

std::vector<std::string> PodStrategy::warnings(const Value& object, const Value* old) const {
  if (old != nullptr) return {};
  std::vector<std::string> out;
  const meta::Messages wrong = meta::check_dns1123_label(meta::ObjectMeta::of(object).name());
  if (!wrong.empty()) {
    out.push_back(
        "metadata.name: this is used in the Pod's hostname, which can result in surprising "
        "behavior; a DNS label is recommended: [" +
        meta::join(wrong, " ") + "]");
  }
  for (std::string& one : pod_template_warnings(object, nullptr, FieldPath()))
    out.push_back(std::move(one));
  return out;
}

std::string PodStrategy::field(const Value& object, std::string_view label) const {
  const Value& spec = object.get("spec");
  if (label == "spec.host") label = "spec.nodeName";
  if (label == "spec.hostNetwork") return value::flag_of(spec, "hostNetwork") ? "true" : "false";
  // kube-apiserver 1.36 lets selectors name the list, but finds nothing in it.
  if (label == "status.podIPs") return {};
  const std::size_t dot = label.find('.');
  return std::string(value::text_of(object.get(label.substr(0, dot)), label.substr(dot + 1)));
}

}  // namespace

const BuiltinStrategy& pod_strategy() {
  static const PodStrategy& strategy = *new PodStrategy();
  return strategy;
}

}  // namespace strake::kinds
