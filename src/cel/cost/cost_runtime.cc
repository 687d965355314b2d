#include "cel/cost/cost_runtime.h"

#include <unordered_map>

#include "base/utf8.h"
#include "cel/cost/cost_range.h"
#include "cel/lib/k8s_libraries.h"
#include "cel/syntax/operators.h"
#include "cel/value/containers.h"

// Costs as they are counted while an expression runs: the same model as the estimate
// (cost_estimate.cc), with the sizes of the values at hand instead of the largest that the schema
// allows. Which function of this file counts a call is decided once, when a program is planned.

namespace strake::cel {
namespace {

using Values = std::span<const Value>;

constexpr std::uint64_t kListCreationCost = 10;

std::uint64_t size_of(const Value& v) {
  switch (v.kind()) {
    case Kind::kString: return utf8::count(v.as_text());
    case Kind::kBytes: return v.as_text().size();
    case Kind::kList: return list_size(v);
    case Kind::kMap: return map_size(v);
    case Kind::kObject:
      if (v.node() != nullptr) return v.node()->size();
      return k8s_object_size(*v.as_object());
    default: return 1;
  }
}

std::uint64_t walk(const Value& v, double factor = kTraversalFactor) {
  return scaled(size_of(v), factor);
}

std::uint64_t free_of_size(Values, const Value&) { return 1; }
std::uint64_t first_walked(Values x, const Value&) { return walk(x[0]); }
std::uint64_t first_walked_twice(Values x, const Value&) {
  return walk(x[0], 2 * kTraversalFactor);
}
std::uint64_t result_walked_twice(Values, const Value& result) {
  return walk(result, 2 * kTraversalFactor);
}
std::uint64_t second_size(Values x, const Value&) { return size_of(x[1]); }
std::uint64_t both_walked(Values x, const Value&) {
  return scaled(size_of(x[0]) + size_of(x[1]), kTraversalFactor);
}
std::uint64_t shorter_walked(Values x, const Value&) {
  return scaled(std::min(size_of(x[0]), size_of(x[1])), kTraversalFactor);
}
std::uint64_t equality(Values x, const Value& result) {
  return x[0].as_object() != nullptr ? 1 : shorter_walked(x, result);
}
std::uint64_t text_search(Values x, const Value&) {
  return saturating_multiply(walk(x[0]), walk(x[1]));
}
std::uint64_t pattern_search(Values x, const Value&) {
  return saturating_multiply(scaled(size_of(x[0]) + 1, kTraversalFactor),
                             walk(x[1], kPatternFactor));
}
std::uint64_t authorization_check_cost(Values, const Value&) { return 350'000; }

// A parsed selector costs a list, a walk over the text, and a requirement for every two characters
// of it at most. The factors are those of kube-apiserver.
std::uint64_t selector_cost(Values x, const Value&) {
  return kListCreationCost + walk(x[1]) + scaled(walk(x[1], 0.5), 50);
}

std::uint64_t format_check(Values x, const Value&) {
  const std::uint64_t pattern =
      x[0].as_object() == nullptr ? 0 : k8s_format_regex_size(*x[0].as_object());
  return saturating_multiply(scaled(size_of(x[1]) + 1, kTraversalFactor),
                             scaled(pattern, kPatternFactor));
}

std::uint64_t contains_ip_cost(Values x, const Value&) {
  return scaled(2 * size_of(x[0]), kTraversalFactor);
}
std::uint64_t contains_ip_text_cost(Values x, const Value& result) {
  return contains_ip_cost(x, result) + walk(x[1]);
}
std::uint64_t contains_cidr_cost(Values x, const Value& result) {
  return contains_ip_cost(x, result) + walk(x[0]) + 1;
}
std::uint64_t contains_cidr_text_cost(Values x, const Value& result) {
  return contains_cidr_cost(x, result) + walk(x[1]);
}

// Every scalar 1, text by its length, rounded down.
std::uint64_t traversal(const Value& v, Arena& scratch) {
  switch (v.kind()) {
    case Kind::kString:
    case Kind::kBytes:
      return static_cast<std::uint64_t>(static_cast<double>(v.as_text().size()) * kTraversalFactor);
    case Kind::kList:
    case Kind::kMap: {
      std::uint64_t sum = 0;
      for (Cursor c(v, scratch); !c.done(); c.next()) {
        sum = saturating_add(sum, traversal(c.item(), scratch));
        if (v.is(Kind::kMap)) sum = saturating_add(sum, traversal(c.value(), scratch));
      }
      return sum;
    }
    case Kind::kObject: return v.node() != nullptr ? v.node()->size() : 1;
    default: return 1;
  }
}

std::uint64_t first_traversed(Values x, const Value&) {
  Arena scratch;
  return traversal(x[0], scratch);
}

std::uint64_t allocation(double factor, std::uint64_t size) {
  return saturating_add(
      static_cast<std::uint64_t>(std::min(static_cast<double>(size) * factor, 1e18)),
      1 + kListCreationCost);
}

std::uint64_t new_list_cost(Values, const Value& result) { return allocation(1, size_of(result)); }

std::uint64_t flatten_cost(Values x, const Value&) {
  const bool given = x.size() == 2 && x[1].is(Kind::kInt);
  const double depth = given ? static_cast<double>(x[1].as_int()) : 1.0;
  return allocation(std::max(depth, 0.0), size_of(x[0]));
}

// Sorting and distinct are charged as if every item were compared with every other, as cel-go
// charges them, whatever the algorithm here.
std::uint64_t self_compare(const Value& list) {
  const std::uint64_t size = list.is(Kind::kList) ? list_size(list) : 0;
  if (size == 0) return allocation(2, 0);
  Arena scratch;
  const Kind kind = list_at(list, 0, scratch).kind();
  const bool text = kind == Kind::kString || kind == Kind::kBytes;
  return allocation(text ? 2 + kTraversalFactor : 2, saturating_multiply(size, size));
}

std::uint64_t first_self_compared(Values x, const Value&) { return self_compare(x[0]); }
std::uint64_t keys_self_compared(Values x, const Value&) { return self_compare(x[1]); }

std::uint64_t pairs(Values x) { return saturating_multiply(size_of(x[0]), size_of(x[1])); }
std::uint64_t set_cost(Values x, const Value&) { return saturating_add(pairs(x), 1); }
std::uint64_t set_cost_twice(Values x, const Value&) {
  return saturating_add(saturating_multiply(pairs(x), 2), 1);
}

using Table = std::unordered_map<std::string_view, RuntimeCost>;

const Table& costs_by_overload() {
  static const auto* const table = new Table{
      {"list_slice", new_list_cost},
      {"list_flatten", flatten_cost},
      {"list_flatten_int", flatten_cost},
      {"lists_range", new_list_cost},
      {"list_reverse", new_list_cost},
      {"list_distinct", first_self_compared},
      {"list_sets_contains_list", set_cost},
      {"list_sets_intersects_list", set_cost},
      {"list_sets_equivalent_list", set_cost_twice},
      {"cidr_ip", free_of_size},
      {"cidr_contains_ip_string", contains_ip_text_cost},
      {"cidr_contains_cidr_string", contains_cidr_text_cost},
  };
  return *table;
}

const Table& costs_by_function() {
  static const auto* const table = [] {
    auto* out = new Table{
        {"check", authorization_check_cost},
        {"fieldSelector", selector_cost},
        {"labelSelector", selector_cost},
        {"join", result_walked_twice},
        {"find", pattern_search},
        {"findAll", pattern_search},
        {"ip.isCanonical", first_walked_twice},
        {"containsIP", contains_ip_cost},
        {"containsCIDR", contains_cidr_cost},
        {"validate", format_check},
        {op::kEqual, equality},
        {"replace", first_walked_twice},
        {"split", first_walked_twice},
    };
    for (auto name : {"isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"}) {
      out->emplace(name, first_traversed);
    }
    for (auto name :
         {"url", "lowerAscii", "upperAscii", "substring", "trim", "jsonpatch.escapeKey", "cidr",
          "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver"}) {
      out->emplace(name, first_walked);
    }
    return out;
  }();
  return *table;
}

// The standard functions, where Kubernetes has nothing to say.
const Table& standard_costs() {
  static const auto* const table = new Table{
      {"starts_with_string", first_walked},
      {"ends_with_string", first_walked},
      {"string_to_bytes", first_walked},
      {"bytes_to_string", first_walked},
      {"strings_quote", first_walked},
      {"string_format", first_walked},
      {"in_list", second_size},
      {"less_string", shorter_walked},
      {"greater_string", shorter_walked},
      {"less_equals_string", shorter_walked},
      {"greater_equals_string", shorter_walked},
      {"less_bytes", shorter_walked},
      {"greater_bytes", shorter_walked},
      {"less_equals_bytes", shorter_walked},
      {"greater_equals_bytes", shorter_walked},
      {"not_equals", shorter_walked},
      {"add_string", both_walked},
      {"add_bytes", both_walked},
      {"matches_string", pattern_search},
      {"contains_string", text_search},
  };
  return *table;
}

RuntimeCost look_up(const Table& table, std::string_view key) {
  const auto it = table.find(key);
  return it == table.end() ? nullptr : it->second;
}

}  // namespace

RuntimeCost kubernetes_call_cost(std::string_view function, std::string_view overload) {
  // From the most specific to the least: by overload, by the name of the function (which
  // Kubernetes' own cost table uses), then the standard library.
  if (const RuntimeCost own = look_up(costs_by_overload(), overload)) return own;
  if (overload.starts_with("list_")) {
    if (overload.ends_with("_sort")) return first_self_compared;
    if (overload.ends_with("_sortByAssociatedKeys")) return keys_self_compared;
  }
  if (const RuntimeCost own = look_up(costs_by_function(), function)) return own;
  return look_up(standard_costs(), overload);
}

}  // namespace strake::cel
