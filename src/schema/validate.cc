// The order of the checks, and the counting of matches that picks the branch of a junctor whose
// errors are shown, follow the kube-openapi validator of kube-apiserver 1.36: its messages
// depend on both.
#include "schema/validate.h"

#include <algorithm>
#include <cmath>

#include "base/number_format.h"
#include "base/utf8.h"
#include "schema/distinct_errors.h"
#include "schema/fits.h"
#include "schema/list_key.h"
#include "schema/number_check.h"
#include "schema/path_trail.h"
#include "schema/property_cursor.h"
#include "schema/type_check.h"
#include "value/json_writer.h"

namespace strake::schema {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

// What one schema had to say of one value. Valid values, the common case, allocate nothing.
struct Outcome {
  DistinctErrors errors;
  int matches = 0;

  bool valid() const { return errors.empty(); }
  void add(FieldError error) { errors.add(std::move(error)); }
  void merge(Outcome&& other) {
    matches += other.matches;
    if (!other.valid()) errors.merge(std::move(other.errors));
  }
};

// Errors about a whole schema carry no field: kube-apiserver 1.36 reports them at the object's own
// (missing) path.
FieldError without_field(const PathTrail& at, std::string message) {
  FieldError error{.type = FieldError::Type::kInvalid,
                   .path = at.path(),
                   .nil_path = true,
                   .shown = "\"\"",
                   .detail = std::move(message)};
  return error;
}

class Validator {
 public:
  // `old` is the correlated stored value, or null when there is none (then nothing is forgiven).
  Outcome node(const Value& v, const Node& schema, const PathTrail& at, const Value* old) {
    Outcome out = plain(v, schema, at, old);
    // Ratcheting: an unchanged value keeps whatever is wrong with it. It is decided at each node on
    // the way up, so an error below a changed parent still stands when its own node changed.
    if (!out.valid() && old != nullptr && value::identical(v, *old)) out.errors.clear();
    return out;
  }

 private:
  Outcome plain(const Value& v, const Node& schema, const PathTrail& at, const Value* old) {
    Outcome out;
    if (v.is_null()) {
      type(v, schema, at, out);
      enumeration(v, schema, at, out);
      return out;
    }
    // A group of keywords that applies counts as a match whatever it finds; a type that fits and
    // some groups count one more. Only the sums matter, and only to any_of() and one_of(), which
    // show the errors of the branch with the highest: a missing or additional count changes which
    // message a user sees.
    const auto group = [&out] { ++out.matches; };
    if (schema.type != JsonType::kNone || schema.int_or_string || schema.format != Format::kNone) {
      type(v, schema, at, out);
      group();
    }
    if (schema.composition) junctors(v, *schema.composition, at, out);
    ++out.matches;  // the junctors' own, which always apply
    group();
    if (v.is_string()) {
      if (schema.text) text(v, *schema.text, at, out);
      group();
      if (is_text_format(schema.format)) {
        format(v, schema, at, out);
        group();
      }
    } else if (v.is_number()) {
      numbers(v, schema, at, out);
      ++out.matches;
      group();
    } else if (v.is_array()) {
      items(v, schema, at, old, out);
      ++out.matches;
      group();
    }
    enumeration(v, schema, at, out);
    group();
    if (v.is_object()) {
      members(v, schema, at, old, out);
      group();
    }
    ++out.matches;
    return out;
  }

  static void type(const Value& v, const Node& schema, const PathTrail& at, Outcome& out) {
    if (auto error = check_type(v, schema, at)) {
      out.add(*std::move(error));
    } else {
      ++out.matches;
    }
  }

  void junctors(const Value& v, const Composition& c, const PathTrail& at, Outcome& out) {
    // Branches get no old value: inside of junctors nothing is ratcheted on its own, only the node
    // that carries the junctor.
    if (!c.any_of.empty()) any_of(v, c, at, out);
    if (!c.one_of.empty()) one_of(v, c, at, out);
    if (!c.all_of.empty()) {
      std::size_t passed = 0;
      for (const NodePtr& branch : c.all_of) {
        Outcome one = node(v, *branch, at, nullptr);
        passed += one.valid();
        out.merge(std::move(one));
      }
      if (passed != c.all_of.size()) {
        out.add(without_field(at, fmt::format("\"{}\" must validate all the schemas (allOf){}",
                                              at.text(), passed == 0 ? ". None validated" : "")));
      }
    }
    if (c.negated && node(v, *c.negated, at, nullptr).valid()) {
      out.add(
          without_field(at, fmt::format("\"{}\" must not validate the schema (not)", at.text())));
    }
  }

  void any_of(const Value& v, const Composition& c, const PathTrail& at, Outcome& out) {
    std::optional<Outcome> best;
    for (const NodePtr& branch : c.any_of) {
      Outcome one = node(v, *branch, at, nullptr);
      if (one.valid()) {
        out.merge(std::move(one));
        return;
      }
      // Strictly greater, so that the first of equal branches is shown.
      if (!best || one.matches > best->matches) best = std::move(one);
    }
    out.add(without_field(
        at, fmt::format("\"{}\" must validate at least one schema (anyOf)", at.text())));
    out.merge(std::move(*best));
  }

