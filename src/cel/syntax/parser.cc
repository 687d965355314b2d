// A recursive-descent parser for the grammar of cel-go.
#include "cel/syntax/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "cel/syntax/literal.h"
#include "cel/syntax/macro.h"
#include "cel/syntax/operators.h"
#include "cel/syntax/token_reader.h"

namespace strake::cel {
namespace {

constexpr std::array<std::string_view, 18> kReserved = {
    "as",  "break", "const",   "continue",  "else",   "for", "function", "if",    "import",
    "let", "loop",  "package", "namespace", "return", "var", "void",     "while", "in"};

std::string_view relation_operator(Token token) {
  switch (token) {
    case Token::kEqual: return op::kEqual;
    case Token::kNotEqual: return op::kNotEqual;
    case Token::kIn: return op::kIn;
    case Token::kLess: return op::kLess;
    case Token::kLessEqual: return op::kLessEqual;
    case Token::kGreaterEqual: return op::kGreaterEqual;
    case Token::kGreater: return op::kGreater;
    default: return {};
  }
}

struct CalcOperator {
  std::string_view function;
  int precedence = 0;
};

CalcOperator calc_operator(Token token) {
  switch (token) {
    case Token::kPlus: return {op::kAdd, 1};
    case Token::kMinus: return {op::kSubtract, 1};
    case Token::kStar: return {op::kMultiply, 2};
    case Token::kSlash: return {op::kDivide, 2};
    case Token::kPercent: return {op::kModulo, 2};
    default: return {};
  }
}

class Parser final : public MacroContext, private TokenReader {
 public:
  Parser(Ast& ast, const Environment& environment, Issues& issues)
      : TokenReader(ast.source, issues, environment.options().limits.syntax_errors),
        ast_(ast),
        env_(environment),
        issues_(issues) {}

  void run() {
    ast_.root = expr();
    expect_end();
    ast_.last_id = next_id_ - 1;
  }

  // MacroContext
  Arena& arena() override { return *ast_.arena; }
  Expr* node(ExprKind kind) override { return make(kind, macro_offset_); }
  Entry entry() override {
    Entry out;
    out.id = take_id();
    out.offset = macro_offset_;
    return out;
  }
  Expr* fail(std::uint32_t offset, std::string message) override {
    issues_.add(offset, std::move(message));
    return make(ExprKind::kUnspecified, offset);
  }

 private:
  enum Rule { kExprRule, kRelationRule, kCalcRule, kMemberRule, kRules };

  // Counts how deep a grammar rule is nested, over the operators it has gathered too.
  class Nesting {
   public:
    Nesting(Parser& parser, Rule rule) : parser_(parser), rule_(rule) { more(); }
    ~Nesting() { parser_.depth_[rule_] -= count_; }
    void more() {
      ++count_;
      if (++parser_.depth_[rule_] > parser_.env_.options().limits.recursion) parser_.too_deep();
    }

   private:
    Parser& parser_;
    Rule rule_;
    std::uint32_t count_ = 0;
  };

  void too_deep() {
    stop(fmt::format("expression recursion limit exceeded: {}", env_.options().limits.recursion));
  }

  std::uint32_t take_id() {
    if (next_id_ > env_.options().limits.nodes) stop("expression has too many nodes");
    return next_id_++;
  }

  Expr* make(ExprKind kind, std::uint32_t offset) {
    Expr* e = new (arena().allocate(sizeof(Expr))) Expr();
    e->kind = kind;
    e->offset = offset;
    e->id = take_id();
    return e;
  }

  // Operators and selections may nest only so deep; others pass on the depth below them.
  void set_depth(Expr* e, bool counted) {
    std::uint16_t depth = e->target != nullptr ? e->target->depth : std::uint16_t{0};
    for (const Expr* arg : e->args) depth = std::max(depth, arg->depth);
    for (const Entry& entry : e->entries) {
      if (entry.key != nullptr) depth = std::max(depth, entry.key->depth);
      depth = std::max(depth, entry.value->depth);
    }
    e->depth = static_cast<std::uint16_t>(depth + (counted ? 1 : 0));
    if (e->depth > env_.options().limits.recursion) too_deep();
  }

