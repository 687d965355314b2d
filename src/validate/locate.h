#pragma once
// From the paths in messages back to places in a document.
#include <optional>
#include <string_view>

#include "base/field_path.h"
#include "schema/node.h"
#include "validate/finding.h"
#include "value/document.h"
#include "value/value.h"

namespace strake::validate {

// The path that the server prints as `text` in this object. Keys may hold dots and brackets of
// their own, so the object decides how the text is to be read. Nothing when no such member is
// there.
std::optional<FieldPath> find_path(const value::Value& object, std::string_view text);
// The same, but as far as the text leads.
FieldPath find_nearest_path(const value::Value& object, std::string_view text);

// The schema of what stands at the path, or null where the schema says nothing.
const schema::Node* schema_at(const schema::Node& root, const FieldPath& path);

// Whether the schema or the rules for metadata speak of what stands at the path of a whole
// resource.
bool is_known(const schema::Node* root, const FieldPath& path);

// Where a fault points to: at the key or the value that its message shows, for faults that the
// server reports of the map around it (labels, annotations).
struct MeantPlace {
  FieldPath path;
  bool at_key = false;
};
MeantPlace meant_by(const Fault& fault, const value::Value& object);

// `inside` seen from the document: one path behind the other.
FieldPath join(const FieldPath& front, const FieldPath& inside);

}  // namespace strake::validate
