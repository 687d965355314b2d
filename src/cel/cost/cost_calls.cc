#include "cel/cost/cost_calls.h"

#include <cmath>
#include <string_view>
#include <unordered_map>

#include "cel/syntax/operators.h"

// What a call may cost at most and at least, and how large its result can be, from the sizes of its
// arguments: the cost model of Kubernetes' libraries (kube-apiserver 1.36) first, then that of
// cel-go's extensions and standard functions. An estimate that does not apply is empty, and the
// next rule is asked. kTraversalFactor is a tenth of a unit per character, and every scaling rounds
// up.
//
// Where a formula looks loose (split, replace, slice) it is the upstream one: the number decides
// whether a CRD is accepted, so a better bound would be a different answer.

namespace strake::cel {
namespace {

constexpr std::uint64_t kListBase = 10;
constexpr std::uint64_t kStructBase = 40;
constexpr std::uint64_t kAuthorizationCheck = 350'000;
constexpr std::uint64_t kFormatPatternSize = 128;
constexpr std::uint64_t kFormatSize = 64;

struct Call {
  const Overload& overload;
  const SizedExpr* target;
  std::span<const SizedExpr> args;
};

using Estimate = std::optional<CallEstimate>;
using Estimator = Estimate (*)(const Call& call);

Estimate one(const Call&) { return CallEstimate{CostRange::exactly(1), {}}; }

Estimate first_argument(const Call& call) {
  if (call.args.empty()) return std::nullopt;
  return CallEstimate{call.args[0].size_or_unknown().by(kTraversalFactor), {}};
}

Estimate ip(const Call& call) {
  return call.overload.id == "cidr_ip" ? one(call) : first_argument(call);
}

Estimate is_canonical(const Call& call) {
  if (call.args.empty()) return std::nullopt;
  return CallEstimate{call.args[0].size_or_unknown().by(2 * kTraversalFactor), {}};
}

// The result is as long as the text given.
Estimate same_length_argument(const Call& call) {
  if (call.args.size() != 1) return std::nullopt;
  const SizeRange size = call.args[0].size_or_unknown();
  return CallEstimate{size.by(kTraversalFactor), size};
}

Estimate same_length_target(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  const SizeRange size = call.target->size_or_unknown();
  return CallEstimate{size.by(kTraversalFactor), size};
}

Estimate selector(const Call& call) {
  if (call.args.size() != 1) return std::nullopt;
  const SizeRange length = call.args[0].size_or_unknown();
  const CostRange requirements = length.by(0.5).by(kListBase + kStructBase);
  return CallEstimate{CostRange::exactly(kListBase) + length.by(kTraversalFactor) + requirements,
                      {}};
}

Estimate list_walk(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  const SizeRange size = call.target->size_or_unknown();
  const Type* type = call.target->expr->type;
  if (type->params.empty()) return CallEstimate{size.by(kTraversalFactor), {}};  // text
  CostRange each = CostRange::exactly(1);
  const TypeKind kind = type->params[0]->kind;
  if (kind == TypeKind::kString || kind == TypeKind::kBytes) {
    each = each + call.target->item_size.value_or(SizeRange::unknown()).by(kTraversalFactor);
  }
  return CallEstimate{size * each, {}};
}

// How often `what` can be found, and what then stays of the text.
struct Replacements {
  std::uint64_t count = 0;
  std::uint64_t kept = 0;
};

std::uint64_t plus_one(std::uint64_t n) { return n == kUnbounded ? n : n + 1; }

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) {
  const double out = std::ceil(static_cast<double>(a) / static_cast<double>(b));
  return out >= 18446744073709551616.0 ? kUnbounded : static_cast<std::uint64_t>(out);
}

Estimate replace(const Call& call) {
  if (call.target == nullptr || call.args.size() < 2) return std::nullopt;
  const SizeRange size = call.target->size_or_unknown();
  const SizeRange what = call.args[0].size_or_unknown();
  const SizeRange with = call.args[1].size_or_unknown();
  // A replacement makes the text longer only when it is longer than what it replaces; the extremes
  // are all of the text replaced, or nothing.
  Replacements most;
  if (what.min == 0) {
    most = {plus_one(size.max), size.max};  // an empty text is found around every character
  } else if (with.max <= what.min) {
    most = {0, size.max};
  } else {
    most = {divided_up(size.max, what.min), 0};
  }
  Replacements least;
  if (what.max == 0) {
    least = {plus_one(size.min), size.min};
  } else if (what.max <= with.min) {
    least = {0, size.min};
  } else {
    least = {divided_up(size.min, what.max), 0};
  }
  const SizeRange result =
      SizeRange{least.count, most.count} * with + SizeRange{least.kept, most.kept};
  return CallEstimate{size.by(2 * kTraversalFactor), result};
}

Estimate split(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  const SizeRange size = call.target->size_or_unknown();
  std::uint64_t most = size.max;
  if (call.args.size() > 1) {
    const Expr& limit = *call.args[1].expr;
    if (limit.kind == ExprKind::kLiteral && limit.literal.is(Kind::kInt)) {
      most = limit.literal.as_uint();
    }
  }
  return CallEstimate{size.by(2 * kTraversalFactor), SizeRange{0, most}};
}

Estimate join(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  const SizeRange count = call.target->size_or_unknown();
  SizeRange size;
  if (!call.target->expr->type->params.empty()) {
    size = count * call.target->item_size.value_or(SizeRange::unknown());
  }
  if (!call.args.empty()) {
    const SizeRange separators{count.min > 0 ? count.min - 1 : 0,
                               count.max > 0 ? count.max - 1 : 0};
    size = size + call.args[0].size_or_unknown() * separators;
  }
  return CallEstimate{size.by(kTraversalFactor), size};
}

CostRange match_cost(SizeRange text, SizeRange pattern) {
  // One more, so that matching an empty text is not free.
  return (text + SizeRange::exactly(1)).by(kTraversalFactor) * pattern.by(kPatternFactor);
}

Estimate find(const Call& call) {
  if (call.target == nullptr || call.args.empty()) return std::nullopt;
  const SizeRange text = call.target->size_or_unknown();
  return CallEstimate{match_cost(text, call.args[0].size_or_unknown()), SizeRange{0, text.max}};
}

constexpr SizeRange kAddressBytes{4, 16};

CostRange contains_cost(const Call& call, std::string_view text_overload) {
  CostRange cost = (kAddressBytes + kAddressBytes).by(kTraversalFactor);
  if (call.overload.id == text_overload) {
    cost = cost + call.args[0].size_or_unknown().by(kTraversalFactor);
  }
  return cost;
}

Estimate contains_ip(const Call& call) {
  if (call.args.empty()) return std::nullopt;
  return CallEstimate{contains_cost(call, "cidr_contains_ip_string"), {}};
}

Estimate contains_cidr(const Call& call) {
  if (call.args.empty()) return std::nullopt;
  return CallEstimate{contains_cost(call, "cidr_contains_cidr_string") +
                          kAddressBytes.by(kTraversalFactor) + CostRange::exactly(1),
                      {}};
}

Estimate format_validate(const Call& call) {
  if (call.args.empty()) return std::nullopt;
  return CallEstimate{call.args[0]
                          .size_or_unknown()
                          .by(kTraversalFactor)
                          .by(static_cast<double>(kFormatPatternSize) * kPatternFactor),
                      {}};
}

// Of the opaque types that Kubernetes adds; others are compared by size.
Estimate equals(const Call& call) {
  if (call.args.size() != 2) return std::nullopt;
  const Type& left = *call.args[0].expr->type;
  if (!same_type(left, *call.args[1].expr->type)) return std::nullopt;
  if (left.name == "kubernetes.NamedFormat") {
    return CallEstimate{CostRange{1, kFormatSize}.by(kTraversalFactor), {}};
  }
  if (left.name == "kubernetes.URL") {
    const std::uint64_t most = call.args[1].size.value_or(SizeRange::exactly(1)).max;
    return CallEstimate{CostRange{1, most}.by(kTraversalFactor), {}};
  }
  const bool fixed = left.name == "net.IP" || left.name == "net.CIDR" ||
                     left.name == "kubernetes.Quantity" || left.name == "kubernetes.Semver" ||
                     left.name.starts_with("kubernetes.authorization.");
  return fixed ? one(call) : std::nullopt;
}

Estimate authorization_check(const Call&) {
  return CallEstimate{CostRange::exactly(kAuthorizationCheck), {}};
}

const std::unordered_map<std::string_view, Estimator>& by_function() {
  static const auto* const table = [] {
    auto* out = new std::unordered_map<std::string_view, Estimator>;
    for (auto name : {"serviceAccount",
                      "path",
                      "group",
                      "resource",
                      "subresource",
                      "namespace",
                      "name",
                      "allowed",
                      "reason",
                      "error",
                      "errored",
                      "masked",
                      "prefixLength",
                      "family",
                      "isUnspecified",
                      "isLoopback",
                      "isLinkLocalMulticast",
                      "isLinkLocalUnicast",
                      "isGlobalUnicast",
                      "format.named",
                      "sign",
                      "asInteger",
                      "isInteger",
                      "asApproximateFloat",
                      "isGreaterThan",
                      "isLessThan",
                      "compareTo",
                      "add",
                      "sub",
                      "major",
                      "minor",
                      "patch",
                      "getScheme",
                      "getHostname",
                      "getHost",
                      "getPort",
                      "getEscapedPath",
                      "getQuery"}) {
      out->emplace(name, one);
    }
    for (auto name : {"isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"}) {
      out->emplace(name, list_walk);
    }
    for (auto name : {"lowerAscii", "upperAscii", "substring", "trim"}) {
      out->emplace(name, same_length_target);
    }
    for (auto name : {"cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"}) {
      out->emplace(name, first_argument);
    }
    const std::pair<std::string_view, Estimator> rest[] = {
        {"check", authorization_check},
        {"fieldSelector", selector},
        {"labelSelector", selector},
        {"url", same_length_argument},
        {"jsonpatch.escapeKey", same_length_argument},
        {"replace", replace},
        {"split", split},
        {"join", join},
        {"find", find},
        {"findAll", find},
        {"ip", ip},
        {"ip.isCanonical", is_canonical},
        {"containsIP", contains_ip},
        {"containsCIDR", contains_cidr},
        {"validate", format_validate},
        {op::kEqual, equals}};
    for (const auto& [name, estimator] : rest) out->emplace(name, estimator);
    return out;
  }();
  return *table;
}

CallEstimate allocating(double factor, SizeRange size) {
  return {size.by(factor) + CostRange::exactly(1 + kListBase), size};
}

std::uint64_t literal_or(const SizedExpr& e, std::uint64_t otherwise) {
  if (e.expr->kind != ExprKind::kLiteral || !e.expr->literal.is(Kind::kInt)) return otherwise;
  return e.expr->literal.as_int() < 0 ? 0 : e.expr->literal.as_uint();
}

Estimate sort_estimate(const Call& call) {
  const bool by_keys = !call.args.empty();
  const SizeRange size = by_keys ? call.args[0].size_or_unknown() : call.target->size_or_unknown();
  const Type* list = call.overload.params[by_keys ? 1 : 0];
  const TypeKind element = list->params[0]->kind;
  const bool text = element == TypeKind::kString || element == TypeKind::kBytes;
  return allocating(text ? 2.0 + kTraversalFactor : 2.0, size * size);
}

// The overloads of the lists and sets libraries.
Estimate list_estimate(const Call& call) {
  const std::string_view id = call.overload.id;
  if (id == "list_slice") {
    const std::uint64_t end = literal_or(call.args[1], call.target->size_or_unknown().max);
    return allocating(1, SizeRange::exactly(end - literal_or(call.args[0], 0)));
  }
  if (id == "lists_range") {
    return allocating(1, SizeRange::exactly(literal_or(call.args[0], kUnbounded)));
  }
  if (id == "list_reverse" || id == "list_flatten") {
    return allocating(1, call.target->size_or_unknown());
  }
  if (id == "list_flatten_int") {
    return allocating(static_cast<double>(literal_or(call.args[0], kUnbounded)),
                      call.target->size_or_unknown());
  }
  if (id == "list_distinct") {
    const SizeRange size = call.target->size_or_unknown();
    return allocating(2, size * size);
  }
  if (id.starts_with("list_sets_")) {
    const double factor = id == "list_sets_equivalent_list" ? 2 : 1;
    const SizeRange pairs = call.args[0].size_or_unknown() * call.args[1].size_or_unknown();
    return CallEstimate{pairs.by(factor) + CostRange::exactly(1), {}};
  }
  if (id.ends_with("_sort") || id.ends_with("_sortByAssociatedKeys")) return sort_estimate(call);
  return std::nullopt;
}

}  // namespace

