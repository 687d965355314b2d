#include "policy/type_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cel/value/shape_type.h"
#include "policy/expression.h"
#include "policy/spec.h"
#include "rules/shapes.h"
#include "schema/compile.h"
#include "value/yaml_reader.h"

namespace strake::policy {
namespace {

using value::Value;

// ObjectMeta as its OpenAPI schema has it: schemas of kinds leave it out.
constexpr std::string_view kObjectMeta = R"(
type: object
properties:
  annotations: {type: object, additionalProperties: {type: string}}
  creationTimestamp: {type: string, format: date-time}
  deletionGracePeriodSeconds: {type: integer}
  deletionTimestamp: {type: string, format: date-time}
  finalizers: {type: array, items: {type: string}, x-kubernetes-list-type: set}
  generateName: {type: string}
  generation: {type: integer}
  labels: {type: object, additionalProperties: {type: string}}
  managedFields:
    type: array
    items:
      type: object
      properties:
        apiVersion: {type: string}
        fieldsType: {type: string}
        fieldsV1: {type: object}
        manager: {type: string}
        operation: {type: string}
        subresource: {type: string}
        time: {type: string, format: date-time}
  name: {type: string}
  namespace: {type: string}
  ownerReferences:
    type: array
    items:
      type: object
      properties:
        apiVersion: {type: string}
        blockOwnerDeletion: {type: boolean}
        controller: {type: boolean}
        kind: {type: string}
        name: {type: string}
        uid: {type: string}
  resourceVersion: {type: string}
  selfLink: {type: string}
  uid: {type: string}
)";

// The types of one kind.
class KindShape {
 public:
  explicit KindShape(const KnownKind& known) : schema_(known.schema) {
    static const schema::NodePtr& meta = *new schema::NodePtr([] {
      const auto document = value::read_yaml(kObjectMeta);
      const auto compiled =
          document ? schema::compile(document->root()) : Result<schema::NodePtr>(schema::NodePtr());
      return compiled ? *compiled : nullptr;
    }());
    const rules::SchemaShape* declared = shapes_.find(*schema_, false);
    if (declared == nullptr || declared->kind != cel::DocumentShape::Kind::kObject) return;
    static constexpr cel::DocumentShape kText{.kind = cel::DocumentShape::Kind::kString,
                                              .type = &cel::types::string};
    for (const cel::DocumentField& one : declared->fields) {
      if (!schema::is_type_meta(one.key)) fields_.push_back(one);
    }
    fields_.push_back({"apiVersion", "apiVersion", &kText});
    fields_.push_back({"kind", "kind", &kText});
    if (meta != nullptr) {
      if (const rules::SchemaShape* found = shapes_.find(*meta, false))
        fields_.push_back({"metadata", "metadata", found});
    }
    std::ranges::sort(fields_, {}, &cel::DocumentField::name);
    root_.kind = cel::DocumentShape::Kind::kObject;
    root_.fields = fields_;
    type_ = cel::type_at(root_, known.kind.kind, make_);
  }
  KindShape(const KindShape&) = delete;
  KindShape& operator=(const KindShape&) = delete;

  const cel::Type* type() const { return type_; }  // null when nothing is known

 private:
  schema::NodePtr schema_;
  rules::Shapes shapes_;
  std::vector<cel::DocumentField> fields_;
  cel::DocumentShape root_;
  Arena arena_;
  cel::TypeFactory make_{arena_};
  const cel::Type* type_ = nullptr;
};

// What is wrong with each text for one kind; empty texts are fine.
class KindCheck {
 public:
  KindCheck(const KnownKind& known, const cel::Type* params, const Value& spec)
      : name_(fmt::format("{}/{}, Kind={}", known.kind.group, known.kind.version, known.kind.kind)),
        shape_(known),
        compiler_({.object = shape_.type(), .params = params}),
        offered_{.params = has(spec, "paramKind")} {
    for (const Value& one : spec.get("variables").items())
      compiler_.check_variable(text_at(one, "name"), text_at(one, "expression"), offered_);
  }
  std::string check(std::string_view text) const {
    const std::string issues = compiler_.check(text, offered_);
    return issues.empty() ? std::string() : fmt::format("{}: {}\n", name_, issues);
  }

 private:
  std::string name_;
  KindShape shape_;
  Compiler compiler_;
  Offered offered_;
};

}  // namespace

std::vector<ExpressionWarning> check_policy_types(const Value& policy,
                                                  std::span<const KnownKind> kinds,
                                                  const std::optional<KnownKind>& params) {
  const Value& spec = policy.get("spec");
  std::unique_ptr<KindShape> param_shape;
  if (params) param_shape = std::make_unique<KindShape>(*params);
  std::vector<std::unique_ptr<KindCheck>> checks;
  for (const KnownKind& kind : kinds) {
    checks.push_back(std::make_unique<KindCheck>(
        kind, param_shape != nullptr ? param_shape->type() : nullptr, spec));
  }
  std::vector<ExpressionWarning> out;
  const auto validations = spec.get("validations").items();
  for (std::size_t i = 0; i < validations.size(); ++i) {
    for (const std::string_view key : {"expression", "messageExpression"}) {
      const std::string_view text = text_at(validations[i], key);
      if (key == "messageExpression" && text.empty()) continue;
      std::string warning;
      for (const auto& check : checks) {
        const std::string said = check->check(text);
        if (said.empty()) continue;
        if (!warning.empty()) warning += '\n';
        warning += said;
      }
      if (!warning.empty())
        out.push_back(
            {.field = fmt::format("spec.validations[{}].{}", i, key), .text = std::move(warning)});
    }
  }
  return out;
}

}  // namespace strake::policy
