#include "publish/openapi_v2_to_v3.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/members.h"

namespace strake::publish {
namespace {

using value::Document;
using value::Member;
using value::text_of;
using value::Value;

constexpr std::string_view kV2Parameters = "#/parameters/";
constexpr std::string_view kAnyMediaType = "*/*";
// A server that says nothing of what it answers with answers as Kubernetes does.
constexpr std::string_view kJsonMediaType = "application/json";

// Where the schemas of v2 are in v3. Other texts that look alike, in examples and defaults, are
// data.
void rewrite_schema_references(Value& v, Arena& arena) {
  constexpr std::string_view kFrom = "#/definitions/";
  if (v.is_array()) {
    for (Value& item : v.mutable_items()) rewrite_schema_references(item, arena);
  }
  if (!v.is_object()) return;
  for (Member& member : v.mutable_members()) {
    if (member.key == "$ref" && member.value.is_string()) {
      const std::string_view reference = member.value.as_string();
      if (reference.starts_with(kFrom))
        member.value = Value::string(
            arena.copy(fmt::format("#/components/schemas/{}", reference.substr(kFrom.size()))));
    } else if (member.key == "discriminator" && member.value.is_string()) {
      Value named = Value::object({});
      named.set("propertyName", member.value, arena);
      member.value = named;
    } else if (member.key != "default" && member.key != "example" && member.key != "enum") {
      rewrite_schema_references(member.value, arena);
    }
  }
}

bool is_extension(std::string_view key) { return key.starts_with("x-"); }

class Conversion {
 public:
  Conversion(Value& root, Arena& arena, std::size_t most_repeated)
      : root_(root), arena_(arena), left_(most_repeated) {}

  Result<Value> run();

 private:
  using MediaTypes = std::vector<std::string_view>;

  Result<Value> path_item(const Value& item);
  Result<Value> operation(const Value& from, const Value* inherited_body);
  Result<Value> responses(const Value& from, const MediaTypes& produced);
  Result<Value> content(const Value& schema, const MediaTypes& types);
  Result<Value> request_body(const Value& parameter, const MediaTypes& consumed);
  // Of a header or a parameter that is no body: what it is, beside a schema of what it holds.
  Value described(const Value& from);
  // Parameters that are none of bodies, converted; the body among them, if there is one.
  Value parameters(const Value& from, const Value** body);
  // What it refers to, or itself.
  const Value& resolved(const Value& parameter) const;
  static MediaTypes media_types(const Value& operation, std::string_view key,
                                std::string_view otherwise);

