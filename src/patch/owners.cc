#include "patch/owners.h"

#include <algorithm>
#include <tuple>

#include "base/rfc3339.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::patch {

using value::Member;
using value::Value;

namespace {

Result<Owner> read_owner(const Value& entry, std::size_t index, Arena& arena) {
  Owner out;
  const std::string_view operation = text_of(entry, "operation");
  if (operation != "Apply" && operation != "Update")
    return fail(Code::kInvalid, "operation must be `Apply` or `Update`");
  out.applied = operation == "Apply";
  out.api_version = text_of(entry, "apiVersion");
  if (out.api_version.empty()) return fail(Code::kInvalid, "apiVersion must not be empty");
  const std::string_view fields_type = text_of(entry, "fieldsType");
  if (fields_type.empty())
    return fail(Code::kInvalid, "missing fieldsType in managed fields entry {}", index);
  if (fields_type != "FieldsV1") {
    return fail(Code::kInvalid, "invalid fieldsType \"{}\" in managed fields entry {}", fields_type,
                index);
  }
  out.manager = text_of(entry, "manager");
  out.subresource = text_of(entry, "subresource");
  out.time = text_of(entry, "time");
  if (const Value* fields = entry.find("fieldsV1")) {
    auto read = FieldSet::read(*fields, arena);
    if (!read) {
      return fail(Code::kInvalid, "error decoding versioned set of managed fields entry {}: {}",
                  index, read.error().message());
    }
    out.fields = *read;
  }
  return out;
}

Value write_owner(const Owner& owner, Arena& arena) {
  auto* members = arena.allocate_array<Member>(7);
  std::size_t count = 0;
  const auto text = [&](std::string_view key, std::string_view v) {
    if (!v.empty()) members[count++] = {key, Value::string(v)};
  };
  text("apiVersion", owner.api_version);
  text("fieldsType", "FieldsV1");
  members[count++] = {"fieldsV1", owner.fields.write(arena)};
  text("manager", owner.manager);
  text("operation", owner.applied ? "Apply" : "Update");
  text("subresource", owner.subresource);
  text("time", owner.time);
  return Value::object({members, count});
}

bool shown_before(const Owner& a, const Owner& b) {
  if (a.applied != b.applied) return a.applied;
  if (a.time != b.time) {
    const std::int64_t first = a.seconds();
    const std::int64_t second = b.seconds();
    if (first != second) return first < second;
  }
  return std::tie(a.manager, a.api_version, a.subresource) <
         std::tie(b.manager, b.api_version, b.subresource);
}

}  // namespace

bool Owner::same_as(const Owner& other) const {
  return manager == other.manager && applied == other.applied && subresource == other.subresource &&
         (applied || api_version == other.api_version);
}

std::string Owner::identity() const {
  std::string out = "{";
  const auto text = [&](std::string_view key, std::string_view v) {
    if (v.empty()) return;
    fmt::format_to(std::back_inserter(out), "{}\"{}\":", out.size() > 1 ? "," : "", key);
    value::write_json_string(v, out);
  };
  text("manager", manager);
  text("operation", applied ? "Apply" : "Update");
  if (!applied) text("apiVersion", api_version);
  text("subresource", subresource);
  return out + "}";
}

std::int64_t Owner::seconds() const {
  const auto read = parse_rfc3339(time);
  return read ? read->seconds : 0;
}

Owner* find_owner(Owners& owners, const Owner& like) {
  const auto at = std::find_if(owners.begin(), owners.end(),
                               [&](const Owner& owner) { return owner.same_as(like); });
  return at != owners.end() ? &*at : nullptr;
}

void remove_owner(Owners& owners, const Owner& like) {
  const Owner identity = like;  // which may be one of them
  std::erase_if(owners, [&](const Owner& owner) { return owner.same_as(identity); });
}

Result<Owners> read_owners(const Value* managed_fields, Arena& arena) {
  Owners out;
  if (managed_fields == nullptr || !managed_fields->is_array()) return out;
  out.reserve(managed_fields->size());
  for (std::size_t i = 0; i < managed_fields->size(); ++i) {
    STRAKE_TRY(const Owner owner, read_owner(managed_fields->items()[i], i, arena));
    if (Owner* same = find_owner(out, owner)) {
      *same = owner;
    } else {
      out.push_back(owner);
    }
  }
  return out;
}

Value write_owners(Owners owners, Arena& arena) {
  std::sort(owners.begin(), owners.end(), shown_before);
  auto* items = arena.allocate_array<Value>(owners.size());
  for (std::size_t i = 0; i < owners.size(); ++i) items[i] = write_owner(owners[i], arena);
  return Value::array({items, owners.size()});
}

}  // namespace strake::patch
