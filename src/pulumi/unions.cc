// Unions in structural form. A structural schema has one type at each node, so branches meet in one
// schema that holds all of them, and conditions beside it tell which go together.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/quote.h"
#include "pulumi/schema_parts.h"
#include "pulumi/translator.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::pulumi {
namespace {

using value::Member;
using value::Value;

bool has_text(const std::vector<std::string_view>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

// Values of all the lists, each once, in the order of the first.
Value joined_values(std::span<const Value* const> lists, Arena& arena) {
  std::vector<Value> out;
  std::unordered_set<std::string> seen;
  for (const Value* list : lists) {
    for (const Value& v : list->items()) {
      if (seen.insert(value::to_json(v)).second) out.push_back(v);
    }
  }
  return make_list(out, arena);
}

std::string_view discriminator_name(const Value& node) {
  return text_of(node.find("discriminator"), "propertyName");
}

// The values by which the discriminator chooses the branch: those mapped to its reference, else
// those its own property admits.
std::vector<Value> chosen_by(const Value& node, const Value& source, const Value& branch) {
  std::vector<Value> out;
  const Value* mapping = node.get("discriminator").find("mapping");
  const Value* ref = source.find("$ref");
  if (mapping != nullptr && mapping->is_object() && ref != nullptr) {
    for (const Member& member : mapping->members()) {
      if (member.value.is_string() && member.value.as_string() == ref->as_string())
        out.push_back(Value::string(member.key));
    }
  }
  if (!out.empty()) return out;
  const Value* properties = branch.find("properties");
  const Value* own = properties != nullptr ? properties->find(discriminator_name(node)) : nullptr;
  const Value* values = own != nullptr ? own->find("enum") : nullptr;
  if (values != nullptr) out.assign(values->items().begin(), values->items().end());
  return out;
}

// {required: [name]}
Value requires_one(std::string_view name, Arena& arena) {
  const Member members[] = {{"required", make_text_set({name}, arena)}};
  return make_object(members, arena);
}

// What holds for an object of the branch: its discriminator, its required members, and none that
// only other branches have.
Value branch_condition(const Value& branch, const Value& all, std::string_view discriminator,
                       std::span<const Value> values, Arena& arena) {
  std::vector<Member> members;
  std::vector<Value> foreign;
  for (const Member& member : all.members()) {
    if (member.key != discriminator && branch.get("properties").find(member.key) == nullptr)
      foreign.push_back(requires_one(member.key, arena));
  }
  if (!foreign.empty()) {
    const Member any[] = {{"anyOf", make_list(foreign, arena)}};
    members.push_back({"not", make_object(any, arena)});
  }
  const Member choice[] = {{"enum", make_list(values, arena)}};
  const Member property[] = {{discriminator, make_object(choice, arena)}};
  members.push_back({"properties", make_object(property, arena)});
  auto required = required_of(branch);
  required.push_back(discriminator);
  members.push_back({"required", make_text_set(std::move(required), arena)});
  return make_object(members, arena);
}

std::vector<std::string_view> required_by_all(std::span<const Value> branches) {
  std::vector<std::string_view> out = required_of(branches[0]);
  for (const Value& branch : branches.subspan(1)) {
    const auto more = required_of(branch);
    std::erase_if(out, [&](std::string_view name) { return !has_text(more, name); });
  }
  return out;
}

}  // namespace

Translator::Translated Translator::one_of(const Value& node) {
  constexpr std::string_view kUnsupported = "keyword \"oneOf\"";
  if (options_.unions == Unions::kAny) {
    STRAKE_CHECK(count(0));
    const Member members[] = {{kPreserve, Value::boolean(true)}};
    return annotated(node, make_object(members, arena_));
  }
  const Value& list = node.get("oneOf");
  if (!list.is_array() || list.size() == 0) return skip(std::string(kUnsupported));
  for (const std::string_view other : {"anyOf", "allOf", "not", "patternProperties", "const"}) {
    if (node.find(other) != nullptr) return skip(fmt::format("keyword {}", quote(other)));
  }
  STRAKE_TRY(const auto translated, branches(list));
  if (!translated) return std::nullopt;
  if (const auto scalar = scalar_union(*translated)) return annotated(node, *scalar);
  const bool objects = std::ranges::all_of(
      *translated, [](const Value& branch) { return schema_type(branch) == "object"; });
  if (!objects || options_.unions != Unions::kStructural) return skip(std::string(kUnsupported));
  STRAKE_TRY(const auto merged, object_union(node, list.items(), *translated));
  return merged ? annotated(node, *merged) : Translated(std::nullopt);
}

Result<std::optional<std::vector<Value>>> Translator::branches(const Value& list) {
  std::vector<Value> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t length = path_.size();
    path_ += fmt::format(".oneOf[{}]", i);
    ++depth_;
    auto branch = node(list.items()[i], Place::kInline);
    --depth_;
    path_.resize(length);
    if (!branch) return std::unexpected(std::move(branch).error());
    if (!*branch) return std::nullopt;
    out.push_back(**branch);
  }
  return out;
}

