#pragma once
// The estimated costs of calls, by function and overload.
#include <optional>
#include <span>

#include "cel/cost/cost_range.h"
#include "cel/env/function.h"
#include "cel/syntax/ast.h"

namespace strake::cel {

// A part of a call as its estimate sees it.
struct SizedExpr {
  const Expr* expr = nullptr;
  std::optional<SizeRange> size;       // where one is known
  std::optional<SizeRange> item_size;  // of the items of declared data

  SizeRange size_or_unknown() const { return size.value_or(SizeRange::unknown()); }
};

struct CallEstimate {
  CostRange cost;  // without that of the arguments
  std::optional<SizeRange> result_size;
};

// Null `target` for global calls. Nothing when the call is not one of those with a cost of their
// own.
std::optional<CallEstimate> estimate_call(std::string_view function, const Overload& overload,
                                          const SizedExpr* target, std::span<const SizedExpr> args);

}  // namespace strake::cel
