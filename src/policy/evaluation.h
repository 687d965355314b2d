#pragma once
// Expressions of a policy run on one request, with their cost. Variables of the policy are
// evaluated when they are first named, once in an Evaluation.
#include <array>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "cel/lib/k8s_authz.h"
#include "policy/expression.h"
#include "value/value.h"

namespace strake::policy {

// The limits of kube-apiserver 1.36, in units of CEL.
inline constexpr std::uint64_t kCallCostLimit = 1'000'000;       // of one expression
inline constexpr std::int64_t kCostBudget = 10'000'000;          // of all of a policy and binding
inline constexpr std::int64_t kConditionCostBudget = 2'500'000;  // of all match conditions

// What a policy is asked about. Views; null stands for null.
struct Inputs {
  const value::Value* object = nullptr;
  const value::Value* old_object = nullptr;
  const value::Value* namespace_object = nullptr;
  const value::Value* request = nullptr;
  // The same for match conditions, where that differs: kube-apiserver 1.36 tells them the resource
  // as it was asked for, whatever version the policy matched in.
  const value::Value* condition_request = nullptr;
  const value::Value* params = nullptr;
  const cel::Authority* authority = nullptr;  // without it nothing can be asked
  cel::AccessQuestion request_resource = {};
  std::uint64_t* cost = nullptr;  // where it is not null, all that is spent is added there
};

struct NamedExpression {
  std::string name;
  Expression expression;
};

class Evaluation {
 public:
  // All must outlive it.
  Evaluation(const Inputs& inputs, std::span<const NamedExpression> variables, Arena& arena);
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

  struct Outcome {
    cel::Value value;   // valid as long as the arena
    std::string error;  // why there is none
  };
  // Takes the cost from the budget. Fails when that is used up, with what kube-apiserver says: then
  // nothing more may be run.
  std::expected<Outcome, std::string> run(const Expression& expression, std::int64_t& budget);

 private:
  class Variables;
  struct Variable {
    const NamedExpression* named;
    bool known = false;
    cel::Value value = {};
  };

  cel::Value evaluate(const cel::Program& program, std::uint64_t& cost);
  cel::Value variable(std::string_view name);

  Arena& arena_;
  std::vector<Variable> variables_;  // by name
  std::array<cel::Value, kSlots> slots_;
  std::uint64_t* total_;
  std::uint64_t variable_cost_ = 0;  // of those evaluated since it was last looked at
};

// What all of them come to.
struct MatchOutcome {
  bool matches = false;
  std::string error = {};  // some could not be evaluated, and none was false
};
// By the rules of kube-apiserver: one that is false decides, else one that fails. A policy or
// webhook that is to be ignored when it fails does not match then.
MatchOutcome match_conditions(std::span<const Expression> conditions,
                              std::span<const NamedExpression> variables, const Inputs& inputs,
                              bool fail_closed, Arena& arena);

// Several errors as Go prints an aggregate of them: one plain, several in brackets, each once.
std::string join_errors(std::span<const std::string> errors);

}  // namespace strake::policy