std::optional<Value> Translator::scalar_union(std::span<const Value> branches) {
  std::vector<std::string_view> types;
  std::vector<const Value*> enums;
  for (const Value& branch : branches) {
    const std::string_view type = schema_type(branch);
    if (!is_scalar_type(type)) return std::nullopt;
    if (!has_text(types, type)) types.push_back(type);
    if (const Value* values = branch.find("enum")) enums.push_back(values);
  }
  if (types.size() == 1) {
    Value out = schema_of_type(types[0], arena_);
    if (enums.size() == branches.size()) out.set("enum", joined_values(enums, arena_), arena_);
    return out;
  }
  if (has_text(types, "boolean")) return std::nullopt;
  if (!has_text(types, "string")) return schema_of_type("number", arena_);
  const Member members[] = {{kIntOrString, Value::boolean(true)}};
  return make_object(members, arena_);
}

Translator::Translated Translator::object_union(const Value& node, std::span<const Value> list,
                                                std::span<const Value> branches) {
  // What is not known of one branch is not known of the whole, and a map knows no names.
  if (std::ranges::any_of(branches, [](const Value& branch) {
        return is_opaque(branch) || branch.find("properties") == nullptr;
      })) {
    return opaque_object(arena_);
  }
  std::map<std::string_view, Value> known;
  for (const Value& branch : branches) {
    for (const auto& [name, schema] : branch.get("properties").members()) {
      const auto [place, fresh] = known.try_emplace(name, schema);
      if (fresh) continue;
      const auto merged = merged_property(place->second, schema);
      if (!merged) return skip(fmt::format("oneOf branches disagree on property {}", quote(name)));
      place->second = *merged;
    }
  }
  // Conditions name every property in every branch.
  if (visits_ > kMaxVisits || known.size() * branches.size() > kMaxSchemaNodes) {
    return refuse(kTooLarge);
  }
  std::vector<Member> members;
  for (const auto& [name, schema] : known) members.push_back({name, schema});
  const Value all = make_object(members, arena_);
  STRAKE_CHECK(count(0));
  Value out = schema_of_type("object", arena_);
  out.set("properties", all, arena_);
  auto required = required_by_all(branches);

  const std::string_view discriminator = discriminator_name(node);
  std::vector<Value> conditions;
  if (!discriminator.empty() && all.find(discriminator) != nullptr) {
    for (std::size_t i = 0; i < branches.size(); ++i) {
      const auto values = chosen_by(node, list[i], branches[i]);
      if (values.empty()) break;
      conditions.push_back(branch_condition(branches[i], all, discriminator, values, arena_));
    }
  }
  if (conditions.size() == branches.size()) {
    out.set("oneOf", make_list(conditions, arena_), arena_);
    required.push_back(discriminator);
  } else if (std::ranges::none_of(branches,
                                  [](const Value& b) { return required_of(b).empty(); })) {
    std::vector<Value> needs;
    for (const Value& branch : branches) {
      const Member needed[] = {{"required", make_text_set(required_of(branch), arena_)}};
      needs.push_back(make_object(needed, arena_));
    }
    out.set("anyOf", make_list(needs, arena_), arena_);
  }
  if (!required.empty()) out.set("required", make_text_set(std::move(required), arena_), arena_);
  return out;
}

std::optional<Value> Translator::merged_property(const Value& a, const Value& b) {
  if (value::identical(a, b)) return a;
  const std::string_view type = schema_type(a);
  if (type != schema_type(b) || !is_scalar_type(type)) return std::nullopt;
  Value out = schema_of_type(type, arena_);
  const Value* lists[] = {a.find("enum"), b.find("enum")};
  if (lists[0] != nullptr && lists[1] != nullptr) {
    visits_ += lists[0]->size() + lists[1]->size();
    out.set("enum", joined_values(lists, arena_), arena_);
  }
  const Value* words[] = {a.find("description"), b.find("description")};
  if (words[0] != nullptr && words[1] != nullptr && value::equal(*words[0], *words[1])) {
    out.set("description", *words[0], arena_);
  }
  return out;
}

}  // namespace strake::pulumi
