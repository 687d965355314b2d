#pragma once
// A MutatingAdmissionPolicy, compiled: the changes it makes to an object, whichever binding asks.
// Immutable; shared by threads.
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "base/arena.h"
#include "policy/evaluation.h"
#include "policy/expression.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::policy {

class MutatingPolicy {
 public:
  // Of an object that is stored. Expressions that do not compile fail when they are evaluated.
  explicit MutatingPolicy(const value::Value& policy);

  bool fails_closed() const { return fails_closed_; }
  bool is_reinvoked() const { return is_reinvoked_; }  // when others have changed the object since

  MatchOutcome matches(const Inputs& inputs, Arena& arena) const {
    return match_conditions(conditions_, variables_, inputs, fails_closed_, arena);
  }
  std::size_t mutations() const { return mutations_.size(); }
  // The object of the inputs as one mutation leaves it, sharing what did not change. The schema is
  // that of its version, null when there is none. Fails with the words of kube-apiserver 1.36.
  std::expected<value::Value, std::string> mutate(std::size_t mutation, const Inputs& inputs,
                                                  const schema::Node* schema, Arena& arena) const;

 private:
  struct Mutation {
    bool is_json_patch = false;
    Expression expression;
  };

  Compiler compiler_;
  bool fails_closed_ = true;
  bool is_reinvoked_ = false;
  std::vector<NamedExpression> variables_;
  std::vector<Expression> conditions_;
  std::vector<Mutation> mutations_;
};

// An apply configuration merged into an object, without regard to who owns what: lists and maps
// that are one field may not be set at all.
std::expected<value::Value, std::string> merge_configuration(const value::Value& object,
                                                             value::Value configuration,
                                                             const schema::Node* schema,
                                                             Arena& arena);

}  // namespace strake::policy
