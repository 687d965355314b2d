#include "meta/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/base64.h"
#include "base/number_format.h"
#include "base/quantity.h"
#include "base/rfc3339.h"
#include "base/same_text.h"
#include "base/trim.h"
#include "value/json_writer.h"

namespace strake::meta {
namespace {

using value::Member;
using value::Type;
using value::Value;
using Keep = ShapeField::Keep;
using Kind = Shape::Kind;

constexpr std::size_t kMaxDepth = 1000;
constexpr std::size_t kMaxUnknown = 100;
constexpr std::size_t kMaxFaults = 1000;
constexpr double kMaxExactInteger = 9007199254740992.0;  // 2^53
// How kube-apiserver's zero time prints: it is written as null.
constexpr std::string_view kZeroTime = "0001-01-01T00:00:00Z";
constexpr std::string_view kZeroMicroTime = "0001-01-01T00:00:00.000000Z";

std::string_view json_word(const Value& v) {
  switch (v.type()) {
    case Type::kNull: return "null";
    case Type::kBool: return "bool";
    case Type::kString: return "string";
    case Type::kArray: return "array";
    case Type::kObject: return "object";
    default: return "number";
  }
}

// Most times are in canonical form already, and are then not read at all. The last days of a month
// are left to the reader.
bool is_canonical_time(std::string_view s) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (s.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const bool same = kForm[i] == '0' ? s[i] >= '0' && s[i] <= '9' : s[i] == kForm[i];
    if (!same) return false;
  }
  const auto two = [&](std::size_t i) { return (s[i] - '0') * 10 + (s[i + 1] - '0'); };
  return two(0) >= 10 && two(5) >= 1 && two(5) <= 12 && two(8) >= 1 && two(8) <= 28 &&
         two(11) < 24 && two(14) < 60 && two(17) < 60;
}

// Walks a value and its shape together. The decoder that is imitated remembers its first type error
// and goes on, while an error from a type with its own decoding ends everything at once and is what
// the caller sees.
class ShapeReader {
 public:
  ShapeReader(Arena& arena, const ShapeOptions& options)
      : arena_(arena), options_(options), path_(options.prefix) {}

  Result<> run(Value& v, const Shape& shape) {
    if (options_.drop_malformed && shape.kind == Kind::kStruct && v.is_object()) {
      drop_malformed_fields(v, shape);
    } else {
      read(v, shape);
    }
    if (too_deep_) return fail(Code::kLimit, "nested more than {} levels deep", kMaxDepth);
    if (!fault_.empty()) return std::unexpected(Error(Code::kBadRequest, std::move(fault_)));
    return {};
  }

