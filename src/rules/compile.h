#pragma once
// One rule of x-kubernetes-validations, from its text to programs with their estimated costs.
#include <cstdint>
#include <optional>
#include <string>

#include "base/field_path.h"
#include "cel/env/env.h"
#include "cel/eval/program.h"
#include "rules/allowed_functions.h"
#include "rules/shapes.h"
#include "schema/node.h"

namespace strake::rules {

struct CompiledRule {
  const schema::Rule* source = nullptr;
  std::optional<std::string> fault;  // why there is no program; nothing for a blank rule too
  std::optional<std::string> message_fault;  // why there is no message program
  std::optional<cel::Program> program;
  std::optional<cel::Program> message;
  bool uses_old_self = false;
  std::uint64_t max_cost = 0;  // of one evaluation
  std::uint64_t message_max_cost = 0;
  FieldPath field_path;  // below the node

  bool optional_old_self() const { return source->optional_old_self.value_or(false); }
};

struct RuleEnvironments {
  const cel::Environment* rule = nullptr;
  const cel::Environment* message = nullptr;
  const AllowedFunctions* allowed = nullptr;  // null for all
};

// `shape` is that of `node`. The rule, the node and the shapes must outlive the result. Variables
// of the programs are self, then oldSelf.
CompiledRule compile_rule(const schema::Rule& rule, const schema::Node& node,
                          const SchemaShape& shape, const Shapes& shapes,
                          const RuleEnvironments& environments);

}  // namespace strake::rules
