// sets.contains, sets.equivalent, sets.intersects.
#include "cel/lib/library.h"
#include "cel/value/containers.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

bool has_item(const Value& list, const Value& wanted, Arena& arena) {
  for (Cursor c(list, arena); !c.done(); c.next()) {
    if (equal(c.item(), wanted, arena)) return true;
  }
  return false;
}

bool contains_all(const Value& list, const Value& wanted, Arena& arena) {
  for (Cursor c(wanted, arena); !c.done(); c.next()) {
    if (!has_item(list, c.item(), arena)) return false;
  }
  return true;
}

bool intersects(const Value& a, const Value& b, Arena& arena) {
  for (Cursor c(a, arena); !c.done(); c.next()) {
    if (has_item(b, c.item(), arena)) return true;
  }
  return false;
}

}  // namespace

const Library& sets_library() {
  static const Library* const library = [] {
    auto* out = new Library("sets");
    const Type* list = out->types().list(out->types().param("T"));
    out->function("sets.contains")
        .global("list_sets_contains_list", {list, list}, &types::boolean,
                [](EvalContext& c, Args x) {
                  return Value::boolean(contains_all(x[0], x[1], c.arena));
                });
    out->function("sets.equivalent")
        .global("list_sets_equivalent_list", {list, list}, &types::boolean,
                [](EvalContext& c, Args x) {
                  return Value::boolean(contains_all(x[0], x[1], c.arena) &&
                                        contains_all(x[1], x[0], c.arena));
                });
    out->function("sets.intersects")
        .global(
            "list_sets_intersects_list", {list, list}, &types::boolean,
            [](EvalContext& c, Args x) { return Value::boolean(intersects(x[0], x[1], c.arena)); });
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