  std::span<Expr*> keep(const std::vector<Expr*>& exprs) {
    Expr** copy = arena().allocate_array<Expr*>(exprs.size());
    std::ranges::copy(exprs, copy);
    return {copy, exprs.size()};
  }

  Expr* call_or_macro(std::string_view function, std::uint32_t offset, Expr* target,
                      const std::vector<Expr*>& args) {
    if (!stopped()) {
      if (const Macro* macro = env_.find_macro(function, target != nullptr, args.size())) {
        const std::uint32_t outer = std::exchange(macro_offset_, offset);
        Expr* expanded = macro->expand(*this, target, args);
        macro_offset_ = outer;
        if (expanded != nullptr) {
          std::uint16_t depth = target != nullptr ? target->depth : std::uint16_t{0};
          for (const Expr* arg : args) depth = std::max(depth, arg->depth);
          expanded->depth = static_cast<std::uint16_t>(depth + 1);
          if (expanded->depth > env_.options().limits.recursion) too_deep();
          return expanded;
        }
      }
    }
    Expr* e = make(ExprKind::kCall, offset);
    e->name = arena().copy(function);
    e->target = target;
    e->args = keep(args);
    set_depth(e, true);
    return e;
  }

  Expr* expr() {
    Nesting nesting(*this, kExprRule);
    Expr* condition = conditional_or();
    if (!at(Token::kQuestion)) return condition;
    const std::uint32_t offset = take().offset;
    ++open.colons;
    Expr* yes = conditional_or();
    --open.colons;
    expect(Token::kColon, kExprStart);
    Expr* no = stopped() ? make(ExprKind::kUnspecified, offset) : expr();
    return call_or_macro(op::kConditional, offset, nullptr, {condition, yes, no});
  }

  Expr* conditional_or() {
    return logical(Token::kOr, op::kOr, [this] {
      return logical(Token::kAnd, op::kAnd, [this] { return relation(); });
    });
  }

  template <typename Term>
  Expr* logical(Token token, std::string_view function, Term term) {
    Expr* first = term();
    if (!at(token)) return first;
    std::vector<Expr*> terms = {first};
    std::vector<std::uint32_t> offsets;
    while (at(token)) {
      offsets.push_back(take().offset);
      terms.push_back(term());
    }
    return balance(function, terms, offsets, 0, offsets.size() - 1);
  }

  // A chain of && or || becomes a tree of logarithmic depth.
  Expr* balance(std::string_view function, const std::vector<Expr*>& terms,
                const std::vector<std::uint32_t>& offsets, std::size_t low, std::size_t high) {
    const std::size_t middle = (low + high + 1) / 2;
    Expr* e = make(ExprKind::kCall, offsets[middle]);
    Expr* left = middle == low ? terms[middle] : balance(function, terms, offsets, low, middle - 1);
    Expr* right =
        middle == high ? terms[middle + 1] : balance(function, terms, offsets, middle + 1, high);
    e->name = function;
    e->args = keep({left, right});
    e->depth = std::max(left->depth, right->depth);
    return e;
  }

  Expr* relation() {
    Nesting nesting(*this, kRelationRule);
    Expr* left = calc(1);
    for (;;) {
      const std::string_view function = relation_operator(current().token);
      if (function.empty()) return left;
      const std::uint32_t offset = take().offset;
      nesting.more();
      if (stopped()) return left;
      left = call_or_macro(function, offset, nullptr, {left, calc(1)});
    }
  }

  Expr* calc(int precedence) {
    Nesting nesting(*this, kCalcRule);
    Expr* left = unary();
    for (;;) {
      const CalcOperator found = calc_operator(current().token);
      if (found.precedence < precedence || found.precedence == 0) return left;
      const std::uint32_t offset = take().offset;
      nesting.more();
      if (stopped()) return left;
      left = call_or_macro(found.function, offset, nullptr, {left, calc(found.precedence + 1)});
    }
  }

  bool at_negative_number() const {
    return at(Token::kMinus) && (peek(1) == Token::kInt || peek(1) == Token::kFloat);
  }

