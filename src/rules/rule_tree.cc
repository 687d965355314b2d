#include "rules/rule_tree.h"

#include "rules/environment.h"

// The nodes of a schema that have rules at or below them. Schema nodes are shared between CRDs, so
// what is particular to a place (its shape, whether it is a resource) is kept here, once for each
// combination. Rules are compiled when a node is first evaluated: most nodes of a large schema are
// never met in an object.

namespace strake::rules {

using schema::Node;

const RuleNode::Compiled& RuleNode::compiled() const {
  std::call_once(once_, [this] {
    if (!has_rules()) return;
    const RuleEnvironments environments{&stored_rule_environment(), &stored_rule_environment(),
                                        allowed};
    compiled_.rules.reserve(source->rules.size());
    for (const schema::Rule& rule : source->rules) {
      compiled_.rules.push_back(compile_rule(rule, *node, *shape, *shapes, environments));
      compiled_.binds_old_self = compiled_.binds_old_self || compiled_.rules.back().uses_old_self;
    }
  });
  return compiled_;
}

void RuleTree::compile_all() const {
  for (const RuleNode& node : nodes_) static_cast<void>(node.compiled());
}

RuleTree::RuleTree(const Node& schema, bool resource_root, const AllowedFunctions* allowed)
    : allowed_(allowed) {
  if (!schema.has_rules_below) return;
  root_ = build(schema, schema, resource_root, shapes_.find(schema, resource_root));
}

// `source` has the rules, `node` declares the data; they differ inside allOf.
const RuleNode* RuleTree::build(const Node& source, const Node& node, bool resource_root,
                                const SchemaShape* shape) {
  if (!source.has_rules_below) return nullptr;
  const auto [at, fresh] = known_.try_emplace({&source, &node, shape}, nullptr);
  if (!fresh) return at->second;
  RuleNode& out = nodes_.emplace_back();
  out.node = &node;
  out.source = &source;
  out.shape = shape;
  out.shapes = &shapes_;
  out.allowed = allowed_;
  out.compiles = source.rules.empty() || shape != nullptr;
  const auto* element =
      shape == nullptr ? nullptr : static_cast<const SchemaShape*>(shape->element);
  if (source.items != nullptr && node.items != nullptr) {
    out.items = build(*source.items, *node.items, node.items->embedded_resource, element);
  }
  add_properties(out, source, node, shape);
  if (source.additional_schema != nullptr && node.additional_schema != nullptr) {
    out.additional = build(*source.additional_schema, *node.additional_schema,
                           node.additional_schema->embedded_resource, element);
  }
  if (source.composition) {
    for (const schema::NodePtr& branch : source.composition->all_of) {
      const RuleNode* child = build(*branch, node, resource_root, shape);
      if (child != nullptr) out.all_of.push_back(child);
    }
  }
  known_[{&source, &node, shape}] = &out;
  return &out;
}

void RuleTree::add_properties(RuleNode& out, const Node& source, const Node& node,
                              const SchemaShape* shape) {
  for (const schema::Property& p : source.properties) {
    const Node* declared = node.property(p.name);
    if (declared == nullptr || !p.node->has_rules_below) continue;
    const SchemaShape* field_shape = nullptr;
    if (const auto spelled = escape_name(p.name)) {
      // What expressions cannot see is left alone altogether.
      const cel::DocumentField* field = shape == nullptr ? nullptr : shape->find_field(*spelled);
      if (field == nullptr) continue;
      field_shape = static_cast<const SchemaShape*>(field->shape);
    } else {
      field_shape = shapes_.find(*declared, declared->embedded_resource);
      if (field_shape == nullptr) continue;
    }
    const RuleNode* child = build(*p.node, *declared, declared->embedded_resource, field_shape);
    if (child != nullptr) out.properties.push_back({p.name, child});
  }
}

}  // namespace strake::rules
