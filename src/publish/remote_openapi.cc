#include "publish/remote_openapi.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/field_path.h"
#include "publish/openapi.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/members.h"

namespace strake::publish {
namespace {

using value::Document;
using value::Member;
using value::text_of;
using value::Value;

constexpr std::string_view kKinds = "x-kubernetes-group-version-kind";

// The two sections of a document that references lead to.
struct Section {
  std::string_view name;
  std::string_view prefix;
};
constexpr Section kDefinitions = {.name = "definitions", .prefix = "#/definitions/"};
constexpr Section kParameters = {.name = "parameters", .prefix = "#/parameters/"};
constexpr Section kSections[] = {kDefinitions, kParameters};

// Calls visit(reference) for each {"$ref": "..."} below, with the value of the member.
template <typename Visit>
void for_each_reference(Value& v, const Visit& visit) {
  if (v.is_array()) {
    for (Value& item : v.mutable_items()) for_each_reference(item, visit);
  }
  if (!v.is_object()) return;
  for (Member& member : v.mutable_members()) {
    // A property may have that name: then it is a schema.
    if (member.key == "$ref" && member.value.is_string()) {
      visit(member.value);
    } else {
      for_each_reference(member.value, visit);
    }
  }
}

void remove_empty_references(Value& v) {
  if (v.is_array()) {
    for (Value& item : v.mutable_items()) remove_empty_references(item);
  }
  if (!v.is_object()) return;
  value::remove_members(v, [](const Member& member) {
    return member.key == "$ref" && member.value.is_string() && member.value.size() == 0;
  });
  for (Member& member : v.mutable_members()) remove_empty_references(member.value);
}

Value* target(Value& root, std::string_view reference) {
  for (const Section& section : kSections) {
    if (!reference.starts_with(section.prefix)) continue;
    Value* all = root.find(section.name);
    return all == nullptr ? nullptr : all->find(reference.substr(section.prefix.size()));
  }
  return nullptr;
}

// Everything that the value leads to, itself or through others. References that lead nowhere become
// empty.
std::set<std::string_view> reach(Value& root, Value& from) {
  std::set<std::string_view> reached;
  std::vector<Value*> open = {&from};
  while (!open.empty()) {
    Value& next = *open.back();
    open.pop_back();
    for_each_reference(next, [&](Value& reference) {
      Value* found = target(root, reference.as_string());
      if (found == nullptr || !found->is_object()) {
        reference = Value::string("");
      } else if (reached.insert(reference.as_string()).second) {
        open.push_back(found);
      }
    });
  }
  return reached;
}

void keep_reached(Value& root, const std::set<std::string_view>& reached) {
  std::string reference;
  for (const Section& section : kSections) {
    Value* all = root.find(section.name);
    if (all == nullptr) continue;
    value::remove_members(*all, [&](const Member& member) {
      reference.assign(section.prefix).append(member.key);
      return !reached.contains(reference);
    });
  }
}

// A schema says of itself which kinds it is the schema of, and an operation which kind it is about.
// Clients look for either by kind in the whole document.
class OwnKinds {
 public:
  OwnKinds(std::string_view group, std::string_view version) : group_(group), version_(version) {}

  void keep_in_definition(Value& definition) const {
    Value* kinds = definition.find(kKinds);
    if (kinds == nullptr) return;
    std::size_t kept = 0;
    for (Value& kind : kinds->mutable_items()) {
      if (is_own(kind)) kinds->mutable_items()[kept++] = kind;
    }
    if (kinds->is_array()) kinds->truncate(kept);
    if (kept == 0) definition.remove(kKinds);
  }
  void keep_in_path(Value& path) const {
    for (Member& operation : path.mutable_members()) {
      const Value* kind = operation.value.find(kKinds);
      if (kind != nullptr && !is_own(*kind)) operation.value.remove(kKinds);
    }
  }