  Value& root_;
  Arena& arena_;
  std::size_t left_;  // bytes that may still be said again
};

const Value& Conversion::resolved(const Value& parameter) const {
  const std::string_view reference = text_of(parameter, "$ref");
  if (!reference.starts_with(kV2Parameters)) return parameter;
  const Value& all = root_.get("parameters");
  const Value* found = all.find(reference.substr(kV2Parameters.size()));
  return found == nullptr ? parameter : *found;
}

Conversion::MediaTypes Conversion::media_types(const Value& operation, std::string_view key,
                                               std::string_view otherwise) {
  MediaTypes out;
  for (const Value& type : operation.get(key).items()) {
    if (type.is_string()) out.push_back(type.as_string());
  }
  if (out.empty()) out.push_back(otherwise);
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

Result<Value> Conversion::content(const Value& schema, const MediaTypes& types) {
  Value held = Value::object({});
  if (!schema.is_null()) held.set("schema", schema, arena_);
  std::size_t cost = types.size() > 1 ? value::to_json(held).size() * types.size() : 0;
  for (const std::string_view type : types) cost += type.size();
  if (cost > left_)
    return fail(Code::kLimit, "the schemas of an OpenAPI v2 document are in too many media types");
  left_ -= cost;
  Value out = Value::object({});
  for (const std::string_view type : types) out.set(type, held, arena_);
  return out;
}

Value Conversion::described(const Value& from) {
  constexpr std::array<std::string_view, 6> kOwn = {"name",     "in",         "description",
                                                    "required", "deprecated", "allowEmptyValue"};
  Value out = Value::object({});
  Value schema = Value::object({});
  for (const Member& member : from.members()) {
    const bool is_own = std::ranges::find(kOwn, member.key) != kOwn.end();
    if (is_own || is_extension(member.key)) {
      out.set(member.key, member.value, arena_);
    } else if (member.key != "collectionFormat") {
      schema.set(member.key, member.value, arena_);
    }
  }
  if (text_of(from, "type") == "array" && text_of(from, "in") == "query") {
    // In v3 each item is a parameter of its own unless told otherwise; in v2 commas part them.
    const std::string_view format = text_of(from, "collectionFormat");
    if (format == "ssv") out.set("style", Value::string("spaceDelimited"), arena_);
    if (format == "pipes") out.set("style", Value::string("pipeDelimited"), arena_);
    if (format != "multi") out.set("explode", Value::boolean(false), arena_);
  }
  out.set("schema", schema, arena_);
  return out;
}

Value Conversion::parameters(const Value& from, const Value** body) {
  Value out = Value::array({});
  for (const Value& one : from.items()) {
    const Value& what = resolved(one);
    const std::string_view in = text_of(what, "in");
    if (in == "body") {
      *body = &one;
    } else if (in != "formData" && what.is_object() && what.find("$ref") == nullptr) {
      if (&what == &one) {
        out.append(described(what), arena_);
        continue;
      }
      const std::string_view name = text_of(one, "$ref").substr(kV2Parameters.size());
      Value reference = Value::object({});
      reference.set("$ref",
                    Value::string(arena_.copy(fmt::format("#/components/parameters/{}", name))),
                    arena_);
      out.append(reference, arena_);
    }
  }
  return out;
}

Result<Value> Conversion::request_body(const Value& parameter, const MediaTypes& consumed) {
  const Value& what = resolved(parameter);
  Value out = Value::object({});
  STRAKE_TRY(Value held, content(what.get("schema"), consumed));
  out.set("content", held, arena_);
  for (const Member& member : what.members()) {
    if (member.key == "description" || member.key == "required" || is_extension(member.key))
      out.set(member.key, member.value, arena_);
  }
  return out;
}

Result<Value> Conversion::responses(const Value& from, const MediaTypes& produced) {
  Value out = Value::object({});
  for (const Member& one : from.members()) {
    if (!one.value.is_object()) continue;
    Value response = Value::object({});
    for (const Member& member : one.value.members()) {
      if (member.key == "description" || is_extension(member.key))
        response.set(member.key, member.value, arena_);
    }
    if (response.find("description") == nullptr)
      response.set("description", Value::string(""), arena_);
    if (const Value* schema = one.value.find("schema")) {
      STRAKE_TRY(Value held, content(*schema, produced));
      response.set("content", held, arena_);
    }
    if (const Value& headers = one.value.get("headers"); headers.is_object()) {
      Value converted = Value::object({});
      for (const Member& header : headers.members())
        converted.set(header.key, described(header.value), arena_);
      response.set("headers", converted, arena_);
    }
    out.set(one.key, response, arena_);
  }
  return out;
}

Result<Value> Conversion::operation(const Value& from, const Value* inherited_body) {
  constexpr std::array<std::string_view, 6> kKept = {"deprecated",  "description", "externalDocs",
                                                     "operationId", "summary",     "tags"};
  Value out = Value::object({});
  for (const Member& member : from.members()) {
    const bool is_kept = std::ranges::find(kKept, member.key) != kKept.end();
    if (is_kept || is_extension(member.key)) out.set(member.key, member.value, arena_);
  }
  const Value* body = inherited_body;
  const Value converted = parameters(from.get("parameters"), &body);
  if (converted.size() > 0) out.set("parameters", converted, arena_);
  if (body != nullptr) {
    STRAKE_TRY(Value request, request_body(*body, media_types(from, "consumes", kAnyMediaType)));
    out.set("requestBody", request, arena_);
  }
  STRAKE_TRY(Value answers,
             responses(from.get("responses"), media_types(from, "produces", kJsonMediaType)));
  out.set("responses", answers, arena_);
  return out;
}

Result<Value> Conversion::path_item(const Value& item) {
  constexpr std::array<std::string_view, 7> kMethods = {"delete", "get",  "head", "options",
                                                        "patch",  "post", "put"};
  Value out = Value::object({});
  const Value* body = nullptr;
  const Value shared = parameters(item.get("parameters"), &body);
  if (shared.size() > 0) out.set("parameters", shared, arena_);
  for (const Member& member : item.members()) {
    if (is_extension(member.key)) out.set(member.key, member.value, arena_);
    if (std::ranges::find(kMethods, member.key) == kMethods.end() || !member.value.is_object())
      continue;
    STRAKE_TRY(Value converted, operation(member.value, body));
    out.set(member.key, converted, arena_);
  }
  return out;
}

Result<Value> Conversion::run() {
  rewrite_schema_references(root_, arena_);
  Value paths = Value::object({});
  for (const Member& path : root_.get("paths").members()) {
    STRAKE_TRY(Value item, path_item(path.value));
    paths.set(path.key, item, arena_);
  }
  Value components = Value::object({});
  Value shared = Value::object({});
  for (const Member& one : root_.get("parameters").members()) {
    const std::string_view in = text_of(one.value, "in");
    if (in != "body" && in != "formData") shared.set(one.key, described(one.value), arena_);
  }
  if (shared.size() > 0) components.set("parameters", shared, arena_);
  components.set("schemas", root_.object_at("definitions", arena_), arena_);

  Value info = Value::object({});
  info.set("title", Value::string("Kubernetes"), arena_);
  info.set("version", Value::string("unversioned"), arena_);
  Value out = Value::object({});
  out.set("components", components, arena_);
  out.set("info", info, arena_);
  out.set("openapi", Value::string("3.0.0"), arena_);
  out.set("paths", paths, arena_);
  return out;
}

}  // namespace

Result<std::string> openapi_v3_of_v2(std::string_view v2_part, const RemoteOpenApiLimits& limits) {
  value::ReadOptions options;
  options.limits.bytes = limits.bytes;
  options.limits.nodes = limits.nodes;
  options.limits.depth = limits.depth;
  STRAKE_TRY(Document document, value::read_json(std::string(v2_part), options));
  Conversion conversion(document.root(), document.arena(), limits.bytes);
  STRAKE_TRY(const Value converted, conversion.run());
  return value::to_json(converted);
}

}  // namespace strake::publish
