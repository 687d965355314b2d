#include "schema/type_check.h"

#include "schema/number_check.h"

namespace strake::schema {
namespace {

using value::FieldError;
using value::Value;

std::string_view data_type(const Value& v) {
  return v.type() == value::Type::kUint ? "integer" : value::to_string(v.type());
}

std::string_view type_name(JsonType type) {
  switch (type) {
    case JsonType::kString: return "string";
    case JsonType::kNumber: return "number";
    case JsonType::kInteger: return "integer";
    case JsonType::kBoolean: return "boolean";
    case JsonType::kArray: return "array";
    case JsonType::kObject: return "object";
    case JsonType::kNone: break;
  }
  return "";
}

// kube-apiserver 1.36 names the Go type of numbers when a format is at odds with the data.
std::string_view data_format(const Value& v) {
  if (v.type() == value::Type::kInt) return "int64";
  return v.is_number() ? "float64" : "";
}

JsonType type_of(const Value& v) {
  switch (v.type()) {
    case value::Type::kNull: return JsonType::kNone;
    case value::Type::kBool: return JsonType::kBoolean;
    case value::Type::kInt:
    case value::Type::kUint: return JsonType::kInteger;
    case value::Type::kDouble:
    case value::Type::kLiteral: return JsonType::kNumber;
    case value::Type::kString: return JsonType::kString;
    case value::Type::kArray: return JsonType::kArray;
    case value::Type::kObject: return JsonType::kObject;
  }
  return JsonType::kNone;
}

bool admits(const Node& schema, JsonType type) {
  if (schema.int_or_string) return type == JsonType::kInteger || type == JsonType::kString;
  return schema.type == type;
}

bool is_admitted(const Value& v, JsonType met, const Node& schema) {
  return admits(schema, met) || (met == JsonType::kInteger && admits(schema, JsonType::kNumber)) ||
         (met == JsonType::kNumber && admits(schema, JsonType::kInteger) &&
          is_json_integer(v.as_double()));
}

FieldError type_error(const PathTrail& at, std::string_view wanted, std::string_view met) {
  FieldPath path = at.path();
  std::string detail =
      fmt::format("{} in body must be of type {}: \"{}\"", path.to_k8s(), wanted, met);
  FieldError error =
      FieldError::type_invalid(std::move(path), Value::string(met), std::move(detail));
  error.nil_path = error.path.empty();
  return error;
}

}  // namespace

std::string_view wanted_type(const Node& schema) {
  return schema.int_or_string ? "integer,string" : type_name(schema.type);
}

bool has_type(const Value& v, const Node& schema) {
  const JsonType met = type_of(v);
  if (met == schema.type && !schema.int_or_string && met != JsonType::kNone) return true;
  const bool typed = schema.type != JsonType::kNone || schema.int_or_string;
  if (v.is_null()) return !typed || schema.nullable;
  if (!typed) return schema.format == Format::kNone;
  return is_admitted(v, met, schema);
}

std::optional<FieldError> check_type(const Value& v, const Node& schema, const PathTrail& at) {
  const bool typed = schema.type != JsonType::kNone || schema.int_or_string;
  if (v.is_null()) {
    if (typed && !schema.nullable) return type_error(at, wanted_type(schema), "null");
    return std::nullopt;
  }
  const bool formatted = schema.format != Format::kNone;
  if (!typed && !formatted) return std::nullopt;
  const JsonType met = type_of(v);
  const bool fits = is_admitted(v, met, schema);
  const bool text_or_list = v.is_string() || v.is_array();
  if (!text_or_list && formatted && !fits && data_format(v) != schema.format_text) {
    return type_error(at, schema.format_text, data_format(v));
  }
  // A quirk of kube-apiserver 1.36: with a string format, any string or list passes the type check.
  const bool numeric = admits(schema, JsonType::kNumber) || admits(schema, JsonType::kInteger);
  if (!fits && !(formatted && text_or_list && !numeric))
    return type_error(at, wanted_type(schema), data_type(v));
  return std::nullopt;
}

}  // namespace strake::schema
