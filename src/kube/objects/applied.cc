#include "kube/objects/applied.h"

#include <algorithm>

#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kube {
namespace {

using value::Document;
using value::Member;
using value::text_of;
using value::Value;

// Sets of fields are written as trees (FieldsV1): the key of a member tells what it leads to,
// "f:name" a field, "k:{...}" the item of a list with these keys, "v:..." an item that is this
// value, "." the thing itself. A field with nothing below it is owned as a whole.

const Value* owned_fields(const Value& live, std::string_view manager) {
  for (const Value& entry : live.get("metadata").get("managedFields").items()) {
    if (text_of(entry, "manager") == manager && text_of(entry, "operation") == "Apply" &&
        text_of(entry, "subresource").empty() &&
        text_of(entry, "apiVersion") == text_of(live, "apiVersion"))
      return entry.find("fieldsV1");
  }
  return nullptr;
}

// What names the object and is nobody's field.
bool is_identity(std::string_view key) {
  return key == "name" || key == "namespace" || key == "generateName";
}

// Everything in `wanted` is in `live`, which may have more in its objects: what servers fill in.
bool covers(const Value& live, const Value& wanted) {
  if (wanted.is_object()) {
    return live.is_object() && std::ranges::all_of(wanted.members(), [&](const Member& one) {
             const Value* found = live.find(one.key);
             return found != nullptr && covers(*found, one.value);
           });
  }
  if (wanted.is_array()) {
    return live.is_array() && live.size() == wanted.size() &&
           std::ranges::equal(live.items(), wanted.items(), covers);
  }
  return value::equal(live, wanted);
}

// The item that has these keys; `lenient` when keys may be left to the server to fill in.
const Value* item_by_keys(const Value& list, const Value& keys, bool lenient) {
  for (const Value& item : list.items()) {
    const bool meant = std::ranges::all_of(keys.members(), [&](const Member& key) {
      const Value* found = item.find(key.key);
      return found != nullptr ? value::equal(*found, key.value) : lenient;
    });
    if (meant) return &item;
  }
  return nullptr;
}

const Value* item_by_value(const Value& list, const Value& wanted) {
  for (const Value& item : list.items()) {
    if (value::equal(item, wanted)) return &item;
  }
  return nullptr;
}

// Below that, what a hostile server sends is not taken apart any more.
constexpr int kMostDepthOfFields = 200;

bool is_leaf(const Value& owned) {
  return owned.members().empty() ||
         (owned.members().size() == 1 && owned.members().front().key == ".");
}

bool same_fields(const Value& live, const Value& wanted, const Value& owned);

bool same_object(const Value& live, const Value& wanted, const Value& owned) {
  for (const Member& one : wanted.members()) {
    const Value* mine = owned.find(std::string("f:").append(one.key));
    const Value* there = live.find(one.key);
    if (mine == nullptr || there == nullptr || !same_fields(*there, one.value, *mine)) return false;
  }
  // What was applied once and is not wanted any more.
  return std::ranges::all_of(owned.members(), [&](const Member& one) {
    return one.key == "." ||
           (one.key.starts_with("f:") && wanted.find(one.key.substr(2)) != nullptr);
  });
}

bool same_list(const Value& live, const Value& wanted, const Value& owned) {
  std::size_t items = 0;
  for (const Member& one : owned.members()) {
    if (one.key == ".") continue;
    const Result<Document> what =
        value::read_json(one.key.substr(std::min<std::size_t>(2, one.key.size())));
    if (!what) return false;
    ++items;
    if (one.key.starts_with("v:")) {
      if (item_by_value(wanted, what->root()) == nullptr ||
          item_by_value(live, what->root()) == nullptr)
        return false;
    } else if (one.key.starts_with("k:")) {
      const Value* mine = item_by_keys(wanted, what->root(), true);
      const Value* there = item_by_keys(live, what->root(), false);
      if (mine == nullptr || there == nullptr || !same_fields(*there, *mine, one.value))
        return false;
    } else {
      return false;
    }
  }
  return items == wanted.size();
}

bool same_fields(const Value& live, const Value& wanted, const Value& owned) {
  if (is_leaf(owned)) return covers(live, wanted);
  if (wanted.is_object() && live.is_object()) return same_object(live, wanted, owned);
  if (wanted.is_array() && live.is_array()) return same_list(live, wanted, owned);
  return false;
}

// The object without what names it.
Value fields_of(const Value& object, Arena& arena) {
  Value out = Value::object({});
  for (const Member& one : object.members()) {
    if (one.key == "apiVersion" || one.key == "kind") continue;
    if (one.key != "metadata") {
      out.set(one.key, one.value, arena);
      continue;
    }
    Value metadata = Value::object({});
    for (const Member& inner : one.value.members()) {
      if (!is_identity(inner.key)) metadata.set(inner.key, inner.value, arena);
    }
    if (metadata.size() > 0) out.set("metadata", metadata, arena);
  }
  return out;
}

// The part of `live` that is owned.
Value part_of(const Value& live, const Value& owned, Arena& arena, int depth = 0) {
  if (is_leaf(owned) || depth == kMostDepthOfFields) return live;
  if (live.is_object()) {
    Value out = Value::object({});
    for (const Member& one : owned.members()) {
      if (!one.key.starts_with("f:")) continue;
      if (const Value* found = live.find(one.key.substr(2)); found != nullptr)
        out.set(one.key.substr(2), part_of(*found, one.value, arena, depth + 1), arena);
    }
    return out;
  }
  if (!live.is_array()) return live;
  Value out = Value::array({});
  for (const Member& one : owned.members()) {
    if (one.key.size() < 2) continue;
    const Result<Document> what = value::read_json(one.key.substr(2));
    if (!what) continue;
    if (one.key.starts_with("v:")) {
      if (const Value* found = item_by_value(live, what->root()); found != nullptr)
        out.append(*found, arena);
    } else if (const Value* found = item_by_keys(live, what->root(), false); found != nullptr) {
      // A key that is not owned was filled in by the server, which will do so again.
      Value item = part_of(*found, one.value, arena, depth + 1);
      out.append(item, arena);
    }
  }
  return out;
}

}  // namespace

bool is_applied(const Value& live, const Value& wanted, std::string_view manager) {
  if (text_of(live, "apiVersion") != text_of(wanted, "apiVersion")) return false;
  Document scratch;
  const Value fields = fields_of(wanted, scratch.arena());
  const Value* owned = owned_fields(live, manager);
  // A manager of nothing is not listed.
  if (owned == nullptr || !owned->is_object() || is_leaf(*owned)) return fields.size() == 0;
  return same_object(live, fields, *owned);
}

Document applied_by(const Value& live, std::string_view manager) {
  Document out;
  const Value* owned = owned_fields(live, manager);
  if (owned == nullptr || !owned->is_object()) return out;
  Arena& arena = out.arena();
  Value root = is_leaf(*owned) ? Value::object({}) : part_of(live, *owned, arena);
  root = value::deep_copy(root, arena);
  for (const std::string_view key : {"apiVersion", "kind"})
    root.set(key, value::deep_copy(live.get(key), arena), arena);
  Value& metadata = root.object_at("metadata", arena);
  for (const std::string_view key : {"name", "namespace"}) {
    if (const Value* found = live.get("metadata").find(key); found != nullptr)
      metadata.set(key, value::deep_copy(*found, arena), arena);
  }
  out.root() = root;
  return out;
}

}  // namespace strake::kube
