// Arithmetic, logic, indexing and membership.
#include <cmath>

#include "cel/lib/std_library.h"
#include "cel/syntax/operators.h"
#include "cel/value/containers.h"
#include "cel/value/time.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

Value int_overflow(EvalContext& c) { return c.error("integer overflow"); }
Value uint_overflow(EvalContext& c) { return c.error("unsigned integer overflow"); }
Value duration_overflow(EvalContext& c) { return c.error("duration overflow"); }
Value timestamp_overflow(EvalContext& c) { return c.error("timestamp overflow"); }

Value concat_text(EvalContext& c, Args a, bool bytes) {
  const std::string_view left = a[0].as_text();
  const std::string_view right = a[1].as_text();
  if (left.size() + right.size() > kMaxTextBytes) return c.error("string too long");
  char* out = c.arena.allocate_text(left.size() + right.size());
  std::ranges::copy(left, out);
  std::ranges::copy(right, out + left.size());
  const std::string_view text(out, left.size() + right.size());
  return bytes ? Value::bytes(text) : Value::string(text);
}

Value int_op(EvalContext& c, Args a, bool (*op)(std::int64_t, std::int64_t, std::int64_t*)) {
  std::int64_t out = 0;
  if (op(a[0].as_int(), a[1].as_int(), &out)) return int_overflow(c);
  return Value::integer(out);
}

Value uint_op(EvalContext& c, Args a, bool (*op)(std::uint64_t, std::uint64_t, std::uint64_t*)) {
  std::uint64_t out = 0;
  if (op(a[0].as_uint(), a[1].as_uint(), &out)) return uint_overflow(c);
  return Value::uinteger(out);
}

template <typename T>
bool add_checked(T a, T b, T* out) {
  return __builtin_add_overflow(a, b, out);
}
template <typename T>
bool subtract_checked(T a, T b, T* out) {
  return __builtin_sub_overflow(a, b, out);
}
template <typename T>
bool multiply_checked(T a, T b, T* out) {
  return __builtin_mul_overflow(a, b, out);
}

Value shift_time(EvalContext& c, Instant t, std::int64_t by) {
  const auto out = add_duration(t, by);
  return out ? Value::timestamp(*out) : timestamp_overflow(c);
}

void declare_addition(Library& library) {
  const Type* a = library.types().param("A");
  const Type* list = library.types().list(a);
  library.function(op::kAdd)
      .global("add_bytes", {&types::bytes, &types::bytes}, &types::bytes,
              [](EvalContext& c, Args x) { return concat_text(c, x, true); })
      .global(
          "add_double", {&types::number, &types::number}, &types::number,
          [](EvalContext&, Args x) { return Value::number(x[0].as_double() + x[1].as_double()); })
      .global("add_duration_duration", {&types::duration, &types::duration}, &types::duration,
              [](EvalContext& c, Args x) {
                std::int64_t out = 0;
                if (add_checked(x[0].as_duration(), x[1].as_duration(), &out)) {
                  return duration_overflow(c);
                }
                return Value::duration(out);
              })
      .global("add_duration_timestamp", {&types::duration, &types::timestamp}, &types::timestamp,
              [](EvalContext& c, Args x) {
                return shift_time(c, x[1].as_timestamp(), x[0].as_duration());
              })
      .global("add_timestamp_duration", {&types::timestamp, &types::duration}, &types::timestamp,
              [](EvalContext& c, Args x) {
                return shift_time(c, x[0].as_timestamp(), x[1].as_duration());
              })
      .global("add_int64", {&types::integer, &types::integer}, &types::integer,
              [](EvalContext& c, Args x) { return int_op(c, x, add_checked); })
      .global("add_list", {list, list}, list,
              [](EvalContext& c, Args x) { return list_concat(x[0], x[1], c.arena); })
      .global("add_string", {&types::string, &types::string}, &types::string,
              [](EvalContext& c, Args x) { return concat_text(c, x, false); })
      .global("add_uint64", {&types::uinteger, &types::uinteger}, &types::uinteger,
              [](EvalContext& c, Args x) { return uint_op(c, x, add_checked); });
}

void declare_subtraction(Library& library) {
  library.function(op::kSubtract)
      .global(
          "subtract_double", {&types::number, &types::number}, &types::number,
          [](EvalContext&, Args x) { return Value::number(x[0].as_double() - x[1].as_double()); })
      .global("subtract_duration_duration", {&types::duration, &types::duration}, &types::duration,
              [](EvalContext& c, Args x) {
                std::int64_t out = 0;
                if (subtract_checked(x[0].as_duration(), x[1].as_duration(), &out)) {
                  return duration_overflow(c);
                }
                return Value::duration(out);
              })
      .global("subtract_int64", {&types::integer, &types::integer}, &types::integer,
              [](EvalContext& c, Args x) { return int_op(c, x, subtract_checked); })
      .global("subtract_timestamp_duration", {&types::timestamp, &types::duration},
              &types::timestamp,
              [](EvalContext& c, Args x) {
                const std::int64_t by = x[1].as_duration();
                if (by == INT64_MIN) return timestamp_overflow(c);
                return shift_time(c, x[0].as_timestamp(), -by);
              })
      .global("subtract_timestamp_timestamp", {&types::timestamp, &types::timestamp},
              &types::duration,
              [](EvalContext& c, Args x) {
                const auto out = subtract(x[0].as_timestamp(), x[1].as_timestamp());
                return out ? Value::duration(*out) : duration_overflow(c);
              })
      .global("subtract_uint64", {&types::uinteger, &types::uinteger}, &types::uinteger,
              [](EvalContext& c, Args x) { return uint_op(c, x, subtract_checked); });
}

