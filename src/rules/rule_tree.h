#pragma once
// The rules of a schema, compiled, in the shape of the schema: only nodes with rules at or below
// them. Immutable once made, shared by threads.
#include <deque>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "rules/compile.h"
#include "rules/shapes.h"
#include "schema/node.h"

namespace strake::rules {

struct RuleNode {
  const schema::Node* node = nullptr;  // what the data is declared as
  bool compiles = true;                // false: there are rules, but they cannot see the data
  bool binds_old_self = false;         // a rule of this node uses oldSelf
  std::vector<CompiledRule> rules;
  std::vector<const RuleNode*> all_of;
  const RuleNode* items = nullptr;
  const RuleNode* additional = nullptr;
  const SchemaShape* shape = nullptr;

  struct Child {
    std::string_view name;
    const RuleNode* node;
  };
  std::vector<Child> properties;  // sorted by name
};

class RuleTree {
 public:
  // The schema must outlive the tree.
  RuleTree(const schema::Node& schema, bool resource_root);
  RuleTree(const RuleTree&) = delete;
  RuleTree& operator=(const RuleTree&) = delete;

  const RuleNode* root() const { return root_; }  // null when there are no rules

 private:
  const RuleNode* build(const schema::Node& source, const schema::Node& node, bool resource_root,
                        const SchemaShape* shape);
  void add_properties(RuleNode& out, const schema::Node& source, const schema::Node& node,
                      const SchemaShape* shape);

  using Key = std::tuple<const schema::Node*, const schema::Node*, const SchemaShape*>;
  Shapes shapes_;
  std::deque<RuleNode> nodes_;
  std::map<Key, const RuleNode*> known_;
  const RuleNode* root_ = nullptr;
};

}  // namespace strake::rules
