#include <algorithm>
#include <set>
#include <string>

#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "kinds/nodes/node_checks.h"
#include "kinds/nodes/strategies.h"
#include "kinds/nodes/taints.h"
#include "kinds/resource_names.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::string_view kUnschedulable = "spec.unschedulable";
constexpr std::string_view kRolePrefix = "node-role.kubernetes.io/";
constexpr std::string_view kRole = "kubernetes.io/role";

// spec.podCIDR is the first of spec.podCIDRs. A client that knows only the one sets it, and where
// the two differ it is right.
void join_pod_networks(Value& spec, Arena& arena) {
  const std::string_view one = text_of(spec, "podCIDR");
  const auto all = items(spec, "podCIDRs");
  if (one.empty()) {
    if (!all.empty()) spec.set("podCIDR", all.front(), arena);
    return;
  }
  if (!all.empty() && value::text_of(all.front()) == one) return;
  Value list = Value::array({});
  list.append(Value::string(one), arena);
  spec.set("podCIDRs", list, arena);
}

void default_status(Value& status, Arena& arena) {
  round_amounts(status, "capacity", arena);
  round_amounts(status, "allocatable", arena);
  const Value* capacity = member(status, "capacity");
  if (capacity == nullptr || member(status, "allocatable") != nullptr) return;
  status.set("allocatable", value::deep_copy(*capacity, arena), arena);
}

// The kubelet's configuration was once an object of the API. What says so is dropped unless it was
// there before.
void drop_unless_kept(Value& object, const Value* old, std::string_view holder,
                      std::string_view key) {
  if (old != nullptr && member(*old, {holder, key}) != nullptr) return;
  if (Value* held = object.find(holder); held != nullptr && held->is_object()) held->remove(key);
}

std::string status_cell(const Value& node) {
  std::string out = "Unknown";
  // The last of them, as kube-apiserver 1.36 shows it, should there be several.
  for (const Value& one : items(node.get("status"), "conditions")) {
    if (text_of(one, "type") != "Ready") continue;
    out = text_of(one, "status") == "True" ? "Ready" : "NotReady";
  }
  if (value::flag_of(node.get("spec"), "unschedulable")) out += ",SchedulingDisabled";
  return out;
}

std::string roles_cell(const Value& node) {
  std::set<std::string_view> roles;
  const Value* labels = meta::ObjectMeta::of(node).labels();
  for (const Member& one : labels != nullptr ? labels->members() : std::span<const Member>()) {
    const std::string_view role = one.key.starts_with(kRolePrefix)
                                      ? one.key.substr(kRolePrefix.size())
                                  : one.key == kRole ? value::text_of(one.value)
                                                     : std::string_view();
    if (!role.empty()) roles.insert(role);
  }
  std::string out;
  for (const std::string_view role : roles) {
    if (!out.empty()) out += ',';
    out += role;
  }
  return out.empty() ? "<none>" : out;
}

std::string_view address_cell(const Value& node, std::string_view type) {
  for (const Value& one : items(node.get("status"), "addresses")) {
    if (text_of(one, "type") == type) return text_of(one, "address");
  }
  return "<none>";
}

std::string_view known(std::string_view text) { return text.empty() ? "<unknown>" : text; }

std::vector<Column> node_columns() {
  const auto column = [](std::string name, std::string description, std::int32_t priority = 0) {
    return Column{.name = std::move(name),
                  .type = "string",
                  .format = {},
                  .description = std::move(description),
                  .priority = priority,
                  .json_path = {}};
  };
  return {name_column(),
          column("Status", "The status of the node"),
          column("Roles", "The roles of the node"),
          age_column(),
          column("Version", "The version of the kubelet."),
          column("Internal-IP", "The first internal address.", 1),
          column("External-IP", "The first external address.", 1),
          column("OS-Image", "The operating system.", 1),
          column("Kernel-Version", "The version of the kernel.", 1),
          column("Container-Runtime", "What runs containers, with its version.", 1)};
}

// Nobody may change what is said of the network and of the provider, once it is.
void check_what_stays(const Value& node, const Value& old, FieldErrors& errors) {
  const Value& spec = node.get("spec");
  const Value& before = old.get("spec");
  const FieldPath at = FieldPath() / "spec";
  const auto forbid = [&](std::string_view key, std::string_view what) {
    errors.push_back(FieldError::forbidden(at / key, std::string("node updates may not change ")
                                                         .append(what)
                                                         .append(" except from \"\" to valid")));
  };
  const auto networks = items(spec, "podCIDRs");
  const auto networks_before = items(before, "podCIDRs");
  if (!networks_before.empty() && networks.size() != networks_before.size()) {
    forbid("podCIDRs", "podCIDR");
  } else {
    for (std::size_t i = 0; i < networks_before.size(); ++i) {
      if (value::text_of(networks[i]) != value::text_of(networks_before[i]))
        forbid("podCIDRs", "podCIDR");
    }
  }
  const std::string_view provider = text_of(before, "providerID");
  if (!provider.empty() && text_of(spec, "providerID") != provider)
    forbid("providerID", "providerID");
  if (text_of(spec, "externalID") != text_of(before, "externalID"))
    errors.push_back(FieldError::forbidden(at / "externalID", "may not be updated"));
}

