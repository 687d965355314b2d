#include "cel/cost/cost_estimate.h"

#include <array>
#include <vector>

#include "base/utf8.h"
#include "cel/cost/cost_calls.h"
#include "cel/syntax/operators.h"

// One walk over the checked tree, leaves first, that computes two things side by side: the range of
// costs of each expression, and what is known of its value's size. Sizes come from three sources,
// in this order: what an expression's own text fixes (literals), where in the declared data it
// stands (the schema's maxLength, maxItems and the like, by Place), and what functions say of their
// results. A comprehension multiplies the cost of its body by the size of its range: that is what
// makes nested loops over unbounded lists exceed the budget.
//
// The numbers are compared with recorded ones, so every rule is that of cel-go v0.26 with its
// peculiarities, even where a tighter estimate would be easy: a rule that kube-apiserver accepts
// must be accepted here, and one that it refuses, refused. All arithmetic saturates.

namespace strake::cel {
namespace {

constexpr CostRange kOne = CostRange::exactly(1);
constexpr CostRange kListCreation = CostRange::exactly(10);
constexpr CostRange kMapCreation = CostRange::exactly(30);
constexpr CostRange kStructCreation = CostRange::exactly(40);

// Where in the declared data the value of an expression stands.
struct Place {
  enum class Kind : std::uint8_t {
    kNone,  // it was computed
    kDeclared,
    kMapKey,
    kUnknown,  // reached by a way that the declarations do not have
  };
  Kind kind = Kind::kNone;
  const DocumentShape* shape = nullptr;
};

// Sizes of what a list or map holds.
struct EntrySize {
  bool of_list = true;
  SizeRange key;
  SizeRange value;
};

struct Known {
  Place place;
  std::optional<SizeRange> size;
  std::optional<EntrySize> entry;
};

struct Local {
  std::string_view name;
  Known known;
};

enum class Step : std::uint8_t { kItem, kValue, kKey, kIndex };

bool is_fixed_size(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBool:
    case TypeKind::kInt:
    case TypeKind::kUint:
    case TypeKind::kDouble:
    case TypeKind::kTimestamp:
    case TypeKind::kDuration: return !type.wrapper;
    case TypeKind::kOpaque: return type.is_optional() && is_fixed_size(*type.params[0]);
    default: return false;
  }
}

bool compares_by_size(std::string_view id) {
  static constexpr std::array<std::string_view, 10> kIds = {"equals",
                                                            "not_equals",
                                                            "less_string",
                                                            "greater_string",
                                                            "less_bytes",
                                                            "greater_bytes",
                                                            "less_equals_string",
                                                            "less_equals_bytes",
                                                            "greater_equals_string",
                                                            "greater_equals_bytes"};
  return std::ranges::find(kIds, id) != kIds.end();
}

std::optional<EntrySize> joined(const std::optional<EntrySize>& a,
                                const std::optional<EntrySize>& b) {
  if (!a || !b) return std::nullopt;
  return EntrySize{a->of_list, a->key.joined(b->key), a->value.joined(b->value)};
}

class CostWalk {
 public:
  CostWalk(const Ast& ast, const DocumentShape& root, const SizeEstimator& sizes)
      : root_(root), sizes_(sizes), known_(ast.last_id + 1) {}

  CostRange cost(const Expr* e) {
    switch (e->kind) {
      case ExprKind::kIdent: return ident(e);
      case ExprKind::kSelect: return select(e);
      case ExprKind::kCall: return call(e);
      case ExprKind::kList: return list(e);
      case ExprKind::kMap: return map(e);
      case ExprKind::kStruct: return structure(e);
      case ExprKind::kComprehension: return is_bind(e) ? bind(e) : fold(e);
      default: return {};
    }
  }

 private:
  Known& known(const Expr* e) { return known_[e->id]; }

  const Local* find_local(std::string_view name) const {
    for (std::size_t i = locals_.size(); i > 0; --i) {
      if (locals_[i - 1].name == name) return &locals_[i - 1];
    }
    return nullptr;
  }

