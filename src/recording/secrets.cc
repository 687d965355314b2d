#include "recording/secrets.h"

#include "value/fields.h"

namespace strake::recording {
namespace {

using value::Member;
using value::text_of;
using value::Value;

// In `data`, which is base64, the same.
constexpr std::string_view kMask = "***";
constexpr std::string_view kMaskedData = "Kioq";
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

void mask_members(Value* object, std::string_view with) {
  if (object == nullptr) return;
  for (Member& one : object->mutable_members()) {
    if (!one.value.is_null()) one.value = Value::string(with);
  }
}

void mask_text(Value* object, std::string_view key) {
  Value* found = object != nullptr ? object->find(key) : nullptr;
  if (found != nullptr && found->is_string()) *found = Value::string(kMask);
}

void mask_all_text(Value& in) {
  if (in.is_string()) in = Value::string(kMask);
  for (Value& one : in.mutable_items()) mask_all_text(one);
  for (Member& one : in.mutable_members()) mask_all_text(one.value);
}

void mask_secret(Value& object) {
  mask_members(object.find("data"), kMaskedData);
  mask_members(object.find("stringData"), kMask);
  if (Value* metadata = object.find("metadata"))
    mask_text(metadata->find("annotations"), kLastApplied);
}

void mask_tokens(Value& object) {
  mask_text(object.find("spec"), "token");
  mask_text(object.find("status"), "token");
}

bool says_it_is(const Value& object, std::string_view kind) {
  return text_of(object, "kind") == kind;
}

// An object, a list, a table, an event, a Status.
void mask_object(Value& object, Holds holds) {
  if (says_it_is(object, "Secret") || says_it_is(object, "SecretList")) holds = Holds::kSecrets;
  if (says_it_is(object, "TokenReview") || says_it_is(object, "TokenRequest"))
    holds = Holds::kTokens;
  // What cannot be read is quoted in the message.
  if (says_it_is(object, "Status")) {
    const Value& code = object.get("code");
    if (holds != Holds::kNothing && code.is_number() && code.as_double() == 400)
      mask_text(&object, "message");
    return;
  }
  if (holds == Holds::kSecrets) mask_secret(object);
  if (holds == Holds::kTokens) mask_tokens(object);
  if (Value* items = object.find("items"))
    for (Value& one : items->mutable_items()) mask_object(one, holds);
  if (Value* rows = object.find("rows"))
    for (Value& row : rows->mutable_items())
      if (Value* one = row.find("object")) mask_object(*one, holds);
  const bool is_event = object.find("type") != nullptr && object.find("metadata") == nullptr;
  if (Value* one = object.find("object"); one != nullptr && is_event) mask_object(*one, holds);
}

}  // namespace

Holds what_is_held(const api::RequestInfo& request) {
  if (request.group.empty() && request.resource == "secrets") return Holds::kSecrets;
  if (request.group == "authentication.k8s.io" && request.resource == "tokenreviews")
    return Holds::kTokens;
  if (request.group.empty() && request.resource == "serviceaccounts" &&
      request.subresource == "token")
    return Holds::kTokens;
  return Holds::kNothing;
}

void mask(value::Document& body, Holds holds) {
  Value& root = body.root();
  if (root.is_object()) return mask_object(root, holds);
  if (holds == Holds::kNothing) return;
  // A JSON patch: what its values are is told by paths, into the middle of things perhaps.
  for (Value& operation : root.mutable_items())
    if (Value* one = operation.find("value")) mask_all_text(*one);
}

}  // namespace strake::recording
