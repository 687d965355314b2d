#include "publish/openapi_operations.h"

#include <fmt/format.h>

#include <algorithm>

#include "crd/openapi_export.h"

// Which operations each path of a resource has, for both versions of OpenAPI. Generated clients
// take their method names from the operation ids, so ids are those of kube-apiserver 1.36: verb,
// group and version, Namespaced, kind, subresource. Custom resources differ from built-in ones in
// details (parameters, codes, media types), because another part of the server describes them.

namespace strake::publish {
namespace {

using enum Parameter;
using kinds::Resource;
using kinds::ServedVersion;
using kinds::Subresource;
using kinds::Verb;
using Body = Operation::Body;

constexpr ParameterSet kListParameters = {kAllowWatchBookmarks,
                                          kContinue,
                                          kFieldSelector,
                                          kLabelSelector,
                                          kLimit,
                                          kResourceVersion,
                                          kResourceVersionMatch,
                                          kSendInitialEvents,
                                          kShardSelector,
                                          kTimeoutSeconds,
                                          kWatch};
constexpr ParameterSet kDeleteParameters = {kDryRun, kGracePeriodSeconds, kIgnoreStoreReadError,
                                            kOrphanDependents, kPropagationPolicy};
constexpr ParameterSet kWriteParameters = {kDryRun, kFieldManager, kFieldValidation};
constexpr ParameterSet kPatchParameters = {kDryRun, kFieldManagerOfPatch, kFieldValidation, kForce};

bool has(std::span<const Verb> verbs, Verb verb) {
  return std::ranges::find(verbs, verb) != verbs.end();
}

std::string with_capital(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

// The full name of a built-in kind among the schemas, by its group, version and kind.
std::string_view builtin_name(const value::Value& schemas, const meta::GroupVersionKind& kind) {
  for (const value::Member& one : schemas.members()) {
    const value::Value* kinds = one.value.find("x-kubernetes-group-version-kind");
    if (kinds == nullptr || !kinds->is_array()) continue;
    for (const value::Value& is : kinds->items()) {
      const auto matches = [&](std::string_view key, std::string_view want) {
        const value::Value* text = is.find(key);
        return text != nullptr && text->is_string() && text->as_string() == want;
      };
      if (matches("group", kind.group) && matches("version", kind.version) &&
          matches("kind", kind.kind))
        return one.key;
    }
  }
  return {};
}

class Maker {
 public:
  Maker(const Resource& resource, const ServedVersion& version)
      : resource_(resource),
        version_(version),
        names_(operation_names(resource.group, version.name)),
        verbs_(resource.verbs) {
    out_.tag = names_.tag;
    out_.kind = resource.kind;
    out_.builtin = resource.definition == nullptr;
    if (out_.builtin) {
      schema_ = resource.openapi_name;
      list_schema_ =
          fmt::format("{}.{}", schema_.substr(0, schema_.rfind('.')), resource.list_kind);
    } else {
      schema_ = crd::openapi_name(resource.group, version.name, resource.kind);
      list_schema_ = crd::openapi_name(resource.group, version.name, resource.list_kind);
    }
  }

  ResourcePaths run() {
    const std::string root = version_root(resource_.group, version_.name);
    std::string collection = fmt::format("{}/{}", root, resource_.plural);
    if (resource_.namespaced) {
      if (has(verbs_, Verb::kList)) add_everywhere(collection);
      collection = fmt::format("{}/namespaces/{{namespace}}/{}", root, resource_.plural);
    }
    add_collection(collection);
    const std::string item = fmt::format("{}/{{name}}", collection);
    add_item(item);
    for (const Subresource& one : version_.subresources) add_subresource(item, one);
    return std::move(out_);
  }

 private:
  ParameterSet of_collection() const {
    return resource_.namespaced ? ParameterSet{kNamespace, kPretty} : ParameterSet{kPretty};
  }
  ParameterSet of_item() const { return of_collection() | ParameterSet{kName}; }

  // "listExampleComV1NamespacedFooStatus"; what follows the verb begins with a capital.
  std::string id(std::string_view verb, std::string_view subresource = {}) const {
    return fmt::format("{}{}{}{}{}", verb, names_.prefix, resource_.namespaced ? "Namespaced" : "",
                       resource_.kind, with_capital(subresource));
  }

  PathItem item(std::string_view path) const {
    return {.path = std::string(path),
            .operations = {},
            .kind = {resource_.group, version_.name, resource_.kind}};
  }
  void add(PathItem item) {
    if (!item.operations.empty()) out_.items.push_back(std::move(item));
  }

  Operation list(std::string id, ParameterSet scope, std::string_view where) const {
    return {.method = "get",
            .action = "list",
            .id = std::move(id),
            .description = fmt::format("List or watch {} objects{}.", resource_.kind, where),
            .parameters = scope | kListParameters,
            .schema = list_schema_,
            .codes = {"200"},
            .streams = out_.builtin};
  }

  void add_everywhere(std::string_view path) {
    PathItem out = item(path);
    out.operations.push_back(
        list(fmt::format("list{}{}ForAllNamespaces", names_.prefix, resource_.kind), {kPretty},
             " of all namespaces"));
    add(std::move(out));
  }

  void add_collection(std::string_view path) {
    PathItem out = item(path);
    if (has(verbs_, Verb::kDeleteCollection)) out.operations.push_back(delete_collection());
    if (has(verbs_, Verb::kList)) out.operations.push_back(list(id("list"), of_collection(), ""));
    if (has(verbs_, Verb::kCreate)) {
      out.operations.push_back(
          {.method = "post",
           .action = "post",
           .id = id("create"),
           .description = fmt::format("Create an object of kind {}.", resource_.kind),
           .parameters = of_collection() | kWriteParameters,
           .body = Body::kObject,
           .schema = schema_,
           .codes = {"200", "201", "202"}});
    }
    add(std::move(out));
  }

  Operation delete_collection() const {
    Operation out = {
        .method = "delete",
        .action = "deletecollection",
        .id = fmt::format("delete{}Collection{}{}", names_.prefix,
                          resource_.namespaced ? "Namespaced" : "", resource_.kind),
        .description = fmt::format("Delete all {} objects that match.", resource_.kind),
        .parameters = of_collection() | kListParameters,
        .codes = {"200"},
        .answers_status = true};
    if (out_.builtin) {
      out.parameters = out.parameters.without({kAllowWatchBookmarks, kWatch}) | kDeleteParameters;
      out.body = Body::kDeleteOptions;
    }
    return out;
  }

  void add_item(std::string_view path) {
    PathItem out = item(path);
    if (has(verbs_, Verb::kDelete)) {
      out.operations.push_back({.method = "delete",
                                .action = "delete",
                                .id = id("delete"),
                                .description = fmt::format("Delete the {}.", resource_.kind),
                                .parameters = of_item() | kDeleteParameters,
                                .body = Body::kDeleteOptions,
                                .codes = {"200", "202"},
                                .answers_status = true});
    }
    add_reads_and_writes(out, verbs_, schema_, "");
    add(std::move(out));
  }

  // get, patch and put of an item or a subresource.
  void add_reads_and_writes(PathItem& out, std::span<const Verb> verbs, std::string_view schema,
                            std::string_view subresource) const {
    const std::string what = subresource.empty()
                                 ? fmt::format("the {}", resource_.kind)
                                 : fmt::format("the {} of the {}", subresource, resource_.kind);
    if (has(verbs, Verb::kGet)) {
      out.operations.push_back(
          {.method = "get",
           .action = "get",
           .id = id("read", subresource),
           .description = fmt::format("Read {}.", what),
           .parameters = out_.builtin ? of_item() : of_item() | ParameterSet{kResourceVersion},
           .schema = std::string(schema),
           .codes = {"200"}});
    }
    if (has(verbs, Verb::kPatch)) {
      out.operations.push_back({.method = "patch",
                                .action = "patch",
                                .id = id("patch", subresource),
                                .description = fmt::format("Change parts of {}.", what),
                                .parameters = of_item() | kPatchParameters,
                                .body = Body::kPatch,
                                .schema = std::string(schema),
                                .codes = {"200"}});
      if (out_.builtin) out.operations.back().codes.push_back("201");
    }
    if (has(verbs, Verb::kUpdate)) {
      out.operations.push_back({.method = "put",
                                .action = "put",
                                .id = id("replace", subresource),
                                .description = fmt::format("Replace {}.", what),
                                .parameters = of_item() | kWriteParameters,
                                .body = Body::kObject,
                                .schema = std::string(schema),
                                .codes = {"200", "201"}});
    }
  }

  void add_subresource(std::string_view item_path, const Subresource& one) {
    std::string_view schema = schema_;
    PathItem out = item(fmt::format("{}/{}", item_path, one.name));
    const bool same_kind = one.kind.kind == resource_.kind;
    if (!same_kind && out_.builtin) {
      // Built-in subresources carry their own kind, those of custom resources that of the resource.
      schema = resource_.openapi_schemas ? builtin_name(resource_.openapi_schemas(), one.kind)
                                         : std::string_view();
      if (schema.empty()) return;
      out.kind = one.kind;
    } else if (!same_kind) {
      schema = "io.k8s.api.autoscaling.v1.Scale";
    }
    add_reads_and_writes(out, one.verbs, schema, one.name);
    if (has(one.verbs, Verb::kCreate)) {
      out.operations.push_back(
          {.method = "post",
           .action = "post",
           .id = id("create", one.name),
           .description = fmt::format("Create a {} of the {}.", one.name, resource_.kind),
           .parameters = of_item() | kWriteParameters,
           .body = Body::kObject,
           .schema = std::string(schema),
           .codes = {"200", "201", "202"}});
    }
    add(std::move(out));
  }

  const Resource& resource_;
  const ServedVersion& version_;
  OperationNames names_;
  std::vector<Verb> verbs_;
  std::string schema_;
  std::string list_schema_;
  ResourcePaths out_;
};

}  // namespace

ParameterSet PathItem::common() const {
  ParameterSet out = operations.front().parameters;
  for (const Operation& one : operations) out = out & one.parameters;
  return out;
}

ResourcePaths resource_paths(const Resource& resource, const ServedVersion& version) {
  return Maker(resource, version).run();
}

// "rbac.authorization" becomes RbacAuthorization: what cannot stand in an identifier is dropped,
// and what follows it gets a capital.
std::string operation_word(std::string_view text, bool capital) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(i > 0 && c >= '0' && c <= '9')) {
      capital = true;
      continue;
    }
    out += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    capital = false;
  }
  return out;
}

std::string version_root(std::string_view group, std::string_view version) {
  return group.empty() ? fmt::format("/api/{}", version)
                       : fmt::format("/apis/{}/{}", group, version);
}

OperationNames operation_names(std::string_view group, std::string_view version) {
  if (group.empty()) group = "core";
  if (group.ends_with(".k8s.io")) group.remove_suffix(std::string_view(".k8s.io").size());
  OperationNames out = {.prefix = operation_word(group, true), .tag = operation_word(group, false)};
  if (!version.empty()) {
    out.prefix += operation_word(version, true);
    out.tag += "_" + operation_word(version, false);
  }
  return out;
}

}  // namespace strake::publish
