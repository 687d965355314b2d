// Printer columns, subresources and selectable fields.
#include <algorithm>

#include "crd/check_parts.h"

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// True when the path is in order.
bool check_simple_path(std::string_view path, const FieldPath& at, FieldErrors& errors) {
  if (path.starts_with('.')) return true;
  errors.push_back(
      FieldError::invalid(at, Value::string(path), "must be a simple json path starting with ."));
  return false;
}

void check_column(const SchemaView& column, const FieldPath& at, FieldErrors& errors) {
  if (column.text("name").empty()) errors.push_back(FieldError::required(at / "name"));
  constexpr std::string_view kTypes = "must be one of boolean,date,integer,number,string";
  const std::string_view type = column.type();
  if (type.empty()) {
    errors.push_back(FieldError::required(at / "type", std::string(kTypes)));
  } else if (!is_one_of(type, {"boolean", "date", "integer", "number", "string"})) {
    errors.push_back(FieldError::invalid(at / "type", Value::string(type), std::string(kTypes)));
  }
  const std::string_view format = column.text("format");
  if (!format.empty() && !is_one_of(format, {"byte", "date", "date-time", "double", "float",
                                             "int32", "int64", "password"})) {
    errors.push_back(FieldError::invalid(
        at / "format", Value::string(format),
        "must be one of byte,date,date-time,double,float,int32,int64,password"));
  }
  // kube-apiserver 1.36 spells this field as its code does.
  const std::string_view path = column.text("jsonPath");
  if (path.empty()) {
    errors.push_back(FieldError::required(at / "JSONPath"));
  } else {
    check_simple_path(path, at / "JSONPath", errors);
  }
}

void check_replicas_path(std::string_view path, std::string_view parent, const FieldPath& at,
                         FieldErrors& errors) {
  if (path.empty()) {
    errors.push_back(FieldError::required(at));
  } else if (check_simple_path(path, at, errors) && !path.starts_with(std::string(parent) + ".")) {
    errors.push_back(FieldError::invalid(at, Value::string(path),
                                         "should be a json path under " + std::string(parent)));
  }
}

}  // namespace

void check_printer_columns(const Value* columns, const FieldPath& at, FieldErrors& errors) {
  if (columns == nullptr) return;
  for (std::size_t i = 0; i < columns->size(); ++i)
    check_column(SchemaView(columns->items()[i]), at / i, errors);
}

void check_subresources(const Value* subresources, const FieldPath& at, FieldErrors& errors) {
  const Value* found = subresources != nullptr ? subresources->find("scale") : nullptr;
  if (found == nullptr) return;
  const SchemaView scale(*found);
  const FieldPath here = at / "scale";
  check_replicas_path(scale.text("specReplicasPath"), ".spec", here / "specReplicasPath", errors);
  check_replicas_path(scale.text("statusReplicasPath"), ".status", here / "statusReplicasPath",
                      errors);
  const std::string_view selector = scale.text("labelSelectorPath");
  if (selector.empty() || !check_simple_path(selector, here / "labelSelectorPath", errors)) return;
  if (!selector.starts_with(".spec.") && !selector.starts_with(".status.")) {
    errors.push_back(invalid_json(here / "labelSelectorPath", Value::string(selector),
                                  "should be a json path under either .spec or .status"));
  }
}

void check_selectable_fields(const Value& fields, const SchemaView& schema, bool many_allowed,
                             const FieldPath& at, FieldErrors& errors) {
  TextSet unique;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const FieldPath here = at / i / "jsonPath";
    const std::string_view path = SchemaView(fields.items()[i]).text("jsonPath");
    if (path.empty()) {
      errors.push_back(FieldError::required(here));
      continue;
    }
    const auto followed = follow_path(path, schema, false);
    if (!followed) {
      errors.push_back(FieldError::invalid(here, Value::string(path),
                                           "is an invalid path: " + followed.error().message()));
      continue;
    }
    if (!followed->path.empty() && followed->path.steps()[0].name == "metadata") {
      errors.push_back(
          FieldError::invalid(here, Value::string(path), "must not point to fields in metadata"));
    }
    const std::string_view type =
        followed->schema != nullptr ? SchemaView(*followed->schema).type() : std::string_view();
    if (!is_one_of(type, {"string", "boolean", "integer"})) {
      errors.push_back(FieldError::invalid(
          here, Value::string(path),
          "must point to a field of type string, boolean or integer. Enum string "
          "fields and strings with formats are allowed."));
    }
    if (!unique.insert(followed->path.to_k8s()).second) {
      errors.push_back(FieldError::duplicate(here, Value::string(path)));
    }
  }
  const auto count = static_cast<std::int64_t>(unique.size());
  if (count > kMaxSelectableFields && !many_allowed) {
    errors.push_back(FieldError::too_many(at, count, kMaxSelectableFields));
  }
}

}  // namespace strake::crd
