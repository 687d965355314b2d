#pragma once
// The matchConditions of an authorization webhook: expressions over `request`, the spec of a
// SubjectAccessReview, compiled and evaluated as in kube-apiserver 1.36. Compiled once; evaluated
// from any thread.
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cel/eval/program.h"
#include "value/value.h"

namespace strake::policy {

class AccessConditions {
 public:
  // Why the text is no condition; empty when it is one, which must hold from now on.
  std::string add(std::string_view text);
  bool empty() const { return all_.empty(); }

  struct Outcome {
    bool matches = false;
    std::string error = {};  // some could not be evaluated, and none was false
  };
  // `spec` has all its texts, also those that are empty.
  Outcome evaluate(const value::Value& spec, Arena& arena) const;

 private:
  struct Condition {
    std::string text;
    cel::Program program;
  };
  std::vector<Condition> all_;
};

}  // namespace strake::policy
