#pragma once
// A document on its way through many edits: containers that an edit touches remember what changed,
// and all of them become one value again at the end. So an edit costs what it changes, not a copy
// of everything around it, and what no edit touched stays shared.
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string_view>

#include "base/arena.h"
#include "patch/edited_list.h"
#include "value/value.h"

namespace strake::patch {

// An array or object that was opened for edits. Each edit takes the time of a search.
struct EditContainer {
  explicit EditContainer(const value::Value& v);

  const bool array;
  EditedList items;

  // Members of an object.
  std::size_t size() const { return size_; }
  std::optional<EditSlot> get(std::string_view key) const;
  EditSlot* at(std::string_view key);  // for edits; null when there is none
  void set(std::string_view key, EditSlot slot);
  bool remove(std::string_view key);
  template <typename Visit>  // void(std::string_view key, const EditSlot&), sorted
  void for_each(Visit visit) const {
    const value::Member* next = base_.members().data();
    const value::Member* const end = next + base_.size();
    for (const auto& [key, slot] : changed_) {
      for (; next != end && value::compare_keys(next->key, key) < 0; ++next)
        visit(next->key, EditSlot{next->value});
      if (next != end && next->key == key) ++next;
      if (slot) visit(key, *slot);
    }
    for (; next != end; ++next) visit(next->key, EditSlot{next->value});
  }

 private:
  value::Value base_;  // an object; the members that it has no more and those it has now:
  std::map<std::string_view, std::optional<EditSlot>> changed_;
  std::size_t size_ = 0;
};

class DocumentEdit {
 public:
  using Slot = EditSlot;
  using Container = EditContainer;

  DocumentEdit(const value::Value& document, Arena& arena) : arena_(arena), root_{document} {}

  Slot& root() { return root_; }
  // The slot's container, opened for edits; null when it is a scalar.
  Container* open(Slot& slot);
  // What a slot holds now. A snapshot: later edits do not show in it.
  value::Value close(const Slot& slot) const;

  // Whether a slot holds a document, as a test of scalars says. Takes the time of the document.
  static bool matches(const Slot& slot, const value::Value& document,
                      bool (*same_scalar)(const value::Value& ours, const value::Value& given));

  // A member or item as it is now, without opening anything; nothing when it is not there.
  static std::optional<Slot> member(const Slot& object, std::string_view key);
  static std::optional<Slot> item(const Slot& array, std::size_t index);
  static std::size_t length(const Slot& container);

 private:
  Arena& arena_;
  Slot root_;
  std::deque<Container> containers_;
};

}  // namespace strake::patch