  Place place(const Expr* e) {
    if (e->kind == ExprKind::kIdent) {
      if (const Local* local = find_local(e->name)) return local->known.place;
    }
    return known(e).place;
  }

  // cel-go in kube-apiserver 1.36 drops the first step of a path as if it were the variable. What
  // stands behind a computed value therefore counts as the root.
  Place declared(const DocumentShape* shape) const {
    if (shape == nullptr) return {Place::Kind::kUnknown};
    return {Place::Kind::kDeclared, shape};
  }

  Place field_of(Place from, std::string_view name) const {
    if (from.kind == Place::Kind::kNone) return declared(&root_);
    if (from.kind != Place::Kind::kDeclared) return {Place::Kind::kUnknown};
    const DocumentField* field = from.shape->find_field(name);
    return declared(field == nullptr ? nullptr : field->shape);
  }

  Place step_from(Place from, Step step) const {
    if (from.kind == Place::Kind::kNone) return declared(&root_);
    if (from.kind != Place::Kind::kDeclared) return {Place::Kind::kUnknown};
    const DocumentShape::Kind kind = from.shape->kind;
    switch (step) {
      case Step::kItem:
      case Step::kValue:
        if (kind != DocumentShape::Kind::kList && kind != DocumentShape::Kind::kMap)
          return {Place::Kind::kUnknown};
        return declared(from.shape->element);
      case Step::kKey:
        return {kind == DocumentShape::Kind::kMap ? Place::Kind::kMapKey : Place::Kind::kUnknown};
      case Step::kIndex: break;
    }
    return {Place::Kind::kUnknown};
  }

  std::optional<SizeRange> declared_size(Place at) const {
    switch (at.kind) {
      case Place::Kind::kDeclared: return SizeRange{0, sizes_.max_size(*at.shape)};
      case Place::Kind::kMapKey: return SizeRange{0, 0};
      default: return std::nullopt;
    }
  }

  static std::optional<SizeRange> written_size(const Expr* e) {
    switch (e->kind) {
      case ExprKind::kLiteral:
        if (e->literal.is(Kind::kString)) {
          return SizeRange::exactly(utf8::count(e->literal.as_text()));
        }
        if (e->literal.is(Kind::kBytes)) return SizeRange::exactly(e->literal.as_text().size());
        return SizeRange::exactly(1);
      case ExprKind::kList: return SizeRange::exactly(e->args.size());
      case ExprKind::kMap: return SizeRange::exactly(e->entries.size());
      default: return std::nullopt;
    }
  }

  std::optional<SizeRange> size(const Expr* e) {
    if (known(e).size) return known(e).size;
    if (const auto written = written_size(e)) return written;
    if (const auto found = declared_size(place(e))) {
      known(e).size = found;
      return found;
    }
    if (is_fixed_size(*e->type)) return SizeRange::exactly(1);
    if (e->kind == ExprKind::kIdent) {
      if (const Local* local = find_local(e->name)) return local->known.size;
    }
    return std::nullopt;
  }

  SizeRange size_or_unknown(const Expr* e) { return size(e).value_or(SizeRange::unknown()); }

  std::optional<EntrySize> entry_size(const Expr* e) {
    if (known(e).entry) return known(e).entry;
    if (e->kind == ExprKind::kIdent) {
      if (const Local* local = find_local(e->name)) return local->known.entry;
    }
    return std::nullopt;
  }

  CostRange ident(const Expr* e) {
    const Local* local = find_local(e->name);
    known(e).place = local != nullptr ? local->known.place : declared(&root_);
    return kOne;
  }

  CostRange select(const Expr* e) {
    // A dotted name is one name.
    if (!e->reference.name.empty()) {
      known(e).place = declared(&root_);
      return kOne;
    }
    CostRange sum = cost(e->target);
    if (e->test_only) return sum;
    switch (e->target->type->kind) {
      case TypeKind::kMap:
      case TypeKind::kObject:
      case TypeKind::kParam: sum = sum + kOne; break;
      default: break;
    }
    known(e).place = field_of(place(e->target), e->name);
    return sum;
  }

