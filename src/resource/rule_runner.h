#pragma once
// Where the rules of x-kubernetes-validations plug in: the validation of objects calls them through
// this role, and the module that knows CEL implements it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "schema/node.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::resource {

struct RuleOutcome {
  value::FieldErrors errors;
  std::vector<std::string> warnings;  // failures that ratcheting forgave
  std::int64_t cost = 0;              // what the evaluation took, in units of CEL
};

// A part of a new object of which the rest is not at hand.
struct RulePart {
  const schema::NodePtr& schema;  // of the whole object
  const FieldPath& at;            // entries of maps as keys, named members as fields
  const value::Value& part;
  bool below = true;  // with the rules of what is inside, or only those of the part itself
};

class RuleRunner {
 public:
  virtual ~RuleRunner() = default;
  // Runs every rule of the schema over the object. `old` is the stored object on an update, null on
  // a create.
  virtual RuleOutcome run(const value::Value& object, const schema::NodePtr& schema,
                          const value::Value* old) const = 0;
  // The rules of one part, within what is left of the object's budget: nothing before the first
  // part, below zero when no more are run.
  virtual RuleOutcome run_part(const RulePart& part, std::optional<std::int64_t>& budget) const = 0;
  // Whether a value there has rules of its own that run on new objects.
  virtual bool has_rules(const schema::NodePtr& schema, const FieldPath& at) const = 0;
};

// Rules see only objects whose shape they can rely on: whether a fault, by the reason that a Status
// gives for it, keeps them from being run.
bool blocks_rules(std::string_view reason);
// What is said instead.
value::FieldError rules_not_checked();

}  // namespace strake::resource