std::optional<CallEstimate> estimate_call(std::string_view function, const Overload& overload,
                                          const SizedExpr* target,
                                          std::span<const SizedExpr> args) {
  const Call call{overload, target, args};
  if (overload.id.starts_with("list")) {
    if (const Estimate known = list_estimate(call)) return known;
  }
  const auto& table = by_function();
  if (const auto it = table.find(function); it != table.end()) {
    if (const Estimate known = it->second(call)) return known;
  }
  const std::string_view id = overload.id;
  auto argument = [&](std::size_t i) { return args[i].size_or_unknown(); };
  if (id == "string_format" && target != nullptr) {
    return CallEstimate{target->size_or_unknown().by(kTraversalFactor), {}};
  }
  if (id == "string_to_bytes" && args.size() == 1) {
    return CallEstimate{argument(0).by(kTraversalFactor),
                        SizeRange{argument(0).min, argument(0).max * 4}};
  }
  if (id == "bytes_to_string" && args.size() == 1) {
    return CallEstimate{argument(0).by(kTraversalFactor),
                        SizeRange{argument(0).min / 4, argument(0).max}};
  }
  if (id == "strings_quote" && args.size() == 1) {
    return CallEstimate{argument(0).by(kTraversalFactor),
                        SizeRange{argument(0).min + 2, argument(0).max * 2 + 2}};
  }
  if ((id == "starts_with_string" || id == "ends_with_string") && args.size() == 1) {
    return CallEstimate{argument(0).by(kTraversalFactor), {}};
  }
  if (id == "in_list" && args.size() == 2) return CallEstimate{argument(1), {}};
  if (id == "matches_string" && target != nullptr && args.size() == 1) {
    return CallEstimate{match_cost(target->size_or_unknown(), argument(0)), {}};
  }
  if (id == "contains_string" && target != nullptr && args.size() == 1) {
    return CallEstimate{
        target->size_or_unknown().by(kTraversalFactor) * argument(0).by(kTraversalFactor), {}};
  }
  return std::nullopt;
}

}  // namespace strake::cel
