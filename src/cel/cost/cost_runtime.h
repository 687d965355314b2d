#pragma once
// What a call costs when it is made, as Kubernetes counts it. Given to the planner, which keeps the
// function in the program:
//
//   plan(ast, scope, {.cost_of = kubernetes_call_cost});
#include <string_view>

#include "cel/env/function.h"

namespace strake::cel {

// The cost of a call of this function and overload; null for those that cost 1. The overload is
// empty where it is known only when the call is made.
RuntimeCost kubernetes_call_cost(std::string_view function, std::string_view overload);

}  // namespace strake::cel