  void one_of(const Value& v, const Composition& c, const PathTrail& at, Outcome& out) {
    std::optional<Outcome> best;
    std::optional<Outcome> first;
    std::size_t passed = 0;
    for (const NodePtr& branch : c.one_of) {
      Outcome one = node(v, *branch, at, nullptr);
      if (one.valid()) {
        if (++passed == 1) first = std::move(one);
      } else if (passed == 0 && (!best || one.matches > best->matches)) {
        best = std::move(one);
      }
    }
    if (passed == 1) {
      out.merge(std::move(*first));
      return;
    }
    const std::string found = passed == 0 ? std::string("Found none valid")
                                          : fmt::format("Found {} valid alternatives", passed);
    out.add(without_field(
        at,
        fmt::format("\"{}\" must validate one and only one schema (oneOf). {}", at.text(), found)));
    if (passed == 0) out.merge(std::move(*best));
  }

  void text(const Value& v, const TextRules& rules, const PathTrail& at, Outcome& out) {
    const std::string_view s = v.as_string();
    // One error for a string at most, in this order.
    // Bytes bound the count from above, so most strings need no counting.
    if (rules.max_length && static_cast<std::int64_t>(s.size()) > *rules.max_length &&
        static_cast<std::int64_t>(utf8::count(s)) > *rules.max_length) {
      out.add(FieldError::too_long(at.path(), *rules.max_length));
    } else if (rules.min_length && static_cast<std::int64_t>(utf8::count(s)) < *rules.min_length) {
      invalid(v, at, fmt::format("should be at least {} chars long", *rules.min_length), out);
    } else if (rules.pattern && !rules.pattern->search(s)) {
      invalid(v, at, fmt::format("should match '{}'", rules.pattern->text()), out);
    }
  }

  static void invalid(const Value& v, const PathTrail& at, std::string_view what, Outcome& out) {
    FieldPath path = at.path();
    std::string detail = fmt::format("{} in body {}", path.to_k8s(), what);
    FieldError error = FieldError::invalid(std::move(path), v, std::move(detail));
    error.nil_path = error.path.empty();
    out.add(std::move(error));
  }

  void format(const Value& v, const Node& schema, const PathTrail& at, Outcome& out) {
    if (matches_format(schema.format, v.as_string())) return;
    FieldPath path = at.path();
    std::string detail = fmt::format("{} in body must be of type {}: {}", path.to_k8s(),
                                     schema.format_text, value::render_value(v));
    out.add(FieldError::type_invalid(std::move(path), v, std::move(detail)));
  }

  void numbers(const Value& v, const Node& schema, const PathTrail& at, Outcome& out) {
    const std::string_view type = wanted_type(schema);
    const auto in_range = [&](const Value& checked, std::string_view role) {
      if (fits_format(checked, schema)) return true;
      const std::string kind = schema.format_text.empty() ? std::string("(default format)")
                                                          : "with format " + schema.format_text;
      out.add(without_field(
          at, fmt::format("{} value must be of type {} {} in {}", role, type, kind, at.text())));
      return false;
    };
    in_range(v, "Checked");
    if (!schema.number) return;
    const NumberRules& rules = *schema.number;
    const bool whole = v.type() == value::Type::kInt;
    if (rules.multiple_of) {
      // A bound that does not fit the type is an error of its own, and the comparison falls back to
      // doubles. With a fitting bound integers are compared as int64, with the bound truncated.
      const bool native = in_range(Value::number(*rules.multiple_of), "MultipleOf");
      check_multiple(v, *rules.multiple_of, whole && native, at, out);
    }
    if (rules.minimum) {
      const bool native = in_range(Value::number(*rules.minimum), "Minimum boundary");
      if (!above(v, *rules.minimum, rules.exclusive_minimum, whole && native)) {
        invalid(v, at,
                fmt::format("should be greater than {}{}",
                            rules.exclusive_minimum ? "" : "or equal to ",
                            bound_text(*rules.minimum, whole && native)),
                out);
      }
    }
    if (rules.maximum) {
      const bool native = in_range(Value::number(*rules.maximum), "Maximum boundary");
      if (!below(v, *rules.maximum, rules.exclusive_maximum, whole && native)) {
        invalid(
            v, at,
            fmt::format("should be less than {}{}", rules.exclusive_maximum ? "" : "or equal to ",
                        bound_text(*rules.maximum, whole && native)),
            out);
      }
    }
  }

