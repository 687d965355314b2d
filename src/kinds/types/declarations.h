#pragma once
// The types of Kubernetes 1.36 that are not declared elsewhere, a text a group and version, in the
// language of describe.h. Made by tools/make_types; kRemovedKinds has a line for each kind that
// Kubernetes has no more: "group/version Kind since:1.N deprecated:1.N removed:1.N use:G/V/K".
#include <string_view>

namespace strake::kinds::types {

inline constexpr int kOldestMinor = 26;  // whose fields are known
inline constexpr int kNewestMinor = 36;

extern const std::string_view kAdmissionregistrationV1;
extern const std::string_view kAdmissionregistrationV1alpha1;
extern const std::string_view kAdmissionregistrationV1beta1;
extern const std::string_view kApiserverinternalV1alpha1;
extern const std::string_view kAppsV1;
extern const std::string_view kAutoscalingV1;
extern const std::string_view kAutoscalingV2;
extern const std::string_view kBatchV1;
extern const std::string_view kCertificatesV1;
extern const std::string_view kCertificatesV1alpha1;
extern const std::string_view kCertificatesV1beta1;
extern const std::string_view kCoordinationV1alpha2;
extern const std::string_view kCoordinationV1beta1;
extern const std::string_view kCoreV1;
extern const std::string_view kDiscoveryV1;
extern const std::string_view kFlowcontrolV1;
extern const std::string_view kNetworkingV1;
extern const std::string_view kNetworkingV1beta1;
extern const std::string_view kNodeV1;
extern const std::string_view kPolicyV1;
extern const std::string_view kRemovedKinds;
extern const std::string_view kResourceV1;
extern const std::string_view kResourceV1alpha3;
extern const std::string_view kResourceV1beta1;
extern const std::string_view kResourceV1beta2;
extern const std::string_view kSchedulingV1;
extern const std::string_view kSchedulingV1alpha2;
extern const std::string_view kStorageV1;
extern const std::string_view kStorageV1beta1;
extern const std::string_view kStoragemigrationV1beta1;

inline constexpr const std::string_view* kAll[] = {
    &kAdmissionregistrationV1,
    &kAdmissionregistrationV1alpha1,
    &kAdmissionregistrationV1beta1,
    &kApiserverinternalV1alpha1,
    &kAppsV1,
    &kAutoscalingV1,
    &kAutoscalingV2,
    &kBatchV1,
    &kCertificatesV1,
    &kCertificatesV1alpha1,
    &kCertificatesV1beta1,
    &kCoordinationV1alpha2,
    &kCoordinationV1beta1,
    &kCoreV1,
    &kDiscoveryV1,
    &kFlowcontrolV1,
    &kNetworkingV1,
    &kNetworkingV1beta1,
    &kNodeV1,
    &kPolicyV1,
    &kResourceV1,
    &kResourceV1alpha3,
    &kResourceV1beta1,
    &kResourceV1beta2,
    &kSchedulingV1,
    &kSchedulingV1alpha2,
    &kStorageV1,
    &kStorageV1beta1,
    &kStoragemigrationV1beta1,
};

}  // namespace strake::kinds::types
