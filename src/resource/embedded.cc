#include "resource/embedded.h"

#include <algorithm>
#include <iterator>

#include "meta/gvk.h"
#include "meta/names.h"
#include "meta/object_meta.h"

// Objects inside of objects (x-kubernetes-embedded-resource): their metadata is decoded and judged
// like that of a real one. Both walks follow the schema and leave what has no embedded resource
// below it.

namespace strake::resource {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

bool is_type_field(std::string_view key) { return key == "apiVersion" || key == "kind"; }

class Coercer {
 public:
  Coercer(Arena& arena, const EmbeddedOptions& options) : arena_(arena), options_(options) {}

  std::optional<FieldError> run(Value& v, const schema::Node& schema, bool is_resource,
                                const FieldPath& at) {
    if (!is_resource && !schema.has_embedded_below) return std::nullopt;
    if (v.is_array() && schema.items != nullptr) {
      for (std::size_t i = 0; i < v.size(); ++i) {
        if (auto fault =
                run(v.mutable_items()[i], *schema.items, schema.items->embedded_resource, at / i))
          return fault;
      }
    }
    if (!v.is_object()) return std::nullopt;
    if (is_resource) {
      if (auto fault = coerce_resource(v, at)) return fault;
    }
    for (Member& member : v.mutable_members()) {
      const schema::Node* property = schema.property(member.key);
      const schema::Node* inner = property != nullptr ? property : schema.additional_schema.get();
      if (inner == nullptr) continue;
      const FieldPath here = property != nullptr ? at / member.key : at.key(member.key);
      if (auto fault = run(member.value, *inner, inner->embedded_resource, here)) return fault;
    }
    return std::nullopt;
  }

 private:
  std::optional<FieldError> coerce_resource(Value& v, const FieldPath& at) {
    auto members = v.mutable_members();
    std::size_t kept = 0;
    std::optional<FieldError> fault;
    // After a fault nothing more is dropped or changed, but the members behind it must still be
    // kept.
    for (Member& member : members) {
      if (!fault && is_type_field(member.key) && !member.value.is_string()) {
        if (options_.drop_malformed) continue;
        fault = FieldError::invalid(at / member.key, member.value, "must be a string");
      }
      if (!fault && member.key == "metadata")
        fault = coerce_metadata(member.value, at / "metadata");
      members[kept++] = member;
    }
    v.truncate(kept);
    return fault;
  }

  std::optional<FieldError> coerce_metadata(Value& metadata, const FieldPath& at) {
    const std::string prefix = options_.unknown != nullptr ? at.to_k8s() : std::string();
    // The value is edited in place, so what it was is put into words first; few documents get here.
    std::string shown = options_.drop_malformed ? std::string() : value::render_value(metadata);
    const auto done = meta::coerce_object_meta(
        metadata, arena_,
        {.drop_malformed = options_.drop_malformed, .unknown = options_.unknown, .prefix = prefix});
    if (done || options_.drop_malformed) return std::nullopt;
    return FieldError{.type = FieldError::Type::kInvalid,
                      .path = at,
                      .shown = std::move(shown),
                      .detail = done.error().message()};
  }

  Arena& arena_;
  const EmbeddedOptions& options_;
};

void validate_resource(const Value& v, const FieldPath& at, FieldErrors& errors) {
  for (const std::string_view key : {"apiVersion", "kind"}) {
    if (v.find(key) == nullptr) errors.push_back(FieldError::required(at / key));
  }
  const auto refuse = [&](std::string_view key, const Value& met, std::string detail) {
    errors.push_back(FieldError::invalid(at / key, met, std::move(detail)));
  };
  for (const std::string_view key : {"apiVersion", "kind"}) {
    const Value* found = v.find(key);
    if (found == nullptr) continue;
    if (!found->is_string()) {
      refuse(key, *found, "must be a string");
    } else if (found->size() == 0) {
      refuse(key, *found, "must not be empty");
    } else if (key == "apiVersion") {
      if (const auto gv = meta::parse_group_version(found->as_string()); !gv)
        refuse(key, *found, gv.error().message());
    } else if (const auto messages =
                   meta::check_dns1035_label(meta::to_lower_ascii(found->as_string()));
               !messages.empty()) {
      refuse(key, *found,
             "may have mixed case, but should otherwise match: " + meta::join(messages));
    }
  }
  const Value* found = v.find("metadata");
  if (found == nullptr) return;
  // Judged as it would be read, without changing it.
  Arena scratch;
  Value metadata = value::deep_copy(*found, scratch);
  if (const auto done = meta::coerce_object_meta(metadata, scratch); !done) {
    return refuse("metadata", *found, done.error().message());
  }
  const meta::ObjectMeta view(&metadata);
  // An embedded resource needs no name.
  if (view.name().empty()) metadata.set("name", Value::string("fakename"), scratch);
  errors.append(meta::validate_object_meta(view, !view.namespace_name().empty(),
                                           meta::name_is_path_segment, at / "metadata"));
}

void validate_below(const Value& v, const schema::Node& schema, bool is_resource,
                    const FieldPath& at, FieldErrors& errors) {
  if (!is_resource && !schema.has_embedded_below) return;
  if (v.is_array() && schema.items != nullptr) {
    for (std::size_t i = 0; i < v.size(); ++i) {
      validate_below(v.items()[i], *schema.items, schema.items->embedded_resource, at / i, errors);
    }
  }
  if (!v.is_object()) return;
  if (is_resource) validate_resource(v, at, errors);
  for (const Member& member : v.members()) {
    const schema::Node* property = schema.property(member.key);
    const schema::Node* inner = property != nullptr ? property : schema.additional_schema.get();
    if (inner == nullptr) continue;
    validate_below(member.value, *inner, inner->embedded_resource,
                   property != nullptr ? at / member.key : at.key(member.key), errors);
  }
}

}  // namespace

std::optional<FieldError> coerce_embedded(Value& v, const schema::Node& schema, Arena& arena,
                                          const FieldPath& at, const EmbeddedOptions& options) {
  const std::size_t before = options.unknown != nullptr ? options.unknown->size() : 0;
  auto fault =
      Coercer(arena, options).run(v, schema, options.resource_root || schema.embedded_resource, at);
  if (options.unknown != nullptr) {
    std::sort(options.unknown->begin() + static_cast<std::ptrdiff_t>(before),
              options.unknown->end());
  }
  return fault;
}

FieldErrors validate_embedded_alone(const Value& v, const FieldPath& at) {
  FieldErrors errors;
  if (v.is_object()) validate_resource(v, at, errors);
  return errors;
}

FieldErrors validate_embedded(const Value& v, const schema::Node& schema, bool resource_root,
                              const FieldPath& at) {
  FieldErrors errors;
  validate_below(v, schema, resource_root || schema.embedded_resource, at, errors);
  return errors;
}

}  // namespace strake::resource