  static void check_multiple(const Value& v, double factor, bool whole, const PathTrail& at,
                             Outcome& out) {
    if (factor <= 0 || (whole && truncate(factor) <= 0)) {
      const std::string shown = bound_text(factor, whole);
      FieldPath path = at.path();
      std::string detail = fmt::format("factor MultipleOf declared for {} must be positive: {}",
                                       path.to_k8s(), shown);
      FieldError error = FieldError::invalid(std::move(path), Value(), std::move(detail));
      error.shown = shown;
      out.add(std::move(error));
      return;
    }
    const bool fits =
        whole ? v.as_int() % truncate(factor) == 0 : is_multiple(v.as_double(), factor);
    if (fits) return;
    invalid(v, at, fmt::format("should be a multiple of {}", bound_text(factor, whole)), out);
  }

  void items(const Value& v, const Node& schema, const PathTrail& at, const Value* old,
             Outcome& out) {
    if (schema.items) {
      // Only elements of list-type map correlate with old ones; those of sets and atomic lists have
      // no identity across an update, and are judged anew.
      const ItemsByKey old_items(schema.list_type == ListType::kMap ? old : nullptr,
                                 schema.map_keys);
      for (std::size_t i = 0; i < v.size(); ++i) {
        const Value& item = v.items()[i];
        const Value* old_item = old_items.find(item);
        out.merge(node(item, *schema.items, PathTrail::index(at, i), old_item));
      }
    }
    const auto size = static_cast<std::int64_t>(v.size());
    if (schema.min_items && size < *schema.min_items) {
      invalid(Value::integer(size), at,
              fmt::format("should have at least {} items", *schema.min_items), out);
    }
    if (schema.max_items && size > *schema.max_items) {
      out.add(FieldError::too_many(at.path(), size, *schema.max_items));
    }
  }

  void enumeration(const Value& v, const Node& schema, const PathTrail& at, Outcome& out) {
    if (!schema.enumeration) return;
    for (const Value& allowed : schema.enumeration->root().items()) {
      if (matches_enum(v, allowed)) return;
    }
    std::vector<std::string> supported;
    for (const Value& allowed : schema.enumeration->root().items()) {
      supported.push_back(allowed.is_string() ? std::string(allowed.as_string())
                                              : value::to_json(allowed));
    }
    out.add(FieldError::not_supported(at.path(), v, supported));
  }

  void members(const Value& v, const Node& schema, const PathTrail& at, const Value* old,
               Outcome& out) {
    const auto size = static_cast<std::int64_t>(v.size());
    if (schema.min_properties && size < *schema.min_properties) {
      invalid(Value::integer(size), at,
              fmt::format("should have at least {} properties", *schema.min_properties), out);
    }
    if (schema.max_properties && size > *schema.max_properties) {
      out.add(FieldError::too_many(at.path(), size, *schema.max_properties));
    }
    if (schema.additional == Additional::kFalse) forbidden_members(v, schema, at, out);
    const Value* old_object = old != nullptr && old->is_object() ? old : nullptr;
    const bool root = at.is_start() && at.path().empty();
    // Two walks, since kube-apiserver 1.36 reports additional members before named ones.
    if (schema.additional_schema) {
      for_members(v, schema, [&](const Member& m, const Node* named) {
        if (named != nullptr) return;
        const Value* old_member = old_object != nullptr ? old_object->find(m.key) : nullptr;
        out.merge(
            node(m.value, *schema.additional_schema, PathTrail::field(at, m.key), old_member));
      });
    }
    for_members(v, schema, [&](const Member& m, const Node* named) {
      if (named == nullptr) return;
      // kind and apiVersion are never ratcheted.
      const bool type_meta = root && (m.key == "apiVersion" || m.key == "kind");
      const Value* old_member =
          old_object != nullptr && !type_meta ? old_object->find(m.key) : nullptr;
      out.merge(node(m.value, *named, PathTrail::field(at, m.key), old_member));
    });
    for (const std::string& name : schema.required) {
      if (v.find(name) != nullptr) continue;
      const Node* named = schema.property(name);
      // A default would fill it in, so its absence is no fault.
      if (named != nullptr && named->default_value) continue;
      out.add(FieldError::required(at.path() / name));
    }
  }

  void forbidden_members(const Value& v, const Node& schema, const PathTrail& at, Outcome& out) {
    for_members(v, schema, [&](const Member& m, const Node* named) {
      if (named != nullptr) return;
      const FieldPath path = at.path();
      out.add(FieldError::invalid(
          path, Value::string(m.key),
          fmt::format("{} in body is a forbidden property", (path / m.key).to_k8s())));
    });
  }

  template <typename Body>
  static void for_members(const Value& v, const Node& schema, Body body) {
    PropertyCursor properties(schema);
    for (const Member& m : v.members()) body(m, properties.find(m.key));
  }
};

}  // namespace

FieldErrors validate(const Value& v, const Node& schema, const FieldPath& at,
                     const ValidateOptions& options) {
  // Most values are right: the fast check builds no paths and counts nothing. Only a value that may
  // be wrong is walked again for messages.
  if (fits(v, schema)) return {};
  return std::move(Validator().node(v, schema, PathTrail(at), options.old).errors).take();
}

}  // namespace strake::schema
