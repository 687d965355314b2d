// math.greatest, math.least, rounding, signs, bits.
#include <fmt/format.h>

#include <cmath>

#include "cel/lib/library.h"
#include "cel/syntax/macro.h"
#include "cel/value/containers.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;
using Exprs = std::span<Expr* const>;

constexpr std::string_view kMin = "math.@min";
constexpr std::string_view kMax = "math.@max";

bool may_be_number(const Expr* e) {
  switch (e->kind) {
    case ExprKind::kLiteral: return e->literal.is_numeric();
    case ExprKind::kList:
    case ExprKind::kMap:
    case ExprKind::kStruct: return false;
    default: return true;
  }
}

bool is_number_list(const Expr* e) {
  if (e->kind != ExprKind::kList || e->args.empty()) return false;
  return std::ranges::all_of(e->args, may_be_number);
}

// math.least and math.greatest take any number of arguments, which a declaration cannot say. One
// and two go to overloads of their own, more become one list. Literals that are no numbers are
// refused here: in a list of mixed types they would fail only at run time.
Expr* expand_extreme(MacroContext& m, Expr* target, Exprs args, std::string_view function,
                     std::string_view shown) {
  if (target->kind != ExprKind::kIdent || target->name != "math") return nullptr;
  if (args.empty()) {
    return m.fail(target->offset, fmt::format("{} requires at least one argument", shown));
  }
  if (args.size() == 1) {
    if (is_number_list(args[0]) || may_be_number(args[0])) return m.call(function, {args[0]});
    return m.fail(args[0]->offset, fmt::format("{} invalid single argument value", shown));
  }
  for (const Expr* arg : args) {
    if (!may_be_number(arg)) {
      return m.fail(arg->offset, fmt::format("{} simple literal arguments must be numeric", shown));
    }
  }
  if (args.size() == 2) return m.call(function, {args[0], args[1]});
  Expr* list = m.list({});
  Expr** items = m.arena().allocate_array<Expr*>(args.size());
  std::ranges::copy(args, items);
  list->args = {items, args.size()};
  return m.call(function, {list});
}

Expr* expand_least(MacroContext& m, Expr* target, Exprs args) {
  return expand_extreme(m, target, args, kMin, "math.least()");
}
Expr* expand_greatest(MacroContext& m, Expr* target, Exprs args) {
  return expand_extreme(m, target, args, kMax, "math.greatest()");
}

// The first of equals wins.
template <int Sign>
Value extreme_of_two(EvalContext& c, Args x) {
  const auto order = compare(x[0], x[1]);
  if (!order) return c.error("NaN values cannot be ordered");
  return *order * Sign >= 0 ? x[0] : x[1];
}

template <int Sign>
Value extreme_of_list(EvalContext& c, Args x) {
  const std::string_view name = Sign > 0 ? kMax : kMin;
  if (list_size(x[0]) == 0)
    return c.error(fmt::format("{}(list) argument must not be empty", name));
  Value best = list_at(x[0], 0, c.arena);
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    const Value candidate = item.item();
    if (!candidate.is_numeric()) return c.error(fmt::format("no such overload: {}", name));
    const Value pair[] = {best, candidate};
    best = extreme_of_two<Sign>(c, pair);
    if (best.is_error()) return best;
  }
  return best;
}

template <int Sign>
void declare_extreme(Library& library, std::string_view function) {
  struct Named {
    std::string_view name;
    const Type* type;
  };
  const Named numbers[] = {
      {"double", &types::number}, {"int", &types::integer}, {"uint", &types::uinteger}};
  const std::string id = fmt::format("math_{}", function.substr(5));
  auto builder = library.function(function);
  for (const Named& a : numbers) {
    builder.global(fmt::format("{}_{}", id, a.name), {a.type}, a.type,
                   [](EvalContext&, Args x) { return x[0]; });
  }
  for (const Named& a : numbers) {
    for (const Named& b : numbers) {
      const Type* result = a.type == b.type ? a.type : &types::dyn;
      builder.global(fmt::format("{}_{}_{}", id, a.name, b.name), {a.type, b.type}, result,
                     extreme_of_two<Sign>);
    }
  }
  for (const Named& a : numbers) {
    builder.global(fmt::format("{}_list_{}", id, a.name), {library.types().list(a.type)}, a.type,
                   extreme_of_list<Sign>);
  }
}

template <double (*F)(double)>
Value rounded(EvalContext&, Args x) {
  return Value::number(F(x[0].as_double()));
}

double go_round(double d) { return std::round(d); }
double ceil_of(double d) { return std::ceil(d); }
double floor_of(double d) { return std::floor(d); }
double trunc_of(double d) { return std::trunc(d); }
double abs_of(double d) { return std::fabs(d); }
double sqrt_of(double d) { return std::sqrt(d); }
double sign_of(double d) { return std::isnan(d) ? d : (d > 0 ? 1.0 : (d < 0 ? -1.0 : d * 0)); }

