#pragma once
// Schemas made by chance, configurations that fit them, and objects taken apart again: for tests
// that tell a second time who owns what.
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "value/value.h"

namespace strake::patch {

// Path, as print() writes it, to JSON. An item that is there, and an entry of a map that holds
// more, are leaves too: "" for those.
using Leaves = std::map<std::string, std::string>;

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  template <class List>
  void shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[static_cast<std::size_t>(below(static_cast<int>(i)))]);
  }

 private:
  std::mt19937 engine_;
};

// A schema: what it has below it, with the name that fields have.
struct Shape {
  enum class Kind {
    kNumber,
    kText,
    kWholeObject,  // atomic
    kWholeList,
    kObject,
    kMap,
    kSet,
    kItems,  // a list with one key
    kPairs,  // with two keys, one of which has a default
  };
  struct Child;
  Kind kind = Kind::kNumber;
  std::vector<Child> below;
};

struct Shape::Child {
  std::string name;
  Shape shape;
};

// With fields down to so many levels.
Shape shape_of(Random& random, int levels);
std::string schema_of(const Shape& shape);

// What a manager wants of it: JSON, "" for nothing, with the leaves in it. No container is empty.
std::string configuration_of(const Shape& shape, const std::string& path, Random& random,
                             Leaves& out);

// The leaves of an object. A field that is empty or null is none.
void read_leaves(const value::Value& v, const Shape& shape, const std::string& path, Leaves& out);

}  // namespace strake::patch
