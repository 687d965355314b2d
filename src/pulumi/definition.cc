#include "pulumi/definition.h"

#include <algorithm>
#include <map>

#include "base/quote.h"
#include "crd/schema_diff.h"
#include "pulumi/schema_parts.h"

namespace strake::pulumi {
namespace {

using value::Member;
using value::Value;

Value empty_object(Arena& arena) { return make_object({}, arena); }

Value version_part(const Identity& identity, const DefinitionParts& parts, Arena& arena) {
  Value properties = empty_object(arena);
  properties.set("spec", parts.spec, arena);
  if (parts.status) properties.set("status", *parts.status, arena);
  Value root = schema_of_type("object", arena);
  root.set("properties", properties, arena);
  const Member holder[] = {{"openAPIV3Schema", root}};
  const Member members[] = {{"name", Value::string(identity.version)},
                            {"schema", make_object(holder, arena)},
                            {"served", Value::boolean(true)},
                            {"storage", Value::boolean(true)}};
  Value out = make_object(members, arena);
  if (parts.status) {
    const Member subresources[] = {{"status", empty_object(arena)}};
    out.set("subresources", make_object(subresources, arena), arena);
  }
  return out;
}

const Value* step_into(const Value* v, std::string_view key) {
  return v != nullptr ? v->find(key) : nullptr;
}

void keep(Value& into, const Value* from, std::string_view key, Arena& arena) {
  if (const Value* found = step_into(from, key)) into.set(key, *found, arena);
}

void keep_metadata(Value& metadata, const Value& previous, Arena& arena) {
  constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
  const Value* before = previous.find("metadata");
  keep(metadata, before, "labels", arena);
  const Value* annotations = step_into(before, "annotations");
  if (annotations == nullptr || !annotations->is_object()) return;
  std::vector<Member> kept;
  for (const Member& member : annotations->members()) {
    if (member.key != kLastApplied) kept.push_back(member);
  }
  if (!kept.empty()) metadata.set("annotations", make_object(kept, arena), arena);
}

// The others of the previous CRD, in its order, none of them the stored one any more.
void keep_versions(std::vector<Value>& versions, const Value* previous_spec,
                   std::string_view new_version, Arena& arena) {
  const Value* before = step_into(previous_spec, "versions");
  if (before == nullptr || !before->is_array()) return;
  for (const Value& version : before->items()) {
    const Value* name = version.find("name");
    if (name == nullptr || name->as_string() == new_version) continue;
    Value copy = value::deep_copy(version, arena);
    copy.set("storage", Value::boolean(false), arena);
    versions.push_back(copy);
  }
}

class SampleMaker {
 public:
  explicit SampleMaker(Arena& arena) : arena_(arena) {}

  Value of(const Value& schema) {
    if (const Value* fixed = schema.find("default")) return *fixed;
    if (const auto choices = schema.get("enum").items(); !choices.empty()) return choices.front();
    const std::string_view type = schema_type(schema);
    if (type == "string") return Value::string("example");
    if (type == "integer" || type == "number") return Value::integer(0);
    if (type == "boolean") return Value::boolean(false);
    if (type == "array") return make_list({}, arena_);
    if (type.empty() && schema.find(kIntOrString) != nullptr) return Value::integer(0);
    return object(schema);
  }

 private:
  Value object(const Value& schema) {
    std::map<std::string_view, Value> members;
    const Value* properties = schema.find("properties");
    if (properties == nullptr) return make_object({}, arena_);
    const auto fill = [&](const Value& where) {
      for (const std::string_view name : required_of(where)) {
        const Value* property = properties->find(name);
        if (property != nullptr && !members.contains(name)) members[name] = of(*property);
      }
    };
    fill(schema);
    for (const std::string_view junctor : {"oneOf", "anyOf"}) {
      const auto branches = schema.get(junctor).items();
      if (branches.empty()) continue;
      const Value& branch = branches.front();
      fill(branch);
      const Value* chosen = branch.find("properties");
      if (chosen == nullptr) continue;
      for (const Member& member : chosen->members()) {
        const auto choices = member.value.get("enum").items();
        if (!choices.empty()) members[member.key] = choices.front();
      }
    }
    std::vector<Member> sorted;
    for (const auto& [name, v] : members) sorted.push_back({name, v});
    return make_object(sorted, arena_);
  }

