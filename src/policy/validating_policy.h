#pragma once
// A ValidatingAdmissionPolicy, compiled: what it says about a request, whichever binding asks.
// Immutable; shared by threads.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/arena.h"
#include "policy/evaluation.h"
#include "policy/expression.h"
#include "value/value.h"

namespace strake::policy {

// What one validation came to.
struct Decision {
  bool denied = false;
  std::string message = {};
  std::string reason = {};  // of the Status; empty for that of errors
};

struct Annotation {
  std::string key;
  std::string value;
};

struct Judgement {
  std::vector<Decision> decisions;      // one for each validation, or one for all when it failed
  std::vector<Annotation> annotations;  // for the audit log
  std::vector<std::string> failed_annotations;  // why they could not be made, where that denies
};

class ValidatingPolicy {
 public:
  // Of an object that is stored. Expressions that do not compile fail when they are evaluated.
  explicit ValidatingPolicy(const value::Value& policy);

  Judgement judge(const Inputs& inputs, Arena& arena) const;
  bool fails_closed() const { return fails_closed_; }

 private:
  struct Validation {
    Expression expression;
    Expression message_expression;  // may be empty
    std::string message;
    std::string reason;
  };
  struct AuditAnnotation {
    std::string key;
    Expression value;
  };
  Judgement failed(std::string message) const;
  Decision decide(const Validation& validation, const Evaluation::Outcome& outcome,
                  const Evaluation::Outcome* message) const;

  Compiler compiler_;
  bool fails_closed_ = true;
  std::vector<NamedExpression> variables_;
  std::vector<Expression> conditions_;
  std::vector<Validation> validations_;
  bool has_messages_ = false;  // some of them are made by expressions
  std::vector<AuditAnnotation> annotations_;
};

}  // namespace strake::policy
