#include <fmt/format.h>

#include "publish/openapi_paths.h"

// Swagger 2.0 as kube-apiserver 1.36 serves it. Parameters that all operations of a path share
// stand at the path, the others at the operation. The body is a parameter there, in its place by
// name.

namespace strake::publish {
namespace {

using Body = Operation::Body;

void write_reference(JsonText& json, std::string_view schema) {
  json.object("schema").field("$ref", fmt::format("#/definitions/{}", schema)).close_object();
}

void write_body_v2(JsonText& json, const Operation& operation) {
  switch (operation.body) {
    case Body::kNone: return;
    case Body::kPatch: json.raw(kPatchBodyV2); return;
    case Body::kDeleteOptions: json.raw(kDeleteBodyV2); return;
    case Body::kObject:
      json.open_object().field("in", "body").field("name", "body").key("required").boolean(true);
      write_reference(json, operation.schema);
      json.close_object();
      return;
  }
}

void write_parameters_v2(JsonText& json, ParameterSet parameters, std::string_view kind) {
  if (parameters.empty()) return;
  json.array("parameters");
  parameters.for_each([&](Parameter one) {
    if (one == Parameter::kName) {
      json.raw(name_parameter_v2(kind));
    } else {
      json.raw(parameter_v2(one));
    }
  });
  json.close_array();
}

// As above, with the body where its name is due.
void write_parameters_v2(JsonText& json, ParameterSet parameters, const Operation& operation,
                         std::string_view kind) {
  if (operation.body == Body::kNone) return write_parameters_v2(json, parameters, kind);
  json.array("parameters");
  (parameters | ParameterSet{Parameter::kBody}).for_each([&](Parameter one) {
    if (one == Parameter::kBody) {
      write_body_v2(json, operation);
    } else if (one == Parameter::kName) {
      json.raw(name_parameter_v2(kind));
    } else {
      json.raw(parameter_v2(one));
    }
  });
  json.close_array();
}

void write_consumes(JsonText& json, bool builtin, const Operation& operation) {
  if (operation.body == Body::kPatch) {
    json.texts("consumes", patch_types(builtin));
  } else if (builtin) {
    json.array("consumes").text("*/*").close_array();
  } else {
    json.texts("consumes", answer_types(false));
  }
}

void write_schemes(JsonText& json) { json.array("schemes").text("https").close_array(); }

void write_operation_v2(JsonText& json, const ResourcePaths& resource, const PathItem& item,
                        const Operation& operation) {
  json.object(operation.method);
  write_consumes(json, resource.builtin, operation);
  json.field("description", operation.description).field("operationId", operation.id);
  write_parameters_v2(json, operation.parameters.without(item.common()), operation, resource.kind);
  json.texts("produces", answer_types(operation.streams)).object("responses");
  for (const std::string_view code : operation.codes) {
    json.object(code).field("description", code_text(code));
    write_reference(json,
                    operation.answers_status ? kStatusSchema : std::string_view(operation.schema));
    json.close_object();
  }
  write_unauthorized(json);
  json.close_object();
  write_schemes(json);
  write_labels(json, resource, item, operation);
  json.close_object();
}

}  // namespace

void write_path_v2(JsonText& json, const ResourcePaths& resource, const PathItem& item) {
  json.any_key(item.path).open_object();
  for (const Operation& one : item.operations) write_operation_v2(json, resource, item, one);
  write_parameters_v2(json, item.common(), resource.kind);
  json.close_object();
}

void write_path_v2(JsonText& json, const DiscoveryPath& path) {
  const auto types = answer_types(false).first(path.json_only ? 1 : 2);
  json.any_key(path.path)
      .open_object()
      .object("get")
      .texts("consumes", types)
      .field("description", path.description)
      .field("operationId", path.id)
      .texts("produces", types)
      .object("responses")
      .object("200")
      .field("description", code_text("200"));
  write_reference(json, path.schema);
  json.close_object();
  write_unauthorized(json);
  json.close_object();
  write_schemes(json);
  json.array("tags").text(path.tag).close_array().close_object().close_object();
}

std::span<const std::string_view> patch_types(bool builtin) {
  static constexpr std::string_view kBuiltin[] = {
      "application/json-patch+json", "application/merge-patch+json",
      "application/strategic-merge-patch+json", "application/apply-patch+yaml"};
  static constexpr std::string_view kCustom[] = {"application/json-patch+json",
                                                 "application/merge-patch+json",
                                                 "application/apply-patch+yaml"};
  if (builtin) return kBuiltin;
  return kCustom;
}

std::span<const std::string_view> answer_types(bool streams) {
  static constexpr std::string_view kTypes[] = {"application/json", "application/yaml",
                                                "application/json;stream=watch"};
  return std::span(kTypes).first(streams ? 3 : 2);
}

std::string_view code_text(std::string_view code) {
  if (code == "200") return "OK";
  if (code == "201") return "Created";
  if (code == "202") return "Accepted";
  return "Unauthorized";
}

void write_unauthorized(JsonText& json) {
  json.object("401").field("description", code_text("401")).close_object();
}

void write_labels(JsonText& json, const ResourcePaths& resource, const PathItem& item,
                  const Operation& operation) {
  json.array("tags")
      .text(resource.tag)
      .close_array()
      .field("x-kubernetes-action", operation.action)
      .object("x-kubernetes-group-version-kind")
      .field("group", item.kind.group)
      .field("kind", item.kind.kind)
      .field("version", item.kind.version)
      .close_object();
}

}  // namespace strake::publish
