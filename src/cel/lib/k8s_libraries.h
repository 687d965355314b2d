#pragma once
// The libraries that Kubernetes adds to CEL. Each is made once and lives as long as the process.
// Which of them an expression sees is decided in k8s_environment.h.
#include <cstdint>

#include "cel/env/function.h"

namespace strake::cel {

const Library& k8s_lists_library();      // isSorted, sum, min, max, indexOf, lastIndexOf
const Library& k8s_regex_library();      // find, findAll
const Library& k8s_urls_library();       // url, isURL, getScheme, ...
const Library& k8s_quantity_library();   // quantity, isQuantity, add, compareTo, ...
const Library& k8s_ip_library();         // ip, isIP, ip.isCanonical, family, ...
const Library& k8s_cidr_library();       // cidr, isCIDR, containsIP, masked, ...
const Library& k8s_semver_library();     // semver, isSemver, major, ...
const Library& k8s_jsonpatch_library();  // jsonpatch.escapeKey
// What can be asked of an `authorizer` (k8s_authz.h).
const Library& k8s_authz_library();
const Library& k8s_authz_selectors_library();

// The size that run-time cost sees in an opaque value: bytes of an address, 1 for others.
std::uint64_t k8s_object_size(const Object& object);
// Of a value that is a format; 0 for others.
std::uint64_t k8s_format_regex_size(const Object& object);

}  // namespace strake::cel