  Expr* unary() {
    if (!sync(kExprStart)) return make(ExprKind::kUnspecified, current().offset);
    if (at_negative_number()) return member();
    const Token sign = current().token;
    if (sign != Token::kNot && sign != Token::kMinus) return member();
    const std::uint32_t offset = current().offset;
    std::size_t count = 0;
    for (; at(sign); ++count) {
      if (sign == Token::kMinus && (kNegatable & bit(peek(1))) == 0) {
        // Neither a sign nor part of a number: it is left for a subtraction that lacks its left
        // side.
        const LexedToken& next = ahead(1);
        const std::string_view shown = next.token == Token::kEof ? std::string_view{} : next.text;
        report_at(next.offset, fmt::format("no viable alternative at input '-{}'", shown));
        return make(ExprKind::kUnspecified, offset);
      }
      take();
    }
    Expr* operand = sync(kNegatable) ? member() : make(ExprKind::kUnspecified, current().offset);
    if (count % 2 == 0) return operand;
    return call_or_macro(sign == Token::kNot ? op::kNot : op::kNegate, offset, nullptr, {operand});
  }

  Expr* member() {
    Nesting nesting(*this, kMemberRule);
    Expr* operand = primary();
    for (;;) {
      if (!at(Token::kDot) && !at(Token::kLeftBracket)) return operand;
      nesting.more();
      if (stopped()) return operand;
      operand = at(Token::kDot) ? dotted(operand) : indexed(operand);
    }
  }

  Expr* dotted(Expr* operand) {
    const std::uint32_t dot = take().offset;
    const bool optional = at(Token::kQuestion);
    if (optional && !env_.options().optional_syntax) {
      issues_.add(dot, "unsupported syntax '.?'");
    }
    if (optional) take();
    if (!at(Token::kIdentifier) && !at(Token::kEscapedIdentifier)) {
      if (is_plain_chain(operand) && !optional) {
        // Until here it could have been the name of a message.
        report_unexpected("mismatched", bit(Token::kIdentifier));
      } else {
        const std::string_view shown = at(Token::kEof) ? std::string_view{} : current().text;
        report(fmt::format("no viable alternative at input '.{}{}'", optional ? "?" : "", shown));
      }
      recover();
      return operand;
    }
    const bool escaped = at(Token::kEscapedIdentifier);
    const std::string_view name = field_name(take());
    if (!optional && !escaped && at(Token::kLeftParen)) {
      const std::uint32_t start = take().offset;
      return call_or_macro(name, start, operand, arguments());
    }
    if (optional) {
      Expr* field = make(ExprKind::kLiteral, dot);
      field->literal = Value::string(arena().copy(name));
      return call_or_macro(op::kOptionalSelect, dot, nullptr, {operand, field});
    }
    Expr* e = make(ExprKind::kSelect, dot);
    e->target = operand;
    e->name = arena().copy(name);
    set_depth(e, true);
    return e;
  }

  static bool is_plain_chain(const Expr* e) {
    while (e->kind == ExprKind::kSelect) e = e->target;
    return e->kind == ExprKind::kIdent;
  }

  std::string_view field_name(const LexedToken& token) {
    if (token.token != Token::kEscapedIdentifier) return token.text;
    if (!env_.options().escaped_identifiers) issues_.add(token.offset, "unsupported syntax: '`'");
    return token.text.substr(1, token.text.size() - 2);
  }

  Expr* indexed(Expr* operand) {
    const std::uint32_t start = take().offset;
    const bool optional = at(Token::kQuestion);
    if (optional && !env_.options().optional_syntax) {
      issues_.add(start, "unsupported syntax '[?'");
    }
    if (optional) take();
    ++open.brackets;
    Expr* index = expr();
    --open.brackets;
    expect(Token::kRightBracket);
    return call_or_macro(optional ? op::kOptionalIndex : op::kIndex, start, nullptr,
                         {operand, index});
  }

