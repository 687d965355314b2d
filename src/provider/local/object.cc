#include "provider/local/object.h"

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::provider::local {
namespace {

using value::text_of;
using value::Value;

constexpr value::JsonStyle kIndented{.indent = 2};

// Texts of the value point into the object, which outlives it.
Value tags_value(const Tags& tags, Arena& arena) {
  Value out = Value::object({});
  for (const auto& [key, text] : tags) out.set(key, Value::string(text), arena);
  return out;
}

Value option_value(const OptionValue& option) {
  struct Made {
    Value operator()(bool flag) const { return Value::boolean(flag); }
    Value operator()(std::int64_t number) const { return Value::integer(number); }
    Value operator()(double number) const { return Value::number(number); }
    Value operator()(const std::string& text) const { return Value::string(text); }
  };
  return std::visit(Made{}, option);
}

Tags read_tags(const Value& object) {
  Tags out;
  for (const value::Member& one : object.get("tags").members()) {
    if (one.value.is_string()) out.emplace(one.key, one.value.as_string());
  }
  return out;
}

OptionMap read_options(const Value& object) {
  OptionMap out;
  for (const value::Member& one : object.get("options").members()) {
    const std::string key(one.key);
    if (one.value.is_bool()) out.emplace(key, one.value.as_bool());
    if (one.value.is_string()) out.emplace(key, std::string(one.value.as_string()));
    if (one.value.type() == value::Type::kInt) {
      out.emplace(key, one.value.as_int());
    } else if (one.value.is_number()) {
      out.emplace(key, one.value.as_double());
    }
  }
  return out;
}

Outcome<value::Document> read_object(std::string_view text) {
  STRAKE_TRY(value::Document out, value::read_json(text));
  if (!out.root().is_object() || !out.root().get("tags").is_object())
    return refuse(FailureClass::kValidation, "must be an object with tags");
  return out;
}

Outcome<WallTime> read_time(const Value& object, std::string_view key) {
  STRAKE_TRY(const Instant at, parse_rfc3339(text_of(object, key)));
  return at.to_wall();
}

}  // namespace

std::string_view to_string(Format format) { return format == Format::kImage ? "image" : "folder"; }

std::string to_json(const ClusterObject& object) {
  value::Document out;
  out.root() = Value::object({});
  out.root().set("address", Value::string(object.address), out.arena());
  out.root().set("tags", tags_value(object.tags, out.arena()), out.arena());
  return value::to_json(out.root(), kIndented) + "\n";
}

std::string to_json(const VolumeObject& object) {
  value::Document out;
  Arena& arena = out.arena();
  Value& root = out.root();
  root = Value::object({});
  const std::string created = format_rfc3339_nano(Instant::from(object.created_at));
  const std::string updated = format_rfc3339_nano(Instant::from(object.updated_at));
  Value options = Value::object({});
  for (const auto& [key, one] : object.options) options.set(key, option_value(one), arena);
  root.set("createdAt", Value::string(created), arena);
  root.set("format", Value::string(to_string(object.format)), arena);
  root.set("options", options, arena);
  root.set("size", Value::integer(object.size), arena);
  root.set("tags", tags_value(object.tags, arena), arena);
  root.set("updatedAt", Value::string(updated), arena);
  root.set("zone", Value::string(object.zone), arena);
  return value::to_json(root, kIndented) + "\n";
}

Outcome<ClusterObject> read_cluster_object(std::string_view text) {
  STRAKE_TRY(const value::Document document, read_object(text));
  ClusterObject out;
  out.tags = read_tags(document.root());
  out.address = text_of(document.root(), "address");
  return out;
}

Outcome<VolumeObject> read_volume_object(std::string_view text) {
  STRAKE_TRY(const value::Document document, read_object(text));
  const Value& root = document.root();
  VolumeObject out;
  out.tags = read_tags(root);
  const std::string_view format = text_of(root, "format");
  if (format != "image" && format != "folder")
    return refuse(FailureClass::kValidation, "format must be image or folder");
  out.format = format == "image" ? Format::kImage : Format::kFolder;
  const Value& size = root.get("size");
  if (size.type() != value::Type::kInt || size.as_int() < 0)
    return refuse(FailureClass::kValidation, "size must be a number of bytes");
  out.size = size.as_int();
  out.zone = text_of(root, "zone");
  out.options = read_options(root);
  STRAKE_TRY(out.created_at, read_time(root, "createdAt"));
  STRAKE_TRY(out.updated_at, read_time(root, "updatedAt"));
  return out;
}

}  // namespace strake::provider::local
