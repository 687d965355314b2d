// Defaults must themselves be values that the server would take and keep as they are.
#include <iterator>
#include <vector>

#include "crd/check_parts.h"
#include "resource/embedded.h"
#include "schema/prune.h"
#include "schema/validate.h"

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::int64_t kRuntimeBudget = 10'000'000;

FieldPath joined(const FieldPath& base, const FieldPath& below) {
  FieldPath out = base;
  for (const FieldPath::Step& step : below.steps()) {
    switch (step.kind) {
      case FieldPath::Kind::kField: out.push_field(step.name); break;
      case FieldPath::Kind::kKey: out.push_key(step.name); break;
      case FieldPath::Kind::kIndex: out.push_index(step.index); break;
    }
  }
  return out;
}

// The value is judged as if it stood alone, which shows in the texts; the paths say where it really
// is.
FieldErrors validate_at(const Value& v, const schema::Node& node, const SchemaTrail& at) {
  FieldErrors errors = schema::validate(v, node);
  for (FieldError& error : errors) {
    error.path = error.nil_path ? at.path() : joined(at.path(), error.path);
    error.nil_path = false;
  }
  return errors;
}

bool changes_when_pruned(const Value& v, const schema::Node& node, bool is_resource) {
  Arena scratch;
  Value pruned = value::deep_copy(v, scratch);
  schema::prune(pruned, node, {.resource_root = is_resource});
  return !value::identical(pruned, v);
}

class DefaultWalk {
 public:
  DefaultWalk(bool require_pruned, SchemaRules* rules)
      : require_pruned_(require_pruned), rules_(rules) {}

  FieldErrors take() { return std::move(errors_); }

  // `metadata` is set below apiVersion, kind or metadata of a resource.
  void walk(const SchemaView& schema, const schema::Node& node, bool is_resource, bool metadata,
            const SchemaTrail& at) {
    if (!node.has_defaults_below && !node.default_value) return;
    const schema::Node* outer = resource_;
    std::vector<Step> outer_steps;
    if (is_resource) {
      metadata = false;
      resource_ = &node;
      outer_steps = std::exchange(steps_, {});
    }
    if (const Value* given = schema.get("default"))
      check(*given, node, is_resource, metadata, at.field("default"));
    if (const auto items = schema.items(); items && node.items != nullptr && !spent()) {
      steps_.push_back({.is_index = true, .name = {}});
      walk(*items, *node.items, node.items->embedded_resource, metadata, at.field("items"));
      steps_.pop_back();
    }
    for (const Member& property : schema.members("properties")) {
      const schema::Node* inner = node.property(property.key);
      if (inner == nullptr || spent()) continue;
      const bool is_meta =
          property.key == "metadata" || property.key == "apiVersion" || property.key == "kind";
      steps_.push_back({.is_index = false, .name = property.key});
      walk(SchemaView(property.value), *inner, inner->embedded_resource,
           metadata || (is_resource && is_meta), at.key("properties", property.key));
      steps_.pop_back();
    }
    if (is_resource) {
      resource_ = outer;
      steps_ = std::move(outer_steps);
    }
  }

 private:
  struct Step {
    bool is_index;
    std::string_view name;
  };

  bool spent() const { return budget_ < 0; }

  void check(const Value& given, const schema::Node& node, bool is_resource, bool metadata,
             const SchemaTrail& at) {
    Arena scratch;
    // Scalars cannot be edited in place.
    const bool is_scalar = !given.is_array() && !given.is_object();
    Value v = is_scalar ? given : value::deep_copy(given, scratch);
    if (metadata) {
      if (const auto fault = fault_in_metadata(v, scratch)) {
        errors_.push_back(
            FieldError::invalid(at.path(), given, "must result in valid metadata: " + *fault));
        return;
      }
    } else {
      if (require_pruned_ && !is_scalar && changes_when_pruned(given, node, is_resource)) {
        errors_.push_back(FieldError::invalid(at.path(), given, "must not have unknown fields"));
      }
      if (is_resource || node.has_embedded_below) {
        const FieldPath path = at.path();
        if (auto fault =
                resource::coerce_embedded(v, node, scratch, path, {.resource_root = is_resource})) {
          errors_.push_back(std::move(*fault));
          return;
        }
        if (append(resource::validate_embedded(v, node, is_resource, path))) return;
      }
    }
    if (append(validate_at(v, node, at))) return;
    if (rules_ != nullptr && node.has_rules_below)
      append(rules_->run_on_default(node, is_resource, v, at.path(), budget_));
  }

  bool append(FieldErrors found) {
    const bool any = !found.empty();
    errors_.append(std::move(found));
    return any;
  }

  // A default inside metadata is put where it would go in an otherwise empty object, and that
  // object is judged.
  std::optional<std::string> fault_in_metadata(const Value& v, Arena& scratch) const {
    Value object = value::deep_copy(v, scratch);
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      if (step->is_index) {
        Value list = Value::array({});
        list.append(object, scratch);
        object = list;
      } else {
        Value holder = Value::object({});
        holder.set(step->name, object, scratch);
        object = holder;
      }
    }
    if (!object.is_object()) return std::nullopt;
    if (object.find("kind") == nullptr) object.set("kind", Value::string("Validation"), scratch);
    if (object.find("apiVersion") == nullptr)
      object.set("apiVersion", Value::string("validation/v1"), scratch);
    if (const auto fault =
            resource::coerce_embedded(object, *resource_, scratch, {}, {.resource_root = true})) {
      return fault->to_string();
    }
    const FieldErrors found = resource::validate_embedded(object, *resource_, true, {});
    if (!found.empty()) return value::aggregate(found);
    return std::nullopt;
  }

  bool require_pruned_;
  SchemaRules* rules_;
  const schema::Node* resource_ = nullptr;  // the innermost resource on the way
  std::vector<Step> steps_;                 // from that resource down
  std::int64_t budget_ = kRuntimeBudget;
  FieldErrors errors_;
};

}  // namespace

FieldErrors check_defaults(const SchemaView& schema, const schema::Node& root, bool require_pruned,
                           SchemaRules* rules, const FieldPath& at) {
  if (!schema.has("default") && !root.has_defaults_below) return {};
  DefaultWalk walk(require_pruned, rules);
  walk.walk(schema, root, true, false, SchemaTrail(at));
  return walk.take();
}

bool has_unpruned_default(const SchemaView& schema, const schema::Node& node, bool is_root) {
  const Value* given = schema.get("default");
  if (given != nullptr && changes_when_pruned(*given, node, is_root || node.embedded_resource))
    return true;
  if (const auto more = schema.schema("additionalProperties");
      more && node.additional_schema != nullptr) {
    if (has_unpruned_default(*more, *node.additional_schema, false)) return true;
  }
  if (const auto items = schema.items(); items && node.items != nullptr) {
    if (has_unpruned_default(*items, *node.items, false)) return true;
  }
  for (const Member& property : schema.members("properties")) {
    const schema::Node* inner = node.property(property.key);
    if (inner != nullptr && has_unpruned_default(SchemaView(property.value), *inner, false))
      return true;
  }
  return false;
}

}  // namespace strake::crd
