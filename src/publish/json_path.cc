#include "publish/json_path.h"

#include <fmt/format.h>

#include "base/number_format.h"
#include "publish/json_path_steps.h"
#include "value/json_writer.h"

// Evaluates a parsed JSONPath step by step: each step maps the list of values matched so far to the
// next list. Two things differ from a textbook evaluator, because tables must show what kubectl
// shows. A step that fails leaves either the values from before or those found until then, and a
// filter for existence looks at what is left; hence Outcome. And comparisons are typed as in Go,
// where the int64 1 and the float64 1.0 are not comparable.
//
// Recursive descent inside unions and filters can multiply the work, so one evaluation may visit
// kMaxVisits values in all and then counts as failed.

namespace strake::publish {
namespace {

using value::Member;
using value::Type;
using value::Value;

// The values matched so far. One needs no memory of its own, and more than one are rare.
class Matches {
 public:
  Matches() = default;
  explicit Matches(const Value& only) : first_(only), size_(1) {}
  std::size_t size() const { return size_; }
  const Value& operator[](std::size_t i) const { return i == 0 ? first_ : rest_[i - 1]; }
  void add(const Value& v) {
    if (size_++ == 0) {
      first_ = v;
    } else {
      rest_.push_back(v);
    }
  }
  void add_all(const Matches& other) {
    for (std::size_t i = 0; i < other.size(); ++i) add(other[i]);
  }

 private:
  Value first_;
  std::vector<Value> rest_;
  std::size_t size_ = 0;
};

enum class Order : std::uint8_t { kLess, kEqual, kGreater, kUnequal };

template <typename T>
Order order_of(const T& a, const T& b) {
  if (a < b) return Order::kLess;
  return b < a ? Order::kGreater : Order::kEqual;
}

// How client-go 1.36 compares: like with like, integers never with floating-point numbers. Nothing
// when it refuses to.
std::optional<Order> compare(const Value& a, const Value& b) {
  const auto is_text = [](const Value& v) { return v.is_string() || v.type() == Type::kLiteral; };
  if (is_text(a) && is_text(b)) return order_of(a.as_string(), b.as_string());
  if (a.type() == Type::kInt && b.type() == Type::kUint) return Order::kLess;
  if (a.type() == Type::kUint && b.type() == Type::kInt) return Order::kGreater;
  if (a.type() != b.type()) return std::nullopt;
  switch (a.type()) {
    case Type::kBool: return a.as_bool() == b.as_bool() ? Order::kEqual : Order::kUnequal;
    case Type::kInt: return order_of(a.as_int(), b.as_int());
    case Type::kUint: return order_of(a.as_uint(), b.as_uint());
    case Type::kDouble: return order_of(a.as_double(), b.as_double());
    default: return std::nullopt;
  }
}

std::optional<bool> holds(FilterOperator op, const Value& left, const Value& right) {
  const auto order = compare(left, right);
  if (!order) return std::nullopt;
  if (op == FilterOperator::kEqual) return *order == Order::kEqual;
  if (op == FilterOperator::kNotEqual) return *order != Order::kEqual;
  if (*order == Order::kUnequal) return std::nullopt;  // booleans have no order
  switch (op) {
    case FilterOperator::kLess: return *order == Order::kLess;
    case FilterOperator::kLessEqual: return *order != Order::kGreater;
    case FilterOperator::kGreater: return *order == Order::kGreater;
    case FilterOperator::kGreaterEqual: return *order != Order::kLess;
    default: return std::nullopt;
  }
}

class Evaluator {
 public:
  // False when a step cannot be followed. `matches` is then what client-go 1.36 is left with, which
  // a filter for existence looks at all the same.
  bool follow(const Steps& steps, Matches& matches) {
    for (const Step& step : steps) {
      Matches next;
      const Outcome outcome = take(step, matches, next);
      if (outcome == Outcome::kStuck) return false;
      matches = std::move(next);
      if (outcome == Outcome::kBroken) return false;
    }
    return true;
  }

 private:
  enum class Outcome : std::uint8_t {
    kDone,
    kStuck,   // failed, leaving the values it started from
    kBroken,  // failed, leaving those found before
  };

  bool visit(std::size_t count = 1) { return (visits_ += count) <= JsonPath::kMaxVisits; }

  Outcome take(const Step& step, const Matches& from, Matches& to) {
    if (!visit(from.size())) return Outcome::kStuck;
    switch (step.kind) {
      case StepKind::kField:
        for (std::size_t i = 0; i < from.size(); ++i) {
          if (const Value* found = from[i].find(step.text)) to.add(*found);
        }
        return Outcome::kDone;
      case StepKind::kSlice: return slice(step.slice, from, to);
      case StepKind::kWildcard:
        for (std::size_t i = 0; i < from.size(); ++i) {
          if (!add_children(from[i], to)) return Outcome::kStuck;
        }
        return Outcome::kDone;
      case StepKind::kRecursive:
        for (std::size_t i = 0; i < from.size(); ++i) {
          if (!descend(from[i], to)) return Outcome::kStuck;
        }
        return Outcome::kDone;
      case StepKind::kFilter: return filter(step, from, to);
      case StepKind::kUnion:
        for (const Steps& part : step.parts) {
          Matches some = from;
          if (!follow(part, some)) return Outcome::kStuck;
          to.add_all(some);
        }
        return Outcome::kDone;
      case StepKind::kText: to.add(Value::string(step.text)); return Outcome::kDone;
      case StepKind::kConstant:
        for (std::size_t i = 0; i < from.size(); ++i) to.add(step.constant);
        return Outcome::kDone;
      case StepKind::kWord: return Outcome::kStuck;
    }
    return Outcome::kStuck;
  }

