#include "kustomize/edit/format_resource.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace strake::kustomize {
namespace {

using yaml_edit::LayoutEntry;
using yaml_edit::LayoutKind;
using yaml_edit::LayoutNode;
using yaml_edit::LayoutStyle;

// The order of kyaml v0.18.1. Where a field stands twice the later place counts.
constexpr std::string_view kFieldOrder[] = {
    // metadata and the top of objects
    "name", "generateName", "namespace", "clusterName", "apiVersion", "kind", "metadata", "type",
    "labels", "annotations", "spec", "status",
    // secrets and config maps
    "stringData", "data", "binaryData",
    // what runs pods
    "parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "replicas", "selector",
    "manualSelector", "template", "ttlSecondsAfterFinished", "volumeClaimTemplates", "service",
    "serviceName", "podManagementPolicy", "updateStrategy", "strategy", "minReadySeconds",
    "revision", "revisionHistoryLimit", "paused", "progressDeadlineSeconds",
    // pods
    "restartPolicy", "terminationGracePeriodSeconds", "activeDeadlineSeconds", "dnsPolicy",
    "serviceAccountName", "serviceAccount", "automountServiceAccountToken", "nodeName",
    "hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostname", "subdomain",
    "schedulerName", "priorityClassName", "priority", "runtimeClassName", "enableServiceLinks",
    "nodeSelector", "hostAliases", "initContainers", "containers", "volumes", "securityContext",
    "imagePullSecrets", "affinity", "tolerations", "dnsConfig", "readinessGates",
    // containers
    "image", "command", "args", "workingDir", "ports", "envFrom", "env", "resources",
    "volumeMounts", "volumeDevices", "livenessProbe", "readinessProbe", "lifecycle",
    "terminationMessagePath", "terminationMessagePolicy", "imagePullPolicy", "securityContext",
    "stdin", "stdinOnce", "tty",
    // services
    "clusterIP", "externalIPs", "loadBalancerIP", "loadBalancerSourceRanges", "externalName",
    "externalTrafficPolicy", "sessionAffinity",
    // ports
    "protocol", "port", "targetPort", "hostPort", "containerPort", "hostIP",
    // mounts
    "readOnly", "mountPath", "subPath", "subPathExpr", "mountPropagation",
    // environment
    "value", "valueFrom", "fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef",
    "prefix", "configMapRef", "secretRef"};

constexpr std::string_view kSortedKinds[] = {"CronJob",
                                             "DaemonSet",
                                             "Deployment",
                                             "Job",
                                             "ReplicaSet",
                                             "StatefulSet",
                                             "ValidatingWebhookConfiguration"};
constexpr std::string_view kSortedApis[] = {
    "apps/v1",       "apps/v1beta1",       "apps/v1beta2", "batch/v1",
    "batch/v1beta1", "extensions/v1beta1", "v1",           "admissionregistration.k8s.io/v1"};

struct SortedList {
  std::string_view path;
  std::string_view field;  // of its items; empty for scalars
};
constexpr SortedList kSortedLists[] = {
    {".spec.template.spec.containers", "name"},
    {".webhooks.rules.operations", ""},
};

std::size_t rank_of(std::string_view field) {
  static const auto kRanks = [] {
    std::unordered_map<std::string_view, std::size_t> all;
    for (std::size_t i = 0; i < std::size(kFieldOrder); ++i) all[kFieldOrder[i]] = i;
    return all;
  }();
  const auto found = kRanks.find(field);
  return found == kRanks.end() ? std::size(kFieldOrder) : found->second;
}

// Equal ones keep their order.
template <typename Key>
void sort_entries(std::vector<LayoutEntry>& entries, const Key& key) {
  using Ranked = std::pair<decltype(key(entries.front())), std::size_t>;
  std::vector<Ranked> order;
  for (std::size_t i = 0; i < entries.size(); ++i) order.emplace_back(key(entries[i]), i);
  std::ranges::sort(order);
  std::vector<LayoutEntry> sorted;
  sorted.reserve(entries.size());
  // The keys may point into the entries: they are done with once these move.
  for (const Ranked& one : order) sorted.push_back(std::move(entries[one.second]));
  entries = std::move(sorted);
}

void sort_node(LayoutNode& node, const std::string& path, bool sorts_lists) {
  if (node.is_map()) {
    sort_entries(node.entries, [](const LayoutEntry& entry) {
      const std::size_t rank = rank_of(entry.key.text);
      // Known fields go by their rank alone.
      return std::pair(rank, rank < std::size(kFieldOrder) ? std::string() : entry.key.text);
    });
  }
  if (node.is_list() && sorts_lists) {
    const auto list = std::ranges::find(kSortedLists, path, &SortedList::path);
    if (list != std::end(kSortedLists)) {
      sort_entries(node.entries, [&](const LayoutEntry& entry) {
        if (list->field.empty()) return entry.value.text;
        const LayoutNode* field = entry.value.find(list->field);
        return field == nullptr ? std::string() : field->text;
      });
    }
  }
  for (LayoutEntry& entry : node.entries)
    sort_node(entry.value, node.is_map() ? fmt::format("{}.{}", path, entry.key.text) : path,
              sorts_lists);
}

LayoutNode& map_member(LayoutNode& map, std::string_view key) {
  LayoutNode* found = map.find(key);
  if (found == nullptr) {
    LayoutEntry& entry = map.entries.emplace_back();
    entry.key.text = key;
    found = &entry.value;
  }
  if (!found->is_map()) *found = LayoutNode{.kind = LayoutKind::kMap};
  return *found;
}

}  // namespace

Result<> format_resource(LayoutNode& root) {
  if (const LayoutNode* metadata = root.find("metadata")) {
    const LayoutNode* annotations = metadata->find("annotations");
    const LayoutNode* wish =
        annotations == nullptr ? nullptr : annotations->find("config.kubernetes.io/formatting");
    if (wish != nullptr && wish->text == "none") return {};
    if (wish != nullptr && wish->text != "standard")
      return fail(Code::kInvalid, "formatting annotation has illegal value {}", wish->text);
  }
  const LayoutNode* kind = root.find("kind");
  const LayoutNode* api = root.find("apiVersion");
  if (kind == nullptr || api == nullptr) return {};
  const bool sorts_lists = std::ranges::find(kSortedKinds, kind->text) != std::end(kSortedKinds) &&
                           std::ranges::find(kSortedApis, api->text) != std::end(kSortedApis);
  sort_node(root, "", sorts_lists);
  return {};
}

void set_annotation(LayoutNode& root, std::string_view key, std::string_view value) {
  if (!root.is_map()) return;
  LayoutNode& annotations = map_member(map_member(root, "metadata"), "annotations");
  LayoutNode* found = annotations.find(key);
  if (found == nullptr) {
    LayoutEntry& entry = annotations.entries.emplace_back();
    entry.key.text = key;
    found = &entry.value;
  }
  *found = LayoutNode{.style = LayoutStyle::kSingleQuoted, .text = std::string(value)};
}

std::string metadata_text(const LayoutNode& root, std::string_view field) {
  const LayoutNode* metadata = root.find("metadata");
  const LayoutNode* found = metadata == nullptr ? nullptr : metadata->find(field);
  return found == nullptr || !found->is_scalar() ? std::string() : found->text;
}

}  // namespace strake::kustomize
