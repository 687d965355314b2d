#pragma once
// Which keyword of a schema a fault is about.
#include "schema/node.h"
#include "validate/finding.h"

namespace strake::validate {

// Fills in where in the schema the keyword stands, as a pointer from its root, and for a fault of a
// rule the rule itself. Leaves both empty when the schema says nothing of the matter, as with
// metadata.
void add_schema_path(Fault& fault, const schema::Node& root);

// The pointer to the schema of what stands at the path; empty when the schema says nothing of it.
std::string schema_place(const schema::Node& root, const FieldPath& path);

}  // namespace strake::validate