void declare_rounding(Library& library) {
  const Type* d = &types::number;
  library.function("math.ceil").global("math_ceil_double", {d}, d, rounded<ceil_of>);
  library.function("math.floor").global("math_floor_double", {d}, d, rounded<floor_of>);
  library.function("math.round").global("math_round_double", {d}, d, rounded<go_round>);
  library.function("math.trunc").global("math_trunc_double", {d}, d, rounded<trunc_of>);
  library.function("math.isInf")
      .global("math_isInf_double", {d}, &types::boolean,
              [](EvalContext&, Args x) { return Value::boolean(std::isinf(x[0].as_double())); });
  library.function("math.isNaN")
      .global("math_isNaN_double", {d}, &types::boolean,
              [](EvalContext&, Args x) { return Value::boolean(std::isnan(x[0].as_double())); });
  library.function("math.isFinite")
      .global("math_isFinite_double", {d}, &types::boolean,
              [](EvalContext&, Args x) { return Value::boolean(std::isfinite(x[0].as_double())); });
  library.function("math.sqrt")
      .global("math_sqrt_double", {d}, d, rounded<sqrt_of>)
      .global("math_sqrt_int", {&types::integer}, d,
              [](EvalContext&, Args x) {
                return Value::number(std::sqrt(static_cast<double>(x[0].as_int())));
              })
      .global("math_sqrt_uint", {&types::uinteger}, d, [](EvalContext&, Args x) {
        return Value::number(std::sqrt(static_cast<double>(x[0].as_uint())));
      });
}

void declare_signs(Library& library) {
  library.function("math.abs")
      .global("math_abs_double", {&types::number}, &types::number, rounded<abs_of>)
      .global("math_abs_int", {&types::integer}, &types::integer,
              [](EvalContext& c, Args x) {
                if (x[0].as_int() == INT64_MIN) return c.error("integer overflow");
                return Value::integer(std::abs(x[0].as_int()));
              })
      .global("math_abs_uint", {&types::uinteger}, &types::uinteger,
              [](EvalContext&, Args x) { return x[0]; });
  library.function("math.sign")
      .global("math_sign_double", {&types::number}, &types::number, rounded<sign_of>)
      .global("math_sign_int", {&types::integer}, &types::integer,
              [](EvalContext&, Args x) {
                const std::int64_t i = x[0].as_int();
                return Value::integer(i > 0 ? 1 : (i < 0 ? -1 : 0));
              })
      .global("math_sign_uint", {&types::uinteger}, &types::uinteger,
              [](EvalContext&, Args x) { return Value::uinteger(x[0].as_uint() != 0 ? 1 : 0); });
}

// Both kinds of integer share their bits.
template <typename Op>
Value on_bits(Args x, Op op) {
  const std::uint64_t bits = op(x[0].as_uint(), x[1].as_uint());
  return x[0].is(Kind::kInt) ? Value::integer(static_cast<std::int64_t>(bits))
                             : Value::uinteger(bits);
}

Value shifted(EvalContext& c, Args x, bool left) {
  const std::int64_t by = x[1].as_int();
  if (by < 0) {
    return c.error(
        fmt::format("math.bitShift{}() negative offset: {}", left ? "Left" : "Right", by));
  }
  return on_bits(x, [&](std::uint64_t bits, std::uint64_t) -> std::uint64_t {
    if (by >= 64) return 0;
    return left ? bits << by : bits >> by;
  });
}

void declare_bits(Library& library) {
  auto declare = [&](std::string_view name, Function f) {
    library.function(fmt::format("math.{}", name))
        .global(fmt::format("math_{}_int_int", name), {&types::integer, &types::integer},
                &types::integer, f)
        .global(fmt::format("math_{}_uint_uint", name), {&types::uinteger, &types::uinteger},
                &types::uinteger, f);
  };
  declare("bitAnd", [](EvalContext&, Args x) { return on_bits(x, std::bit_and<std::uint64_t>()); });
  declare("bitOr", [](EvalContext&, Args x) { return on_bits(x, std::bit_or<std::uint64_t>()); });
  declare("bitXor", [](EvalContext&, Args x) { return on_bits(x, std::bit_xor<std::uint64_t>()); });
  library.function("math.bitNot")
      .global("math_bitNot_int_int", {&types::integer}, &types::integer,
              [](EvalContext&, Args x) { return Value::integer(~x[0].as_int()); })
      .global("math_bitNot_uint_uint", {&types::uinteger}, &types::uinteger,
              [](EvalContext&, Args x) { return Value::uinteger(~x[0].as_uint()); });
  auto declare_shift = [&](std::string_view name, Function f) {
    library.function(fmt::format("math.{}", name))
        .global(fmt::format("math_{}_int_int", name), {&types::integer, &types::integer},
                &types::integer, f)
        .global(fmt::format("math_{}_uint_int", name), {&types::uinteger, &types::integer},
                &types::uinteger, f);
  };
  declare_shift("bitShiftLeft", [](EvalContext& c, Args x) { return shifted(c, x, true); });
  declare_shift("bitShiftRight", [](EvalContext& c, Args x) { return shifted(c, x, false); });
}

}  // namespace

const Library& math_library() {
  static const Library* const library = [] {
    auto* out = new Library("math");
    out->macro({"least", true, -1, expand_least});
    out->macro({"greatest", true, -1, expand_greatest});
    declare_extreme<-1>(*out, kMin);
    declare_extreme<1>(*out, kMax);
    declare_rounding(*out);
    declare_signs(*out);
    declare_bits(*out);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
