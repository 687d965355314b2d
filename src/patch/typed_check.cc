#include "patch/typed_check.h"

#include <algorithm>
#include <set>

#include "base/same_text.h"
#include "patch/go_text.h"
#include "value/go_type.h"

namespace strake::patch {

using value::Member;
using value::Value;

namespace {

// kube-apiserver 1.36 prints its own wrapper of a value.
std::string wrapped(const std::string& text) { return "&{" + text + "}"; }

// Of values of one type.
bool same_scalar(const Value& a, const Value& b) {
  switch (a.type()) {
    case value::Type::kNull: return true;
    case value::Type::kBool: return a.as_bool() == b.as_bool();
    case value::Type::kInt: return a.as_int() == b.as_int();
    case value::Type::kString: return same_text(a.as_string(), b.as_string());
    default: return value::equal(a, b);
  }
}

// Whether a value fits, and is the same as its twin where it has one.
class Fit {
 public:
  explicit Fit(Arena& arena) : arena_(arena) {}

  bool value(const Value& v, const Value* twin, const FieldType& type, std::size_t above) {
    if (above >= kMaxFieldDepth || (twin != nullptr && twin->type() != v.type())) return false;
    switch (type.form(&v)) {
      case FieldType::Form::kScalar:
        return scalar_fits(type.scalar(), v) && (twin == nullptr || same_scalar(v, *twin));
      case FieldType::Form::kList: return list(v, twin, type, above);
      case FieldType::Form::kMap: return map(v, twin, type, above);
    }
    return false;
  }

 private:
  bool list(const Value& v, const Value* twin, const FieldType& type, std::size_t above) {
    if (!v.is_array()) return v.is_null();
    if (twin != nullptr && twin->size() != v.size()) return false;
    if (v.size() == 0) return true;
    if (!type.atomic_list()) {
      const ItemNames names(type, arena_);
      const auto named = [&](const Value& item) { return names.can_name(item); };
      if (!std::all_of(v.items().begin(), v.items().end(), named)) return false;
    }
    const FieldType items = type.items();
    const Value* other = twin != nullptr ? twin->items().data() : nullptr;
    for (const Value& item : v.items()) {
      if (!value(item, other, items, above + 1)) return false;
      if (other != nullptr) ++other;
    }
    return true;
  }

  bool map(const Value& v, const Value* twin, const FieldType& type, std::size_t above) {
    if (!v.is_object()) return v.is_null();
    if (twin != nullptr && twin->size() != v.size()) return false;
    MemberTypes types(type);
    const Member* other = twin != nullptr ? twin->members().data() : nullptr;
    for (const Member& m : v.members()) {
      if (other != nullptr && !same_text(m.key, other->key)) return false;
      const FieldType member = types.of(m.key);
      if (member.undeclared()) return false;
      if (!value(m.value, other != nullptr ? &other->value : nullptr, member, above + 1))
        return false;
      if (other != nullptr) ++other;
    }
    return true;
  }

  Arena& arena_;
};

// Finds what is wrong and where.
class Checker {
 public:
  Checker(Duplicates duplicates, Arena& arena) : duplicates_(duplicates), arena_(arena) {}

  void check(const Value& v, const FieldType& type) {
    if (++depth_ > kMaxFieldDepth) {
      fault(fmt::format("nested deeper than {}", kMaxFieldDepth));
    } else {
      switch (type.form(&v)) {
        case FieldType::Form::kScalar: check_scalar(v, type); break;
        case FieldType::Form::kList: check_list(v, type); break;
        case FieldType::Form::kMap: check_map(v, type); break;
      }
    }
    --depth_;
  }

  TypedFaults take() { return std::move(faults_); }

 private:
  void fault(std::string message) { faults_.push_back({path_, std::move(message)}); }

  void check_scalar(const Value& v, const FieldType& type) {
    std::string text = scalar_fault(type.scalar(), v);
    if (!text.empty()) fault(std::move(text));
  }

  void check_list(const Value& v, const FieldType& type) {
    if (v.is_null()) return;
    if (!v.is_array()) return fault("expected list, got " + wrapped(go_text(v)));
    const FieldType items = type.items();
    const bool atomic = type.atomic_list();
    std::set<PathElement, PathElementLess> seen;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Value& item = v.items()[i];
      PathElement element = PathElement::index(static_cast<std::int64_t>(i));
      if (!atomic) {
        const Result<PathElement> named = name_item(type, item, arena_);
        if (!named) return fault(fmt::format("element {}: {}", i, named.error().message()));
        element = *named;
        if (!seen.insert(element).second && duplicates_ == Duplicates::kRefused)
          fault("duplicate entries for key " + print({element}));
      }
      descend(element, item, items);
    }
  }

  void check_map(const Value& v, const FieldType& type) {
    if (v.is_null()) return;
    if (!v.is_object()) return fault("expected map, got " + wrapped(go_text(v)));
    for (const Member& m : v.members()) {
      const FieldType member = type.member(m.key);
      const PathElement element = PathElement::field(m.key);
      if (member.undeclared()) {
        faults_.push_back({path_ + print({element}), "field not declared in schema"});
        return;  // as kube-apiserver 1.36, which names one of them
      }
      descend(element, m.value, member);
    }
  }

  void descend(const PathElement& element, const Value& v, const FieldType& type) {
    const std::size_t length = path_.size();
    element.print(path_);
    check(v, type);
    path_.resize(length);
  }

  Duplicates duplicates_;
  Arena& arena_;
  std::string path_;
  std::size_t depth_ = 0;
  TypedFaults faults_;
};

}  // namespace

std::string to_string(const TypedFaults& faults) {
  const auto one = [](const TypedFault& fault) {
    return fault.path.empty() ? fault.message : fault.path + ": " + fault.message;
  };
  if (faults.size() == 1) return one(faults[0]);
  std::string out = "errors:";
  for (const TypedFault& fault : faults) out += "\n  " + one(fault);
  return out;
}

std::string scalar_fault(FieldType::Scalar scalar, const Value& v) {
  if (scalar_fits(scalar, v)) return {};
  switch (scalar) {
    case FieldType::Scalar::kNumeric:
      return fmt::format("expected numeric (int or float), got {}", go_type(v));
    case FieldType::Scalar::kString:
      return "expected string, got &value.valueUnstructured{Value:" + go_syntax(v) + "}";
    case FieldType::Scalar::kBoolean: return "expected boolean, got " + wrapped(go_text(v));
    case FieldType::Scalar::kUntyped: return "expected any scalar, got " + wrapped(go_text(v));
  }
  return {};
}

bool fits_typed(const Value& v, const FieldType& type, std::size_t above, Arena& arena) {
  return Fit(arena).value(v, nullptr, type, above);
}

bool both_fit(const Value& v, const Value& same, const FieldType& type, std::size_t above,
              Arena& arena) {
  return Fit(arena).value(v, &same, type, above);
}

TypedFaults check_typed(const Value& v, const FieldType& type, Duplicates duplicates,
                        Arena& arena) {
  // Nearly everything fits, and then no path is wanted.
  if (duplicates == Duplicates::kAllowed && fits_typed(v, type, 0, arena)) return {};
  Checker checker(duplicates, arena);
  checker.check(v, type);
  return checker.take();
}

}  // namespace strake::patch