 private:
  bool is_own(const Value& kind) const {
    return text_of(kind, "group") == group_ && text_of(kind, "version") == version_ &&
           !text_of(kind, "kind").empty();
  }
  std::string_view group_;
  std::string_view version_;
};

// --- merging

bool equal_but_kinds(const Value& a, const Value& b) {
  const auto next = [](std::span<const Member>& rest) -> const Member* {
    if (!rest.empty() && rest.front().key == kKinds) rest = rest.subspan(1);
    if (rest.empty()) return nullptr;
    const Member* out = &rest.front();
    rest = rest.subspan(1);
    return out;
  };
  std::span<const Member> of_a = a.members();
  std::span<const Member> of_b = b.members();
  while (true) {
    const Member* one = next(of_a);
    const Member* other = next(of_b);
    if (one == nullptr || other == nullptr) return one == other;
    if (one->key != other->key || !value::equal(one->value, other->value)) return false;
  }
}

class Merger {
 public:
  explicit Merger(Document into) : into_(std::move(into)) {}

  Result<> add(Document part);
  std::string text() const { return value::to_json(into_.root(), {.escape_html = true}); }

 private:
  // What the definitions (or parameters) of a part are called in the document, for those that have
  // to be called otherwise.
  std::map<std::string, std::string> new_names(const Section& section, const Value& part) const;
  void add_section(const Section& section, Document& part,
                   const std::map<std::string, std::string>& names);
  // The kinds of a definition that is there already.
  void add_kinds(Value& definition, const Value& kinds);