  // After the opening parenthesis.
  std::vector<Expr*> arguments() {
    std::vector<Expr*> args;
    if (at(Token::kRightParen)) {
      take();
      return args;
    }
    ++open.parens;
    ++open.lists;
    if (sync(kExprStart | bit(Token::kRightParen)) && !at(Token::kRightParen)) {
      args.push_back(expr());
      while (at(Token::kComma)) {
        take();
        args.push_back(expr());
      }
    }
    --open.lists;
    --open.parens;
    expect(Token::kRightParen);
    return args;
  }

  Expr* primary() {
    const LexedToken token = current();
    switch (token.token) {
      case Token::kDot:
      case Token::kIdentifier: return named();
      case Token::kLeftParen: {
        take();
        ++open.parens;
        Expr* e = expr();
        --open.parens;
        expect(Token::kRightParen);
        return e;
      }
      case Token::kLeftBracket: return list_literal();
      case Token::kLeftBrace: return map_literal();
      case Token::kMinus: {
        take();
        const LexedToken number = take();
        const std::string text = "-" + std::string(number.text);
        return number.token == Token::kInt
                   ? constant(token.offset, parse_int_literal(text), "invalid int literal")
                   : constant(token.offset, parse_double_literal(text), "invalid double literal");
      }
      case Token::kInt:
        return constant(take().offset, parse_int_literal(token.text), "invalid int literal");
      case Token::kUint:
        return constant(take().offset, parse_uint_literal(token.text), "invalid uint literal");
      case Token::kFloat:
        return constant(take().offset, parse_double_literal(token.text), "invalid double literal");
      case Token::kString:
        return constant(take().offset, parse_string_literal(token.text, arena()),
                        "unable to unescape string");
      case Token::kBytes:
        return constant(take().offset, parse_bytes_literal(token.text, arena()),
                        "unable to unescape string");
      case Token::kTrue: return constant(take().offset, Value::boolean(true), {});
      case Token::kFalse: return constant(take().offset, Value::boolean(false), {});
      case Token::kNull: return constant(take().offset, Value::null(), {});
      default: return make(ExprKind::kUnspecified, token.offset);
    }
  }

  Expr* constant(std::uint32_t offset, std::optional<Value> value, std::string_view fault) {
    if (!value) return fail(offset, std::string(fault));
    Expr* e = make(ExprKind::kLiteral, offset);
    e->literal = *value;
    return e;
  }

  // [.] name, name(args), a.b.Name{...}
  Expr* named() {
    const std::uint32_t start = current().offset;
    const bool absolute = at(Token::kDot);
    if (absolute) {
      take();
      if (!at(Token::kIdentifier)) {
        const std::string_view shown = at(Token::kEof) ? std::string_view{} : current().text;
        report(fmt::format("no viable alternative at input '.{}'", shown));
        recover();
        return make(ExprKind::kUnspecified, start);
      }
    }
    std::size_t length = 1;
    while (peek(length) == Token::kDot && peek(length + 1) == Token::kIdentifier) length += 2;
    if (peek(length) == Token::kLeftBrace) return struct_literal(length, absolute);

    const LexedToken name = take();
    if (std::ranges::find(kReserved, name.text) != kReserved.end()) {
      return fail(name.offset, fmt::format("reserved identifier: {}", name.text));
    }
    const std::string full = (absolute ? "." : "") + std::string(name.text);
    if (at(Token::kLeftParen)) {
      const std::uint32_t paren = take().offset;
      return call_or_macro(full, paren, nullptr, arguments());
    }
    Expr* e = make(ExprKind::kIdent, name.offset);
    e->name = arena().copy(full);
    e->absolute = absolute;
    return e;
  }

  bool optional_mark() {
    if (!at(Token::kQuestion)) return false;
    const std::uint32_t offset = take().offset;
    if (!env_.options().optional_syntax) issues_.add(offset, "unsupported syntax '?'");
    return true;
  }

