#include "patch/document_edit.h"

#include <algorithm>
#include <vector>

// A container that no edit has touched is a Value of the old document. Opening one makes an
// EditContainer beside it: for an array a tree over runs of the old items (edited_list.h), for an
// object a map of what differs from its sorted members, where nothing stands for a removal. Both
// cost what was changed, however large the container.
//
// Invariant: a container is open only if all around it are, since the only way to it leads through
// at() or items.at() of its parent, whose slot then points to it. So close() has to descend only
// through open slots, and takes everything else as it is. It keeps its own stack: documents may be
// nested as deep as their reader allows.

namespace strake::patch {

using value::Member;
using value::Value;

namespace {

const Member* find_member(const Value& object, std::string_view key) {
  const auto members = object.members();
  const auto at = std::ranges::lower_bound(
      members, key, [](auto a, auto b) { return value::compare_keys(a, b) < 0; }, &Member::key);
  return at != members.end() && at->key == key ? &*at : nullptr;
}

}  // namespace

bool EditSlot::is_array() const { return open != nullptr ? open->array : value.is_array(); }
bool EditSlot::is_object() const { return open != nullptr ? !open->array : value.is_object(); }

EditContainer::EditContainer(const Value& v)
    : array(v.is_array()),
      items(v.items()),
      base_(array ? Value::object({}) : v),
      size_(base_.size()) {}

std::optional<EditSlot> EditContainer::get(std::string_view key) const {
  if (const auto changed = changed_.find(key); changed != changed_.end()) return changed->second;
  const Value* found = base_.find(key);
  return found != nullptr ? std::optional(EditSlot{*found}) : std::nullopt;
}

EditSlot* EditContainer::at(std::string_view key) {
  if (const auto changed = changed_.find(key); changed != changed_.end())
    return changed->second ? &*changed->second : nullptr;
  const Member* found = find_member(base_, key);
  if (found == nullptr) return nullptr;
  // The caller's key may go; that of the document stays.
  return &*changed_.emplace(found->key, EditSlot{found->value}).first->second;
}

void EditContainer::set(std::string_view key, EditSlot slot) {
  if (!get(key)) ++size_;
  changed_.insert_or_assign(key, slot);
}

bool EditContainer::remove(std::string_view key) {
  if (at(key) == nullptr) return false;
  const auto changed = changed_.find(key);
  if (changed == changed_.end()) return false;  // at() has noted it
  changed->second.reset();
  --size_;
  return true;
}

DocumentEdit::Container* DocumentEdit::open(Slot& slot) {
  if (slot.open != nullptr) return slot.open;
  if (!slot.value.is_array() && !slot.value.is_object()) return nullptr;
  return slot.open = &containers_.emplace_back(slot.value);
}

Value DocumentEdit::close(const Slot& slot) const {
  // Containers are laid out first with their children still to come; each child knows where it
  // belongs.
  struct Pending {
    Slot slot;
    Value* target;
  };
  Value root;
  std::vector<Pending> pending{{slot, &root}};
  while (!pending.empty()) {
    const auto [from, target] = pending.back();
    pending.pop_back();
    if (from.open == nullptr) {
      *target = from.value;
      continue;
    }
    const std::size_t size = length(from);
    const auto lay = [&](const Slot& child, Value& at) {
      at = child.value;
      if (child.open != nullptr) pending.push_back({child, &at});
    };
    if (from.open->array) {
      auto* laid = arena_.allocate_array<Value>(size);
      *target = Value::array({laid, size});
      from.open->items.for_each([&](const Slot& item) { lay(item, *laid++); });
    } else {
      auto* laid = arena_.allocate_array<Member>(size);
      *target = Value::object({laid, size});
      from.open->for_each([&](std::string_view key, const Slot& member) {
        laid->key = key;
        lay(member, laid++->value);
      });
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
      // As many members, and each of theirs is there: so all are.
      if (length(ours) != given->size()) return false;
      for (const Member& wanted : given->members()) {
        const std::optional<Slot> found = member(ours, wanted.key);
        if (!found) return false;
        pending.emplace_back(*found, &wanted.value);
      }
    } else if (ours.open != nullptr || !same_scalar(ours.value, *given)) {
      return false;
    }
  }
  return true;
}

std::optional<DocumentEdit::Slot> DocumentEdit::member(const Slot& object, std::string_view key) {
  if (object.open != nullptr) return object.open->get(key);
  const Value* found = object.value.find(key);
  return found != nullptr ? std::optional(Slot{*found}) : std::nullopt;
}

std::optional<DocumentEdit::Slot> DocumentEdit::item(const Slot& array, std::size_t index) {
  if (index >= length(array)) return std::nullopt;
  if (array.open != nullptr) return array.open->items.get(index);
  return Slot{array.value.items()[index]};
}

std::size_t DocumentEdit::length(const Slot& container) {
  if (container.open == nullptr) return container.value.size();
  return container.open->array ? container.open->items.size() : container.open->size();
}

}  // namespace strake::patch
