#pragma once
// What is judged of an expression's tree before it runs: its literals.
#include <optional>
#include <string>

#include "cel/syntax/ast.h"
#include "cel/syntax/source.h"

namespace strake::rules {

// Every call of the tree, those inside of others first.
template <typename Visit>
void for_each_call(const cel::Expr* e, Visit visit) {
  if (e == nullptr) return;
  for_each_call(e->target, visit);
  for (const cel::Expr* arg : e->args) for_each_call(arg, visit);
  for (const cel::Entry& entry : e->entries) {
    for_each_call(entry.key, visit);
    for_each_call(entry.value, visit);
  }
  if (const cel::Comprehension* c = e->comprehension) {
    for (const cel::Expr* part : {c->range, c->init, c->condition, c->step, c->result}) {
      for_each_call(part, visit);
    }
  }
  if (e->kind == cel::ExprKind::kCall) visit(*e);
}

// Literals of lists and maps in a checked tree whose parts are of several types, but for those that
// format is given.
cel::Issues check_literals(const cel::Ast& ast);

// Why a program could not be made of the tree: a pattern of find or findAll that is none.
std::optional<std::string> find_pattern_fault(const cel::Ast& ast);

}  // namespace strake::rules