 private:
  void save(std::string text) {
    if (options_.faults != nullptr) return list(std::move(text));
    if (fault_.empty()) fault_ = std::move(text);
  }
  void stop(std::string text) {
    if (stopped_) return;
    if (options_.faults != nullptr && !too_deep_) return list(std::move(text));
    fault_ = std::move(text);
    stopped_ = true;
  }
  void list(std::string text) {
    if (options_.faults->size() < kMaxFaults) options_.faults->push_back({path_, std::move(text)});
  }
  bool keeps_path() const { return options_.unknown != nullptr || options_.faults != nullptr; }
  std::string mismatch(std::string_view met, std::string_view type) const {
    if (owner_ == nullptr)
      return fmt::format("json: cannot unmarshal {} into Go value of type {}", met, type);
    return fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}", met,
                       owner_->owner(), fmt::join(fields_, "."), type);
  }
  void refuse(const Value& v, const Shape& shape) { save(mismatch(json_word(v), shape.type)); }

  void read(Value& v, const Shape& shape) {
    if (stopped_) return;
    if (++depth_ > kMaxDepth) {
      too_deep_ = true;
      stop("nested too deeply");
    } else {
      read_kind(v, shape);
    }
    --depth_;
  }

  void read_kind(Value& v, const Shape& shape) {
    switch (shape.kind) {
      case Kind::kString:
        if (v.is_null()) v = Value::string("");
        if (!v.is_string()) refuse(v, shape);
        return;
      case Kind::kBool:
        if (v.is_null()) v = Value::boolean(false);
        if (!v.is_bool()) refuse(v, shape);
        return;
      case Kind::kInt64:
      case Kind::kInt32: read_integer(v, shape); return;
      case Kind::kFloat: read_float(v, shape); return;
      case Kind::kBytes: read_bytes(v, shape); return;
      case Kind::kTime: read_time(v); return;
      case Kind::kMicroTime: read_micro_time(v); return;
      case Kind::kQuantity: read_quantity(v); return;
      case Kind::kIntOrString: read_int_or_string(v); return;
      case Kind::kAny: return;
      case Kind::kStruct:
        if (v.is_null()) v = Value::object({});
        if (!v.is_object()) return refuse(v, shape);
        read_struct(v, shape);
        return;
      case Kind::kList:
        if (v.is_null()) return;
        if (!v.is_array()) return refuse(v, shape);
        read_items(v, *shape.element);
        return;
      case Kind::kMap:
        if (v.is_null()) return;
        if (!v.is_object()) return refuse(v, shape);
        read_members(v, *shape.element);
        return;
      case Kind::kObjectOrBool:
      case Kind::kObjectOrList:
      case Kind::kObjectOrStrings: read_loose(v, shape); return;
    }
  }

  void read_integer(Value& v, const Shape& shape) {
    if (v.is_null()) v = Value::integer(0);
    if (!v.is_number()) return refuse(v, shape);
    if (v.type() == Type::kDouble && !options_.from_text) {
      // The number was decoded once already and is printed anew before it is read as an integer.
      const double d = v.as_double();
      if (std::trunc(d) == d && std::abs(d) < 9.2e18)
        v = Value::integer(static_cast<std::int64_t>(d));
    }
    if (v.type() == Type::kInt) {
      const std::int64_t i = v.as_int();
      if (shape.kind == Kind::kInt64 || (i >= INT32_MIN && i <= INT32_MAX)) return;
    }
    save(mismatch("number " + number_text(v), shape.type));
  }

  std::string number_text(const Value& v) const {
    switch (v.type()) {
      case Type::kInt: return fmt::format("{}", v.as_int());
      case Type::kUint: return fmt::format("{}", v.as_uint());
      case Type::kLiteral: return std::string(v.as_string());
      default: break;
    }
    std::string text = format_json_number(v.as_double());
    // The source had a fraction or an exponent, or it would have been an integer; one that was
    // decoded before is printed anew.
    if (options_.from_text && text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
  }

  void read_float(Value& v, const Shape& shape) {
    if (v.is_null()) v = Value::integer(0);
    if (!v.is_number()) return refuse(v, shape);
    // One number has one form, so that equal schemas compare as equal.
    const double d = v.as_double();
    if (std::trunc(d) == d && std::abs(d) < kMaxExactInteger) {
      v = Value::integer(static_cast<std::int64_t>(d));
    } else {
      v = Value::number(d);
    }
  }

  void read_bytes(Value& v, const Shape& shape) {
    if (v.is_null()) v = Value::string("");
    if (!v.is_string()) return refuse(v, shape);
    const auto bytes = base64_decode(v.as_string());
    if (!bytes) return save(bytes.error().message());
    const std::string again = base64_encode(*bytes);
    if (again != v.as_string()) v = Value::string(arena_.copy(again));
  }

  void read_time(Value& v) {
    if (v.is_null() || (v.is_string() && is_canonical_time(v.as_string()))) return;
    if (!v.is_string()) return stop(mismatch(json_word(v), "string"));
    const auto time = parse_rfc3339(v.as_string());
    if (!time) return stop(time.error().message());
    const std::string again = format_rfc3339(*time);
    if (again == kZeroTime) {
      v = Value();
    } else if (again != v.as_string()) {
      v = Value::string(arena_.copy(again));
    }
  }

  void read_micro_time(Value& v) {
    if (v.is_null()) return;
    if (!v.is_string()) return stop(mismatch(json_word(v), "string"));
    const auto time = parse_rfc3339_micro(v.as_string());
    if (!time) return stop(time.error().message());
    const std::string again = format_rfc3339_micro(*time);
    if (again == kZeroMicroTime) {
      v = Value();
    } else if (again != v.as_string()) {
      v = Value::string(arena_.copy(again));
    }
  }

  // The type reads whatever JSON it is given as text.
  void read_quantity(Value& v) {
    if (v.is_null()) {
      v = Value::string("0");
      return;
    }
    const std::string text = v.is_string() ? std::string(trim(v.as_string())) : value::to_json(v);
    const auto quantity = Quantity::parse(text);
    if (!quantity) return stop(quantity.error().message());
    const std::string again = quantity->to_string();
    if (!v.is_string() || again != v.as_string()) v = Value::string(arena_.copy(again));
  }

  void read_int_or_string(Value& v) {
    if (v.is_null()) v = Value::integer(0);
    if (v.is_string()) return;
    if (v.type() == Type::kDouble && !options_.from_text) {
      const double d = v.as_double();
      if (std::trunc(d) == d && std::abs(d) <= INT32_MAX)
        v = Value::integer(static_cast<std::int64_t>(d));
    }
    if (v.type() == Type::kInt && v.as_int() >= INT32_MIN && v.as_int() <= INT32_MAX) return;
    stop(mismatch(v.is_number() ? "number " + number_text(v) : std::string(json_word(v)), "int32"));
  }

  // Members in the order in which the decoder would meet them.
  std::vector<std::size_t> order_of(const Value& v) const {
    std::vector<std::size_t> order(v.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return v.key_position(a).offset < v.key_position(b).offset;
    });
    return order;
  }

  template <typename Visit>
  void each_member(Value& v, const Visit& visit) {
    if (options_.from_text && v.has_positions()) {
      for (const std::size_t i : order_of(v)) visit(i);
    } else {
      for (std::size_t i = 0; i < v.size(); ++i) visit(i);
    }
  }

  // Members to be dropped lose their key on the way, and go when all have been read.
  void read_struct(Value& v, const Shape& shape) {
    const Shape* const outer = owner_;
    std::size_t cursor = 0;
    bool dropped = false;
    each_member(v, [&](std::size_t i) {
      if (stopped_) return;
      Member& member = v.mutable_members()[i];
      const ShapeField* field = next_field(shape, member.key, cursor);
      if (field == nullptr) note_unknown(member.key);
      const bool stays_null = field != nullptr && member.value.is_null() && is_pointer(*field);
      bool drop = field == nullptr || (stays_null && field->keep == Keep::kPointer);
      if (!drop && !stays_null) {
        if (nested_owner_ == nullptr) owner_ = &shape;
        const std::size_t names = fields_.size();
        if (!field->within.empty()) fields_.push_back(field->within);
        fields_.push_back(field->name);
        const std::size_t length = step_into(field->name);
        read(member.value, *field->shape);
        if (stopped_) return;
        path_.resize(length);
        fields_.resize(names);
        owner_ = outer;
        drop = is_left_out(member.value, *field);
      }
      if (drop) {
        member.key = {};
        dropped = true;
      }
    });
    if (dropped) {
      auto members = v.mutable_members();
      const auto end = std::remove_if(members.begin(), members.end(), [](const Member& member) {
        return member.key.data() == nullptr;
      });
      v.truncate(static_cast<std::size_t>(end - members.begin()));
    }
    if (!stopped_ && !shape.all_optional) add_required(v, shape);
  }

  // Members and fields are both sorted, so that one walk over the fields finds all of them.
  static const ShapeField* next_field(const Shape& shape, std::string_view key,
                                      std::size_t& cursor) {
    while (cursor < shape.fields.size()) {
      const std::string_view name = shape.fields[cursor].name;
      if (same_text(name, key)) return &shape.fields[cursor++];
      if (value::compare_keys(name, key) > 0) break;
      ++cursor;
    }
    // Unknown, or out of order.
    return cursor == 0 || shape.fields[cursor - 1].name < key ? nullptr : shape.field(key);
  }

  bool is_left_out(const Value& v, const ShapeField& field) const {
    if (field.keep != Keep::kNonEmpty) return false;
    switch (field.shape->kind) {
      case Kind::kString:
      case Kind::kBytes: return v.is_string() && v.size() == 0;
      case Kind::kBool: return v.is_bool() && !v.as_bool();
      case Kind::kInt64:
      case Kind::kInt32:
      case Kind::kFloat: return v.type() == Type::kInt && v.as_int() == 0;
      case Kind::kTime:
      case Kind::kMicroTime: return v.is_null();
      case Kind::kList:
      case Kind::kMap: return v.is_null() || ((v.is_array() || v.is_object()) && v.size() == 0);
      default: return false;
    }
  }

  static bool is_pointer(const ShapeField& field) {
    return field.keep == Keep::kPointer || field.keep == Keep::kNullable;
  }

  void add_required(Value& v, const Shape& shape) {
    for (const ShapeField& field : shape.fields) {
      if (field.keep != Keep::kAlways && field.keep != Keep::kNullable) continue;
      if (v.find(field.name) != nullptr) continue;
      Value& made = v.set(field.name, Value(), arena_);
      if (field.keep == Keep::kNullable) continue;
      const Kind kind = field.shape->kind;
      if (kind == Kind::kStruct || kind == Kind::kQuantity || kind == Kind::kIntOrString ||
          is_scalar(kind))
        read(made, *field.shape);
    }
  }
  static bool is_scalar(Kind kind) { return kind <= Kind::kBytes; }

  void read_items(Value& v, const Shape& element) {
    for (std::size_t i = 0; i < v.size() && !stopped_; ++i) {
      const std::size_t length = path_.size();
      if (keeps_path()) fmt::format_to(std::back_inserter(path_), "[{}]", i);
      read(v.mutable_items()[i], element);
      path_.resize(length);
    }
  }

  void read_members(Value& v, const Shape& element) {
    each_member(v, [&](std::size_t i) {
      if (stopped_) return;
      Member& member = v.mutable_members()[i];
      const std::size_t length = step_into(member.key);
      read(member.value, element);
      path_.resize(length);
    });
  }

  // These types decode their own text: an error inside ends the whole reading, and is reported as a
  // field of the struct that holds them. Unknown fields inside are dropped without a word.
  void read_loose(Value& v, const Shape& shape) {
    const bool is_object = v.is_object();
    const bool is_list = v.is_array() && shape.kind != Kind::kObjectOrBool;
    if (!is_object && !is_list) {
      if (shape.kind != Kind::kObjectOrBool) {
        v = Value();
      } else if (!v.is_bool()) {
        stop("boolean or JSON schema expected");
      }
      return;
    }
    if (is_list && v.size() == 0) {
      v = Value();
      return;
    }
    std::string outer_fault = std::exchange(fault_, {});
    const Shape* const outer_nested = nested_owner_;
    if (nested_owner_ == nullptr) nested_owner_ = owner_;
    ++silent_;
    if (is_object) {
      read(v, *shape.element);
    } else if (shape.kind == Kind::kObjectOrList) {
      read_items(v, *shape.element);
    } else {
      read(v, kStringListShape);
    }
    --silent_;
    nested_owner_ = outer_nested;
    if (!fault_.empty()) {
      stopped_ = true;
    } else {
      fault_ = std::move(outer_fault);
    }
  }

  void drop_malformed_fields(Value& v, const Shape& shape) {
    auto members = v.mutable_members();
    std::size_t kept = 0;
    for (Member& member : members) {
      const ShapeField* field = shape.field(member.key);
      if (field == nullptr) {
        note_unknown(member.key);
        continue;
      }
      if (member.value.is_null() && field->keep == Keep::kPointer) continue;
      if (member.value.is_null() && field->keep == Keep::kNullable) {
        members[kept++] = member;
        continue;
      }
      const std::size_t length = step_into(field->name);
      read(member.value, *field->shape);
      path_.resize(length);
      const bool malformed = !fault_.empty();
      fault_.clear();
      stopped_ = too_deep_;
      fields_.clear();
      owner_ = nullptr;
      if (malformed || is_left_out(member.value, *field)) continue;
      members[kept++] = member;
    }
    v.truncate(kept);
    add_required(v, shape);
  }

  std::size_t step_into(std::string_view name) {
    const std::size_t length = path_.size();
    if (keeps_path()) {
      if (!path_.empty()) path_ += '.';
      path_ += name;
    }
    return length;
  }

  void note_unknown(std::string_view key) {
    if (options_.unknown == nullptr || silent_ > 0 || options_.unknown->size() >= kMaxUnknown)
      return;
    options_.unknown->push_back(path_.empty() ? std::string(key)
                                              : fmt::format("{}.{}", path_, key));
  }

  Arena& arena_;
  const ShapeOptions& options_;
  std::string path_;                      // see keeps_path()
  std::vector<std::string_view> fields_;  // names of the struct fields on the way
  const Shape* owner_ = nullptr;          // the struct that the innermost field belongs to
  const Shape* nested_owner_ = nullptr;   // the same, as seen from outside of a loose place
  std::string fault_;
  bool stopped_ = false;
  bool too_deep_ = false;
  int silent_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