  SizedExpr sized(const Expr* e) {
    SizedExpr out{e, size(e), std::nullopt};
    const Place at = place(e);
    if (at.kind != Place::Kind::kNone && !e->type->params.empty()) {
      out.item_size = declared_size(step_from(at, Step::kItem));
    }
    return out;
  }

  CostRange call(const Expr* e) {
    if (e->name == "dyn" && e->args.size() == 1) {
      const CostRange argument = cost(e->args[0]);
      known(e).size = size(e->args[0]);
      known(e).entry = entry_size(e->args[0]);
      return kOne + argument;
    }
    std::vector<CostRange> costs;
    std::vector<SizedExpr> args;
    for (const Expr* arg : e->args) {
      costs.push_back(cost(arg));
      args.push_back(sized(arg));
    }
    CostRange sum;
    for (const CostRange& c : costs) sum = sum + c;
    if (e->name == op::kOptionalSelect) return sum + kOne;
    if (e->reference.overloads.empty()) return {};
    CostRange target_cost;
    std::optional<SizedExpr> target;
    if (e->target != nullptr) {
      target_cost = cost(e->target);
      target = sized(e->target);
    }
    // Which overload runs may be known only at run time: the estimate spans all of them. It starts
    // as the empty range, the neutral element of joined().
    CostRange total{kUnbounded, 0};
    std::optional<SizeRange> result;
    for (const Overload* overload : e->reference.overloads) {
      const CallEstimate estimate =
          overload_cost(e, *overload, target ? &*target : nullptr, args, costs, sum);
      total = total.joined(estimate.cost);
      if (estimate.result_size) {
        result = result ? result->joined(*estimate.result_size) : *estimate.result_size;
      }
      const bool list = overload->id == "index_list";
      if (list || overload->id == "index_map") {
        const auto entry = entry_size(e->args[0]);
        result = entry ? std::optional(entry->value) : std::nullopt;
        known(e).place = step_from(place(e->args[0]), list ? Step::kItem : Step::kValue);
      }
      if (!result) result = size(e);
    }
    if (result) known(e).size = result;
    return target_cost + total;
  }

  CallEstimate overload_cost(const Expr* e, const Overload& overload, const SizedExpr* target,
                             std::span<const SizedExpr> args, std::span<const CostRange> costs,
                             CostRange sum) {
    if (auto own = estimate_call(e->name, overload, target, args)) {
      own->cost = own->cost + sum;
      return *own;
    }
    const std::string_view id = overload.id;
    if (id == "logical_or" || id == "logical_and") {
      // The right side may never be evaluated.
      return {{costs[0].min, (costs[0] + costs[1]).max}, {}};
    }
    if (id == "conditional") {
      const SizeRange size = args[1].size_or_unknown().joined(args[2].size_or_unknown());
      if (auto entry = joined(entry_size(e->args[1]), entry_size(e->args[2]))) {
        known(e).entry = entry;
      }
      return {costs[0] + costs[1].joined(costs[2]), size};
    }
    if (id == "add_string" || id == "add_bytes" || id == "add_list") {
      const SizeRange size = args[0].size_or_unknown() + args[1].size_or_unknown();
      if (auto entry = joined(entry_size(e->args[0]), entry_size(e->args[1]))) {
        known(e).entry = entry;
      }
      return {(id == "add_list" ? kOne : size.by(kTraversalFactor)) + sum, size};
    }
    if (compares_by_size(id)) {
      const std::uint64_t most =
          std::min(args[0].size_or_unknown().max, args[1].size_or_unknown().max);
      const CostRange own{most > 0 ? 1u : 0u, most};
      return {own.by(kTraversalFactor) + sum, {}};
    }
    return {kOne + sum, {}};
  }

  CostRange list(const Expr* e) {
    CostRange sum;
    SizeRange item{e->args.empty() ? 0 : kUnbounded, 0};
    for (const Expr* arg : e->args) {
      sum = sum + cost(arg);
      item = item.joined(size_or_unknown(arg));
    }
    known(e).entry = EntrySize{true, SizeRange::exactly(1), item};
    return sum + kListCreation;
  }