  Arena& arena_;
};

}  // namespace

Value make_definition(const Identity& identity, const DefinitionParts& parts, Arena& arena) {
  const Value* previous = parts.previous != nullptr ? &parts.previous->value() : nullptr;
  const Value* previous_spec = step_into(previous, "spec");
  const Value* previous_names = step_into(previous_spec, "names");

  const Member metadata_members[] = {{"name", Value::string(arena.copy(identity.crd_name()))}};
  Value metadata = make_object(metadata_members, arena);
  if (previous != nullptr) keep_metadata(metadata, *previous, arena);

  const Member name_members[] = {{"kind", Value::string(identity.kind)},
                                 {"listKind", Value::string(arena.copy(identity.kind + "List"))},
                                 {"plural", Value::string(identity.plural)},
                                 {"singular", Value::string(identity.singular)}};
  Value names = make_object(name_members, arena);
  for (const std::string_view key : {"categories", "listKind", "shortNames"})
    keep(names, previous_names, key, arena);

  std::vector<Value> versions = {version_part(identity, parts, arena)};
  keep_versions(versions, previous_spec, identity.version, arena);
  const Member spec_members[] = {{"group", Value::string(identity.group)},
                                 {"names", names},
                                 {"scope", Value::string("Namespaced")},
                                 {"versions", make_list(versions, arena)}};
  Value spec = make_object(spec_members, arena);
  keep(spec, previous_spec, "conversion", arena);

  const Member members[] = {{"apiVersion", Value::string("apiextensions.k8s.io/v1")},
                            {"kind", Value::string("CustomResourceDefinition")},
                            {"metadata", metadata},
                            {"spec", spec}};
  return make_object(members, arena);
}

Result<> check_previous(const Identity& identity, const crd::Crd& previous) {
  const auto same = [](std::string_view what, std::string_view before,
                       std::string_view now) -> Result<> {
    if (before == now) return {};
    return fail(Code::kInvalid, "the previous CRD is of another {}: {}, not {}", what,
                quote(before), quote(now));
  };
  STRAKE_CHECK(same("group", previous.group(), identity.group));
  STRAKE_CHECK(same("plural", previous.names().plural, identity.plural));
  STRAKE_CHECK(same("kind", previous.names().kind, identity.kind));
  return same("scope", previous.scope(), "Namespaced");
}

std::vector<crd::Change> compatibility(const crd::Crd& previous, const crd::Crd& next,
                                       std::string_view new_version) {
  std::vector<crd::Change> out = crd::diff(previous, next);
  const crd::Version* now = next.version(new_version);
  if (previous.version(new_version) != nullptr || now == nullptr || now->schema() == nullptr) {
    return out;
  }
  for (std::size_t i = 0; i < previous.versions().size(); ++i) {
    const crd::Version& before = previous.versions()[i];
    if (!before.storage() || before.schema() == nullptr) continue;
    const FieldPath versions = FieldPath() / "spec" / "versions";
    crd::diff_schemas(crd::SchemaView(*before.schema()), crd::SchemaView(*now->schema()),
                      {.version = fmt::format("{} to {}", before.name(), new_version),
                       .old_at = versions / i / "schema" / "openAPIV3Schema",
                       .new_at = versions / std::size_t{0} / "schema" / "openAPIV3Schema"},
                      out);
  }
  return out;
}

Value make_sample(const Identity& identity, const Value& spec, Arena& arena) {
  const Member metadata[] = {{"name", Value::string("example")}};
  const Member members[] = {
      {"apiVersion",
       Value::string(arena.copy(fmt::format("{}/{}", identity.group, identity.version)))},
      {"kind", Value::string(identity.kind)},
      {"metadata", make_object(metadata, arena)},
      {"spec", SampleMaker(arena).of(spec)}};
  return make_object(members, arena);
}

}  // namespace strake::pulumi
