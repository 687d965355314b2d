#include "patch/managed_fields.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/unicode_print.h"
#include "base/utf8.h"
#include "patch/ownership.h"
#include "patch/typed_fields.h"

namespace strake::patch {

using value::Member;
using value::Value;

namespace {

constexpr std::size_t kManagerMax = 128;
constexpr std::string_view kUnknownManager = "unknown";

const Value* entries_of(const Value* object) {
  const Value* metadata = object != nullptr ? object->find("metadata") : nullptr;
  return metadata != nullptr ? metadata->find("managedFields") : nullptr;
}

// The entries are cleared by an empty list, or by one with a single empty entry.
bool clears(const Value& entries) {
  if (!entries.is_array()) return false;
  if (entries.size() == 0) return true;
  const Value& first = entries.items()[0];
  return entries.size() == 1 && first.is_object() && first.size() == 0;
}

// The owners to go on from: those the client sent, so that it may edit them, else those that are
// stored. Entries that cannot be read count as not there. Subresources cannot set them.
Owners owners_before(const Value& object, const Value* old, bool subresource, Arena& arena) {
  const Value* sent = subresource ? nullptr : entries_of(&object);
  if (sent != nullptr) {
    if (clears(*sent)) return {};
    auto owners = read_owners(sent, arena);
    if (owners && !owners->empty()) return *std::move(owners);
  }
  return read_owners(entries_of(old), arena).value_or(Owners());
}

bool has_uid(const Value* object) {
  const Value* metadata = object != nullptr ? object->find("metadata") : nullptr;
  const Value* uid = metadata != nullptr ? metadata->find("uid") : nullptr;
  return uid != nullptr && uid->is_string() && uid->size() != 0;
}

// What was before a create: nothing but what it is.
Value empty_like(const Value& object, Arena& arena) {
  auto* members = arena.allocate_array<Member>(2);
  std::size_t count = 0;
  for (const Member& m : object.members()) {
    if (m.key == "apiVersion" || m.key == "kind") members[count++] = m;
  }
  return Value::object({members, count});
}

Scope scope_of(const schema::Node* schema, const WriteContext& context, Arena& arena) {
  return {.api_version = context.api_version,
          .type = FieldType::of_resource(schema),
          .others = context.others,
          .reset = fields_named(context.reset, arena)};
}

// Records what this write changed for its manager.
void credit_writer(Owners& owners, const Comparison& changed, const WriteContext& context,
                   Arena& arena) {
  Owner writer{.manager = context.manager.empty() ? kUnknownManager : arena.copy(context.manager),
               .api_version = arena.copy(context.api_version),
               .subresource = arena.copy(context.subresource),
               .time = arena.copy(context.time)};
  writer.fields = strip_untracked(unite(changed.modified, changed.added, arena), arena);
  if (writer.fields.empty()) return;
  if (Owner* before = find_owner(owners, writer)) {
    writer.fields = unite(writer.fields, before->fields, arena);
    *before = writer;
  } else {
    owners.push_back(writer);
  }
}

// False when the fields cannot be told.
bool settle_update(Owners& owners, const Value& before, const Value& after,
                   const schema::Node* schema, const WriteContext& context, Arena& arena) {
  const Scope scope = scope_of(schema, context, arena);
  const std::optional<Comparison> compared = check_and_compare(before, after, scope.type, arena);
  if (!compared) return false;
  reconcile_owners(owners, scope, arena);
  const bool are_there =
      scope.is_at(before, scope.api_version) && scope.is_at(after, scope.api_version);
  const Result<Settled> settled = settle_owners(
      owners, nullptr, before, after, are_there ? &*compared : nullptr, true, scope, arena);
  if (!settled) return false;
  credit_writer(owners, settled->comparison, context, arena);
  cap_updates(owners, arena);
  return true;
}

// Whether two objects have the same members but for those that are skipped.
template <typename Skip>
bool same_members(const Value& a, const Value& b, Skip skip) {
  if (!a.is_object() || !b.is_object()) return value::identical(a, b);
  auto x = a.members().begin();
  auto y = b.members().begin();
  while (true) {
    x = std::find_if_not(x, a.members().end(), skip);
    y = std::find_if_not(y, b.members().end(), skip);
    if (x == a.members().end() || y == b.members().end()) break;
    if (x->key != y->key || !value::identical(x->value, y->value)) return false;
    ++x;
    ++y;
  }
  return x == a.members().end() && y == b.members().end();
}

bool same_entries(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (!a->is_array() || !b->is_array()) return value::identical(*a, *b);
  return std::equal(a->items().begin(), a->items().end(), b->items().begin(), b->items().end(),
                    [](const Value& x, const Value& y) {
                      return same_members(x, y, [](const Member& m) { return m.key == "time"; });
                    });
}

bool same_metadata(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return same_members(*a, *b,
                      [](const Member& m) {
                        return m.key == "managedFields" || m.key == "resourceVersion";
                      }) &&
         same_entries(a->find("managedFields"), b->find("managedFields"));
}

}  // namespace

void update_managed_fields(Value& object, const Value* old, const schema::Node* schema,
                           const WriteContext& context, Arena& arena) {
  if (!object.is_object()) return;
  Owners owners = owners_before(object, old, !context.subresource.empty(), arena);
  const Value after = without_managed_fields(object, arena);
  const bool untracked = owners.empty() && has_uid(old);
  if (!untracked) {
    const Value before =
        old != nullptr ? without_managed_fields(*old, arena) : empty_like(object, arena);
    if (!settle_update(owners, before, after, schema, context, arena)) owners.clear();
  }
  object = with_managed_fields(after, std::move(owners), arena);
}

bool same_but_for_times(const Value& a, const Value& b) {
  return same_members(a, b, [](const Member& m) { return m.key == "metadata"; }) &&
         same_metadata(a.find("metadata"), b.find("metadata"));
}

std::string manager_from_user_agent(std::string_view user_agent) {
  std::string_view name = user_agent.substr(0, user_agent.find('/'));
  std::string out;
  while (!name.empty()) {
    const utf8::Decoded next = utf8::decode(name);
    name.remove_prefix(next.width);
    if (!is_printable(next.code_point)) continue;
    const std::string text = utf8::encode(next.code_point);
    if (out.size() + text.size() > kManagerMax) break;
    out += text;
  }
  return out.empty() ? std::string(kUnknownManager) : out;
}

}  // namespace strake::patch
