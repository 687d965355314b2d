#include "validate/filled_in.h"

#include "resource/prepare.h"
#include "value/fields.h"

namespace strake::validate {

using value::Value;

FilledIn::FilledIn(Value& object, Arena& arena, bool namespaced) : object_(object) {
  Value* metadata = object.find("metadata");
  if (metadata == nullptr || metadata->is_null()) {
    had_none_ = metadata == nullptr;
    metadata = &object.set("metadata", Value::object({}), arena);
  }
  if (!metadata->is_object()) return;
  // Whether there is such a namespace only a server can say: any good one will do.
  const Value* namespace_name = metadata->find("namespace");
  if (!namespaced) {
    metadata->remove("namespace");
  } else if (namespace_name != nullptr) {
    namespace_name_ = *namespace_name;
    metadata->set("namespace", Value::string("default"), arena);
  } else {
    fill(*metadata, "namespace", "default", arena);
  }
  if (resource::needs_generated_name(object)) {
    const std::string_view base = text_of(metadata, "generateName");
    fill(*metadata, "name", arena.copy(resource::generated_name(base, "xxxxx")), arena);
  }
}

FilledIn::~FilledIn() {
  Value* metadata = object_.find("metadata");
  if (metadata == nullptr) return;
  Value* namespace_name = metadata->find("namespace");
  if (namespace_name != nullptr && !namespace_name_.is_null()) *namespace_name = namespace_name_;
  for (const std::string_view key : keys_) {
    if (!key.empty()) metadata->remove(key);
  }
  if (had_none_) object_.remove("metadata");
}

void FilledIn::take_from(Value& old, Arena& arena) {
  Value* metadata = object_.find("metadata");
  Value* before = old.find("metadata");
  if (metadata == nullptr || before == nullptr || !metadata->is_object() || !before->is_object())
    return;
  if (text_of(before, "resourceVersion").empty())
    before->set("resourceVersion", Value::string("1"), arena);
  if (text_of(before, "uid").empty()) {
    const std::string_view uid = text_of(metadata, "uid");
    before->set("uid", Value::string(uid.empty() ? "u" : uid), arena);
  }
  for (const std::string_view key : {"resourceVersion", "uid"}) {
    const Value* kept = before->find(key);
    if (metadata->find(key) == nullptr) keys_[filled_++] = key;
    if (key == "resourceVersion" || metadata->find(key) == nullptr)
      metadata->set(key, *kept, arena);
  }
}

void FilledIn::fill(Value& metadata, std::string_view key, std::string_view text, Arena& arena) {
  if (metadata.find(key) == nullptr) keys_[filled_++] = key;
  metadata.set(key, Value::string(text), arena);
}

}  // namespace strake::validate
