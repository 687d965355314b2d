#include "patch/document_edit.h"

#include <algorithm>

namespace strake::patch {

using value::Member;
using value::Value;

namespace {

auto position(auto& members, std::string_view key) {
  return std::lower_bound(
      members.begin(), members.end(), key,
      [](const auto& m, std::string_view k) { return value::compare_keys(m.key, k) < 0; });
}

}  // namespace

const DocumentEdit::Slot* DocumentEdit::Container::find(std::string_view key) const {
  const auto at = position(members, key);
  return at != members.end() && at->key == key ? &at->slot : nullptr;
}

void DocumentEdit::Container::set(std::string_view key, Slot slot) {
  const auto at = position(members, key);
  if (at != members.end() && at->key == key) {
    at->slot = slot;
  } else {
    members.insert(at, {key, slot});
  }
}

bool DocumentEdit::Container::remove(std::string_view key) {
  const auto at = position(members, key);
  if (at == members.end() || at->key != key) return false;
  members.erase(at);
  return true;
}

DocumentEdit::Container* DocumentEdit::open(Slot& slot) {
  if (slot.open != nullptr) return slot.open;
  const Value& v = slot.value;
  if (!v.is_array() && !v.is_object()) return nullptr;
  Container& made = containers_.emplace_back();
  made.array = v.is_array();
  if (made.array) {
    made.items.reserve(v.size() + 1);
    for (const Value& item : v.items()) made.items.push_back({item});
  } else {
    made.members.reserve(v.size() + 1);
    for (const Member& m : v.members()) made.members.push_back({m.key, {m.value}});
  }
  return slot.open = &made;
}

Value DocumentEdit::close(const Slot& slot) const {
  // Containers are laid out first with their children still to come; each child knows where it
  // belongs.
  struct Pending {
    const Slot* slot;
    Value* target;
  };
  Value root;
  std::vector<Pending> pending{{&slot, &root}};
  while (!pending.empty()) {
    const auto [from, target] = pending.back();
    pending.pop_back();
    if (from->open == nullptr) {
      *target = from->value;
    } else if (from->open->array) {
      const std::vector<Slot>& items = from->open->items;
      auto* laid = arena_.allocate_array<Value>(items.size());
      for (std::size_t i = 0; i < items.size(); ++i) {
        laid[i] = items[i].value;
        if (items[i].open != nullptr) pending.push_back({&items[i], &laid[i]});
      }
      *target = Value::array({laid, items.size()});
    } else {
      const std::vector<Named>& members = from->open->members;
      auto* laid = arena_.allocate_array<Member>(members.size());
      for (std::size_t i = 0; i < members.size(); ++i) {
        laid[i] = {members[i].key, members[i].slot.value};
        if (members[i].slot.open != nullptr) pending.push_back({&members[i].slot, &laid[i].value});
      }
      *target = Value::object({laid, members.size()});
    }
  }
  return root;
}

bool DocumentEdit::matches(const Slot& slot, const Value& document,
                           bool (*same_scalar)(const Value& ours, const Value& given)) {
  std::vector<std::pair<Slot, const Value*>> pending{{slot, &document}};
  while (!pending.empty()) {
    const auto [ours, given] = pending.back();
    pending.pop_back();
    if (ours.is_array() && given->is_array()) {
      if (length(ours) != given->size()) return false;
      for (std::size_t i = 0; i < given->size(); ++i)
        pending.emplace_back(*item(ours, i), &given->items()[i]);
    } else if (ours.is_object() && given->is_object()) {
      const std::size_t size = ours.open != nullptr ? ours.open->members.size() : ours.value.size();
      if (size != given->size()) return false;
      for (std::size_t i = 0; i < size; ++i) {
        const Named named = ours.open != nullptr ? ours.open->members[i]
                                                 : Named{ours.value.members()[i].key,
                                                         {ours.value.members()[i].value}};
        if (named.key != given->members()[i].key) return false;
        pending.emplace_back(named.slot, &given->members()[i].value);
      }
    } else if (ours.open != nullptr || !same_scalar(ours.value, *given)) {
      return false;
    }
  }
  return true;
}

std::optional<DocumentEdit::Slot> DocumentEdit::member(const Slot& object, std::string_view key) {
  if (object.open != nullptr) {
    const Slot* found = object.open->find(key);
    return found != nullptr ? std::optional(*found) : std::nullopt;
  }
  const Value* found = object.value.find(key);
  return found != nullptr ? std::optional(Slot{*found}) : std::nullopt;
}

std::optional<DocumentEdit::Slot> DocumentEdit::item(const Slot& array, std::size_t index) {
  if (index >= length(array)) return std::nullopt;
  if (array.open != nullptr) return array.open->items[index];
  return Slot{array.value.items()[index]};
}

std::size_t DocumentEdit::length(const Slot& array) {
  return array.open != nullptr ? array.open->items.size() : array.value.size();
}

}  // namespace strake::patch