  CostRange map(const Expr* e) {
    CostRange sum;
    SizeRange key{e->entries.empty() ? 0 : kUnbounded, 0};
    SizeRange value = key;
    for (const Entry& entry : e->entries) {
      sum = sum + cost(entry.key) + cost(entry.value);
      key = key.joined(size_or_unknown(entry.key));
      value = value.joined(size_or_unknown(entry.value));
    }
    known(e).entry = EntrySize{false, key, value};
    return sum + kMapCreation;
  }

  CostRange structure(const Expr* e) {
    CostRange sum = kStructCreation;
    for (const Entry& entry : e->entries) sum = sum + cost(entry.value);
    return sum;
  }

  // The variable of an iteration over the keys, the values, or what a single variable sees.
  void push_iteration(std::string_view name, const Expr* range, bool wants_value) {
    const std::optional<EntrySize> entry = entry_size(range);
    const bool over_list = entry ? entry->of_list : range->type->kind == TypeKind::kList;
    const Step step = wants_value ? (over_list ? Step::kItem : Step::kValue)
                                  : (over_list ? Step::kIndex : Step::kKey);
    std::optional<SizeRange> size;
    if (entry) size = wants_value ? entry->value : entry->key;
    locals_.push_back({name, {step_from(place(range), step), size, std::nullopt}});
  }

  void push_local(std::string_view name, const Expr* init) {
    locals_.push_back({name, {place(init), size(init), entry_size(init)}});
  }

  CostRange fold(const Expr* e) {
    const Comprehension& c = *e->comprehension;
    CostRange sum = cost(c.range) + cost(c.init);
    const std::size_t outer = locals_.size();
    push_local(c.accu_var, c.init);
    const std::size_t before_loop = locals_.size();
    if (!c.iter_var2.empty()) {
      push_iteration(c.iter_var, c.range, false);
      push_iteration(c.iter_var2, c.range, true);
    } else {
      const std::optional<EntrySize> entry = entry_size(c.range);
      const bool list = entry ? entry->of_list : c.range->type->kind == TypeKind::kList;
      push_iteration(c.iter_var, c.range, list);
    }
    const CostRange condition = cost(c.condition);
    const CostRange step = cost(c.step);
    locals_.resize(before_loop);
    sum = sum + cost(c.result);
    locals_.resize(outer);
    const SizeRange count = size_or_unknown(c.range);
    // How large the result is, by how it is accumulated: all() and exists() end in a bool, map()
    // and filter() in as many items as the range has at most.
    if (c.init->kind == ExprKind::kLiteral) {
      known(e).size = size(c.init);
    } else if (c.init->kind == ExprKind::kList || c.init->kind == ExprKind::kMap) {
      known(e).size = count;
      if (const auto entry = entry_size(c.step)) known(e).entry = entry;
    }
    return sum + count * (step + condition);
  }

  // cel.bind(x, init, result) is a comprehension over nothing that never runs its loop: it costs
  // what its parts cost, once.
  static bool is_bind(const Expr* e) {
    const Comprehension& c = *e->comprehension;
    return c.range->kind == ExprKind::kList && c.range->args.empty() &&
           c.condition->kind == ExprKind::kLiteral && c.condition->literal.is_false();
  }

  CostRange bind(const Expr* e) {
    const Comprehension& c = *e->comprehension;
    CostRange sum = cost(c.range) + cost(c.init);
    push_local(c.accu_var, c.init);
    sum = sum + cost(c.result);
    locals_.pop_back();
    known(e).size = size(c.result);
    known(e).entry = entry_size(c.result);
    return sum;
  }

  const DocumentShape& root_;
  const SizeEstimator& sizes_;
  std::vector<Known> known_;  // by node id
  std::vector<Local> locals_;
};

}  // namespace

CostRange estimate_cost(const Ast& ast, const DocumentShape& root, const SizeEstimator& sizes) {
  return CostWalk(ast, root, sizes).cost(ast.root);
}

}  // namespace strake::cel
