#include "cel/check/validators.h"

#include <fmt/format.h>

#include <vector>

#include "cel/lib/regex.h"
#include "cel/lib/string_format.h"
#include "cel/value/time.h"

namespace strake::cel {
namespace {

bool is_valid_argument(std::string_view function, const Value& literal) {
  if (function == "timestamp" && literal.is(Kind::kInt)) return in_range({literal.as_int(), 0});
  if (!literal.is(Kind::kString)) return true;
  if (function == "duration") return parse_duration(literal.as_text()).has_value();
  if (function == "timestamp") return parse_timestamp(literal.as_text()).has_value();
  return PreparedRegex(literal.as_text()).regex.ok();
}

void check_literal_argument(const Expr* e, Issues& issues) {
  if (e->args.empty()) return;
  if (e->name != "duration" && e->name != "timestamp" && e->name != "matches") return;
  const Expr* first = e->args[0];
  if (first->kind != ExprKind::kLiteral || is_valid_argument(e->name, first->literal)) return;
  issues.add(first->offset, fmt::format("invalid {} argument", e->name));
}

bool verb_takes(char verb, const Expr* arg) {
  const Type& type = *arg->type;
  if (type.is_dyn_or_error() || type.kind == TypeKind::kParam) return true;
  const bool integer = type.kind == TypeKind::kInt || type.kind == TypeKind::kUint;
  switch (verb) {
    case 's': return type.kind != TypeKind::kObject && (type.kind != TypeKind::kOpaque);
    case 'd':
    case 'o': return integer;
    case 'f':
    case 'e': {
      if (type.kind == TypeKind::kDouble) return true;
      if (arg->kind != ExprKind::kLiteral || type.kind != TypeKind::kString) return false;
      const std::string_view text = arg->literal.as_text();
      return text == "NaN" || text == "Infinity" || text == "-Infinity";
    }
    case 'b': return integer || type.kind == TypeKind::kBool;
    default: return integer || type.kind == TypeKind::kString || type.kind == TypeKind::kBytes;
  }
}

// 'literal'.format([...]): every clause finds an argument that fits it, and none is left over.
void check_format(const Expr* e, Issues& issues) {
  const bool literal = e->name == "format" && e->target != nullptr && e->args.size() == 1 &&
                       e->target->kind == ExprKind::kLiteral &&
                       e->target->literal.is(Kind::kString) && e->args[0]->kind == ExprKind::kList;
  if (!literal) return;
  const std::span<Expr* const> args = e->args[0]->args;
  FormatReader reader{.format = e->target->literal.as_text()};
  std::string ignored;
  std::size_t used = 0;
  while (const auto clause = reader.next(ignored)) {
    if (used >= args.size()) {
      return issues.add(e->offset, fmt::format("index {} out of range", used));
    }
    const Expr* arg = args[used++];
    if (!verb_takes(clause->verb, arg)) {
      return issues.add(arg->offset, describe_misfit(*clause, arg->type->name));
    }
  }
  if (!reader.error.empty()) return issues.add(e->offset, reader.error);
  if (used < args.size()) {
    issues.add(e->offset,
               fmt::format("too many arguments supplied to string.format (expected {}, got {})",
                           used, args.size()));
  }
}

// Wrappers count as what they wrap.
bool equivalent(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.params.size() != b.params.size()) return false;
  if (a.kind >= TypeKind::kObject && a.name != b.name) return false;
  for (std::size_t i = 0; i < a.params.size(); ++i) {
    if (!equivalent(*a.params[i], *b.params[i])) return false;
  }
  return true;
}

const Type* element_type(const Expr* e, bool optional) {
  return optional && e->type->is_optional() ? e->type->params[0] : e->type;
}

// False when a fault was reported.
bool check_same(const Expr* e, const Type*& expected, const Type* found, Issues& issues) {
  if (expected == nullptr) {
    expected = found;
  } else if (!equivalent(*expected, *found)) {
    issues.add(e->offset, fmt::format("expected type '{}' but found '{}'", to_string(*expected),
                                      to_string(*found)));
    return false;
  }
  return true;
}

void check_homogeneous(const Expr* e, Issues& issues) {
  if (e->kind == ExprKind::kList) {
    const Type* item = nullptr;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      const bool optional = !e->optional_items.empty() && e->optional_items[i];
      if (!check_same(e->args[i], item, element_type(e->args[i], optional), issues)) return;
    }
  } else if (e->kind == ExprKind::kMap) {
    const Type* key = nullptr;
    const Type* value = nullptr;
    for (const Entry& entry : e->entries) {
      check_same(entry.key, key, entry.key->type, issues);
      check_same(entry.value, value, element_type(entry.value, entry.optional), issues);
    }
  }
}

struct Waiting {
  const Expr* expr;
  bool in_format;
};

void push_children(const Expr* e, bool in_format, std::vector<Waiting>& out) {
  if (e->target != nullptr) out.push_back({e->target, in_format});
  for (const Expr* arg : e->args) out.push_back({arg, in_format});
  for (const Entry& entry : e->entries) {
    if (entry.key != nullptr) out.push_back({entry.key, in_format});
    out.push_back({entry.value, in_format});
  }
  if (const Comprehension* c = e->comprehension) {
    for (const Expr* part : {c->range, c->init, c->condition, c->step, c->result}) {
      out.push_back({part, in_format});
    }
  }
}

}  // namespace

Issues validate(const Expr* root, const Validations& validations) {
  Issues issues;
  if (!validations.literals && !validations.homogeneous) return issues;
  std::vector<Waiting> waiting = {{root, false}};
  while (!waiting.empty()) {
    const auto [e, in_format] = waiting.back();
    waiting.pop_back();
    const bool is_call = e->kind == ExprKind::kCall;
    push_children(e, in_format || (is_call && e->name == "format"), waiting);
    if (validations.literals && is_call) {
      check_literal_argument(e, issues);
      check_format(e, issues);
    }
    if (validations.homogeneous && !in_format) check_homogeneous(e, issues);
  }
  issues.sort();
  return issues;
}

}  // namespace strake::cel
