#pragma once
// What follows from the declaration of a built-in type (describe.h): how it is decoded, owned,
// published and merged. All is made on first use and kept for good; any thread may ask.
#include <string>

#include "kinds/describe.h"
#include "meta/shape.h"
#include "patch/strategic_merge.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::kinds {

// As Kubernetes has it in the newest version, or in 1.`minor`.
const meta::Shape& shape_of(const Type& type);
const meta::Shape& shape_of(const Type& type, int minor);

// What field ownership needs to know: types, list and map types. No value constraints: those are
// the strategy's business, since their messages differ from those of schemas. metadata is an object
// without properties, as in the schema of a custom resource.
schema::NodePtr node_of(const Type& type);

const patch::MergeFields& merge_fields_of(const Type& type);

// From full names to OpenAPI v3 schemas: the kind, its list, and all they refer to but for the
// types that crd::builtin_schemas() has.
const value::Value& openapi_schemas_of(const Type& kind);

}  // namespace strake::kinds