  Outcome slice(const Slice& slice, const Matches& from, Matches& to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i].is_null()) continue;
      if (!from[i].is_array()) return Outcome::kStuck;
      const auto items = from[i].items();
      const auto length = static_cast<std::int64_t>(items.size());
      std::int64_t first = slice.first.value_or(0);
      if (first < 0) first += length;
      std::int64_t last = slice.last.value_or(length);
      // [-1] ends at 0, which stands for the end.
      if (last < 0 || (last == 0 && slice.last_is_derived)) last += length;
      // client-go 1.36 returns here, and so drops the values of later lists as well.
      if (first == last) return Outcome::kDone;
      if (first < 0 || first >= length || last < 0 || last > length || first > last)
        return Outcome::kStuck;
      const std::int64_t step = slice.step.value_or(1);
      if (step <= 0) return Outcome::kStuck;
      if (!visit(static_cast<std::size_t>((last - first) / step))) return Outcome::kStuck;
      for (std::int64_t at = first; at < last; at += step)
        to.add(items[static_cast<std::size_t>(at)]);
    }
    return Outcome::kDone;
  }

  // The children of text are its bytes, as numbers.
  bool add_children(const Value& v, Matches& to) {
    if (!v.is_object() && !v.is_array() && !v.is_string()) return true;
    if (!visit(v.size())) return false;
    if (v.is_object()) {
      for (const Member& member : v.members()) to.add(member.value);
    } else if (v.is_array()) {
      for (const Value& item : v.items()) to.add(item);
    } else {
      for (const char c : v.as_string()) to.add(Value::integer(static_cast<unsigned char>(c)));
    }
    return true;
  }

  bool descend(const Value& v, Matches& to) {
    const bool has_children = (v.is_object() || v.is_array() || v.is_string()) && v.size() > 0;
    if (!has_children) return true;
    if (!visit()) return false;
    to.add(v);
    if (v.is_object()) {
      for (const Member& member : v.members()) {
        if (!descend(member.value, to)) return false;
      }
    } else if (v.is_array()) {
      for (const Value& item : v.items()) {
        if (!descend(item, to)) return false;
      }
    }
    return true;
  }

  Outcome filter(const Step& step, const Matches& from, Matches& to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!from[i].is_array()) return Outcome::kStuck;
      for (const Value& item : from[i].items()) {
        if (!visit()) return Outcome::kStuck;
        const Outcome outcome = filter_item(step, item, to);
        if (outcome != Outcome::kDone) return outcome;
      }
    }
    return Outcome::kDone;
  }

  Outcome filter_item(const Step& step, const Value& item, Matches& to) {
    Matches left(item);
    const bool followed = follow(step.parts[0], left);
    if (step.op == FilterOperator::kExists) {
      // Not even a failure keeps client-go 1.36 from asking whether something is there.
      if (left.size() > 0) to.add(item);
      return Outcome::kDone;
    }
    if (!followed) return Outcome::kStuck;
    if (left.size() == 0) return Outcome::kDone;
    if (left.size() > 1) return Outcome::kStuck;
    Matches right(item);
    if (!follow(step.parts[1], right)) return Outcome::kStuck;
    if (right.size() == 0) return Outcome::kDone;
    if (right.size() > 1) return Outcome::kStuck;
    const auto pass = holds(step.op, left[0], right[0]);
    if (!pass) return Outcome::kBroken;
    if (*pass) to.add(item);
    return Outcome::kDone;
  }

  std::size_t visits_ = 0;
};

}  // namespace

struct JsonPath::Program {
  std::vector<Steps> actions;
};

JsonPath::JsonPath(std::unique_ptr<const Program> program) : program_(std::move(program)) {}
JsonPath::JsonPath(JsonPath&&) noexcept = default;
JsonPath& JsonPath::operator=(JsonPath&&) noexcept = default;
JsonPath::~JsonPath() = default;

Result<JsonPath> JsonPath::compile(std::string_view path) {
  STRAKE_TRY(std::vector<Steps> actions, parse_json_path(path));
  return JsonPath(std::make_unique<const Program>(Program{std::move(actions)}));
}

std::optional<Value> JsonPath::first(const Value& root) const {
  Evaluator evaluator;
  std::optional<Value> out;
  // The first action gives the cell, but all must succeed.
  for (const Steps& action : program_->actions) {
    Matches matches(root);
    if (!evaluator.follow(action, matches)) return std::nullopt;
    if (&action == &program_->actions.front() && matches.size() > 0) out = matches[0];
  }
  return out;
}

void append_printed(std::string& out, const Value& match) {
  switch (match.type()) {
    case Type::kNull: out += "<no value>"; return;
    case Type::kBool: out += match.as_bool() ? "true" : "false"; return;
    case Type::kInt: fmt::format_to(std::back_inserter(out), "{}", match.as_int()); return;
    case Type::kUint: fmt::format_to(std::back_inserter(out), "{}", match.as_uint()); return;
    case Type::kDouble: out += format_go_v(match.as_double()); return;
    case Type::kLiteral:
    case Type::kString: out += match.as_string(); return;
    case Type::kArray:
    case Type::kObject: value::write_json(match, out); return;
  }
}

}  // namespace strake::publish
