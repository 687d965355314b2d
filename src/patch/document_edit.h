#pragma once
// A document on its way through many edits: containers that an edit touches become vectors, once,
// and all of them become one value again at the end. So an edit costs what it moves, not a copy of
// everything around it, and what no edit touched stays shared.
#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "value/value.h"

namespace strake::patch {

class DocumentEdit {
 public:
  struct Container;
  // A value, or the container that it has become.
  struct Slot {
    value::Value value;
    Container* open = nullptr;

    bool is_array() const { return open != nullptr ? open->array : value.is_array(); }
    bool is_object() const { return open != nullptr ? !open->array : value.is_object(); }
    bool is_null() const { return open == nullptr && value.is_null(); }
  };
  struct Named {
    std::string_view key;
    Slot slot;
  };
  struct Container {
    bool array = false;
    std::vector<Named> members;  // sorted
    std::vector<Slot> items;

    const Slot* find(std::string_view key) const;
    void set(std::string_view key, Slot slot);
    bool remove(std::string_view key);
  };

  DocumentEdit(const value::Value& document, Arena& arena) : arena_(arena), root_{document} {}

  Slot& root() { return root_; }
  // The slot's container, opened for edits; null when it is a scalar.
  Container* open(Slot& slot);
  // What a slot holds now. A snapshot: later edits do not show in it.
  value::Value close(const Slot& slot) const;

  // Whether a slot holds a document, as a test of scalars says. Nothing is copied.
  static bool matches(const Slot& slot, const value::Value& document,
                      bool (*same_scalar)(const value::Value& ours, const value::Value& given));

  // A member or item as it is now, without opening anything; nothing when it is not there.
  static std::optional<Slot> member(const Slot& object, std::string_view key);
  static std::optional<Slot> item(const Slot& array, std::size_t index);
  static std::size_t length(const Slot& array);

 private:
  Arena& arena_;
  Slot root_;
  std::deque<Container> containers_;
};

}  // namespace strake::patch