  Document into_;
  std::vector<Document> parts_;  // what the document points into
};

std::map<std::string, std::string> Merger::new_names(const Section& section,
                                                     const Value& part) const {
  std::map<std::string, std::string> out;
  std::set<std::string> given;
  const Value& taken = into_.root().get(section.name);
  for (const Member& one : part.get(section.name).members()) {
    const Value* other = taken.find(one.key);
    if (other == nullptr || equal_but_kinds(*other, one.value)) continue;
    // One that was called otherwise before and is the same serves again.
    for (std::size_t i = 2;; ++i) {
      std::string name = fmt::format("{}_v{}", one.key, i);
      other = taken.find(name);
      if (other != nullptr && !equal_but_kinds(*other, one.value)) continue;
      const bool is_free = other != nullptr ||
                           (!given.contains(name) && part.get(section.name).find(name) == nullptr);
      if (!is_free) continue;
      if (other == nullptr) given.insert(name);
      out.emplace(std::string(one.key), std::move(name));
      break;
    }
  }
  return out;
}

void Merger::add_kinds(Value& definition, const Value& kinds) {
  if (kinds.items().empty()) return;
  // There may be as many as a server likes.
  std::set<std::string> known;
  Value merged = Value::array({});
  for (const Value& kind : definition.get(kKinds).items()) {
    known.insert(value::to_json(kind));
    merged.append(kind, into_.arena());
  }
  const std::size_t before = merged.size();
  for (const Value& kind : kinds.items()) {
    if (known.insert(value::to_json(kind)).second) merged.append(kind, into_.arena());
  }
  if (merged.size() != before) definition.set(kKinds, merged, into_.arena());
}

void Merger::add_section(const Section& section, Document& part,
                         const std::map<std::string, std::string>& names) {
  std::map<std::string, Value> added;
  Value* taken = into_.root().find(section.name);
  for (const Member& one : part.root().get(section.name).members()) {
    const auto renamed = names.find(std::string(one.key));
    const std::string name = renamed == names.end() ? std::string(one.key) : renamed->second;
    Value* other = taken == nullptr ? nullptr : taken->find(name);
    if (other == nullptr) {
      added.emplace(name, one.value);
    } else {
      add_kinds(*other, one.value.get(kKinds));
    }
  }
  if (added.empty()) return;
  std::vector<Member> sorted;
  for (const auto& [name, value] : added) sorted.push_back({into_.arena().copy(name), value});
  value::set_members(into_.root().object_at(section.name, into_.arena()), sorted, into_.arena());
}

Result<> Merger::add(Document part) {
  Value& root = part.root();
  Value* paths = root.find("paths");
  if (paths == nullptr) return {};
  const Value& there = into_.root().get("paths");
  value::remove_members(*paths,
                        [&](const Member& path) { return there.find(path.key) != nullptr; });
  if (paths->members().empty()) return {};
  keep_reached(root, reach(root, *paths));

  std::map<std::string, std::string> references;
  std::map<std::string, std::string> names[std::size(kSections)];
  for (std::size_t i = 0; i < std::size(kSections); ++i) {
    names[i] = new_names(kSections[i], root);
    for (const auto& [from, to] : names[i]) {
      references.emplace(std::string(kSections[i].prefix) + from,
                         std::string(kSections[i].prefix) + to);
    }
  }
  if (!references.empty()) {
    for_each_reference(root, [&](Value& reference) {
      if (const auto to = references.find(std::string(reference.as_string()));
          to != references.end()) {
        reference = Value::string(part.arena().copy(to->second));
      }
    });
  }
  for (std::size_t i = 0; i < std::size(kSections); ++i) add_section(kSections[i], part, names[i]);
  std::vector<Member> sorted(paths->members().begin(), paths->members().end());
  value::set_members(into_.root().object_at("paths", into_.arena()), sorted, into_.arena());
  parts_.push_back(std::move(part));
  return {};
}

value::ReadOptions options_of(const RemoteOpenApiLimits& limits) {
  value::ReadOptions out;
  out.limits.bytes = limits.bytes;
  out.limits.nodes = limits.nodes;
  out.limits.depth = limits.depth;
  out.duplicates = value::DuplicatePolicy::kLastWins;
  out.text = value::TextPolicy::kReplace;
  return out;
}

}  // namespace

Result<std::string> openapi_v2_part(std::string text, std::string_view group,
                                    std::string_view version, const RemoteOpenApiLimits& limits) {
  STRAKE_TRY(Document document, value::read_json(std::move(text), options_of(limits)));
  Value& root = document.root();
  if (text_of(root, "swagger") != "2.0")
    return fail(Code::kInvalid, FieldPath() / "swagger", "must be 2.0");
  value::remove_members(root, [](const Member& member) {
    return member.key != "definitions" && member.key != "parameters" && member.key != "paths";
  });
  for (const std::string_view section : {"definitions", "parameters", "paths"}) {
    const Value& all = root.get(section);
    if (!all.is_null() && !all.is_object())
      return fail(Code::kInvalid, FieldPath() / section, "must be an object");
  }
  Value& paths = root.object_at("paths", document.arena());
  const std::string prefix = fmt::format("/apis/{}/{}/", group, version);
  value::remove_members(paths, [&](const Member& path) {
    return !path.key.starts_with(prefix) || !path.value.is_object();
  });
  keep_reached(root, reach(root, paths));
  remove_empty_references(root);
  const OwnKinds own(group, version);
  for (Member& path : root.object_at("paths", document.arena()).mutable_members())
    own.keep_in_path(path.value);
  for (Member& definition : root.object_at("definitions", document.arena()).mutable_members())
    own.keep_in_definition(definition.value);
  std::string out = value::to_json(root);
  // What its form in protobuf lacks fails alone.
  STRAKE_CHECK(openapi_v2_protobuf(out));
  return out;
}

// The paths are its last member: members are sorted.
bool is_empty_part(std::string_view part) { return part.ends_with(R"("paths":{}})"); }

Result<std::string> merge_openapi_v2(std::string_view local,
                                     std::span<const std::shared_ptr<const std::string>> parts) {
  if (parts.empty()) return std::string(local);
  STRAKE_TRY(Document document, value::read_json(local));
  Merger merger(std::move(document));
  for (const auto& part : parts) {
    STRAKE_TRY(Document read, value::read_json(*part));
    STRAKE_CHECK(merger.add(std::move(read)));
  }
  return merger.text();
}

Result<std::optional<std::string>> hash_in_v3_index(const Value& root, std::string_view path) {
  const Value& paths = root.get("paths");
  if (!paths.is_object()) return fail(Code::kInvalid, FieldPath() / "paths", "must be an object");
  const Value* found = paths.find(path);
  if (found == nullptr) return std::nullopt;
  const std::string_view url = text_of(*found, "serverRelativeURL");
  constexpr std::string_view kHash = "?hash=";
  const std::size_t at = url.find(kHash);
  std::string hash(at == std::string_view::npos ? "" : url.substr(at + kHash.size()));
  const bool is_plain = hash.size() <= 256 && std::ranges::all_of(hash, [](char c) {
                          return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                                 (c >= 'a' && c <= 'z') || c == '-' || c == '_';
                        });
  if (!is_plain) hash.clear();
  return hash;
}

}  // namespace strake::publish