void declare_multiplication(Library& library) {
  library.function(op::kMultiply)
      .global(
          "multiply_double", {&types::number, &types::number}, &types::number,
          [](EvalContext&, Args x) { return Value::number(x[0].as_double() * x[1].as_double()); })
      .global("multiply_int64", {&types::integer, &types::integer}, &types::integer,
              [](EvalContext& c, Args x) { return int_op(c, x, multiply_checked); })
      .global("multiply_uint64", {&types::uinteger, &types::uinteger}, &types::uinteger,
              [](EvalContext& c, Args x) { return uint_op(c, x, multiply_checked); });
  library.function(op::kDivide)
      .global(
          "divide_double", {&types::number, &types::number}, &types::number,
          [](EvalContext&, Args x) { return Value::number(x[0].as_double() / x[1].as_double()); })
      .global("divide_int64", {&types::integer, &types::integer}, &types::integer,
              [](EvalContext& c, Args x) {
                if (x[1].as_int() == 0) return c.error("division by zero");
                if (x[0].as_int() == INT64_MIN && x[1].as_int() == -1) return int_overflow(c);
                return Value::integer(x[0].as_int() / x[1].as_int());
              })
      .global("divide_uint64", {&types::uinteger, &types::uinteger}, &types::uinteger,
              [](EvalContext& c, Args x) {
                if (x[1].as_uint() == 0) return c.error("division by zero");
                return Value::uinteger(x[0].as_uint() / x[1].as_uint());
              });
  library.function(op::kModulo)
      .global("modulo_int64", {&types::integer, &types::integer}, &types::integer,
              [](EvalContext& c, Args x) {
                if (x[1].as_int() == 0) return c.error("modulus by zero");
                if (x[0].as_int() == INT64_MIN && x[1].as_int() == -1) return int_overflow(c);
                return Value::integer(x[0].as_int() % x[1].as_int());
              })
      .global("modulo_uint64", {&types::uinteger, &types::uinteger}, &types::uinteger,
              [](EvalContext& c, Args x) {
                if (x[1].as_uint() == 0) return c.error("modulus by zero");
                return Value::uinteger(x[0].as_uint() % x[1].as_uint());
              });
  library.function(op::kNegate)
      .global("negate_double", {&types::number}, &types::number,
              [](EvalContext&, Args x) { return Value::number(-x[0].as_double()); })
      .global("negate_int64", {&types::integer}, &types::integer, [](EvalContext& c, Args x) {
        if (x[0].as_int() == INT64_MIN) return int_overflow(c);
        return Value::integer(-x[0].as_int());
      });
}

Value in_list(EvalContext& c, Args x) {
  for (Cursor item(x[1], c.arena); !item.done(); item.next()) {
    if (equal(x[0], item.item(), c.arena)) return Value::boolean(true);
  }
  return Value::boolean(false);
}

// The planner evaluates these by nodes of their own; the declarations serve the checker.
void declare_special_forms(Library& library) {
  const Type* a = library.types().param("A");
  const Type* b = library.types().param("B");
  const Type* list = library.types().list(a);
  const Type* map = library.types().map(a, b);
  const Type* boolean = &types::boolean;
  library.function(op::kConditional).global("conditional", {boolean, a, a}, a, nullptr);
  library.function(op::kAnd).global("logical_and", {boolean, boolean}, boolean, nullptr);
  library.function(op::kOr).global("logical_or", {boolean, boolean}, boolean, nullptr);
  library.function(op::kNotStrictlyFalse).global("not_strictly_false", {boolean}, boolean, nullptr);
  library.function(op::kIndex)
      .global("index_list", {list, &types::integer}, a, nullptr)
      .global("index_map", {map, a}, b, nullptr);
}

}  // namespace

void declare_operators(Library& library) {
  declare_special_forms(library);
  declare_addition(library);
  declare_subtraction(library);
  declare_multiplication(library);
  const Type* a = library.types().param("A");
  const Type* b = library.types().param("B");
  library.function(op::kNot).global(
      "logical_not", {&types::boolean}, &types::boolean,
      [](EvalContext&, Args x) { return Value::boolean(!x[0].as_bool()); });
  library.function(op::kIn)
      .global("in_list", {a, library.types().list(a)}, &types::boolean, in_list)
      .global("in_map", {a, library.types().map(a, b)}, &types::boolean,
              [](EvalContext& c, Args x) {
                return Value::boolean(map_find(x[1], x[0], c.arena).has_value());
              });
}

}  // namespace strake::cel