class NodeStrategy final : public BuiltinStrategy {
 public:
  NodeStrategy() : BuiltinStrategy("io.k8s.api.core.v1.Node") { set_columns(node_columns()); }

  void apply_defaults(Value& object, Arena& arena) const override {
    if (Value* spec = object.find("spec"); spec != nullptr && spec->is_object())
      join_pod_networks(*spec, arena);
    if (Value* status = object.find("status"); status != nullptr && status->is_object())
      default_status(*status, arena);
  }

  // A new node may bring its status.
  void prepare_create(Value& object, Arena&, const WriteRequest&) const override {
    drop_unless_kept(object, nullptr, "spec", "configSource");
    drop_unless_kept(object, nullptr, "status", "config");
  }
  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    keep_member(object, old, "status", arena);
    drop_unless_kept(object, &old, "spec", "configSource");
  }
  void prepare_status(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    BuiltinStrategy::prepare_status(object, old, arena, request);
    drop_unless_kept(object, &old, "status", "config");
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_always(object, errors);
    check_new(object, errors);
    return errors;
  }
  // kube-apiserver 1.36 judges an update as a new node and once more as a change: so do the causes
  // of its answer.
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors = validate_create(object, request);
    errors.append(validate_status(object, old, request));
    return errors;
  }
  // The status of a node is judged as a change of the whole node.
  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_always(object, errors);
    check_addresses(object, errors);
    check_what_stays(object, old, errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    std::vector<std::string> out;
    const Value& spec = object.get("spec");
    if (!text_of(spec, "externalID").empty())
      out.emplace_back("spec.externalID: this field is deprecated, and is unused by Kubernetes");
    const auto networks = items(spec, "podCIDRs");
    for (std::size_t i = 0; i < networks.size(); ++i)
      warn_of_cidr(value::text_of(networks[i]), FieldPath() / "spec" / "podCIDRs" / i, out);
    return out;
  }
  std::vector<std::string> status_warnings(const Value&, const Value&) const override { return {}; }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value& about = object.get("status").get("nodeInfo");
    std::string kernel(known(text_of(about, "kernelVersion")));
    if (const std::string_view machine = text_of(about, "architecture"); !machine.empty())
      kernel.append(" (").append(machine).append(")");
    const auto text = [](std::string_view given) { return Value::string(given); };
    out = {name_cell(object),
           text(arena.copy(status_cell(object))),
           text(arena.copy(roles_cell(object))),
           age_cell(object, now, arena),
           text(text_of(about, "kubeletVersion")),
           text(address_cell(object, "InternalIP")),
           text(address_cell(object, "ExternalIP")),
           text(known(text_of(about, "osImage"))),
           text(arena.copy(kernel)),
           text(known(text_of(about, "containerRuntimeVersion")))};
  }

  std::span<const std::string_view> field_labels() const override {
    static constexpr std::string_view kLabels[] = {kUnschedulable};
    return kLabels;
  }
  std::string field(const Value& object, std::string_view label) const override {
    if (label != kUnschedulable) return {};
    return value::flag_of(object.get("spec"), "unschedulable") ? "true" : "false";
  }

 private:
  static void check_always(const Value& object, FieldErrors& errors) {
    check_node_annotations(object, errors);
    // kube-apiserver 1.36 says "metadata" of them.
    check_taints(items(object.get("spec"), "taints"), FieldPath() / "metadata" / "taints", errors);
    check_node_amounts(object, errors);
    check_declared_features(object, errors);
  }

  static void check_new(const Value& object, FieldErrors& errors) {
    const Value* swap = member(object, {"status", "nodeInfo", "swap", "capacity"});
    if (swap != nullptr && swap->as_int() <= 0) {
      errors.push_back(FieldError::invalid(FieldPath() / "metadata" / "nodeSwapStatus" / "capacity",
                                           *swap, "must be greater than zero"));
    }
    check_pod_networks(object, errors);
  }
};

}  // namespace

const BuiltinStrategy& component_status_strategy() {
  static const BuiltinStrategy& strategy =
      *new BuiltinStrategy("io.k8s.api.core.v1.ComponentStatus");
  return strategy;
}

const BuiltinStrategy& node_strategy() {
  static const NodeStrategy& strategy = *new NodeStrategy();
  return strategy;
}

}  // namespace strake::kinds
