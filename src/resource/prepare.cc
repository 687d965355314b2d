#include "resource/prepare.h"

#include <algorithm>

#include "meta/object_meta.h"

namespace strake::resource {
namespace {

using meta::ObjectMeta;
using value::Value;

constexpr std::size_t kLongestNamePrefix = 58;  // 63, less the suffix

void keep_member(Value& object, const Value& old, std::string_view key, Arena& arena) {
  if (const Value* kept = old.find(key)) {
    object.set(key, value::deep_copy(*kept, arena), arena);
  } else {
    object.remove(key);
  }
}

void keep_meta(Value& object, const Value& old, std::string_view key, Arena& arena) {
  const Value* metadata = old.find("metadata");
  const Value* kept = metadata != nullptr ? metadata->find(key) : nullptr;
  if (kept != nullptr) {
    set_meta(object, key, value::deep_copy(*kept, arena), arena);
  } else {
    remove_meta(object, key);
  }
}

void fill_meta(Value& object, std::string_view key, std::string_view text, Arena& arena) {
  if (text.empty()) {
    remove_meta(object, key);
  } else {
    set_meta(object, key, Value::string(arena.copy(text)), arena);
  }
}

bool same_member(const Value& a, const Value& b, std::string_view key) {
  const Value* left = a.find(key);
  const Value* right = b.find(key);
  if (left == nullptr || right == nullptr) return left == right;
  return value::identical(*left, *right);
}

// A new generation means that something other than metadata, and other than what this endpoint may
// not change, differs.
bool differ(const Value& a, const Value& b, std::span<const std::string> but) {
  const auto covers = [&](const Value& left, const Value& right) {
    return std::ranges::all_of(left.members(), [&](const value::Member& member) {
      return member.key == "metadata" || std::ranges::find(but, member.key) != but.end() ||
             same_member(left, right, member.key);
    });
  };
  return !covers(a, b) || !covers(b, a);
}

}  // namespace

void set_meta(Value& object, std::string_view key, Value v, Arena& arena) {
  Value* metadata = object.find("metadata");
  if (metadata == nullptr || !metadata->is_object())
    metadata = &object.set("metadata", Value::object({}), arena);
  metadata->set(key, v, arena);
}

void remove_meta(Value& object, std::string_view key) {
  if (Value* metadata = object.find("metadata")) metadata->remove(key);
}

bool settle_namespace(Value& object, bool namespaced, std::string_view wanted, Arena& arena) {
  const std::string_view given = ObjectMeta::of(object).namespace_name();
  if (!namespaced) {
    if (!given.empty()) remove_meta(object, "namespace");
    return true;
  }
  if (!given.empty()) return given == wanted;
  set_meta(object, "namespace", Value::string(arena.copy(wanted)), arena);
  return true;
}

bool needs_generated_name(const Value& object) {
  const ObjectMeta metadata = ObjectMeta::of(object);
  return metadata.name().empty() && !metadata.generate_name().empty();
}

std::string generated_name(std::string_view generate_name, std::string_view suffix) {
  // Cut before the suffix is added, so that the random part is never lost.
  return std::string(generate_name.substr(0, kLongestNamePrefix)).append(suffix);
}

bool names_resource_version(const Value& object) {
  const std::string_view version = ObjectMeta::of(object).resource_version();
  return !version.empty() && version != "0";
}

void fill_new(Value& object, const Birth& birth, Arena& arena) {
  for (const std::string_view key : {"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"})
    remove_meta(object, key);
  fill_meta(object, "uid", birth.uid, arena);
  fill_meta(object, "creationTimestamp", birth.time, arena);
  if (birth.keeps_generation) {
    set_meta(object, "generation", Value::integer(1), arena);
  } else {
    remove_meta(object, "generation");
  }
}

void carry_over(Value& object, const Value& old, Arena& arena) {
  for (const std::string_view key :
       {"creationTimestamp", "deletionTimestamp", "generation", "selfLink"}) {
    keep_meta(object, old, key, arena);
  }
  // What is sent is compared: neither may change.
  const ObjectMeta now = ObjectMeta::of(object);
  if (!now.deletion_grace_period_seconds())
    keep_meta(object, old, "deletionGracePeriodSeconds", arena);
  if (now.uid().empty()) keep_meta(object, old, "uid", arena);
}

void count_change(Value& object, const Value& old, std::span<const std::string> resets,
                  Arena& arena) {
  if (!differ(object, old, resets)) return;
  set_meta(object, "generation", Value::integer(ObjectMeta::of(old).generation() + 1), arena);
}

void prepare_create(Value& object, bool status_subresource) {
  if (status_subresource) object.remove("status");
}

void prepare_update(Value& object, const Value& old, bool status_subresource, Arena& arena) {
  if (status_subresource) keep_member(object, old, "status", arena);
}

void prepare_status(Value& object, const Value& old, Arena& arena) {
  // A write of the status takes the stored object and lets only these parts through.
  const Value sent = object;
  object = value::deep_copy(old, arena);
  for (const std::string_view key : {"apiVersion", "status"}) {
    if (const Value* taken = sent.find(key)) {
      object.set(key, *taken, arena);
    } else if (key == "status") {
      object.remove(key);
    }
  }
  const Value* metadata = sent.find("metadata");
  if (metadata == nullptr) return;
  for (const std::string_view key : {"managedFields", "resourceVersion"}) {
    if (const Value* taken = metadata->find(key)) set_meta(object, key, *taken, arena);
  }
}

}  // namespace strake::resource
