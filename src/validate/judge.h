#pragma once
// Who judges objects of one kind. A custom resource is judged by its CRD, a CRD by the rules for
// CRDs, and built-in kinds by whoever reads OpenAPI documents; the checker does not tell them
// apart.
#include <vector>

#include "base/arena.h"
#include "validate/finding.h"
#include "value/value.h"

namespace strake::validate {

struct Subject {
  // Brought into the form that the server would store, in place.
  value::Value& object;
  Arena& arena;
  // The object as it was sent, for finding paths in it. May be `object` itself when only the fact
  // counts that there are faults, not where.
  const value::Value& as_sent;
  // The object that is replaced, as it was sent; null for a new one.
  const value::Value* old = nullptr;
};

class Judge {
 public:
  virtual ~Judge() = default;
  // May be called from many threads. Faults have paths in the object; duplicate keys are not its
  // matter.
  virtual std::vector<Fault> judge(const Subject& subject) const = 0;
};

}  // namespace strake::validate
