#pragma once
// Where the rules of x-kubernetes-validations plug in: the validation of objects calls them through
// this role, and the module that knows CEL implements it.
#include <string>
#include <vector>

#include "schema/node.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::resource {

struct RuleOutcome {
  value::FieldErrors errors;
  std::vector<std::string> warnings;  // failures that ratcheting forgave
};

class RuleRunner {
 public:
  virtual ~RuleRunner() = default;
  // Runs every rule of the schema over the object. `old` is the stored object on an update, null on
  // a create.
  virtual RuleOutcome run(const value::Value& object, const schema::NodePtr& schema,
                          const value::Value* old) const = 0;
};

}  // namespace strake::resource
