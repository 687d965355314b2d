// The built-in tables of fields, as short lines that are read once.
#include <array>
#include <string>

#include "kustomize/transform/transformer_config.h"

namespace strake::kustomize {
namespace {

// Lines of "path [kind=K] [group=G] [version=V] [create]".
void add_lines(std::string_view lines, FieldSpecs& out) {
  const auto next = [](std::string_view& text, char end) {
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view word = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return word;
  };
  while (!lines.empty()) {
    std::string_view line = next(lines, '\n');
    FieldSpec spec;
    spec.path = next(line, ' ');
    while (!line.empty()) {
      const std::string_view word = next(line, ' ');
      const std::string value(word.substr(std::min(word.find('=') + 1, word.size())));
      if (word == "create") spec.create = true;
      if (word.starts_with("kind=")) spec.kind = value;
      if (word.starts_with("group=")) spec.group = value;
      if (word.starts_with("version=")) spec.version = value;
    }
    out.push_back(std::move(spec));
  }
}

struct PodOwner {
  std::string_view kind;
  std::string_view version;
  std::string_view pod_spec;
};

// Those whose pods may refer to ConfigMaps and Secrets.
constexpr std::array<PodOwner, 8> kConfigUsers = {{
    {"Pod", "v1", "spec/"},
    {"PodTemplate", "", "template/spec/"},
    {"Deployment", "", "spec/template/spec/"},
    {"ReplicaSet", "", "spec/template/spec/"},
    {"DaemonSet", "", "spec/template/spec/"},
    {"StatefulSet", "", "spec/template/spec/"},
    {"Job", "", "spec/template/spec/"},
    {"CronJob", "", "spec/jobTemplate/spec/template/spec/"},
}};

// Those whose pods may refer to accounts, claims and priorities.
constexpr std::array<PodOwner, 7> kAccountUsers = {{
    {"Pod", "", "spec/"},
    {"StatefulSet", "", "spec/template/spec/"},
    {"Deployment", "", "spec/template/spec/"},
    {"ReplicationController", "", "spec/template/spec/"},
    {"CronJob", "", "spec/jobTemplate/spec/template/spec/"},
    {"Job", "", "spec/template/spec/"},
    {"DaemonSet", "", "spec/template/spec/"},
}};

template <std::size_t kOwners, std::size_t kFields>
void add_pod_fields(const std::array<PodOwner, kOwners>& owners,
                    const std::array<std::string_view, kFields>& fields, FieldSpecs& out) {
  for (const PodOwner& owner : owners) {
    for (const std::string_view field : fields) {
      FieldSpec spec;
      spec.kind = owner.kind;
      spec.version = owner.version;
      spec.path = std::string(owner.pod_spec).append(field);
      out.push_back(std::move(spec));
    }
  }
}

constexpr std::string_view kMetadataLabels =
    "metadata/labels create\n"
    "spec/template/metadata/labels kind=ReplicationController version=v1 create\n"
    "spec/template/metadata/labels kind=Deployment create\n"
    "spec/template/metadata/labels kind=ReplicaSet create\n"
    "spec/template/metadata/labels kind=DaemonSet create\n"
    "spec/template/metadata/labels kind=StatefulSet group=apps create\n"
    "spec/volumeClaimTemplates[]/metadata/labels kind=StatefulSet group=apps create\n"
    "spec/template/metadata/labels kind=Job group=batch create\n"
    "spec/jobTemplate/metadata/labels kind=CronJob group=batch create\n"
    "spec/jobTemplate/spec/template/metadata/labels kind=CronJob group=batch create";

constexpr std::string_view kSelectors =
    "spec/selector kind=Service version=v1 create\n"
    "spec/selector kind=ReplicationController version=v1 create\n"
    "spec/selector/matchLabels kind=Deployment create\n"
    "spec/selector/matchLabels kind=ReplicaSet create\n"
    "spec/selector/matchLabels kind=DaemonSet create\n"
    "spec/selector/matchLabels kind=StatefulSet group=apps create\n"
    "spec/selector/matchLabels kind=Job group=batch\n"
    "spec/jobTemplate/spec/selector/matchLabels kind=CronJob group=batch\n"
    "spec/selector/matchLabels kind=PodDisruptionBudget group=policy\n"
    "spec/podSelector/matchLabels kind=NetworkPolicy group=networking.k8s.io\n"
    "spec/ingress/from/podSelector/matchLabels kind=NetworkPolicy group=networking.k8s.io\n"
    "spec/egress/to/podSelector/matchLabels kind=NetworkPolicy group=networking.k8s.io";

constexpr std::array<std::string_view, 5> kPodSelectors = {
    "affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/"
    "labelSelector/matchLabels",
    "affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
    "affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/"
    "labelSelector/matchLabels",
    "affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/"
    "matchLabels",
    "topologySpreadConstraints/labelSelector/matchLabels"};

constexpr std::string_view kAnnotations =
    "metadata/annotations create\n"
    "spec/template/metadata/annotations kind=ReplicationController version=v1 create\n"
    "spec/template/metadata/annotations kind=Deployment create\n"
    "spec/template/metadata/annotations kind=ReplicaSet create\n"
    "spec/template/metadata/annotations kind=DaemonSet create\n"
    "spec/template/metadata/annotations kind=StatefulSet create\n"
    "spec/template/metadata/annotations kind=Job group=batch create\n"
    "spec/jobTemplate/metadata/annotations kind=CronJob group=batch create\n"
    "spec/jobTemplate/spec/template/metadata/annotations kind=CronJob group=batch create";

constexpr std::array<std::string_view, 9> kPodVariables = {
    "containers/args",          "containers/command",
    "containers/env/value",     "containers/volumeMounts/mountPath",
    "initContainers/args",      "initContainers/command",
    "initContainers/env/value", "initContainers/volumeMounts/mountPath",
    "volumes/nfs/server"};

void add_variables(FieldSpecs& out) {
  constexpr std::array<PodOwner, 5> kWhole = {{{"DaemonSet", "", "spec/template/spec/"},
                                               {"Deployment", "", "spec/template/spec/"},
                                               {"Job", "", "spec/template/spec/"},
                                               {"Pod", "", "spec/"},
                                               {"ReplicaSet", "", "spec/template/spec/"}}};
  // Two kinds have their volumes elsewhere.
  constexpr std::array<PodOwner, 2> kBut = {
      {{"CronJob", "", "spec/jobTemplate/spec/template/spec/"},
       {"StatefulSet", "", "spec/template/spec/"}}};
  add_pod_fields(kWhole, kPodVariables, out);
  std::array<std::string_view, 8> without_volumes{};
  std::copy_n(kPodVariables.begin(), 8, without_volumes.begin());
  add_pod_fields(kBut, without_volumes, out);
  add_lines(
      "spec/jobTemplate/spec/template/volumes/nfs/server kind=CronJob\n"
      "spec/volumeClaimTemplates/spec/nfs/server kind=StatefulSet\n"
      "spec/template/metadata/annotations kind=Deployment\n"
      "spec/rules/host kind=Ingress\n"
      "spec/tls/hosts kind=Ingress\n"
      "spec/tls/secretName kind=Ingress\n"
      "spec/ports/port kind=Service\n"
      "spec/ports/targetPort kind=Service\n"
      "spec/nfs/server kind=PersistentVolume\n"
      "metadata/labels\n"
      "metadata/annotations",
      out);
}

FieldSpecs config_map_users() {
  FieldSpecs out;
  add_pod_fields(
      kConfigUsers,
      std::array<std::string_view, 6>{
          "volumes/configMap/name", "containers/env/valueFrom/configMapKeyRef/name",
          "initContainers/env/valueFrom/configMapKeyRef/name",
          "containers/envFrom/configMapRef/name", "initContainers/envFrom/configMapRef/name",
          "volumes/projected/sources/configMap/name"},
      out);
  add_lines(
      "spec/configSource/configMap kind=Node\n"
      "rules/resourceNames kind=Role\n"
      "rules/resourceNames kind=ClusterRole\n"
      "metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap kind=Ingress",
      out);
  return out;
}

FieldSpecs secret_users() {
  FieldSpecs out;
  add_pod_fields(kConfigUsers,
                 std::array<std::string_view, 7>{
                     "volumes/secret/secretName", "containers/env/valueFrom/secretKeyRef/name",
                     "initContainers/env/valueFrom/secretKeyRef/name",
                     "containers/envFrom/secretRef/name", "initContainers/envFrom/secretRef/name",
                     "imagePullSecrets/name", "volumes/projected/sources/secret/name"},
                 out);
  add_lines(
      "spec/tls/secretName kind=Ingress\n"
      "metadata/annotations/ingress.kubernetes.io\\/auth-secret kind=Ingress\n"
      "metadata/annotations/nginx.ingress.kubernetes.io\\/auth-secret kind=Ingress\n"
      "metadata/annotations/nginx.ingress.kubernetes.io\\/auth-tls-secret kind=Ingress\n"
      "imagePullSecrets/name kind=ServiceAccount\n"
      "parameters/secretName kind=StorageClass\n"
      "parameters/adminSecretName kind=StorageClass\n"
      "parameters/userSecretName kind=StorageClass\n"
      "parameters/secretRef kind=StorageClass\n"
      "rules/resourceNames kind=Role\n"
      "rules/resourceNames kind=ClusterRole\n"
      "spec/template/spec/containers/env/valueFrom/secretKeyRef/name kind=Service "
      "group=serving.knative.dev version=v1\n"
      "spec/azureFile/secretName kind=PersistentVolume",
      out);
  return out;
}

void add_reference(TransformerConfig& config, std::string_view group, std::string_view version,
                   std::string_view kind, std::string_view lines, FieldSpecs more = {}) {
  NameReference row{std::string(group), std::string(version), std::string(kind), std::move(more)};
  if (!lines.empty()) add_lines(lines, row.referrers);
  config.name_references.push_back(std::move(row));
}

void add_references(TransformerConfig& config) {
  for (const std::string_view kind :
       {"Deployment", "ReplicationController", "ReplicaSet", "StatefulSet"})
    add_reference(config, "", "", kind, "spec/scaleTargetRef/name kind=HorizontalPodAutoscaler");
  add_reference(config, "", "v1", "ConfigMap", "", config_map_users());
  add_reference(config, "", "v1", "Secret", "", secret_users());
  add_reference(config, "", "v1", "Service",
                "spec/serviceName kind=StatefulSet group=apps\n"
                "spec/rules/http/paths/backend/serviceName kind=Ingress\n"
                "spec/backend/serviceName kind=Ingress\n"
                "spec/rules/http/paths/backend/service/name kind=Ingress\n"
                "spec/defaultBackend/service/name kind=Ingress\n"
                "spec/service/name kind=APIService group=apiregistration.k8s.io\n"
                "webhooks/clientConfig/service kind=ValidatingWebhookConfiguration "
                "group=admissionregistration.k8s.io\n"
                "webhooks/clientConfig/service kind=MutatingWebhookConfiguration "
                "group=admissionregistration.k8s.io");
  constexpr std::string_view kRbac = "rbac.authorization.k8s.io";
  add_reference(config, kRbac, "", "Role",
                "roleRef/name kind=RoleBinding group=rbac.authorization.k8s.io");
  add_reference(config, kRbac, "", "ClusterRole",
                "roleRef/name kind=RoleBinding group=rbac.authorization.k8s.io\n"
                "roleRef/name kind=ClusterRoleBinding group=rbac.authorization.k8s.io");
  FieldSpecs accounts;
  add_pod_fields(kAccountUsers, std::array<std::string_view, 1>{"serviceAccountName"}, accounts);
  add_reference(config, "", "v1", "ServiceAccount",
                "subjects kind=RoleBinding group=rbac.authorization.k8s.io\n"
                "subjects kind=ClusterRoleBinding group=rbac.authorization.k8s.io",
                std::move(accounts));
  FieldSpecs claims;
  add_pod_fields(kAccountUsers,
                 std::array<std::string_view, 1>{"volumes/persistentVolumeClaim/claimName"},
                 claims);
  add_reference(config, "", "v1", "PersistentVolumeClaim", "", std::move(claims));
  add_reference(config, "", "v1", "PersistentVolume",
                "spec/volumeName kind=PersistentVolumeClaim\nrules/resourceNames kind=ClusterRole");
  add_reference(config, "storage.k8s.io", "v1", "StorageClass",
                "spec/storageClassName kind=PersistentVolume\n"
                "spec/storageClassName kind=PersistentVolumeClaim\n"
                "spec/volumeClaimTemplates/spec/storageClassName kind=StatefulSet");
  FieldSpecs priorities;
  add_pod_fields(kAccountUsers, std::array<std::string_view, 1>{"priorityClassName"}, priorities);
  add_reference(config, "scheduling.k8s.io", "v1", "PriorityClass", "", std::move(priorities));
  // The group is kustomize's own slip: it fits nothing.
  add_reference(config, "networking.k8s.io/v1", "v1", "IngressClass",
                "spec/ingressClassName kind=Ingress");
  add_reference(config, "admissionregistration.k8s.io", "", "ValidatingAdmissionPolicy",
                "spec/policyName kind=ValidatingAdmissionPolicyBinding "
                "group=admissionregistration.k8s.io");
}

TransformerConfig make() {
  TransformerConfig config;
  add_lines("metadata/name", config.name_prefix);
  add_lines("metadata/name", config.name_suffix);
  add_lines(
      "metadata/name kind=Namespace create\n"
      "spec/service/namespace kind=APIService group=apiregistration.k8s.io create\n"
      "spec/conversion/webhook/clientConfig/service/namespace kind=CustomResourceDefinition "
      "group=apiextensions.k8s.io",
      config.namespace_specs);
  add_lines(kMetadataLabels, config.template_labels);
  add_lines(kSelectors, config.common_labels);
  for (const std::string_view kind : {"Deployment", "StatefulSet"}) {
    for (const std::string_view field : kPodSelectors) {
      FieldSpec spec{.group = "apps", .version = {}, .kind = std::string(kind), .path = {}};
      spec.path = std::string("spec/template/spec/").append(field);
      config.common_labels.push_back(std::move(spec));
    }
  }
  add_lines(kMetadataLabels, config.common_labels);
  add_lines(kAnnotations, config.common_annotations);
  add_variables(config.var_reference);
  add_lines(
      "spec/containers[]/image create\n"
      "spec/initContainers[]/image create\n"
      "spec/template/spec/containers[]/image create\n"
      "spec/template/spec/initContainers[]/image create",
      config.images);
  add_lines(
      "spec/replicas kind=Deployment create\n"
      "spec/replicas kind=ReplicationController create\n"
      "spec/replicas kind=ReplicaSet create\n"
      "spec/replicas kind=StatefulSet create",
      config.replicas);
  add_references(config);
  config.sort();
  return config;
}

}  // namespace

const TransformerConfigPtr& builtin_transformer_config() {
  static const TransformerConfigPtr kConfig = std::make_shared<const TransformerConfig>(make());
  return kConfig;
}

}  // namespace strake::kustomize
