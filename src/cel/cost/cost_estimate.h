#pragma once
// What evaluating an expression may cost at least and at most, told from its checked tree before
// any value is seen. The model is that of cel-go v0.26 with the costs that Kubernetes gives to
// functions; like cel-go in kube-apiserver 1.36 it starts every path at the root of the declared
// data, whichever variable it came from.
#include "cel/cost/cost_range.h"
#include "cel/syntax/ast.h"
#include "cel/value/shape.h"

namespace strake::cel {

// Knows how large declared data can grow.
class SizeEstimator {
 public:
  virtual ~SizeEstimator() = default;
  // Characters of text, items of a list, entries of a map; 0 for what has no size.
  virtual std::uint64_t max_size(const DocumentShape& shape) const = 0;
};

// `root` is the shape of the data that the variables hold. The tree must have been checked.
CostRange estimate_cost(const Ast& ast, const DocumentShape& root, const SizeEstimator& sizes);

}  // namespace strake::cel
