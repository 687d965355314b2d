#pragma once
// For tests: objects of a built-in kind with random fields, as its declaration says. Names, texts
// and numbers are arbitrary, so that hardly any object is valid; what is tested with them is that
// nothing is lost on the way. The same seed gives the same objects.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include "base/arena.h"
#include "base/base64.h"
#include "base/rfc3339.h"
#include "kinds/describe.h"
#include "value/value.h"

namespace strake::kinds::testing {

// Chosen by STRAKE_SEED; tests print it when they fail.
inline std::uint64_t random_seed() {
  const char* given = std::getenv("STRAKE_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

class RandomObjects {
 public:
  RandomObjects(std::uint64_t seed, Arena& arena) : random_(seed), arena_(arena) {}

  value::Value object(const Type& kind) {
    value::Value out = fields(kind, 0);
    const std::string group(kind.group);
    set(out, "apiVersion",
        text(group.empty() ? std::string(kind.version)
                           : fmt::format("{}/{}", group, kind.version)));
    set(out, "kind", text(std::string(kind.name)));
    set(out, "metadata", metadata());
    return out;
  }

 private:
  using Value = value::Value;

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  Value text(const std::string& s) { return Value::string(arena_.copy(s)); }
  void set(Value& object, std::string_view key, Value v) {
    object.set(arena_.copy(key), v, arena_);
  }

  std::string word() {
    constexpr std::string_view kWords[] = {"a",         "web",    "x-1", "Ω",
                                           "two words", "\n\t\"", "0",   "日本"};
    return std::string(kWords[below(std::size(kWords))]);
  }

  Value metadata() {
    Value out = Value::object({});
    set(out, "name", text(fmt::format("n{}", below(1000))));
    if (one_in(2)) set(out, "labels", texts_map());
    if (one_in(2)) set(out, "annotations", texts_map());
    if (one_in(4)) set(out, "generation", Value::integer(1 + static_cast<std::int64_t>(below(9))));
    if (one_in(4)) set(out, "creationTimestamp", time(false));
    if (one_in(4)) {
      Value owner = Value::object({});
      for (const std::string_view key : {"apiVersion", "kind", "name", "uid"})
        set(owner, key, text(word()));
      set(owner, "controller", Value::boolean(one_in(2)));
      Value owners = Value::array({});
      owners.append(owner, arena_);
      set(out, "ownerReferences", owners);
    }
    return out;
  }

  Value texts_map() {
    Value out = Value::object({});
    for (std::uint64_t i = 1 + below(3); i > 0; --i)
      set(out, fmt::format("k{}", below(100)), text(word()));
    return out;
  }

  Value time(bool micro) {
    const Instant moment{static_cast<std::int64_t>(1 + below(4'000'000'000)),
                         static_cast<std::uint32_t>(below(1'000'000)) * 1000};
    return text(micro ? format_rfc3339_micro(moment) : format_rfc3339(moment));
  }

  Value json(int depth) {
    if (depth > 2 || one_in(2)) return one_in(2) ? text(word()) : Value::integer(small());
    Value out = Value::object({});
    for (std::uint64_t i = below(3); i > 0; --i) set(out, fmt::format("j{}", i), json(depth + 1));
    return out;
  }

  std::int64_t small() { return static_cast<std::int64_t>(below(200)) - 100; }

  Value integer(bool wide) {
    if (!one_in(6)) return Value::integer(small());
    if (wide) return Value::integer(one_in(2) ? INT64_MAX : INT64_MIN);
    return Value::integer(one_in(2) ? INT32_MAX : INT32_MIN);
  }

  // Deep down there is less, so that objects end.
  Value fields(const Type& type, int depth) {
    Value out = Value::object({});
    for (const Field& field : type.fields) {
      // What has no number is not there in protobuf.
      if (field.number.empty() || one_in(depth < 2 ? 3 : 2)) continue;
      if (depth > 3 && !one_in(static_cast<std::uint64_t>(depth))) continue;
      set(out, field.name, value(*field.use, depth + 1));
    }
    return out;
  }

  Value value(const TypeUse& use, int depth) {
    switch (use.form) {
      case TypeUse::Form::kString: return text(word());
      case TypeUse::Form::kBool: return Value::boolean(one_in(2));
      case TypeUse::Form::kInt32: return integer(false);
      case TypeUse::Form::kInt64: return integer(true);
      case TypeUse::Form::kFloat: return Value::integer(small());
      case TypeUse::Form::kBytes: return text(base64_encode(word()));
      case TypeUse::Form::kTime: return time(false);
      case TypeUse::Form::kMicroTime: return time(true);
      case TypeUse::Form::kQuantity: {
        constexpr std::string_view kAmounts[] = {"0", "1", "100m", "1Gi", "-5", "1500", "2Ki"};
        return text(std::string(kAmounts[below(std::size(kAmounts))]));
      }
      case TypeUse::Form::kIntOrString: return one_in(2) ? integer(false) : text(word());
      case TypeUse::Form::kObjectMeta: return metadata();
      case TypeUse::Form::kNamed: return named(*use.type, depth);
      case TypeUse::Form::kList: return list(*use.element, depth);
      case TypeUse::Form::kMap: return map(*use.element, depth);
    }
    return Value();
  }

  Value named(const Type& type, int depth) {
    switch (type.form) {
      case Type::Form::kString: return text(word());
      case Type::Form::kList: return list(*type.element, depth);
      case Type::Form::kMap: return map(*type.element, depth);
      case Type::Form::kAny: return json(0);
      default: break;
    }
    Value out = fields(type, depth);
    if (type.is_object()) set(out, "metadata", metadata());
    return out;
  }

  Value list(const TypeUse& element, int depth) {
    Value out = Value::array({});
    for (std::uint64_t i = 1 + below(2); i > 0; --i) out.append(value(element, depth), arena_);
    return out;
  }

  Value map(const TypeUse& element, int depth) {
    Value out = Value::object({});
    for (std::uint64_t i = 1 + below(2); i > 0; --i)
      set(out, fmt::format("m{}", i), value(element, depth));
    return out;
  }

  std::mt19937_64 random_;
  Arena& arena_;
};

}  // namespace strake::kinds::testing
