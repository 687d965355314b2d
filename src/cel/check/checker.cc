#include "cel/check/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cel/check/unify.h"
#include "cel/check/validators.h"
#include "cel/syntax/operators.h"
#include "cel/value/shape_type.h"

// Type checking in one walk, children first, with inference by unification (unify.h). An
// expression's type may hold variables while the walk goes on ([] is a list of something); they are
// replaced at the end, and those that nothing has bound become dyn. So the types that a message
// shows are those known at that moment, as in cel-go v0.26.
//
// An expression that is wrong gets the error type, which fits everything: one mistake is reported
// once, not again by everything around it.

namespace strake::cel {
namespace {

// a.b.c for a chain of selections over an identifier; empty for anything else.
std::string qualified_name(const Expr* e) {
  if (e->kind == ExprKind::kIdent) return std::string(e->name);
  if (e->kind != ExprKind::kSelect || e->test_only) return {};
  std::string name = qualified_name(e->target);
  if (!name.empty()) name.append(".").append(e->name);
  return name;
}

const Expr* root_of(const Expr* e) {
  while (e->kind == ExprKind::kSelect && !e->test_only) e = e->target;
  return e->kind == ExprKind::kIdent ? e : nullptr;
}

struct Name {
  std::string_view full;  // in the tree's arena
  const Type* type = nullptr;
  const Value* constant = nullptr;
};

class Checker {
 public:
  Checker(Ast& ast, const Scope& scope)
      : arena_(*ast.arena), scope_(scope), unifier_(arena_), make_(arena_) {
    dotted_variables_ = std::ranges::any_of(scope.variables, [](const Variable& v) {
      return v.name.find('.') != std::string_view::npos;
    });
  }

  Issues run(Expr* root) {
    check(root);
    for (Expr* e : checked_) e->type = unifier_.substitute(e->type, true);
    issues_.sort();
    return std::move(issues_);
  }

 private:
  void check(Expr* e) {
    checked_.push_back(e);
    switch (e->kind) {
      case ExprKind::kUnspecified: e->type = &types::error; break;
      case ExprKind::kLiteral: e->type = type_of(e->literal); break;
      case ExprKind::kIdent: check_ident(e); break;
      case ExprKind::kSelect: check_select(e); break;
      case ExprKind::kCall: check_call(e); break;
      case ExprKind::kList: check_list(e); break;
      case ExprKind::kMap: check_map(e); break;
      case ExprKind::kStruct: check_struct(e); break;
      case ExprKind::kComprehension: check_comprehension(e); break;
    }
  }

  void report(const Expr* at, std::string message) { issues_.add(at->offset, std::move(message)); }
  void report_undeclared(const Expr* e, std::string_view name) {
    report(e,
           fmt::format("undeclared reference to '{}' (in container '{}')", name, scope_.container));
  }
  void report_mismatch(const Expr* e, const Type* expected, const Type* found) {
    report(e, fmt::format("expected type '{}' but found '{}'", shown(expected), shown(found)));
  }
  std::string shown(const Type* t) { return to_string(*unifier_.substitute(t, false)); }

  const Variable* find_local(std::string_view name) const {
    for (std::size_t i = locals_.size(); i > 0; --i) {
      if (locals_[i - 1].name == name) return &locals_[i - 1];
    }
    return nullptr;
  }

  std::optional<Name> find_name(std::string_view full) {
    for (const Variable& v : scope_.variables) {
      if (v.name == full) return Name{arena_.copy(full), v.type, nullptr};
    }
    if (const Constant* c = scope_.environment->find_constant(full)) {
      return Name{c->name, c->type, &c->value};
    }
    if (scope_.types == nullptr) return std::nullopt;
    if (const auto number = scope_.types->find_enum(full)) {
      return Name{arena_.copy(full), &types::integer, keep(Value::integer(*number))};
    }
    if (const Type* type = scope_.types->find_type(full)) {
      return Name{arena_.copy(full), make_.type_of(type), keep(Value::type(type))};
    }
    return std::nullopt;
  }

