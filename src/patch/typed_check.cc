#include "patch/typed_check.h"

#include <set>

#include "base/number_format.h"
#include "base/quote.h"
#include "value/json_writer.h"

namespace strake::patch {

using value::Member;
using value::Type;
using value::Value;

namespace {

// The reference prints its own wrapper of a value, in Go's forms: %v, and %#v with types.
class GoText {
 public:
  explicit GoText(bool typed) : typed_(typed) {}

  std::string wrapped(const Value& v) {
    out_ = typed_ ? "&value.valueUnstructured{Value:" : "&{";
    print(v, 0);
    return std::move(out_) + "}";
  }

 private:
  void print(const Value& v, std::size_t depth) {
    if (depth > kMaxFieldDepth) {
      out_ += "...";
      return;
    }
    switch (v.type()) {
      case Type::kNull: out_ += typed_ ? "interface {}(nil)" : "<nil>"; break;
      case Type::kBool: out_ += v.as_bool() ? "true" : "false"; break;
      case Type::kDouble: out_ += format_go_v(v.as_double()); break;
      case Type::kString:
        if (typed_) {
          append_quoted(out_, v.as_string());
        } else {
          out_ += v.as_string();
        }
        break;
      case Type::kArray: print_list(v, depth); break;
      case Type::kObject: print_map(v, depth); break;
      default: value::write_json(v, out_); break;
    }
  }

  void print_list(const Value& v, std::size_t depth) {
    out_ += typed_ ? "[]interface {}{" : "[";
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (i != 0) out_ += typed_ ? ", " : " ";
      print(v.items()[i], depth + 1);
    }
    out_ += typed_ ? "}" : "]";
  }

  void print_map(const Value& v, std::size_t depth) {
    out_ += typed_ ? "map[string]interface {}{" : "map[";
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (i != 0) out_ += typed_ ? ", " : " ";
      const Member& m = v.members()[i];
      if (typed_) {
        append_quoted(out_, m.key);
      } else {
        out_ += m.key;
      }
      out_ += ':';
      print(m.value, depth + 1);
    }
    out_ += typed_ ? "}" : "]";
  }

  bool typed_;
  std::string out_;
};

std::string_view go_type(const Value& v) {
  switch (v.type()) {
    case Type::kNull: return "<nil>";
    case Type::kBool: return "bool";
    case Type::kInt: return "int64";
    case Type::kUint: return "uint64";
    case Type::kDouble:
    case Type::kLiteral: return "float64";
    case Type::kString: return "string";
    case Type::kArray: return "[]interface {}";
    case Type::kObject: return "map[string]interface {}";
  }
  return "";
}

struct ElementLess {
  bool operator()(const PathElement& a, const PathElement& b) const { return a.compare(b) < 0; }
};

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
    if (!v.is_array()) return fault("expected list, got " + GoText(false).wrapped(v));
    const FieldType items = type.items();
    const bool atomic = type.atomic_list();
    std::set<PathElement, ElementLess> seen;
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
    if (!v.is_object()) return fault("expected map, got " + GoText(false).wrapped(v));
    for (const Member& m : v.members()) {
      const FieldType member = type.member(m.key);
      const PathElement element = PathElement::field(m.key);
      if (member.undeclared()) {
        faults_.push_back({path_ + print({element}), "field not declared in schema"});
        return;  // as the reference, which names one of them
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
      return v.is_string() ? "" : "expected string, got " + GoText(true).wrapped(v);
    case FieldType::Scalar::kBoolean:
      return v.is_bool() ? "" : "expected boolean, got " + GoText(false).wrapped(v);
    case FieldType::Scalar::kUntyped:
      if (!v.is_array() && !v.is_object()) return {};
      return "expected any scalar, got " + GoText(false).wrapped(v);
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
