#include "kinds/pods/pod_columns.h"

#include <fmt/format.h>

#include <ranges>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/pods/pod_conditions.h"
#include "meta/age.h"
#include "meta/object_meta.h"
#include "value/fields.h"

namespace strake::kinds {
namespace {

using value::Value;

// Descriptions are part of the answer, word for word.
constexpr std::string_view kIpDescription =
    "podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet "
    "allocated.";
constexpr std::string_view kNodeDescription =
    "NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for "
    "scheduling by the scheduler defined in schedulerName. Once this field is set, the kubelet for "
    "this node becomes responsible for the lifecycle of this pod. This field should not be used to "
    "express a desire for the pod to be scheduled on a specific node. "
    "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename";
constexpr std::string_view kNominatedDescription =
    "nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be "
    "scheduled right away as preemption victims receive their graceful termination periods. This "
    "field does not guarantee that the pod will be scheduled on this node. Scheduler may decide to "
    "place the pod elsewhere if other nodes become available sooner. Scheduler may also decide to "
    "give the resources on this node to a higher priority pod that is created after preemption. As "
    "a result, this field may be different than PodSpec.nodeName when the pod is scheduled.";
constexpr std::string_view kGatesDescription =
    "If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when "
    "all its containers are ready AND all conditions specified in the readiness gates have status "
    "equal to \"True\" More info: "
    "https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates";

constexpr std::string_view kNothing = "<none>";

// How often, and when last. Times are in the one form of the API, so their texts compare.
struct Restarts {
  std::int64_t count = 0;
  std::string_view last;

  void add(const Value& container_status) {
    count += integer(container_status, "restartCount");
    const std::string_view end =
        text_of(container_status, {"lastState", "terminated", "finishedAt"});
    if (end > last) last = end;
  }
};

// What the table says of the containers, found as kube-apiserver 1.36 finds it.
class PodSummary {
 public:
  explicit PodSummary(const Value& pod) : pod_(pod), status_(pod.get("status")) {
    const Value& spec = pod.get("spec");
    total_ = items(spec, "containers").size();
    for (const Value& one : items(spec, "initContainers")) {
      if (value::text_of(one, "restartPolicy") != "Always") continue;
      sidecars_.insert(value::text_of(one, "name"));
      ++total_;
    }
    start_reason();
    const bool initializing = read_init_containers();
    if (!initializing || has_initialized()) read_containers();
    end_reason();
  }

  std::string ready() const { return fmt::format("{}/{}", ready_, total_); }
  const std::string& reason() const { return reason_; }
  const Restarts& restarts() const { return restarts_; }

 private:
  void start_reason() {
    reason_ = value::text_of(status_, "phase");
    if (const std::string_view reason = value::text_of(status_, "reason"); !reason.empty())
      reason_ = reason;
    for (const Value& one : items(status_, "conditions")) {
      if (value::text_of(one, "type") == "PodScheduled" &&
          value::text_of(one, "reason") == "SchedulingGated") {
        reason_ = "SchedulingGated";
      }
    }
  }

  bool has_initialized() const {
    const Value* condition = find_pod_condition(pod_, "Initialized");
    return condition != nullptr && value::text_of(*condition, "status") == "True";
  }

  // Why a container ended: "Error", "Signal:9", "ExitCode:1".
  static std::string end_of(const Value& terminated) {
    const std::string_view reason = value::text_of(terminated, "reason");
    if (!reason.empty()) return std::string(reason);
    if (const std::int64_t signal = integer(terminated, "signal"); signal != 0)
      return fmt::format("Signal:{}", signal);
    return fmt::format("ExitCode:{}", integer(terminated, "exitCode"));
  }

  // Up to the first that is not done; true when there is one.
  bool read_init_containers() {
    const auto statuses = items(status_, "initContainerStatuses");
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      const Value& one = statuses[i];
      const bool sidecar = sidecars_.contains(value::text_of(one, "name"));
      restarts_.add(one);
      if (sidecar) sidecar_restarts_.add(one);
      const Value* end = member(one, {"state", "terminated"});
      if (end != nullptr && integer(*end, "exitCode") == 0) continue;
      if (sidecar && value::flag_of(one, "started")) {
        ready_ += value::flag_of(one, "ready") ? 1 : 0;
        continue;
      }
      const std::string_view waiting = text_of(one, {"state", "waiting", "reason"});
      if (end != nullptr) {
        reason_ = fmt::format("Init:{}", end_of(*end));
      } else if (!waiting.empty() && waiting != "PodInitializing") {
        reason_ = fmt::format("Init:{}", waiting);
      } else {
        reason_ = fmt::format("Init:{}/{}", i, items(pod_.get("spec"), "initContainers").size());
      }
      return true;
    }
    return false;
  }

