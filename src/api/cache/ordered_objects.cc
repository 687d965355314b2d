#include "api/cache/ordered_objects.h"

#include <algorithm>
#include <cstring>
#include <string>

// A sorted array of sorted blocks of up to 64 pointers: a B-tree of two levels, whose upper level
// is a vector. For the number of objects that a server holds this beats a deeper tree: a million
// objects are some twenty thousand slots, found by one binary search over memory that is
// contiguous, and inserting a slot moves less than a megabyte, at most once in 32 inserts of a
// block.
//
// Readers share blocks with the writer: a list takes the blocks of its range (Hold) under the lock
// and reads them without it. A writer copies a block only when a reader holds it, so that writes
// between lists copy nothing. The count of holds is apart from that of the shared_ptr because
// use_count() orders nothing: the acquire load in writable() pairs with the release in ~Hold, and
// so a writer that sees no holder also sees that the last one has finished reading.
//
// A slot repeats the first key and the count of its block: searches and counts then touch slots
// only. `first` points into the object's own key, so it must be renewed whenever that object is
// replaced, even by one with an equal key.

namespace strake::api {
namespace {

// Small enough that to insert or to copy one is cheap, large enough that there are few.
constexpr std::size_t kMostInBlock = 64;

// The least string that is greater than every key with the prefix, which ends in a slash.
std::string end_of(std::string_view prefix) {
  std::string end(prefix);
  end.back() = static_cast<char>('/' + 1);
  return end;
}

}  // namespace

int OrderedObjects::compare(std::string_view a, std::string_view b) const {
  // Only a search may name less than what is common, and that is less than every key.
  if (a.size() < common_ || b.size() < common_) return a.compare(b);
  a.remove_prefix(common_);
  b.remove_prefix(common_);
  const int order = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  if (order != 0) return order;
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

std::size_t OrderedObjects::slot_of(std::string_view key) const {
  const auto after = std::upper_bound(
      slots_.begin(), slots_.end(), key,
      [this](std::string_view k, const Slot& slot) { return compare(k, slot.first) < 0; });
  return after == slots_.begin() ? 0 : static_cast<std::size_t>(after - slots_.begin()) - 1;
}

OrderedObjects::Place OrderedObjects::lower_bound(std::string_view key) const {
  if (slots_.empty()) return {};
  const std::size_t slot = slot_of(key);
  const std::vector<ObjectPtr>& objects = slots_[slot].block->objects;
  const auto at = std::lower_bound(
      objects.begin(), objects.end(), key,
      [this](const ObjectPtr& one, std::string_view k) { return compare(one->key(), k) < 0; });
  if (at == objects.end()) return {slot + 1, 0};
  return {slot, static_cast<std::size_t>(at - objects.begin())};
}

std::size_t OrderedObjects::between(Place from, Place to) const {
  if (from.slot == to.slot) return to.index - from.index;
  std::size_t count = to.index + slots_[from.slot].count - from.index;
  for (std::size_t slot = from.slot + 1; slot < to.slot; ++slot) count += slots_[slot].count;
  return count;
}

std::vector<ObjectPtr>& OrderedObjects::writable(Slot& slot) {
  if (slot.block->held.load(std::memory_order_acquire) > 0) {
    auto copy = std::make_shared<Block>();
    copy->objects.reserve(slot.block->objects.size() + 1);
    copy->objects = slot.block->objects;
    slot.block = std::move(copy);
  }
  return slot.block->objects;
}

void OrderedObjects::settle(std::size_t slot) {
  const std::vector<ObjectPtr>& objects = slots_[slot].block->objects;
  slots_[slot].count = static_cast<std::uint32_t>(objects.size());
  slots_[slot].first = objects.front()->key();
}

void OrderedObjects::split(std::size_t slot) {
  std::vector<ObjectPtr>& objects = slots_[slot].block->objects;
  // Keys that come in their order leave full blocks behind.
  const std::size_t keep = slot + 1 == slots_.size() ? kMostInBlock : objects.size() / 2;
  auto rest = std::make_shared<Block>();
  rest->objects.assign(std::make_move_iterator(objects.begin() + static_cast<std::ptrdiff_t>(keep)),
                       std::make_move_iterator(objects.end()));
  objects.resize(keep);
  slots_.insert(slots_.begin() + static_cast<std::ptrdiff_t>(slot) + 1,
                Slot{.block = std::move(rest), .first = {}, .count = 0});
  settle(slot);
  settle(slot + 1);
}

void OrderedObjects::put(ObjectPtr object) {
  if (slots_.empty()) {
    slots_.push_back({.block = std::make_shared<Block>(), .first = {}, .count = 0});
    slots_.front().block->objects.push_back(std::move(object));
    settle(0);
    size_ = 1;
    return;
  }
  const std::string_view key = object->key();
  const std::size_t slot = slot_of(key);
  std::vector<ObjectPtr>& objects = writable(slots_[slot]);
  const auto at = std::lower_bound(
      objects.begin(), objects.end(), key,
      [this](const ObjectPtr& one, std::string_view k) { return compare(one->key(), k) < 0; });
  if (at != objects.end() && (*at)->key() == key) {
    *at = std::move(object);
    // The old object, and with it the key that the slot shows, may go now.
    if (at == objects.begin()) slots_[slot].first = objects.front()->key();
    return;
  }
  objects.insert(at, std::move(object));
  ++size_;
  if (objects.size() > kMostInBlock) {
    split(slot);
  } else {
    settle(slot);
  }
}

void OrderedObjects::erase(std::string_view key) {
  if (slots_.empty()) return;
  const std::size_t slot = slot_of(key);
  const auto find = [&](const std::vector<ObjectPtr>& objects) {
    return std::lower_bound(
        objects.begin(), objects.end(), key,
        [this](const ObjectPtr& one, std::string_view k) { return compare(one->key(), k) < 0; });
  };
  const std::vector<ObjectPtr>& present = slots_[slot].block->objects;
  const auto at = find(present);
  if (at == present.end() || (*at)->key() != key) return;
  const auto index = at - present.begin();
  std::vector<ObjectPtr>& objects = writable(slots_[slot]);
  objects.erase(objects.begin() + index);
  --size_;
  const auto place = slots_.begin() + static_cast<std::ptrdiff_t>(slot);
  if (objects.empty()) {
    slots_.erase(place);
    return;
  }
  settle(slot);
  // Blocks that have become small join, so that few objects lie in few blocks.
  if (slot + 1 == slots_.size() || objects.size() + slots_[slot + 1].count > kMostInBlock / 2)
    return;
  const std::vector<ObjectPtr>& next = slots_[slot + 1].block->objects;
  objects.insert(objects.end(), next.begin(), next.end());
  slots_.erase(place + 1);
  settle(slot);
}

OrderedObjects::Taken OrderedObjects::take(std::string_view prefix, std::string_view start,
                                           std::size_t limit) const {
  Taken out;
  if (slots_.empty()) return out;
  Place at = lower_bound(std::max(prefix, start));
  // All keys begin with what is common.
  const Place end =
      prefix.size() <= common_ ? Place{slots_.size(), 0} : lower_bound(end_of(prefix));
  if (std::pair(at.slot, at.index) >= std::pair(end.slot, end.index)) return out;
  const std::size_t all = between(at, end);
  std::size_t left = std::min(all, limit);
  out.size_ = left;
  out.behind_ = all - left;
  for (; left > 0; at = {at.slot + 1, 0}) {
    const Slot& slot = slots_[at.slot];
    const std::size_t count = std::min<std::size_t>(left, slot.count - at.index);
    out.parts_.emplace_back(slot.block, static_cast<std::uint32_t>(at.index),
                            static_cast<std::uint32_t>(at.index + count));
    left -= count;
  }
  return out;
}

const ObjectPtr* OrderedObjects::at_or_after(std::string_view key) const {
  const Place at = lower_bound(key);
  return at.slot < slots_.size() ? &slots_[at.slot].block->objects[at.index] : nullptr;
}

std::vector<ObjectPtr> OrderedObjects::Taken::slice(std::size_t first, std::size_t count) const {
  std::vector<ObjectPtr> out;
  out.reserve(std::min(count, size_ - std::min(first, size_)));
  for (const Hold& part : parts_) {
    const auto size = static_cast<std::size_t>(part.end() - part.begin());
    if (first >= size) {
      first -= size;
      continue;
    }
    for (const ObjectPtr* at = part.begin() + first; at != part.end(); ++at) {
      if (out.size() == count) return out;
      out.push_back(*at);
    }
    first = 0;
  }
  return out;
}

}  // namespace strake::api
