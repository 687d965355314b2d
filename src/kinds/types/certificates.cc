#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kCertificatesV1 = R"(
package io.k8s.api.certificates.v1 group certificates.k8s.io version v1
string KeyUsage
string RequestConditionType
list ExtraValue []string
kind CertificateSigningRequest
  spec CertificateSigningRequestSpec
  status? CertificateSigningRequestStatus
struct CertificateSigningRequestCondition
  type RequestConditionType
  status core.ConditionStatus
  reason? string
  message? string
  lastUpdateTime? time
  lastTransitionTime? time
struct CertificateSigningRequestSpec
  request bytes
  signerName string
  expirationSeconds? *int32
  usages? []KeyUsage atomic
  username? string
  uid? string
  groups? []string atomic
  extra? map[string]ExtraValue
struct CertificateSigningRequestStatus
  conditions? []CertificateSigningRequestCondition map:type
  certificate? bytes
)";

constinit const std::string_view kCertificatesV1alpha1 = R"(
package io.k8s.api.certificates.v1alpha1 group certificates.k8s.io version v1alpha1
kind ClusterTrustBundle deprecated:1.34 removed:1.37
  spec ClusterTrustBundleSpec
struct ClusterTrustBundleSpec
  signerName? string
  trustBundle string
)";

constinit const std::string_view kCertificatesV1beta1 = R"(
package io.k8s.api.certificates.v1beta1 group certificates.k8s.io version v1beta1
kind ClusterTrustBundle since:1.33 deprecated:1.37 removed:1.40
  spec ClusterTrustBundleSpec
struct ClusterTrustBundleSpec
  signerName? string
  trustBundle string
kind PodCertificateRequest since:1.35 deprecated:1.38 removed:1.41
  spec PodCertificateRequestSpec
  status? PodCertificateRequestStatus
struct PodCertificateRequestSpec
  signerName string
  podName string
  podUID uid
  serviceAccountName string
  serviceAccountUID uid
  nodeName nodename
  nodeUID uid
  maxExpirationSeconds? *int32 default:86400
  pkixPublicKey bytes optional
  proofOfPossession bytes optional
  stubPKCS10Request bytes since:1.36
  unverifiedUserAnnotations? map[string]string
struct PodCertificateRequestStatus
  conditions? []meta.Condition map:type merge:type
  certificateChain? string
  notBefore? *time
  beginRefreshAt? *time
  notAfter? *time
)";
// clang-format on

}  // namespace strake::kinds::types
