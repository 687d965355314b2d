#include "cel/check/unify.h"

#include <algorithm>

// Unification with bindings in a table: variable i is bound to bindings_[i]. assignable() binds on
// the way and undoes what it bound when it fails, by a log of the previous values, so that trying
// the overloads of a call one after another leaves no traces of those that do not fit.
//
// CEL's relation is looser than plain unification, and not symmetric in its effects: dyn fits
// everything, null fits what is nullable, and a variable that is bound already may be bound anew to
// a wider type (stands_for). The rules and their order are those of cel-go v0.26, since the order
// decides which types messages show.

namespace strake::cel {
namespace {

// Its address marks the types that a Unifier made as variables.
constexpr std::string_view kVariableName = "_var";

struct TypeVariable : Type {
  std::uint32_t index = 0;
};

bool is_variable(const Type* type) {
  return type->kind == TypeKind::kParam && type->name.data() == kVariableName.data();
}

std::uint32_t variable_index(const Type* variable) {
  return static_cast<const TypeVariable*>(variable)->index;
}

bool is_nullable(const Type* type) {
  switch (type->kind) {
    case TypeKind::kNull:
    case TypeKind::kAny:
    case TypeKind::kDuration:
    case TypeKind::kTimestamp:
    case TypeKind::kObject:
    case TypeKind::kOpaque: return true;
    default: return type->wrapper;
  }
}

bool equal_or_less_specific(const Type* a, const Type* b) {
  if (a->is_dyn() || a->kind == TypeKind::kParam) return true;
  if (b->is_dyn() || b->kind == TypeKind::kParam) return false;
  if (b->kind == TypeKind::kNull && is_nullable(a)) return true;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case TypeKind::kType: return true;
    case TypeKind::kOpaque:
      if (a->name != b->name) return false;
      [[fallthrough]];
    case TypeKind::kList:
    case TypeKind::kMap: return std::ranges::equal(a->params, b->params, equal_or_less_specific);
    default: return a->wrapper || !b->wrapper;
  }
}

}  // namespace

const Type* Unifier::new_variable() {
  auto* variable = new (arena_.allocate(sizeof(TypeVariable))) TypeVariable();
  variable->kind = TypeKind::kParam;
  variable->name = kVariableName;
  variable->index = static_cast<std::uint32_t>(bindings_.size());
  bindings_.push_back(nullptr);
  return variable;
}

const Type* Unifier::binding(const Type* variable) const {
  return is_variable(variable) ? bindings_[variable_index(variable)] : nullptr;
}

void Unifier::bind(const Type* variable, const Type* to) {
  if (!is_variable(variable)) return;
  undo_.push_back({variable_index(variable), bindings_[variable_index(variable)]});
  bindings_[variable_index(variable)] = to;
}

template <typename Rewrite>
const Type* Unifier::rebuild(const Type* type, Rewrite rewrite) {
  if (type->params.empty()) return type;
  const Type* parts[8];
  const std::size_t count = std::min<std::size_t>(type->params.size(), 8);
  bool changed = false;
  for (std::size_t i = 0; i < count; ++i) {
    parts[i] = rewrite(type->params[i]);
    changed = changed || parts[i] != type->params[i];
  }
  // Types are compared by address where they can be, so what did not change stays what it was.
  if (!changed) return type;
  switch (type->kind) {
    case TypeKind::kList: return make_.list(parts[0]);
    case TypeKind::kMap: return make_.map(parts[0], parts[1]);
    case TypeKind::kType: return make_.type_of(parts[0]);
    default: return make_.opaque(type->name, {parts, count});
  }
}

const Type* Unifier::instantiate(const Type* type, std::span<const Type* const> params,
                                 std::span<const Type* const> fresh) {
  if (type->kind == TypeKind::kParam) {
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (params[i]->name == type->name) return fresh[i];
    }
    return type;
  }
  return rebuild(type, [&](const Type* part) { return instantiate(part, params, fresh); });
}

const Type* Unifier::substitute(const Type* type, bool unbound_to_dyn) {
  while (const Type* bound = binding(type)) type = bound;
  if (type->kind == TypeKind::kParam) return unbound_to_dyn ? &types::dyn : type;
  return rebuild(type, [&](const Type* part) { return substitute(part, unbound_to_dyn); });
}

bool Unifier::assignable(const Type* a, const Type* b) { return assignable({&a, 1}, {&b, 1}); }

bool Unifier::assignable(std::span<const Type* const> a, std::span<const Type* const> b) {
  undo_.clear();
  if (assign_all(a, b)) return true;
  for (; !undo_.empty(); undo_.pop_back()) bindings_[undo_.back().variable] = undo_.back().previous;
  return false;
}

bool Unifier::assign_all(std::span<const Type* const> a, std::span<const Type* const> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!assign(a[i], b[i])) return false;
  }
  return true;
}

bool Unifier::assign(const Type* a, const Type* b) {
  if (b->kind == TypeKind::kParam) {
    const Substitution s = stands_for(a, b);
    if (s.valid) return true;
    if (s.bound) return false;
  }
  if (a->kind == TypeKind::kParam) return stands_for(b, a).valid;
  if (a->is_dyn_or_error() || b->is_dyn_or_error()) return true;
  if (a->kind == TypeKind::kNull) return is_nullable(b);
  if (b->kind == TypeKind::kNull) return is_nullable(a);
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case TypeKind::kType: return true;
    case TypeKind::kObject: return a->name == b->name && a->shape == b->shape;
    case TypeKind::kOpaque:
      if (a->name != b->name) return false;
      [[fallthrough]];
    case TypeKind::kList:
    case TypeKind::kMap: return assign_all(a->params, b->params);
    default: return true;
  }
}

Unifier::Substitution Unifier::stands_for(const Type* type, const Type* variable) {
  if (type == variable ||
      (type->kind == TypeKind::kParam && !is_variable(type) && type->name == variable->name)) {
    return {true, true};
  }
  if (const Type* bound = binding(variable)) {
    if (same_type(*type, *bound)) return {true, true};
    if (!assign(type, bound)) return {false, true};
    // [1, dyn(2)]: the variable of the items was int, and becomes dyn.
    const Type* wider = most_general(type, bound);
    if (!occurs(variable, wider)) bind(variable, wider);
    return {true, true};
  }
  if (occurs(variable, type)) return {false, false};
  bind(variable, type);
  return {true, false};
}

// Without this check a variable could be bound to a type that contains it, and substitute() would
// not end.
bool Unifier::occurs(const Type* variable, const Type* within) const {
  if (variable == within) return true;
  if (within->kind == TypeKind::kParam) {
    const Type* bound = binding(within);
    return bound != nullptr && occurs(variable, bound);
  }
  return std::ranges::any_of(within->params,
                             [&](const Type* part) { return occurs(variable, part); });
}

const Type* Unifier::most_general(const Type* a, const Type* b) {
  return equal_or_less_specific(a, b) ? a : b;
}

}  // namespace strake::cel
