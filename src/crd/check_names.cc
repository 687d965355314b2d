#include "crd/check_parts.h"
#include "meta/names.h"

namespace strake::crd {

using value::FieldError;
using value::FieldErrors;
using value::Value;

namespace {

void check_label(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  if (const auto messages = meta::check_dns1035_label(name); !messages.empty()) {
    errors.push_back(FieldError::invalid(at, Value::string(name), meta::join(messages)));
  }
}

void check_kind(std::string_view kind, const FieldPath& at, FieldErrors& errors) {
  if (const auto messages = meta::check_dns1035_label(meta::to_lower_ascii(kind));
      !messages.empty()) {
    errors.push_back(FieldError::invalid(
        at, Value::string(kind),
        "may have mixed case, but should otherwise match: " + meta::join(messages)));
  }
}

}  // namespace

void check_names(const Names& names, const FieldPath& at, FieldErrors& errors) {
  if (!names.plural.empty()) check_label(names.plural, at / "plural", errors);
  if (!names.singular.empty()) check_label(names.singular, at / "singular", errors);
  if (!names.kind.empty()) check_kind(names.kind, at / "kind", errors);
  if (!names.list_kind.empty()) check_kind(names.list_kind, at / "listKind", errors);
  for (std::size_t i = 0; i < names.short_names.size(); ++i) {
    check_label(names.short_names[i], at / "shortNames" / i, errors);
  }
  if (!names.kind.empty() && names.kind == names.list_kind) {
    errors.push_back(FieldError::invalid(at / "listKind", Value::string(names.list_kind),
                                         "kind and listKind may not be the same"));
  }
  for (std::size_t i = 0; i < names.categories.size(); ++i) {
    check_label(names.categories[i], at / "categories" / i, errors);
  }
}

}  // namespace strake::crd
