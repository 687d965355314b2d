#include "cel/validators.h"

#include <fmt/format.h>

#include <vector>

#include "cel/regex.h"
#include "cel/time.h"

namespace strake::cel {
namespace {

bool is_valid_argument(std::string_view function, const Value& literal) {
  if (function == "timestamp" && literal.is(Kind::kInt)) return in_range({literal.as_int(), 0});
  if (!literal.is(Kind::kString)) return true;
  if (function == "duration") return parse_duration(literal.as_text()).has_value();
  if (function == "timestamp") return parse_timestamp(literal.as_text()).has_value();
  return PreparedRegex(literal.as_text()).regex.ok();
}

void push_children(const Expr* e, std::vector<const Expr*>& out) {
  if (e->target != nullptr) out.push_back(e->target);
  out.insert(out.end(), e->args.begin(), e->args.end());
  for (const Entry& entry : e->entries) {
    if (entry.key != nullptr) out.push_back(entry.key);
    out.push_back(entry.value);
  }
  if (const Comprehension* c = e->comprehension) {
    out.insert(out.end(), {c->range, c->init, c->condition, c->step, c->result});
  }
}

}  // namespace

Issues validate_literals(const Expr* root) {
  Issues issues;
  std::vector<const Expr*> waiting = {root};
  while (!waiting.empty()) {
    const Expr* e = waiting.back();
    waiting.pop_back();
    push_children(e, waiting);
    if (e->kind != ExprKind::kCall || e->args.empty()) continue;
    if (e->name != "duration" && e->name != "timestamp" && e->name != "matches") continue;
    const Expr* first = e->args[0];
    if (first->kind != ExprKind::kLiteral || is_valid_argument(e->name, first->literal)) continue;
    issues.add(first->offset, fmt::format("invalid {} argument", e->name));
  }
  issues.sort();
  return issues;
}

}  // namespace strake::cel
