#include "api/settle_meta.h"

#include <fmt/format.h>

#include "api/write.h"
#include "meta/object_meta.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;

void copy_meta(Document& document, const Value& old, std::string_view key) {
  const Value* metadata = old.find("metadata");
  const Value* kept = metadata != nullptr ? metadata->find(key) : nullptr;
  if (kept != nullptr) {
    set_meta(document, key, value::deep_copy(*kept, document.arena()));
  } else {
    remove_meta(document, key);
  }
}

void copy_member(Document& document, const Value& old, std::string_view key) {
  if (const Value* kept = old.find(key)) {
    document.root().set(key, value::deep_copy(*kept, document.arena()), document.arena());
  } else {
    document.root().remove(key);
  }
}

bool same_member(const Value& a, const Value& b, std::string_view key) {
  const Value* left = a.find(key);
  const Value* right = b.find(key);
  if (left == nullptr || right == nullptr) return left == right;
  return value::identical(*left, *right);
}

}  // namespace

Answer<> check_namespace(const Call& call, Document& document) {
  const std::string_view wanted = call.info.namespace_name;
  const std::string_view given = ObjectMeta::of(document.root()).namespace_name();
  if (!call.resource().namespaced) {
    if (!given.empty()) remove_meta(document, "namespace");
    return {};
  }
  if (given.empty()) {
    set_meta(document, "namespace", Value::string(document.arena().copy(wanted)));
  } else if (given != wanted) {
    return refuse(Status::bad_request(
        "the namespace of the provided object does not match the namespace sent on the request"));
  }
  return {};
}

Answer<> check_name_on_update(const Call& call, const Document& document) {
  const ObjectMeta metadata = ObjectMeta::of(document.root());
  if (metadata.name().empty()) {
    return refuse(Status::bad_request(fmt::format(
        "the name of the object ({} based on URL) was undeterminable: name must be provided",
        call.info.name)));
  }
  if (metadata.name() != call.info.name) {
    return refuse(Status::bad_request(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                    metadata.name(), call.info.name)));
  }
  if (call.resource().namespaced && !metadata.namespace_name().empty() &&
      metadata.namespace_name() != call.info.namespace_name) {
    return refuse(Status::bad_request(
        fmt::format("the namespace of the object ({}) does not match the namespace on the URL ({})",
                    metadata.namespace_name(), call.info.namespace_name)));
  }
  return {};
}

void fill_new(const Call& call, Document& document) {
  Arena& arena = document.arena();
  remove_meta(document, "deletionTimestamp");
  remove_meta(document, "deletionGracePeriodSeconds");
  remove_meta(document, "selfLink");
  set_meta(document, "uid", Value::string(arena.copy(new_uid())));
  set_meta(document, "creationTimestamp", Value::string(arena.copy(call.now_text())));
  if (call.endpoint->hooks() == nullptr && call.version->has_status())
    document.root().remove("status");
  if (call.resource().keeps_generation) {
    set_meta(document, "generation", Value::integer(1));
  } else {
    remove_meta(document, "generation");
  }
}

bool differs_outside_metadata(const Value& a, const Value& b, std::string_view except) {
  const auto covers = [&](const Value& left, const Value& right) {
    for (const value::Member& member : left.members()) {
      if (member.key == "metadata" || member.key == except) continue;
      if (!same_member(left, right, member.key)) return false;
    }
    return true;
  };
  return !covers(a, b) || !covers(b, a);
}

void carry_over(const Call& call, Document& document, const Value& old,
                std::string_view subresource) {
  const ObjectMeta before = ObjectMeta::of(old);
  for (const std::string_view key :
       {"creationTimestamp", "deletionTimestamp", "generation", "selfLink"}) {
    copy_meta(document, old, key);
  }
  const ObjectMeta now = ObjectMeta::of(document.root());
  if (!now.deletion_grace_period_seconds()) copy_meta(document, old, "deletionGracePeriodSeconds");
  if (now.uid().empty()) copy_meta(document, old, "uid");
  if (now.namespace_name().empty() && call.resource().namespaced)
    copy_meta(document, old, "namespace");
  if (call.endpoint->hooks() != nullptr) return;
  if (subresource == "status") {
    // Only the status is taken; the rest stays as it is, but for ownership of fields.
    const Value* sent = document.root().find("status");
    const Value* managed = document.root().get("metadata").find("managedFields");
    const Value status = sent != nullptr ? *sent : Value();
    const Value managed_fields = managed != nullptr ? *managed : Value();
    const Value version = Value::string(ObjectMeta::of(document.root()).resource_version());
    const Value api_version = document.root().get("apiVersion");
    const bool had_version = !version.as_string().empty();
    document.root() = value::deep_copy(old, document.arena());
    document.root().set("apiVersion", api_version, document.arena());
    if (sent != nullptr) {
      document.root().set("status", status, document.arena());
    } else {
      document.root().remove("status");
    }
    if (managed != nullptr) set_meta(document, "managedFields", managed_fields);
    if (had_version) set_meta(document, "resourceVersion", version);
    return;
  }
  if (call.version->has_status()) copy_member(document, old, "status");
  if (differs_outside_metadata(document.root(), old, "")) {
    set_meta(document, "generation", Value::integer(before.generation() + 1));
  }
}

}  // namespace strake::api
