#include "patch/scale_fields.h"

#include <algorithm>

#include "base/assert.h"
#include "patch/owners.h"
#include "schema/compile.h"
#include "value/json_reader.h"

namespace strake::patch {

using value::Value;

namespace {

const Value* entries_of(const Value& object) {
  const Value* metadata = object.find("metadata");
  return metadata != nullptr ? metadata->find("managedFields") : nullptr;
}

const ReplicasPath* find_path(const std::vector<ReplicasPath>& paths, std::string_view version) {
  const auto at = std::find_if(paths.begin(), paths.end(), [&](const ReplicasPath& path) {
    return path.api_version == version;
  });
  return at != paths.end() ? &*at : nullptr;
}

// .spec.replicas
FieldSteps path_steps(std::string_view path) {
  FieldSteps out;
  if (path.starts_with('.')) path.remove_prefix(1);
  while (true) {
    const std::size_t dot = path.find('.');
    out.push_back(PathElement::field(path.substr(0, dot)));
    if (dot == std::string_view::npos) return out;
    path.remove_prefix(dot + 1);
  }
}

bool owns_replicas(const Owner& owner, const ReplicasPath* path) {
  return path != nullptr && !path->path.empty() && owner.fields.has(path_steps(path->path));
}

// One who wrote both: the Scale names another version.
const Owner* find_in_scale(const Owners& scale, const Owner& owner) {
  const auto at = std::find_if(scale.begin(), scale.end(), [&](const Owner& one) {
    return one.manager == owner.manager && one.applied == owner.applied &&
           one.subresource == owner.subresource;
  });
  return at != scale.end() ? &*at : nullptr;
}

const FieldSteps& scale_replicas() {
  static const FieldSteps steps{PathElement::field("spec"), PathElement::field("replicas")};
  return steps;
}

}  // namespace

const schema::Node* scale_schema() {
  static const schema::NodePtr node = [] {
    const auto document = value::read_json(R"({
      "type": "object",
      "properties": {
        "spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}},
        "status": {"type": "object", "properties": {
          "replicas": {"type": "integer"}, "selector": {"type": "string"}}}
      }
    })");
    STRAKE_ASSERT(document.has_value());
    auto compiled = schema::compile(document->root());
    STRAKE_ASSERT(compiled.has_value());
    return *compiled;
  }();
  return node.get();
}

Result<Value> entries_for_scale(const Value& object, const std::vector<ReplicasPath>& paths,
                                Arena& arena) {
  STRAKE_TRY(const Owners owners, read_owners(entries_of(object), arena));
  Owners out;
  for (const Owner& owner : owners) {
    if (!owns_replicas(owner, find_path(paths, owner.api_version))) continue;
    Owner of_scale = owner;
    of_scale.api_version = kScaleVersion;
    of_scale.fields = FieldSet::of(scale_replicas(), arena);
    out.push_back(of_scale);
  }
  return write_owners(std::move(out), arena);
}

Result<Value> entries_from_scale(const Value& object, const Value& scale,
                                 std::string_view api_version,
                                 const std::vector<ReplicasPath>& paths, Arena& arena) {
  STRAKE_TRY(const Owners owners, read_owners(entries_of(object), arena));
  STRAKE_TRY(Owners of_scale, read_owners(entries_of(scale), arena));
  Owners out;
  for (Owner owner : owners) {
    const ReplicasPath* path = find_path(paths, owner.api_version);
    if (path == nullptr) continue;
    if (owns_replicas(owner, path)) {
      if (const Owner* same = find_in_scale(of_scale, owner)) {
        remove_owner(of_scale, *same);
      } else {
        owner.fields = difference(owner.fields, FieldSet::of(path_steps(path->path), arena), arena);
      }
    }
    if (!owner.fields.empty()) out.push_back(owner);
  }
  const ReplicasPath* path = find_path(paths, api_version);
  if (path != nullptr && !path->path.empty()) {
    for (Owner owner : of_scale) {
      if (!owner.fields.has(scale_replicas())) continue;
      owner.api_version = arena.copy(api_version);
      owner.time = {};
      owner.fields = FieldSet::of(path_steps(path->path), arena);
      if (Owner* same = find_owner(out, owner)) {
        same->fields = unite(same->fields, owner.fields, arena);
      } else {
        out.push_back(owner);
      }
    }
  }
  return write_owners(std::move(out), arena);
}

}  // namespace strake::patch
