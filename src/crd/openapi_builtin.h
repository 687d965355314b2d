#pragma once
// The schemas of the types that every API has (ObjectMeta, ListMeta, Status, ...), as
// kube-apiserver v1.36 publishes them in OpenAPI v3, described in words of our own.
#include <string_view>

#include "value/value.h"

namespace strake::crd {

inline constexpr std::string_view kMetaPrefix = "io.k8s.apimachinery.pkg.apis.meta.v1.";

// An object from full names ("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta") to schemas. Made on
// first use, kept for good, shared by all threads.
const value::Value& builtin_schemas();
// Those of the scale subresource, which only some resources have.
const value::Value& scale_schemas();

}  // namespace strake::crd
