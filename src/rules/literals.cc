#include "rules/literals.h"

#include <fmt/format.h>

#include "cel/lib/regex.h"

namespace strake::rules {
namespace {

using cel::Expr;
using cel::ExprKind;

// The text that the argument is written as; nothing when it is computed.
std::optional<std::string_view> literal_text(const Expr& call, std::size_t argument) {
  if (call.args.size() <= argument) return std::nullopt;
  const Expr& e = *call.args[argument];
  if (e.kind != ExprKind::kLiteral || !e.literal.is(cel::Kind::kString)) return std::nullopt;
  return e.literal.as_text();
}

bool is_pattern(std::string_view text) { return cel::PreparedRegex(text).regex.ok(); }

// Finds literals of lists and maps with parts of different types.
class MixedLiterals {
 public:
  explicit MixedLiterals(cel::Issues& issues) : issues_(issues) {}

  void visit(const Expr* e) {
    if (e == nullptr) return;
    // What format prints may be of any type.
    if (e->kind == ExprKind::kCall && e->name == "format") return;
    if (e->kind == ExprKind::kList) check_list(*e);
    if (e->kind == ExprKind::kMap) check_map(*e);
    visit(e->target);
    for (const Expr* arg : e->args) visit(arg);
    for (const cel::Entry& entry : e->entries) {
      visit(entry.key);
      visit(entry.value);
    }
    if (const cel::Comprehension* c = e->comprehension) {
      for (const Expr* part : {c->range, c->init, c->condition, c->step, c->result}) visit(part);
    }
  }

 private:
  // False when the type is not that of the first.
  bool same(const cel::Type*& first, const Expr& e, bool optional) {
    const cel::Type* type = e.type;
    if (optional && type->is_optional()) type = type->params[0];
    if (first == nullptr) first = type;
    if (cel::same_type(*first, *type)) return true;
    issues_.add(e.offset, fmt::format("expected type '{}' but found '{}'", cel::to_string(*first),
                                      cel::to_string(*type)));
    return false;
  }

  void check_list(const Expr& e) {
    const cel::Type* first = nullptr;
    for (std::size_t i = 0; i < e.args.size(); ++i) {
      const bool optional = !e.optional_items.empty() && e.optional_items[i];
      if (!same(first, *e.args[i], optional)) return;
    }
  }

  void check_map(const Expr& e) {
    const cel::Type* first_key = nullptr;
    const cel::Type* first_value = nullptr;
    for (const cel::Entry& entry : e.entries) {
      same(first_key, *entry.key, false);
      same(first_value, *entry.value, entry.optional);
    }
  }

  cel::Issues& issues_;
};

}  // namespace

cel::Issues check_literals(const cel::Ast& ast) {
  cel::Issues issues;
  MixedLiterals(issues).visit(ast.root);
  issues.sort();
  return issues;
}

std::optional<std::string> find_pattern_fault(const cel::Ast& ast) {
  std::optional<std::string> fault;
  for_each_call(ast.root, [&](const Expr& call) {
    if (fault || call.target == nullptr || (call.name != "find" && call.name != "findAll")) return;
    const auto text = literal_text(call, 0);
    if (!text || is_pattern(*text)) return;
    Arena arena;
    fault = cel::CallRegex(cel::EvalContext{arena}, *text).error();
  });
  return fault;
}

}  // namespace strake::rules
