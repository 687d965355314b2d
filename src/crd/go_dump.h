#pragma once
// Parts of a CRD as the API server prints them inside a message: as JSON, but with the names of its
// internal fields, in their order, and with every field there is.
#include <string>

#include "crd/hoisted.h"
#include "value/value.h"

namespace strake::crd {

// A whole JSON schema: {"ID":"","Schema":"","Ref":null,...}
std::string dump_schema(const value::Value& schema);
// spec.versions, without the parts that were moved to the top; null and [] when there are none.
std::string dump_versions(const HoistedSpec& spec);
// {"Schema":...,"JSONSchemas":...}
std::string dump_items(const value::Value& items);

}  // namespace strake::crd
