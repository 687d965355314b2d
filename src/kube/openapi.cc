#include "kube/openapi.h"

#include <algorithm>
#include <vector>

#include "value/json_reader.h"
#include "value/members.h"

namespace strake::kube {
namespace {

using value::Member;
using value::Value;

constexpr std::string_view kKinds = "x-kubernetes-group-version-kind";

value::ReadOptions read_options() {
  value::ReadOptions out;
  out.duplicates = value::DuplicatePolicy::kLastWins;
  out.text = value::TextPolicy::kReplace;
  return out;
}

bool holds(const Value& list, const Value& item) {
  return std::ranges::any_of(list.items(), [&](const Value& one) { return equal(one, item); });
}

void add_kinds(const Value& from, Value& to, Arena& arena) {
  const Value* more = from.find(kKinds);
  if (more == nullptr || !more->is_array()) return;
  Value* kinds = to.find(kKinds);
  if (kinds == nullptr || !kinds->is_array()) {
    to.set(kKinds, deep_copy(*more, arena), arena);
    return;
  }
  for (const Value& kind : more->items()) {
    if (!holds(*kinds, kind)) kinds->append(deep_copy(kind, arena), arena);
  }
}

// Members of `from` that `to` does not have; what both have is the same but for the kinds.
void add_members(const Value& from, Value& to, Arena& arena) {
  std::vector<Member> added;
  for (const Member& m : from.members()) {
    Value* there = to.find(m.key);
    if (there != nullptr) {
      add_kinds(m.value, *there, arena);
    } else {
      added.push_back({arena.copy(m.key), deep_copy(m.value, arena)});
    }
  }
  value::set_members(to, added, arena);
}

void add_part(const Value& part, Value& merged, Arena& arena) {
  for (const Member& m : part.members()) {
    Value* there = merged.find(m.key);
    if (there == nullptr) {
      merged.set(arena.copy(m.key), deep_copy(m.value, arena), arena);
      continue;
    }
    if (!m.value.is_object() || !there->is_object()) continue;
    if (m.key == "paths") add_members(m.value, *there, arena);
    if (m.key != "components") continue;
    for (const Member& section : m.value.members()) {
      Value* known = there->find(section.key);
      if (known == nullptr) {
        there->set(arena.copy(section.key), deep_copy(section.value, arena), arena);
      } else if (known->is_object() && section.value.is_object()) {
        add_members(section.value, *known, arena);
      }
    }
  }
}

}  // namespace

Result<std::string> fetch_openapi_v2(const Client& client) { return client.get("/openapi/v2"); }

Result<std::vector<OpenApiPart>> list_openapi_v3(const Client& client) {
  STRAKE_TRY(const std::string body, client.get("/openapi/v3"));
  STRAKE_TRY(const value::Document document, value::read_json(body, read_options()));
  const Value* paths = document.root().find("paths");
  if (paths == nullptr || !paths->is_object())
    return fail(Code::kInvalid, "/openapi/v3: the answer lists no paths");
  std::vector<OpenApiPart> out;
  for (const Member& m : paths->members()) {
    const Value* path = m.value.find("serverRelativeURL");
    if (path == nullptr || !path->is_string() || !path->as_string().starts_with('/'))
      return fail(Code::kInvalid, "/openapi/v3: {} has no serverRelativeURL", m.key);
    out.push_back({.name = std::string(m.key), .path = std::string(path->as_string())});
  }
  return out;
}

Result<value::Document> merge_openapi_v3(std::span<const value::Document> parts) {
  value::Document out;
  out.root() = Value::object({});
  for (const value::Document& part : parts) {
    const Value* version = part.root().find("openapi");
    if (version == nullptr || !version->is_string() || !version->as_string().starts_with("3."))
      return fail(Code::kInvalid, "not a document of OpenAPI v3");
    add_part(part.root(), out.root(), out.arena());
  }
  return out;
}

}  // namespace strake::kube
