#pragma once
// The rules of a schema in the shape of the schema: only nodes with rules at or below them. The
// rules of a node are compiled when the first value of it is met, since most objects reach few of
// them. Shared by threads.
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <tuple>
#include <vector>

#include "rules/compile.h"
#include "rules/shapes.h"
#include "schema/node.h"

namespace strake::rules {

struct RuleNode {
  const schema::Node* node = nullptr;    // what the data is declared as
  const schema::Node* source = nullptr;  // what has the rules
  bool compiles = true;                  // false: there are rules, but they cannot see the data
  std::vector<const RuleNode*> all_of;
  const RuleNode* items = nullptr;
  const RuleNode* additional = nullptr;
  const SchemaShape* shape = nullptr;
  const Shapes* shapes = nullptr;
  const AllowedFunctions* allowed = nullptr;  // null for all

  struct Compiled {
    std::vector<CompiledRule> rules;
    bool binds_old_self = false;  // one of them uses oldSelf
  };
  bool has_rules() const { return shape != nullptr && !source->rules.empty(); }
  // Compiles them on the first call, by whichever thread.
  const Compiled& compiled() const;

  struct Child {
    std::string_view name;
    const RuleNode* node;
  };
  std::vector<Child> properties;  // sorted by name

 private:
  mutable std::once_flag once_;
  mutable Compiled compiled_;
};

class RuleTree {
 public:
  // The schema, and the functions unless they are null for all, must outlive the tree.
  RuleTree(const schema::Node& schema, bool resource_root,
           const AllowedFunctions* allowed = nullptr);
  RuleTree(const RuleTree&) = delete;
  RuleTree& operator=(const RuleTree&) = delete;

  const RuleNode* root() const { return root_; }  // null when there are no rules
  // Leaves nothing to be compiled later.
  void compile_all() const;

 private:
  const RuleNode* build(const schema::Node& source, const schema::Node& node, bool resource_root,
                        const SchemaShape* shape);
  void add_properties(RuleNode& out, const schema::Node& source, const schema::Node& node,
                      const SchemaShape* shape);

  using Key = std::tuple<const schema::Node*, const schema::Node*, const SchemaShape*>;
  const AllowedFunctions* allowed_;
  Shapes shapes_;
  std::deque<RuleNode> nodes_;
  std::map<Key, const RuleNode*> known_;
  const RuleNode* root_ = nullptr;
};

}  // namespace strake::rules
