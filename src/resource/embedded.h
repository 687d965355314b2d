#pragma once
// Resources inside resources (x-kubernetes-embedded-resource): their metadata is read and judged
// like that of any object.
#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/field_path.h"
#include "schema/node.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::resource {

struct EmbeddedOptions {
  bool resource_root = false;   // the value itself is a resource, whatever its schema says
  bool drop_malformed = false;  // as when an object is read from the store
  // When given, the paths of unknown metadata fields are appended, sorted: spec.obj.metadata.x
  std::vector<std::string>* unknown = nullptr;
};

// Puts the metadata of embedded resources into canonical form, in place. The first fault found, or
// nothing.
std::optional<value::FieldError> coerce_embedded(value::Value& v, const schema::Node& schema,
                                                 Arena& arena, const FieldPath& at,
                                                 const EmbeddedOptions& options = {});

// apiVersion, kind and metadata of embedded resources.
value::FieldErrors validate_embedded(const value::Value& v, const schema::Node& schema,
                                     bool resource_root, const FieldPath& at);

// The same for one resource, without those inside of it.
value::FieldErrors validate_embedded_alone(const value::Value& v, const FieldPath& at);

}  // namespace strake::resource
