#include "crd/crd.h"
#include "resource/embedded.h"
#include "schema/compile.h"

namespace strake::crd {
namespace {

using value::Member;
using value::Value;

// Defaults inside the metadata of a resource are judged as copies, and stay as they are.
void settle(Value& schema, const schema::Node& node, bool is_resource, bool metadata,
            Arena& arena) {
  if (is_resource) metadata = false;
  // Only embedded resources have types that coercion can change; subtrees without one are not
  // entered.
  if (!is_resource && !node.has_embedded_below) return;
  if (Value* given = schema.find("default"); given != nullptr && !metadata) {
    // What could not be read was refused before.
    (void)resource::coerce_embedded(*given, node, arena, {}, {.resource_root = is_resource});
  }
  if (Value* items = schema.find("items"); items != nullptr && node.items != nullptr) {
    settle(*items, *node.items, node.items->embedded_resource, metadata, arena);
  }
  Value* properties = schema.find("properties");
  if (properties == nullptr || !properties->is_object()) return;
  for (Member& property : properties->mutable_members()) {
    const schema::Node* inner = node.property(property.key);
    if (inner == nullptr) continue;
    const bool is_meta =
        property.key == "metadata" || property.key == "apiVersion" || property.key == "kind";
    settle(property.value, *inner, inner->embedded_resource, metadata || (is_resource && is_meta),
           arena);
  }
}

}  // namespace

void settle_defaults(Value& crd, Arena& arena) {
  Value* versions = crd.object_at("spec", arena).find("versions");
  if (versions == nullptr || !versions->is_array()) return;
  for (Value& version : versions->mutable_items()) {
    Value* holder = version.find("schema");
    Value* schema = holder != nullptr ? holder->find("openAPIV3Schema") : nullptr;
    if (schema == nullptr) continue;
    if (const auto node = schema::compile(*schema);
        node && ((*node)->has_embedded_below || schema->find("default"))) {
      settle(*schema, **node, true, false, arena);
    }
  }
}

void Crd::settle_defaults() {
  crd::settle_defaults(document_.root(), document_.arena());
  index();
}

}  // namespace strake::crd
