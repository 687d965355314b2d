#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kRemovedKinds = R"(
admission.k8s.io/v1beta1 AdmissionReview since:1.9 deprecated:1.19 removed:1.22 use:admission.k8s.io/v1/AdmissionReview
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicy since:1.26 deprecated:1.29 removed:1.32
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBinding since:1.26 deprecated:1.29 removed:1.32
admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration since:1.9 deprecated:1.16 removed:1.22 use:admissionregistration.k8s.io/v1/MutatingWebhookConfiguration
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy since:1.28 deprecated:1.31 removed:1.34
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBinding since:1.28 deprecated:1.31 removed:1.34
admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration since:1.9 deprecated:1.16 removed:1.22 use:admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration
apidiscovery.k8s.io/v2beta1 APIGroupDiscovery since:1.26 deprecated:1.32 removed:1.35
apiextensions.k8s.io/v1beta1 CustomResourceDefinition since:1.7 deprecated:1.16 removed:1.22 use:apiextensions.k8s.io/v1/CustomResourceDefinition
apiregistration.k8s.io/v1beta1 APIService since:1.7 deprecated:1.19 removed:1.22 use:apiregistration.k8s.io/v1/APIService
apps/v1beta1 ControllerRevision since:1.7 deprecated:1.8 removed:1.16 use:apps/v1/ControllerRevision
apps/v1beta1 Deployment since:1.6 deprecated:1.8 removed:1.16 use:apps/v1/Deployment
apps/v1beta1 DeploymentRollback since:1.6 deprecated:1.8 removed:1.16 use:apps/v1/DeploymentRollback
apps/v1beta1 Scale since:1.6 deprecated:1.8 removed:1.16 use:autoscaling/v1/Scale
apps/v1beta1 StatefulSet since:1.5 deprecated:1.8 removed:1.16 use:apps/v1/StatefulSet
apps/v1beta2 ControllerRevision since:1.8 deprecated:1.9 removed:1.16 use:apps/v1/ControllerRevision
apps/v1beta2 DaemonSet since:1.8 deprecated:1.9 removed:1.16 use:apps/v1/DaemonSet
apps/v1beta2 Deployment since:1.8 deprecated:1.9 removed:1.16 use:apps/v1/Deployment
apps/v1beta2 ReplicaSet since:1.8 deprecated:1.9 removed:1.16 use:apps/v1/ReplicaSet
apps/v1beta2 Scale since:1.8 deprecated:1.9 removed:1.16 use:autoscaling/v1/Scale
apps/v1beta2 StatefulSet since:1.8 deprecated:1.9 removed:1.16 use:apps/v1/StatefulSet
authentication.k8s.io/v1alpha1 SelfSubjectReview since:1.26 deprecated:1.29 removed:1.32
authentication.k8s.io/v1beta1 SelfSubjectReview since:1.27 deprecated:1.30 removed:1.33
authentication.k8s.io/v1beta1 TokenReview since:1.4 deprecated:1.19 removed:1.22 use:authentication.k8s.io/v1/TokenReview
authorization.k8s.io/v1beta1 LocalSubjectAccessReview since:1.2 deprecated:1.19 removed:1.22 use:authorization.k8s.io/v1/LocalSubjectAccessReview
authorization.k8s.io/v1beta1 SelfSubjectAccessReview since:1.2 deprecated:1.19 removed:1.22 use:authorization.k8s.io/v1/SelfSubjectAccessReview
authorization.k8s.io/v1beta1 SelfSubjectRulesReview since:1.8 deprecated:1.19 removed:1.22 use:authorization.k8s.io/v1/SelfSubjectRulesReview
authorization.k8s.io/v1beta1 SubjectAccessReview since:1.2 deprecated:1.19 removed:1.22 use:authorization.k8s.io/v1/SubjectAccessReview
autoscaling/v2beta1 HorizontalPodAutoscaler since:1.8 deprecated:1.22 removed:1.25 use:autoscaling/v2/HorizontalPodAutoscaler
autoscaling/v2beta2 HorizontalPodAutoscaler since:1.12 deprecated:1.23 removed:1.26 use:autoscaling/v2/HorizontalPodAutoscaler
batch/v1beta1 CronJob since:1.8 deprecated:1.21 removed:1.25 use:batch/v1/CronJob
batch/v1beta1 JobTemplate since:1.8 deprecated:1.22 removed:1.25
certificates.k8s.io/v1beta1 CertificateSigningRequest since:1.12 deprecated:1.19 removed:1.22 use:certificates.k8s.io/v1/CertificateSigningRequest
coordination.k8s.io/v1beta1 Lease since:1.12 deprecated:1.19 removed:1.22 use:coordination.k8s.io/v1/Lease
discovery.k8s.io/v1beta1 EndpointSlice since:1.16 deprecated:1.21 removed:1.25 use:discovery.k8s.io/v1/EndpointSlice
events.k8s.io/v1beta1 Event since:1.8 deprecated:1.22 removed:1.25
extensions/v1beta1 DaemonSet since:1.1 deprecated:1.8 removed:1.16 use:apps/v1/DaemonSet
extensions/v1beta1 Deployment since:1.1 deprecated:1.8 removed:1.16 use:apps/v1/Deployment
extensions/v1beta1 DeploymentRollback since:1.2 deprecated:1.8 removed:1.16
extensions/v1beta1 Ingress since:1.1 deprecated:1.14 removed:1.22 use:networking.k8s.io/v1/Ingress
extensions/v1beta1 NetworkPolicy since:1.3 deprecated:1.9 removed:1.16 use:networking.k8s.io/v1/NetworkPolicy
extensions/v1beta1 PodSecurityPolicy since:1.2 deprecated:1.11 removed:1.16 use:policy/v1beta1/PodSecurityPolicy
extensions/v1beta1 ReplicaSet since:1.2 deprecated:1.8 removed:1.16 use:apps/v1/ReplicaSet
extensions/v1beta1 Scale since:1.1 deprecated:1.2 removed:1.16
flowcontrol.apiserver.k8s.io/v1alpha1 FlowSchema since:1.18 deprecated:1.20 removed:1.21 use:flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema
flowcontrol.apiserver.k8s.io/v1alpha1 PriorityLevelConfiguration since:1.18 deprecated:1.20 removed:1.21 use:flowcontrol.apiserver.k8s.io/v1beta3/PriorityLevelConfiguration
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema since:1.20 deprecated:1.23 removed:1.26 use:flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema
flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration since:1.20 deprecated:1.23 removed:1.26 use:flowcontrol.apiserver.k8s.io/v1beta3/PriorityLevelConfiguration
flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema since:1.23 deprecated:1.26 removed:1.29 use:flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema
flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration since:1.23 deprecated:1.26 removed:1.29 use:flowcontrol.apiserver.k8s.io/v1beta3/PriorityLevelConfiguration
flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema since:1.26 deprecated:1.29 removed:1.32 use:flowcontrol.apiserver.k8s.io/v1/FlowSchema
flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration since:1.26 deprecated:1.29 removed:1.32 use:flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration
networking.k8s.io/v1alpha1 ClusterCIDR since:1.25 deprecated:1.28 removed:1.31
networking.k8s.io/v1alpha1 IPAddress since:1.27 deprecated:1.30 removed:1.33
networking.k8s.io/v1alpha1 ServiceCIDR since:1.27 deprecated:1.30 removed:1.33
networking.k8s.io/v1beta1 Ingress since:1.14 deprecated:1.19 removed:1.22 use:networking.k8s.io/v1/Ingress
networking.k8s.io/v1beta1 IngressClass since:1.18 deprecated:1.19 removed:1.22 use:networking.k8s.io/v1/IngressClass
node.k8s.io/v1beta1 RuntimeClass since:1.13 deprecated:1.22 removed:1.25
policy/v1beta1 Eviction since:1.5 deprecated:1.22 removed:1.25
policy/v1beta1 PodDisruptionBudget since:1.5 deprecated:1.21 removed:1.25 use:policy/v1/PodDisruptionBudget
policy/v1beta1 PodSecurityPolicy since:1.10 deprecated:1.21 removed:1.25
rbac.authorization.k8s.io/v1beta1 ClusterRole since:1.6 deprecated:1.17 removed:1.22 use:rbac.authorization.k8s.io/v1/ClusterRole
rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding since:1.6 deprecated:1.17 removed:1.22 use:rbac.authorization.k8s.io/v1/ClusterRoleBinding
rbac.authorization.k8s.io/v1beta1 Role since:1.6 deprecated:1.17 removed:1.22 use:rbac.authorization.k8s.io/v1/Role
rbac.authorization.k8s.io/v1beta1 RoleBinding since:1.6 deprecated:1.17 removed:1.22 use:rbac.authorization.k8s.io/v1/RoleBinding
scheduling.k8s.io/v1beta1 PriorityClass since:1.11 deprecated:1.14 removed:1.22 use:scheduling.k8s.io/v1/PriorityClass
storage.k8s.io/v1alpha1 CSIStorageCapacity since:1.19 deprecated:1.21 removed:1.24 use:storage.k8s.io/v1beta1/CSIStorageCapacity
storage.k8s.io/v1alpha1 VolumeAttachment since:1.9 deprecated:1.21 removed:1.24 use:storage.k8s.io/v1/VolumeAttachment
storage.k8s.io/v1alpha1 VolumeAttributesClass since:1.29 deprecated:1.32 removed:1.35 use:storage.k8s.io/v1/VolumeAttributesClass
storage.k8s.io/v1beta1 CSIDriver since:1.14 deprecated:1.19 removed:1.22 use:storage.k8s.io/v1/CSIDriver
storage.k8s.io/v1beta1 CSINode since:1.14 deprecated:1.17 removed:1.22 use:storage.k8s.io/v1/CSINode
storage.k8s.io/v1beta1 CSIStorageCapacity since:1.21 deprecated:1.24 removed:1.27 use:storage.k8s.io/v1/CSIStorageCapacity
storage.k8s.io/v1beta1 StorageClass since:1.4 deprecated:1.19 removed:1.22 use:storage.k8s.io/v1/StorageClass
storage.k8s.io/v1beta1 VolumeAttachment since:1.10 deprecated:1.19 removed:1.22 use:storage.k8s.io/v1/VolumeAttachment
storagemigration.k8s.io/v1alpha1 StorageVersionMigration since:1.30 deprecated:1.33 removed:1.36
)";
// clang-format on

}  // namespace strake::kinds::types