  // The first container has the last word.
  void read_containers() {
    restarts_ = sidecar_restarts_;
    bool running = false;
    std::string failure;
    for (const Value& one : items(status_, "containerStatuses") | std::views::reverse) {
      restarts_.add(one);
      const std::string_view waiting = text_of(one, {"state", "waiting", "reason"});
      const Value* end = member(one, {"state", "terminated"});
      if (!waiting.empty()) {
        reason_ = waiting;
      } else if (end != nullptr) {
        reason_ = end_of(*end);
        if (integer(*end, "exitCode") != 0) failure = reason_;
      } else if (value::flag_of(one, "ready") && member(one, {"state", "running"}) != nullptr) {
        running = true;
        ++ready_;
      }
    }
    if (reason_ != "Completed") return;
    if (running && has_true_condition(pod_, "Ready")) {
      reason_ = "Running";
    } else if (!failure.empty()) {
      reason_ = failure;
    } else if (running) {
      reason_ = "NotReady";
    }
  }

  void end_reason() {
    if (!meta::ObjectMeta::of(pod_).is_being_deleted()) return;
    const std::string_view phase = value::text_of(status_, "phase");
    if (value::text_of(status_, "reason") == "NodeLost") {
      reason_ = "Unknown";
    } else if (phase != "Succeeded" && phase != "Failed") {
      reason_ = "Terminating";
    }
  }

  const Value& pod_;
  const Value& status_;
  std::unordered_set<std::string_view> sidecars_;
  std::size_t total_ = 0;
  std::size_t ready_ = 0;
  std::string reason_;
  Restarts restarts_;
  Restarts sidecar_restarts_;
};

std::string shown_restarts(const Restarts& restarts, WallTime now) {
  if (restarts.count == 0 || restarts.last.empty()) return fmt::format("{}", restarts.count);
  return fmt::format("{} ({} ago)", restarts.count, meta::human_age_since(restarts.last, now));
}

std::string shown_gates(const Value& pod) {
  const auto gates = items(pod.get("spec"), "readinessGates");
  if (gates.empty()) return std::string(kNothing);
  // The first condition of each type counts.
  std::unordered_map<std::string_view, std::string_view> conditions;
  for (const Value& one : items(pod.get("status"), "conditions"))
    conditions.try_emplace(value::text_of(one, "type"), value::text_of(one, "status"));
  std::size_t open = 0;
  for (const Value& gate : gates) {
    const auto found = conditions.find(value::text_of(gate, "conditionType"));
    open += found != conditions.end() && found->second == "True" ? 1 : 0;
  }
  return fmt::format("{}/{}", open, gates.size());
}

std::string_view first_pod_ip(const Value& pod) {
  const auto ips = items(pod.get("status"), "podIPs");
  return ips.empty() ? std::string_view() : value::text_of(ips[0], "ip");
}

}  // namespace

std::vector<Column> pod_columns() {
  const auto column = [](std::string_view name, std::string_view description,
                         std::int32_t priority = 0) {
    return Column{.name = std::string(name),
                  .type = "string",
                  .description = std::string(description),
                  .priority = priority};
  };
  return {name_column(),
          column("Ready", "The aggregate readiness state of this pod for accepting traffic."),
          column("Status", "The aggregate status of the containers in this pod."),
          column("Restarts",
                 "The number of times the containers in this pod have been restarted and when the "
                 "last container in this pod has restarted."),
          age_column(),
          column("IP", kIpDescription, 1),
          column("Node", kNodeDescription, 1),
          column("Nominated Node", kNominatedDescription, 1),
          column("Readiness Gates", kGatesDescription, 1)};
}

std::vector<Value> pod_cells(const Value& pod, WallTime now, Arena& arena) {
  const PodSummary summary(pod);
  const auto text = [&](std::string_view shown) {
    return Value::string(arena.copy(shown.empty() ? kNothing : shown));
  };
  return {name_cell(pod),
          Value::string(arena.copy(summary.ready())),
          Value::string(arena.copy(summary.reason())),
          text(shown_restarts(summary.restarts(), now)),
          age_cell(pod, now, arena),
          text(first_pod_ip(pod)),
          text(text_of(pod, {"spec", "nodeName"})),
          text(text_of(pod, {"status", "nominatedNodeName"})),
          text(shown_gates(pod))};
}

}  // namespace strake::kinds