  // Locals hide everything; a leading dot looks past locals and container.
  std::optional<Name> look_up(std::string_view name) {
    if (const Variable* local = find_local(name)) return Name{local->name, local->type, nullptr};
    if (scope_.container.empty() && !name.starts_with('.')) return find_name(name);
    for (const std::string& candidate : candidate_names(scope_.container, name)) {
      if (auto found = find_name(candidate)) return found;
    }
    return std::nullopt;
  }

  const FunctionDecl* look_up_function(std::string_view name) const {
    if (scope_.container.empty() && !name.starts_with('.')) {
      return scope_.environment->find_function(name);
    }
    for (const std::string& candidate : candidate_names(scope_.container, name)) {
      if (const FunctionDecl* f = scope_.environment->find_function(candidate)) return f;
    }
    return nullptr;
  }

  const Value* keep(const Value& v) { return new (arena_.allocate(sizeof(Value))) Value(v); }

  void refer(Expr* e, const Name& name) {
    e->type = name.type;
    e->reference.name = name.full;
    e->reference.constant = name.constant;
  }

  void check_ident(Expr* e) {
    if (const auto found = look_up(e->name)) return refer(e, *found);
    report_undeclared(e, e->name);
    e->type = &types::error;
  }

  // Whether a chain over this identifier could be a dotted name at all.
  bool may_be_qualified(const Expr* root) const {
    if (root == nullptr || find_local(root->name) != nullptr) return false;
    return dotted_variables_ || scope_.types != nullptr || root->absolute ||
           scope_.environment->starts_dotted_name(root->name);
  }

  void check_select(Expr* e) {
    // The longest dotted name wins: a.b.c is looked up as one name before b.c is selected from a.
    // Most expressions have no dotted names at all, which may_be_qualified() finds out without a
    // lookup.
    if (!e->test_only && may_be_qualified(root_of(e))) {
      if (const auto found = look_up(qualified_name(e))) return refer(e, *found);
    }
    const Type* field = check_field(e, e->target, e->name, false);
    e->type = e->test_only ? &types::boolean : unifier_.substitute(field, false);
  }

  const Type* check_field(Expr* e, Expr* operand, std::string_view field, bool optional) {
    check(operand);
    const Type* target = unifier_.substitute(operand->type, false);
    const bool was_optional = target->is_optional();
    if (was_optional) target = unifier_.substitute(target->params[0], false);
    const Type* result = &types::error;
    switch (target->kind) {
      case TypeKind::kMap: result = target->params[1]; break;
      case TypeKind::kObject:
        if (const Type* found = field_type(*target, field)) {
          result = found;
        } else {
          report(e, fmt::format("undefined field '{}'", field));
        }
        break;
      case TypeKind::kParam:
        // Later uses must not give it a type that has no fields.
        unifier_.assignable(&types::dyn, target);
        result = &types::dyn;
        break;
      default:
        if (!target->is_dyn_or_error()) {
          report(e, fmt::format("type '{}' does not support field selection", shown(target)));
        }
        result = &types::dyn;
    }
    return was_optional || optional ? make_.optional(result) : result;
  }

  const Type* field_type(const Type& object, std::string_view field) {
    if (object.shape != nullptr) {
      const DocumentField* found = object.shape->find_field(field);
      if (found == nullptr) return nullptr;
      return type_at(*found->shape, fmt::format("{}.{}", object.name, field), make_);
    }
    return scope_.types == nullptr ? nullptr : scope_.types->find_field(object.name, field);
  }

  void check_call(Expr* e) {
    if (e->name == op::kOptionalSelect) return check_optional_select(e);
    for (Expr* arg : e->args) check(arg);
    if (e->target == nullptr) {
      const FunctionDecl* function = look_up_function(e->name);
      if (function == nullptr) {
        report_undeclared(e, e->name);
        e->type = &types::error;
        return;
      }
      e->name = function->name;
      return resolve(e, *function);
    }
    // The receiver may be the first part of a function's dotted name.
    if (const Expr* root = root_of(e->target);
        root != nullptr && (scope_.environment->starts_dotted_name(root->name) || root->absolute ||
                            !scope_.container.empty())) {
      const FunctionDecl* function =
          look_up_function(qualified_name(e->target) + "." + std::string(e->name));
      if (function != nullptr) {
        e->name = function->name;
        e->target = nullptr;
        return resolve(e, *function);
      }
    }
    check(e->target);
    if (const FunctionDecl* function = look_up_function(e->name)) return resolve(e, *function);
    e->type = &types::error;
    report_undeclared(e, e->name);
  }

