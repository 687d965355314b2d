#include "kinds/declare_resource.h"

#include <fmt/format.h>

#include "kinds/derive.h"

namespace strake::kinds {

const std::vector<Verb> kObjectVerbs = {Verb::kCreate, Verb::kDelete, Verb::kDeleteCollection,
                                        Verb::kGet,    Verb::kList,   Verb::kPatch,
                                        Verb::kUpdate, Verb::kWatch};

namespace {

const std::vector<Verb> kStatusVerbs = {Verb::kGet, Verb::kPatch, Verb::kUpdate};

// Group and version priorities, as kube-apiserver's APIServices have them.
struct Priority {
  std::string_view group;
  int group_priority;
  int version_priority;
};
constexpr Priority kPriorities[] = {
    // The aggregator puts itself before all others.
    {"apiregistration.k8s.io", 20000, 1000},
    {"", 18000, 1},
    {"apps", 17800, 15},
    {"events.k8s.io", 17750, 15},
    {"authentication.k8s.io", 17700, 15},
    {"authorization.k8s.io", 17600, 15},
    {"autoscaling", 17500, 30},
    {"batch", 17400, 15},
    {"certificates.k8s.io", 17300, 15},
    {"networking.k8s.io", 17200, 15},
    {"policy", 17100, 15},
    {"rbac.authorization.k8s.io", 17000, 15},
    {"admissionregistration.k8s.io", 16700, 15},
    {"apiextensions.k8s.io", 16700, 15},
    {"storage.k8s.io", 16800, 15},
    {"scheduling.k8s.io", 16600, 15},
    {"coordination.k8s.io", 16500, 15},
    {"node.k8s.io", 16300, 15},
    {"discovery.k8s.io", 16200, 15},
    {"flowcontrol.apiserver.k8s.io", 16100, 21},
    {"storagemigration.k8s.io", 15800, 9},
};

// The minor version of kube-apiserver that is matched.
constexpr int kMinorVersion = 36;

// What every request about a deprecated kind is told, from the version on that deprecates it.
std::string deprecation_warning(const Type& type) {
  if (type.deprecated == 0 || type.deprecated > kMinorVersion) return {};
  const std::string api_version =
      meta::GroupVersion{std::string(type.group), std::string(type.version)}.to_string();
  std::string out =
      fmt::format("{} {} is deprecated in v1.{}+", api_version, type.name, type.deprecated);
  if (const std::size_t kind = type.replacement.rfind('/'); kind != std::string_view::npos) {
    out += fmt::format("; use {} {}", type.replacement.substr(0, kind),
                       type.replacement.substr(kind + 1));
  }
  return out;
}

}  // namespace

Subresource status_subresource(const Type& type, std::vector<std::string> resets) {
  return {"status",
          {std::string(type.group), std::string(type.version), std::string(type.name)},
          kStatusVerbs,
          std::move(resets)};
}

Subresource scale_subresource() {
  return {"scale", {"autoscaling", "v1", "Scale"}, kStatusVerbs, {"status"}};
}

std::shared_ptr<Resource> make_resource(ResourceEntry entry) {
  const Type& type = described_type(entry.type);
  auto out = std::make_shared<Resource>();
  out->group = type.group;
  out->kind = type.name;
  if (!entry.review) out->list_kind = fmt::format("{}List", type.name);
  out->plural = std::move(entry.plural);
  out->singular = meta::to_lower_ascii(type.name);
  out->short_names = std::move(entry.short_names);
  out->categories = std::move(entry.categories);
  out->namespaced = entry.namespaced;
  out->verbs = std::move(entry.verbs);
  if (!entry.review) {
    out->storage_prefix = fmt::format(
        "/registry/{}/", entry.storage_folder.empty() ? out->plural : entry.storage_folder);
  }
  out->strategy = entry.strategy;
  out->keeps_generation = entry.keeps_generation;
  out->unconditional_update = entry.unconditional_update;
  out->create_on_update = entry.create_on_update;
  out->returns_deleted = entry.returns_deleted;
  out->review = entry.review;
  for (const Priority& priority : kPriorities) {
    if (priority.group != type.group) continue;
    out->group_priority = priority.group_priority;
    out->version_priority = priority.version_priority;
  }
  out->openapi_schemas = [&type]() -> const value::Value& { return openapi_schemas_of(type); };
  out->openapi_name = type.full_name;

  ServedVersion& version = out->versions.emplace_back();
  version.name = type.version;
  version.deprecation_warning = deprecation_warning(type);
  version.subresources = std::move(entry.subresources);
  if (version.has_status()) version.resets = {"status"};
  const bool has_status = version.has_status();
  const bool has_scale = version.subresource("scale") != nullptr;
  version.set_kind([&type, namespaced = out->namespaced, has_status, has_scale] {
    resource::Kind kind{
        .gvk = {std::string(type.group), std::string(type.version), std::string(type.name)},
        .namespaced = namespaced,
        .status_subresource = has_status,
        .schema = node_of(type)};
    if (has_scale) {
      // Its selector is no text: Strategy::scale_selector() shows it.
      kind.scale = resource::ScalePaths{.spec_replicas = ".spec.replicas",
                                        .status_replicas = ".status.replicas",
                                        .label_selector = {}};
    }
    return kind;
  });
  return out;
}

}  // namespace strake::kinds
