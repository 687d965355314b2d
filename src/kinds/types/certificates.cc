#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kCertificatesV1 = R"(
package io.k8s.api.certificates.v1 group certificates.k8s.io version v1
string KeyUsage
string RequestConditionType
list ExtraValue []string
kind CertificateSigningRequest | CertificateSigningRequest asks a signer for a certificate. Once approved, the signer puts it into the status.
  spec CertificateSigningRequestSpec #2 | The request. Cannot be changed.
  status? CertificateSigningRequestStatus #3 | The decision on the request, and the certificate.
struct CertificateSigningRequestCondition | CertificateSigningRequestCondition is a decision on a request. Once added it cannot be removed.
  type RequestConditionType #1 | Approved, Denied or Failed. Approved and Denied exclude each other.
  status core.ConditionStatus #6 | True for Approved, Denied and Failed.
  reason? string #2 | Why, in one CamelCase word.
  message? string #3 | The same for people to read.
  lastUpdateTime? time #4 | When the condition was last updated.
  lastTransitionTime? time #5 | When the status last changed.
struct CertificateSigningRequestSpec | CertificateSigningRequestSpec describes the certificate that is asked for, and who asks.
  request bytes #1 | A PKCS#10 request, PEM-encoded, in a CERTIFICATE REQUEST block.
  signerName string #7 | The signer that is asked, such as kubernetes.io/kube-apiserver-client.
  expirationSeconds? *int32 #8 | How long the certificate should be valid, at least 600 seconds. The signer may decide otherwise.
  usages? []KeyUsage #5 atomic | What the key may be used for, such as digital signature or client auth.
  username? string #2 | The user who made the request. Set by the server.
  uid? string #3 | The UID of the user. Set by the server.
  groups? []string #4 atomic | The groups of the user. Set by the server.
  extra? map[string]ExtraValue #6 | Further attributes of the user. Set by the server.
struct CertificateSigningRequestStatus | CertificateSigningRequestStatus holds the decision on a request, and the certificate.
  conditions? []CertificateSigningRequestCondition #1 map:type | Whether the request was approved or denied, or signing failed.
  certificate? bytes #2 | The certificate as PEM, intermediate ones after it. Set by the signer once approved; cannot be changed then.
)";

constinit const std::string_view kCertificatesV1alpha1 = R"(
package io.k8s.api.certificates.v1alpha1 group certificates.k8s.io version v1alpha1
kind ClusterTrustBundle deprecated:1.34 removed:1.37 | ClusterTrustBundle holds X.509 root certificates that pods can mount, readable by everyone who is authenticated.
  spec ClusterTrustBundleSpec #2 | The certificates, and the signer they belong to.
struct ClusterTrustBundleSpec | ClusterTrustBundleSpec holds root certificates.
  signerName? string #1 | The signer that they belong to, which then also begins the object's name. Cannot be changed.
  trustBundle string #2 | The certificates, as PEM. Their order has no meaning, and there is at least one.
)";

constinit const std::string_view kCertificatesV1beta1 = R"(
package io.k8s.api.certificates.v1beta1 group certificates.k8s.io version v1beta1
kind ClusterTrustBundle since:1.33 deprecated:1.37 removed:1.40 | ClusterTrustBundle holds X.509 root certificates that pods can mount, readable by everyone who is authenticated.
  spec ClusterTrustBundleSpec #2 | The certificates, and the signer they belong to.
struct ClusterTrustBundleSpec | ClusterTrustBundleSpec holds root certificates.
  signerName? string #1 | The signer that they belong to, which then also begins the object's name. Cannot be changed.
  trustBundle string #2 | The certificates, as PEM. Their order has no meaning, and there is at least one.
kind PodCertificateRequest since:1.35 deprecated:1.38 removed:1.41 | PodCertificateRequest asks a signer for a certificate for a pod. The kubelet makes it on the pod's behalf.
  spec PodCertificateRequestSpec #2 | The request. Cannot be changed.
  status? PodCertificateRequestStatus #3 | The decision on the request, and the certificate.
struct PodCertificateRequestSpec | PodCertificateRequestSpec describes the certificate that is asked for, and the pod.
  signerName string #1 | The signer that is asked.
  podName string #2 | The name of the pod.
  podUID uid #3 | The UID of the pod.
  serviceAccountName string #4 | The service account of the pod.
  serviceAccountUID uid #5 | The UID of the service account.
  nodeName nodename #6 | The node of the pod.
  nodeUID uid #7 | The UID of the node.
  maxExpirationSeconds? *int32 #8 default:86400 | How long the certificate may be valid, from 3600 to 7862400 seconds. Default 86400, the most for kubernetes.io signers.
  pkixPublicKey bytes #9 optional | Deprecated: use stubPKCS10Request. The public key, in PKIX form.
  proofOfPossession bytes #10 optional | Deprecated: use stubPKCS10Request. A signature over the pod's UID that proves possession of the private key.
  stubPKCS10Request bytes #12 since:1.36 | A PKCS#10 request in DER form that carries the public key and proves possession of the private key.
  unverifiedUserAnnotations? map[string]string #11 | Hints for the signer from the pod's volume definition. Not verified.
struct PodCertificateRequestStatus | PodCertificateRequestStatus holds the decision on a request, and the certificate.
  conditions? []meta.Condition #1 map:type merge:type | Whether the certificate was Issued, Denied or Failed. One of them once decided.
  certificateChain? string #2 | The certificate as PEM, followed by its intermediate ones. Set once issued.
  notBefore? *time #4 | When the certificate becomes valid.
  beginRefreshAt? *time #5 | When the kubelet should begin to ask for a new one.
  notAfter? *time #6 | When the certificate expires.
)";
// clang-format on

}  // namespace strake::kinds::types
