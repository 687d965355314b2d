#include "patch/typed_check.h"

#include <set>

#include "patch/go_text.h"
#include "value/go_type.h"

namespace strake::patch {

using value::Member;
using value::Value;

namespace {

// kube-apiserver 1.36 prints its own wrapper of a value.
std::string wrapped(const std::string& text) { return "&{" + text + "}"; }

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
  if (v.is_null()) return {};
  switch (scalar) {
    case FieldType::Scalar::kNumeric:
      if (v.is_number()) return {};
      return fmt::format("expected numeric (int or float), got {}", go_type(v));
    case FieldType::Scalar::kString:
      return v.is_string()
                 ? ""
                 : "expected string, got &value.valueUnstructured{Value:" + go_syntax(v) + "}";
    case FieldType::Scalar::kBoolean:
      return v.is_bool() ? "" : "expected boolean, got " + wrapped(go_text(v));
    case FieldType::Scalar::kUntyped:
      if (!v.is_array() && !v.is_object()) return {};
      return "expected any scalar, got " + wrapped(go_text(v));
  }
  return {};
}

TypedFaults check_typed(const Value& v, const FieldType& type, Duplicates duplicates,
                        Arena& arena) {
  Checker checker(duplicates, arena);
  checker.check(v, type);
  return checker.take();
}

}  // namespace strake::patch
