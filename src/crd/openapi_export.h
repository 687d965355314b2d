#pragma once
// What kube-apiserver v1.36 publishes about a version of a CRD: the schemas of its kind and of the
// list of it, in OpenAPI v3 and in the poorer v2 that old clients read.
#include <cstdint>
#include <string>
#include <string_view>

#include "crd/crd.h"
#include "value/document.h"

namespace strake::crd {

enum class OpenApi : std::uint8_t { kV2, kV3 };

// "com.example.v1.CronTab": the group turned around, the version, the kind.
std::string openapi_name(std::string_view group, std::string_view version, std::string_view kind);

// An object from names to schemas: `components.schemas` of the v3 document with all that is
// referred to, or what stands in `definitions` of the v2 document for this kind, whose references
// lead to definitions that the whole document has. The CRD must have been accepted.
value::Document export_openapi(const Crd& crd, const Version& version, OpenApi form);

}  // namespace strake::crd
