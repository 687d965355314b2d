// quantity, isQuantity and the arithmetic of quantities.
#include "base/quantity.h"
#include "cel/lib/k8s_libraries.h"
#include "cel/lib/k8s_objects.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

constexpr Type kQuantityType{TypeKind::kObject, false, "kubernetes.Quantity"};

// Holds what an arena can hold: the number where it fits 64 bits, else its text.
class QuantityObject final : public Object {
 public:
  explicit QuantityObject(const Quantity& q, bool large, Arena& arena) {
    const std::optional<Quantity::Small> small = q.small();
    if (small && !large) {
      small_ = *small;
    } else {
      text_ = arena.copy(q.to_string());
      is_large_ = true;
    }
  }
  const Type* type() const override { return &kQuantityType; }
  bool equal(const Object& other, Arena&) const override {
    return quantity() == static_cast<const QuantityObject&>(other).quantity();
  }
  Quantity quantity() const {
    if (is_large_) return Quantity::parse(text_).value_or(Quantity());
    return Quantity(small_.value, small_.format, small_.scale);
  }
  // Once a quantity has left 64 bits it is no integer any more, whatever it comes to.
  bool is_large() const { return is_large_; }

 private:
  Quantity::Small small_{};
  std::string_view text_;
  bool is_large_ = false;
};

const QuantityObject& quantity_object(const Value& v) {
  return *static_cast<const QuantityObject*>(v.as_object());
}
Quantity quantity_of(const Value& v) { return quantity_object(v).quantity(); }

std::optional<std::int64_t> whole_of(const Value& v) {
  if (quantity_object(v).is_large()) return std::nullopt;
  return quantity_of(v).as_int64();
}

int order_of(Args x) {
  const auto order = quantity_of(x[0]) <=> quantity_of(x[1]);
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

Value string_to_quantity(EvalContext& c, Args x) {
  const Result<Quantity> q = Quantity::parse(x[0].as_text());
  if (!q) return c.error(q.error().message());
  return new_object<QuantityObject>(c.arena, *q, false, c.arena);
}

Value as_integer(EvalContext& c, Args x) {
  const auto n = whole_of(x[0]);
  return n ? Value::integer(*n) : c.error("cannot convert value to integer");
}

Value combined(EvalContext& c, Args x, const Quantity& other, bool other_large, bool subtract) {
  Quantity out = quantity_of(x[0]);
  const Result<> done = subtract ? out.subtract(other) : out.add(other);
  if (!done) return c.error(done.error().message());
  return new_object<QuantityObject>(c.arena, out, quantity_object(x[0]).is_large() || other_large,
                                    c.arena);
}

template <bool Subtract>
Value combine(EvalContext& c, Args x) {
  return combined(c, x, quantity_of(x[1]), quantity_object(x[1]).is_large(), Subtract);
}

template <bool Subtract>
Value combine_int(EvalContext& c, Args x) {
  return combined(c, x, Quantity(x[1].as_int(), Quantity::Format::kDecimalExponent), false,
                  Subtract);
}

}  // namespace

const Library& k8s_quantity_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.quantity");
    const Type* q = &kQuantityType;
    const Type* integer = &types::integer;
    const Type* boolean = &types::boolean;
    out->function("quantity").global("string_to_quantity", {&types::string}, q, string_to_quantity);
    out->function("isQuantity")
        .global("is_quantity_string", {&types::string}, boolean, [](EvalContext&, Args x) {
          return Value::boolean(Quantity::parse(x[0].as_text()).has_value());
        });
    out->function("sign").global("quantity_sign", {q}, integer, [](EvalContext&, Args x) {
      return Value::integer(quantity_of(x[0]).sign());
    });
    out->function("isGreaterThan")
        .member("quantity_is_greater_than", {q, q}, boolean,
                [](EvalContext&, Args x) { return Value::boolean(order_of(x) > 0); });
    out->function("isLessThan")
        .member("quantity_is_less_than", {q, q}, boolean,
                [](EvalContext&, Args x) { return Value::boolean(order_of(x) < 0); });
    out->function("compareTo")
        .member("quantity_compare_to", {q, q}, integer,
                [](EvalContext&, Args x) { return Value::integer(order_of(x)); });
    out->function("asApproximateFloat")
        .member("quantity_get_float", {q}, &types::number, [](EvalContext&, Args x) {
          return Value::number(quantity_of(x[0]).as_approximate_double());
        });
    out->function("asInteger").member("quantity_get_int", {q}, integer, as_integer);
    out->function("isInteger")
        .member("quantity_is_integer", {q}, boolean,
                [](EvalContext&, Args x) { return Value::boolean(whole_of(x[0]).has_value()); });
    out->function("add")
        .member("quantity_add", {q, q}, q, combine<false>)
        .member("quantity_add_int", {q, integer}, q, combine_int<false>);
    out->function("sub")
        .member("quantity_sub", {q, q}, q, combine<true>)
        .member("quantity_sub_int", {q, integer}, q, combine_int<true>);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