std::string_view Shape::owner() const {
  const std::size_t dot = type.rfind('.');
  return dot == std::string_view::npos ? type : type.substr(dot + 1);
}

const ShapeField* Shape::field(std::string_view name) const {
  const auto at =
      std::lower_bound(fields.begin(), fields.end(), name,
                       [](const ShapeField& f, std::string_view key) { return f.name < key; });
  return at != fields.end() && at->name == name ? &*at : nullptr;
}

Result<> read_shape(Value& v, const Shape& shape, Arena& arena, const ShapeOptions& options) {
  return ShapeReader(arena, options).run(v, shape);
}

constinit const Shape kStringShape{Kind::kString, "string"};
constinit const Shape kBoolShape{Kind::kBool, "bool"};
constinit const Shape kInt64Shape{Kind::kInt64, "int64"};
constinit const Shape kInt32Shape{Kind::kInt32, "int32"};
constinit const Shape kFloatShape{Kind::kFloat, "float64"};
constinit const Shape kBytesShape{Kind::kBytes, "[]uint8"};
constinit const Shape kTimeShape{Kind::kTime, "v1.Time"};
constinit const Shape kMicroTimeShape{Kind::kMicroTime, "v1.MicroTime"};
constinit const Shape kQuantityShape{Kind::kQuantity, "resource.Quantity"};
constinit const Shape kIntOrStringShape{Kind::kIntOrString, "intstr.IntOrString"};
constinit const Shape kAnyShape{Kind::kAny, "interface {}"};
constinit const Shape kStringListShape{Kind::kList, "[]string", {}, &kStringShape};
constinit const Shape kStringMapShape{Kind::kMap, "map[string]string", {}, &kStringShape};
constinit const Shape kUidShape{Kind::kString, "types.UID"};

}  // namespace strake::meta