  void check_optional_select(Expr* e) {
    Expr* field = e->args[1];
    check(field);
    const Type* type = check_field(e, e->args[0], field->literal.as_text(), true);
    e->type = unifier_.substitute(type, false);
    e->reference.name = op::kOptionalSelect;
  }

  void resolve(Expr* e, const FunctionDecl& function) {
    std::vector<const Type*> args;
    if (e->target != nullptr) args.push_back(e->target->type);
    for (const Expr* arg : e->args) args.push_back(arg->type);

    // All overloads that fit are kept, in order: with dyn arguments which one runs is decided when
    // the call is made. Each that fits binds variables for those after it, as in cel-go; trying
    // them in another order would give other types.
    const Type* result = nullptr;
    std::vector<const Overload*> matching;
    for (const Overload* overload : function.overloads) {
      if (overload->member != (e->target != nullptr) || overload->params.size() != args.size()) {
        continue;
      }
      const Type* overload_result = overload->result;
      if (overload->type_params.empty()) {
        if (!unifier_.assignable(args, overload->params)) continue;
      } else {
        std::vector<const Type*> fresh;
        for (std::size_t i = 0; i < overload->type_params.size(); ++i) {
          fresh.push_back(unifier_.new_variable());
        }
        std::vector<const Type*> params;
        for (const Type* p : overload->params) {
          params.push_back(unifier_.instantiate(p, overload->type_params, fresh));
        }
        if (!unifier_.assignable(args, params)) continue;
        overload_result = unifier_.instantiate(overload->result, overload->type_params, fresh);
      }
      matching.push_back(overload);
      overload_result = unifier_.substitute(overload_result, false);
      if (result == nullptr) {
        result = overload_result;
      } else if (!result->is_dyn() && !same_type(*result, *overload_result)) {
        result = &types::dyn;
      }
    }
    if (result == nullptr) {
      report(e, fmt::format("found no matching overload for '{}' applied to '{}'", function.name,
                            signature(args, e->target != nullptr)));
      e->type = &types::error;
      return;
    }
    e->type = result;
    const Overload** copy = arena_.allocate_array<const Overload*>(matching.size());
    std::ranges::copy(matching, copy);
    e->reference = {function.name, nullptr, {copy, matching.size()}};
  }

  std::string signature(std::span<const Type* const> args, bool member) {
    std::string out;
    if (member) {
      out = to_string(*unifier_.substitute(args[0], true)) + ".";
      args = args.subspan(1);
    }
    out += '(';
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (i != 0) out += ", ";
      out += to_string(*unifier_.substitute(args[i], true));
    }
    return out + ")";
  }

  // The type of a list's items or a map's values: the most general one, or dyn when they have none.
  const Type* join(const Type* previous, const Type* current) {
    if (previous == nullptr) return current;
    if (unifier_.assignable(previous, current)) return Unifier::most_general(previous, current);
    return &types::dyn;
  }

  // What an element written with ? adds: the type inside its optional.
  const Type* unwrapped(const Expr* e, const Type* type, bool optional) {
    if (!optional) return type;
    type = unifier_.substitute(type, false);
    if (type->is_optional()) return type->params[0];
    if (!type->is_dyn_or_error()) report_mismatch(e, make_.optional(type), type);
    return type;
  }

  void check_list(Expr* e) {
    const Type* element = nullptr;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      Expr* item = e->args[i];
      check(item);
      const bool optional = !e->optional_items.empty() && e->optional_items[i];
      element = join(element, unwrapped(item, item->type, optional));
    }
    e->type = make_.list(element != nullptr ? element : unifier_.new_variable());
  }

