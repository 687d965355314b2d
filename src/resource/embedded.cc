#include "resource/embedded.h"

#include "meta/gvk.h"
#include "meta/names.h"
#include "meta/object_meta.h"
#include "schema/path_trail.h"

namespace strake::resource {
namespace {

using schema::Node;
using schema::PathTrail;
using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

// A text that must be there and must not be empty. Null when it is not fit for further checks.
const Value* required_text(const Value& object, std::string_view key, const FieldPath& at, FieldErrors& errors) {
  const Value* text = object.find(key);
  if (text == nullptr) return nullptr;
  if (!text->is_string()) {
    errors.push_back(FieldError::invalid(at / key, *text, "must be a string"));
  } else if (text->as_string().empty()) {
    errors.push_back(FieldError::invalid(at / key, *text, "must not be empty"));
  } else {
    return text;
  }
  return nullptr;
}

void check_metadata(const Value& metadata, const FieldPath& at, FieldErrors& errors) {
  Arena arena;
  Value copy = value::deep_copy(metadata, arena);
  if (auto coerced = meta::coerce_object_meta(copy, arena); !coerced) {
    errors.push_back(FieldError::invalid(at, metadata, coerced.error().message()));
    return;
  }
  // An embedded object needs no name; any good one keeps the check from asking for it.
  if (meta::ObjectMeta(&copy).name().empty() && copy.is_object()) copy.set("name", Value::string("fakename"), arena);
  const meta::ObjectMeta checked(&copy);
  const FieldErrors found = meta::validate_object_meta(checked, !checked.namespace_name().empty(),
                                                       meta::name_is_path_segment, at);
  errors.insert(errors.end(), found.begin(), found.end());
}

void check_resource(const Value& v, const FieldPath& at, FieldErrors& errors) {
  for (const std::string_view key : {"apiVersion", "kind"}) {
    if (v.find(key) == nullptr) errors.push_back(FieldError::required(at / key));
  }
  if (const Value* api_version = required_text(v, "apiVersion", at, errors)) {
    if (auto parsed = meta::parse_group_version(api_version->as_string()); !parsed) {
      errors.push_back(FieldError::invalid(at / "apiVersion", *api_version, parsed.error().message()));
    }
  }
  if (const Value* kind = required_text(v, "kind", at, errors)) {
    const meta::Messages messages = meta::check_dns1035_label(meta::to_lower_ascii(kind->as_string()));
    if (!messages.empty()) {
      errors.push_back(FieldError::invalid(
          at / "kind", *kind, "may have mixed case, but should otherwise match: " + meta::join(messages)));
    }
  }
  if (const Value* metadata = v.find("metadata")) check_metadata(*metadata, at / "metadata", errors);
}

void walk(const Value& v, const Node& schema, const PathTrail& at, FieldErrors& errors) {
  if (!schema.has_embedded_below) return;
  if (v.is_array() && schema.items) {
    for (std::size_t i = 0; i < v.size(); ++i) walk(v.items()[i], *schema.items, PathTrail::index(at, i), errors);
  } else if (v.is_object()) {
    if (schema.embedded_resource) check_resource(v, at.path(), errors);
    for (const Member& m : v.members()) {
      if (const Node* property = schema.property(m.key)) {
        walk(m.value, *property, PathTrail::field(at, m.key), errors);
      } else if (schema.additional_schema) {
        walk(m.value, *schema.additional_schema, PathTrail::key(at, m.key), errors);
      }
    }
  }
}

}  // namespace

FieldErrors validate_embedded(const Value& object, const Node& schema) {
  FieldErrors errors;
  const FieldPath root;
  walk(object, schema, PathTrail(root), errors);
  return errors;
}

}  // namespace strake::resource
