// Equality and order. The planner evaluates them by nodes of their own; these declarations are what
// the checker sees.
#include <fmt/format.h>

#include "cel/lib/std_library.h"
#include "cel/syntax/operators.h"

namespace strake::cel {
namespace {

void declare_order(Library& library, std::string_view function, std::string_view prefix) {
  auto builder = library.function(function);
  auto add = [&](std::string_view suffix, const Type* left, const Type* right) {
    builder.global(fmt::format("{}_{}", prefix, suffix), {left, right}, &types::boolean, nullptr);
  };
  add("bool", &types::boolean, &types::boolean);
  add("int64", &types::integer, &types::integer);
  add("int64_double", &types::integer, &types::number);
  add("int64_uint64", &types::integer, &types::uinteger);
  add("uint64", &types::uinteger, &types::uinteger);
  add("uint64_double", &types::uinteger, &types::number);
  add("uint64_int64", &types::uinteger, &types::integer);
  add("double", &types::number, &types::number);
  add("double_int64", &types::number, &types::integer);
  add("double_uint64", &types::number, &types::uinteger);
  add("string", &types::string, &types::string);
  add("bytes", &types::bytes, &types::bytes);
  add("timestamp", &types::timestamp, &types::timestamp);
  add("duration", &types::duration, &types::duration);
}

}  // namespace

void declare_comparisons(Library& library) {
  const Type* a = library.types().param("A");
  library.function(op::kEqual).global("equals", {a, a}, &types::boolean, nullptr);
  library.function(op::kNotEqual).global("not_equals", {a, a}, &types::boolean, nullptr);
  declare_order(library, op::kLess, "less");
  declare_order(library, op::kLessEqual, "less_equals");
  declare_order(library, op::kGreater, "greater");
  declare_order(library, op::kGreaterEqual, "greater_equals");
}

}  // namespace strake::cel