  Expr* list_literal() {
    Expr* e = make(ExprKind::kList, take().offset);
    std::vector<Expr*> items;
    std::vector<bool> optionals;
    bool any_optional = false;
    ++open.brackets;
    ++open.lists;
    const TokenSet start =
        kExprStart | set_of(Token::kRightBracket, Token::kComma, Token::kQuestion);
    if (sync(start)) {
      while (!at(Token::kRightBracket) && !at(Token::kComma) && !stopped()) {
        optionals.push_back(optional_mark());
        any_optional = any_optional || optionals.back();
        items.push_back(expr());
        if (!at(Token::kComma) || peek(1) == Token::kRightBracket) break;
        take();
      }
      if (at(Token::kComma)) take();
    }
    --open.lists;
    --open.brackets;
    expect(Token::kRightBracket);
    e->args = keep(items);
    if (any_optional) {
      bool* flags = arena().allocate_array<bool>(optionals.size());
      std::ranges::copy(optionals, flags);
      e->optional_items = {flags, optionals.size()};
    }
    set_depth(e, false);
    return e;
  }

  Expr* map_literal() {
    Expr* e = make(ExprKind::kMap, take().offset);
    const TokenSet start = kExprStart | set_of(Token::kRightBrace, Token::kComma, Token::kQuestion);
    entries(e, start, [this](Entry& entry) { entry.key = expr(); });
    return e;
  }

  Expr* struct_literal(std::size_t name_tokens, bool absolute) {
    std::string name = absolute ? "." : "";
    for (std::size_t i = 0; i < name_tokens; ++i) name += take().text;
    Expr* e = make(ExprKind::kStruct, take().offset);
    e->name = arena().copy(name);
    e->absolute = absolute;
    const TokenSet start = set_of(Token::kRightBrace, Token::kComma, Token::kQuestion,
                                  Token::kIdentifier, Token::kEscapedIdentifier);
    entries(e, start, [this](Entry& entry) {
      if (!at(Token::kIdentifier) && !at(Token::kEscapedIdentifier)) {
        sync(set_of(Token::kIdentifier, Token::kEscapedIdentifier));
      }
      if (at(Token::kIdentifier) || at(Token::kEscapedIdentifier)) {
        entry.name = arena().copy(field_name(take()));
      }
    });
    return e;
  }

  // After the opening brace, up to and with the closing one.
  template <typename Key>
  void entries(Expr* e, TokenSet start, Key key) {
    std::vector<Entry> found;
    ++open.braces;
    ++open.lists;
    if (sync(start)) {
      while (!at(Token::kRightBrace) && !at(Token::kComma) && !stopped()) {
        Entry entry;
        entry.optional = optional_mark();
        ++open.colons;
        key(entry);
        --open.colons;
        entry.offset = current().offset;
        entry.id = take_id();
        const bool had_colon = at(Token::kColon);
        expect(Token::kColon, kExprStart);
        entry.value =
            had_colon || !recovering() ? expr() : make(ExprKind::kUnspecified, entry.offset);
        found.push_back(entry);
        if (!at(Token::kComma) || peek(1) == Token::kRightBrace) break;
        take();
      }
      if (at(Token::kComma)) take();
    }
    --open.lists;
    --open.braces;
    expect(Token::kRightBrace);
    Entry* copy = arena().allocate_array<Entry>(found.size());
    std::ranges::copy(found, copy);
    e->entries = {copy, found.size()};
    set_depth(e, false);
  }

  Ast& ast_;
  const Environment& env_;
  Issues& issues_;
  std::uint32_t next_id_ = 1;
  std::uint32_t macro_offset_ = 0;
  std::uint32_t depth_[kRules] = {};
};

}  // namespace

std::expected<Ast, CompileError> parse(std::string_view text, const Environment& environment) {
  Ast ast;
  ast.source = Source(std::string(text));
  Issues issues;
  const CompileLimits& limits = environment.options().limits;
  if (ast.source.code_points() > limits.code_points) {
    issues.issues.push_back(
        {0,
         fmt::format("expression code point size exceeds limit: size: {}, limit {}",
                     ast.source.code_points(), limits.code_points),
         true});
  } else {
    Parser(ast, environment, issues).run();
  }
  if (issues.empty()) return ast;
  issues.sort();
  return std::unexpected(CompileError{std::move(ast.source), std::move(issues)});
}

}  // namespace strake::cel
