#include "resource/settle.h"

#include <fmt/format.h>

#include <algorithm>

#include "meta/object_meta.h"
#include "schema/defaults.h"
#include "schema/path_trail.h"
#include "schema/prune.h"
#include "value/field_error.h"

namespace strake::resource {
namespace {

using schema::Node;
using schema::PathTrail;
using value::FieldError;
using value::Member;
using value::Value;

// The decoder caps what it collects.
constexpr std::size_t kMostStrictErrors = 100;

std::unexpected<Error> refuse(const FieldError& error) {
  return std::unexpected(Error(Code::kBadRequest, error.to_string()));
}

// Metadata of embedded resources, wherever the schema says one stands.
class EmbeddedCoercer {
 public:
  EmbeddedCoercer(Arena& arena, const SettleOptions& options, std::vector<std::string>* unknown)
      : arena_(arena), options_(options), unknown_(unknown) {}

  Result<> walk(Value& v, const Node& schema, const PathTrail& at) {
    if (!schema.has_embedded_below) return {};
    if (v.is_array() && schema.items) {
      std::size_t i = 0;
      for (Value& item : v.mutable_items()) STRAKE_CHECK(walk(item, *schema.items, PathTrail::index(at, i++)));
    } else if (v.is_object()) {
      if (schema.embedded_resource) STRAKE_CHECK(type_meta(v, at));
      for (Member& m : v.mutable_members()) {
        if (const Node* property = schema.property(m.key)) {
          STRAKE_CHECK(walk(m.value, *property, PathTrail::field(at, m.key)));
        } else if (schema.additional_schema) {
          STRAKE_CHECK(walk(m.value, *schema.additional_schema, PathTrail::key(at, m.key)));
        }
      }
    }
    return {};
  }

 private:
  Result<> type_meta(Value& v, const PathTrail& at) {
    for (const std::string_view key : {"apiVersion", "kind"}) {
      const Value* text = v.find(key);
      if (text == nullptr || text->is_string()) continue;
      if (!options_.drop_malformed_metadata) {
        return refuse(FieldError::invalid(at.path() / key, *text, "must be a string"));
      }
      v.remove(key);
    }
    Value* metadata = v.find("metadata");
    if (metadata == nullptr) return {};
    const std::string prefix = (at.path() / "metadata").to_k8s();
    const Value before = *metadata;
    auto coerced = meta::coerce_object_meta(
        *metadata, arena_,
        {.drop_malformed = options_.drop_malformed_metadata, .unknown = unknown_, .prefix = prefix});
    if (coerced) return {};
    if (options_.drop_malformed_metadata) {
      v.remove("metadata");
      return {};
    }
    return refuse(FieldError::invalid(at.path() / "metadata", before, coerced.error().message()));
  }

  Arena& arena_;
  const SettleOptions& options_;
  std::vector<std::string>* unknown_;
};

}  // namespace

Result<> settle(Value& object, const Kind& kind, Arena& arena, std::vector<std::string>* unknown,
                const SettleOptions& options) {
  if (Value* metadata = object.find("metadata")) {
    STRAKE_CHECK(meta::coerce_object_meta(
        *metadata, arena,
        {.drop_malformed = options.drop_malformed_metadata, .unknown = unknown, .prefix = "metadata"}));
  }
  if (!kind.schema) return {};
  if (!kind.preserve_unknown) {
    schema::prune(object, *kind.schema, {.resource_root = true}, unknown);
    schema::prune_nulls(object, *kind.schema);
  }
  if (kind.schema->has_embedded_below) {
    std::vector<std::string> embedded;
    const FieldPath root;
    EmbeddedCoercer coercer(arena, options, unknown != nullptr ? &embedded : nullptr);
    STRAKE_CHECK(coercer.walk(object, *kind.schema, PathTrail(root)));
    std::sort(embedded.begin(), embedded.end());
    if (unknown != nullptr) unknown->insert(unknown->end(), embedded.begin(), embedded.end());
  }
  if (options.apply_defaults) schema::apply_defaults(object, *kind.schema, arena);
  return {};
}

std::vector<std::string> strict_errors(const std::vector<value::DuplicateKey>& duplicates,
                                       const std::vector<std::string>& unknown) {
  std::vector<std::string> errors;
  auto add = [&errors](std::string text) {
    if (errors.size() >= kMostStrictErrors) return;
    if (std::find(errors.begin(), errors.end(), text) == errors.end()) errors.push_back(std::move(text));
  };
  for (const value::DuplicateKey& duplicate : duplicates) {
    add(fmt::format("duplicate field \"{}\"", duplicate.path.to_k8s()));
  }
  for (const std::string& path : unknown) add(fmt::format("unknown field \"{}\"", path));
  return errors;
}

std::string decode_failure(const Kind& kind, std::string_view why) {
  return fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2}", kind.gvk.kind, kind.gvk.version, why);
}

std::string strict_failure(const Kind& kind, const std::vector<std::string>& errors) {
  return decode_failure(kind, fmt::format("strict decoding error: {}", fmt::join(errors, ", ")));
}

}  // namespace strake::resource
