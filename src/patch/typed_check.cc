#include "patch/typed_check.h"

#include <algorithm>
#include <set>

#include "patch/go_text.h"
#include "value/go_type.h"

namespace strake::patch {

using value::Member;
using value::Value;

namespace {

// kube-apiserver 1.36 prints its own wrapper of a value.
std::string wrapped(const std::string& text) { return "&{" + text + "}"; }

bool scalar_fits(FieldType::Scalar scalar, const Value& v) {
  if (v.is_null()) return true;
  switch (scalar) {
    case FieldType::Scalar::kNumeric: return v.is_number();
    case FieldType::Scalar::kString: return v.is_string();
    case FieldType::Scalar::kBoolean: return v.is_bool();
    case FieldType::Scalar::kUntyped: return !v.is_array() && !v.is_object();
  }
  return false;
}

bool list_fits(const Value& v, const FieldType& type, std::size_t above, Arena& arena) {
  if (!v.is_array()) return v.is_null();
  if (v.size() == 0) return true;
  if (!type.atomic_list()) {
    const ItemNames names(type, arena);
    const auto named = [&](const Value& item) { return names.can_name(item); };
    if (!std::all_of(v.items().begin(), v.items().end(), named)) return false;
  }
  const FieldType items = type.items();
  return std::all_of(v.items().begin(), v.items().end(),
                     [&](const Value& item) { return fits_typed(item, items, above + 1, arena); });
}

bool map_fits(const Value& v, const FieldType& type, std::size_t above, Arena& arena) {
  if (!v.is_object()) return v.is_null();
  MemberTypes types(type);
  return std::all_of(v.members().begin(), v.members().end(), [&](const Member& m) {
    const FieldType member = types.of(m.key);
    return !member.undeclared() && fits_typed(m.value, member, above + 1, arena);
  });
}

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
  if (above >= kMaxFieldDepth) return false;
  switch (type.form(&v)) {
    case FieldType::Form::kScalar: return scalar_fits(type.scalar(), v);
    case FieldType::Form::kList: return list_fits(v, type, above, arena);
    case FieldType::Form::kMap: return map_fits(v, type, above, arena);
  }
  return false;
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