  void check_map(Expr* e) {
    const Type* key = nullptr;
    const Type* value = nullptr;
    for (const Entry& entry : e->entries) {
      check(entry.key);
      key = join(key, entry.key->type);
      check(entry.value);
      value = join(value, unwrapped(entry.value, entry.value->type, entry.optional));
    }
    if (key == nullptr) {
      key = unifier_.new_variable();
      value = unifier_.new_variable();
    }
    e->type = make_.map(key, value);
  }

  void check_struct(Expr* e) {
    e->type = &types::error;
    const auto found = look_up(e->name);
    if (!found) {
      report_undeclared(e, e->name);
    } else {
      e->reference.name = found->full;
      e->name = found->full;
      if (found->type->kind != TypeKind::kType) {
        report(e, fmt::format("'{}' is not a type", shown(found->type)));
      } else if (found->type->params.empty() || scope_.types == nullptr ||
                 scope_.types->find_type(found->full) == nullptr) {
        report(e, fmt::format("'{}' is not a message type", found->full));
      } else {
        e->type = found->type->params[0];
      }
    }
    for (const Entry& entry : e->entries) {
      check(entry.value);
      const Type* field = &types::error;
      if (e->type->kind != TypeKind::kError) {
        const Type* declared = scope_.types->find_field(e->name, entry.name);
        if (declared == nullptr) {
          issues_.add(entry.offset, fmt::format("undefined field '{}'", entry.name));
        } else {
          field = declared;
        }
      }
      const Type* value = unwrapped(entry.value, entry.value->type, entry.optional);
      if (!unifier_.assignable(field, value)) {
        issues_.add(entry.offset,
                    fmt::format("expected type of field '{}' is '{}' but provided type is '{}'",
                                entry.name, shown(field), shown(value)));
      }
    }
  }

  void check_comprehension(Expr* e) {
    Comprehension& c = *e->comprehension;
    check(c.range);
    check(c.init);
    const Type* range = unifier_.substitute(c.range->type, false);
    const Type* accumulator = c.init->type;
    const bool two = !c.iter_var2.empty();
    const Type* first = &types::dyn;
    const Type* second = &types::dyn;
    switch (range->kind) {
      case TypeKind::kList:
        first = two ? &types::integer : range->params[0];
        second = range->params[0];
        break;
      case TypeKind::kMap:
        first = range->params[0];
        second = range->params[1];
        break;
      case TypeKind::kParam: unifier_.assignable(&types::dyn, range); break;
      case TypeKind::kDyn:
      case TypeKind::kAny:
      case TypeKind::kError: break;
      default:
        report(c.range, fmt::format("expression of type '{}' cannot be range of a comprehension "
                                    "(must be list, map, or dynamic)",
                                    shown(range)));
        first = second = &types::error;
    }
    // Scopes: the loop variables are visible in condition and step, the result sees the accumulator
    // alone, and the range and the initial value see neither.
    const std::size_t outer = locals_.size();
    locals_.push_back({c.accu_var, accumulator});
    const std::size_t before_loop = locals_.size();
    locals_.push_back({c.iter_var, first});
    if (two) locals_.push_back({c.iter_var2, second});
    check(c.condition);
    expect_type(c.condition, &types::boolean);
    check(c.step);
    expect_type(c.step, accumulator);
    locals_.resize(before_loop);
    check(c.result);
    locals_.resize(outer);
    e->type = unifier_.substitute(c.result->type, false);
  }

  void expect_type(const Expr* e, const Type* expected) {
    if (!unifier_.assignable(expected, e->type)) report_mismatch(e, expected, e->type);
  }

  Arena& arena_;
  const Scope& scope_;
  Unifier unifier_;
  TypeFactory make_;
  Issues issues_;
  std::vector<Expr*> checked_;
  std::vector<Variable> locals_;
  bool dotted_variables_ = false;
};

}  // namespace

std::expected<void, Issues> check(Ast& ast, const Scope& scope) {
  Issues issues = Checker(ast, scope).run(ast.root);
  const EnvironmentOptions& options = scope.environment->options();
  if (issues.empty()) {
    issues = validate(ast.root, {.literals = options.validate_literals,
                                 .homogeneous = options.homogeneous_literals});
  }
  if (!issues.empty()) return std::unexpected(std::move(issues));
  ast.checked = true;
  return {};
}

}  // namespace strake::cel
