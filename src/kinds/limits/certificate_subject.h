#pragma once
// Who a CertificateSigningRequest would make its owner (kube-apiserver's plugin
// CertificateSubjectRestriction). Admission asks on a create of one, once it has been judged. A
// fault is the reason of a 403.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace strake::kinds {

// Nobody becomes one of system:masters, who may do everything, by a certificate that the signer of
// clients gives.
std::optional<std::string> certificate_subject_fault(const value::Value& signing_request);

// The organizations in the subject of a PKCS #10 request in DER; nothing when it cannot be read.
std::optional<std::vector<std::string>> organizations_of(std::string_view der);

}  // namespace strake::kinds
