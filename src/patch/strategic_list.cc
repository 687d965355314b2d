#include "patch/strategic_list.h"

#include <algorithm>

#include "patch/go_text.h"
#include "value/go_type.h"
#include "value/json_writer.h"

// Merged lists and the order of their items. ItemIndex finds items by the JSON text of their merge
// key, in a hash map: the original compares each with each.

namespace strake::patch {

using value::Type;
using value::Value;

std::unexpected<Error> no_merge_key(const Value& item, std::string_view key) {
  return fail(Code::kInternal, "map: {} does not contain declared merge key: {}", go_text(item),
              key);
}

std::unexpected<Error> bad_type(std::string_view expected, const Value& actual) {
  return fail(Code::kInternal, "expected a {}, but received a {}", expected,
              actual.is_null() ? "%!s(<nil>)" : go_type(actual));
}

ItemIndex::ItemIndex(std::span<const Value> items, std::string_view merge_key)
    : merge_key_(merge_key) {
  for (const Value& item : items) add(item);
}

void ItemIndex::add(const Value& item) { places_.try_emplace(identity(item), count_++); }

std::optional<std::size_t> ItemIndex::find(const Value& item) const {
  const auto found = places_.find(identity(item));
  return found != places_.end() ? std::optional(found->second) : std::nullopt;
}

std::string ItemIndex::identity(const Value& item) const {
  const Value* by = merge_key_.empty() ? &item : item.find(merge_key_);
  if (by == nullptr) return {};
  // 1 and 1.0 differ, as they do in Go.
  std::string out(by->type() == Type::kDouble ? "d" : "");
  value::write_json(*by, out);
  return out;
}

Result<bool> holds_objects(std::span<const Value> a, std::span<const Value> b) {
  const Value* first = nullptr;
  for (const std::span<const Value> list : {a, b}) {
    for (const Value& item : list) {
      if (first == nullptr) first = &item;
      if (first->is_array()) return fail(Code::kInvalid, "lists of lists are not supported");
      if (item.type() != first->type() || item.is_null()) {
        const auto text = [](std::span<const Value> items) {
          std::string out;
          for (const Value& one : items) out += (out.empty() ? "" : " ") + go_text(one);
          return out;
        };
        return fail(Code::kInternal, "list element types are not identical: [[{}] [{}]]", text(a),
                    text(b));
      }
    }
  }
  if (first == nullptr) return fail(Code::kInternal, "no elements in any of the given slices");
  return first->is_object();
}

namespace {

Result<> check_merge_keys(std::span<const Value> items, std::string_view merge_key) {
  for (const Value& item : items) {
    if (!item.is_object()) return bad_type("map[string]interface {}", item);
    if (item.find(merge_key) == nullptr) return no_merge_key(item, merge_key);
  }
  return {};
}

struct Placed {
  std::size_t place;  // in the list that gives the order
  std::size_t turn;   // in the list as it was, for those of one place
  Value item;

  // A stable order without a stable sort.
  bool operator<(const Placed& other) const {
    return place != other.place ? place < other.place : turn < other.turn;
  }
};

}  // namespace

// The order of a merged list. Items that the patch names stand in the order of the patch, all
// others in the order they had; the two orders are then merged. This is normalizeElementOrder of
// kube-apiserver 1.36, which sorts both parts by a comparison that searches the lists; with the
// places looked up once it takes n log n.
Result<ValueList> put_in_order(std::span<const Value> merged, std::span<const Value> wanted,
                               std::span<const Value> server, std::string_view merge_key) {
  if (!merge_key.empty()) {
    for (const std::span<const Value> list : {merged, wanted, server})
      STRAKE_CHECK(check_merge_keys(list, merge_key));
  }
  const ItemIndex by_patch(wanted, merge_key);
  const ItemIndex by_server(server, merge_key);
  std::vector<Placed> named;
  std::vector<Placed> others;
  for (const Value& item : merged) {
    if (const auto place = by_patch.find(item)) {
      named.push_back({*place, named.size(), item});
    } else {
      others.push_back({by_server.find(item).value_or(server.size()), others.size(), item});
    }
  }
  std::sort(named.begin(), named.end());
  std::sort(others.begin(), others.end());

  // An item of the server comes before the first named one that the server has after it.
  ValueList out;
  out.reserve(merged.size());
  std::size_t next = 0;
  for (const Placed& one : named) {
    const auto place = by_server.find(one.item);
    while (place && next < others.size() && others[next].place < *place)
      out.push_back(others[next++].item);
    out.push_back(one.item);
  }
  for (; next < others.size(); ++next) out.push_back(others[next].item);
  return out;
}

}  // namespace strake::patch
