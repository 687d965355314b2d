#include <fmt/format.h>

#include "publish/openapi_paths.h"

namespace strake::publish {
namespace {

using Body = Operation::Body;

// {"application/json":{"schema":{"$ref":"#/components/schemas/..."}},...}
void write_content(JsonText& json, std::span<const std::string_view> types,
                   std::string_view schema) {
  json.object("content");
  for (const std::string_view type : types) {
    json.object(type)
        .object("schema")
        .field("$ref", fmt::format("#/components/schemas/{}", schema))
        .close_object()
        .close_object();
  }
  json.close_object();
}

void write_parameters_v3(JsonText& json, ParameterSet parameters, std::string_view kind) {
  if (parameters.empty()) return;
  json.array("parameters");
  parameters.for_each([&](Parameter one) {
    if (one == Parameter::kName) {
      json.raw(name_parameter_v3(kind));
    } else {
      json.raw(parameter_v3(one));
    }
  });
  json.close_array();
}

void write_body_v3(JsonText& json, bool builtin, const Operation& operation) {
  if (operation.body == Body::kNone) return;
  static constexpr std::string_view kAnything[] = {"*/*"};
  const auto object_types =
      builtin ? std::span<const std::string_view>(kAnything) : answer_types(false);
  json.object("requestBody");
  switch (operation.body) {
    case Body::kPatch: write_content(json, patch_types(builtin), kPatchSchema); break;
    case Body::kDeleteOptions: write_content(json, object_types, kDeleteOptionsSchema); break;
    default: write_content(json, object_types, operation.schema); break;
  }
  if (operation.body != Body::kDeleteOptions) json.key("required").boolean(true);
  json.close_object();
}

void write_operation_v3(JsonText& json, const ResourcePaths& resource, const PathItem& item,
                        const Operation& operation) {
  json.object(operation.method)
      .field("description", operation.description)
      .field("operationId", operation.id);
  write_parameters_v3(json, operation.parameters.without(item.common()), resource.kind);
  write_body_v3(json, resource.builtin, operation);
  json.object("responses");
  for (const std::string_view code : operation.codes) {
    json.object(code);
    write_content(json, answer_types(operation.streams),
                  operation.answers_status ? kStatusSchema : std::string_view(operation.schema));
    json.field("description", code_text(code)).close_object();
  }
  write_unauthorized(json);
  json.close_object();
  write_labels(json, resource, item, operation);
  json.close_object();
}

}  // namespace

void write_path_v3(JsonText& json, const ResourcePaths& resource, const PathItem& item) {
  json.any_key(item.path).open_object();
  for (const Operation& one : item.operations) write_operation_v3(json, resource, item, one);
  write_parameters_v3(json, item.common(), resource.kind);
  json.close_object();
}

void write_path_v3(JsonText& json, const DiscoveryPath& path) {
  json.any_key(path.path)
      .open_object()
      .object("get")
      .field("description", path.description)
      .field("operationId", path.id)
      .object("responses")
      .object("200");
  write_content(json, answer_types(false).first(path.json_only ? 1 : 2), path.schema);
  json.field("description", code_text("200")).close_object();
  write_unauthorized(json);
  json.close_object().array("tags").text(path.tag).close_array();
  json.close_object().close_object();
}

}  // namespace strake::publish
