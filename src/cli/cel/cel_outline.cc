#include "cli/cel/cel_outline.h"

#include <algorithm>

#include "cel/syntax/lexer.h"
#include "cel/syntax/operators.h"

namespace strake::cli {
namespace {

using cel::Expr;
using cel::ExprKind;
using cel::Token;

// Direct parts in the order of the tree, macro-made ones included.
std::vector<const Expr*> parts_of(const Expr* e) {
  std::vector<const Expr*> out;
  const auto add = [&](const Expr* part) {
    if (part != nullptr) out.push_back(part);
  };
  add(e->target);
  for (const Expr* arg : e->args) add(arg);
  for (const cel::Entry& entry : e->entries) {
    add(entry.key);
    add(entry.value);
  }
  if (const cel::Comprehension* c = e->comprehension) {
    for (const Expr* part : {c->range, c->init, c->condition, c->step, c->result}) add(part);
  }
  return out;
}

// What a macro makes stands at the place of the macro, where nothing else can stand.
void add_written_parts(const Expr* e, std::vector<const Expr*>& out, bool made_by_macro = false) {
  const bool optional_select = e->kind == ExprKind::kCall && e->name == cel::op::kOptionalSelect;
  for (const Expr* part : parts_of(e)) {
    if (part->offset == e->offset) {
      add_written_parts(part, out, true);
      continue;
    }
    if (optional_select && part->kind == ExprKind::kLiteral) continue;  // the field's name
    // A macro may use a part twice.
    const bool copied = made_by_macro && std::ranges::any_of(out, [&](const Expr* other) {
                          return other->offset == part->offset && other->kind == part->kind;
                        });
    if (!copied) out.push_back(part);
  }
}

bool opens(Token t) {
  return t == Token::kLeftParen || t == Token::kLeftBracket || t == Token::kLeftBrace;
}
bool closes(Token t) {
  return t == Token::kRightParen || t == Token::kRightBracket || t == Token::kRightBrace;
}

class Outliner {
 public:
  explicit Outliner(const cel::Ast& ast) : ast_(ast) {
    cel::Issues ignored;
    tokens_ = cel::lex(ast.source, ignored);
  }

  std::vector<CelPart> run() {
    visit(ast_.root, 0);
    return std::move(out_);
  }

 private:
  struct Stretch {  // of tokens, both ends included
    std::size_t first;
    std::size_t last;
  };

  Stretch visit(const Expr* e, std::size_t depth) {
    const std::size_t place = out_.size();
    out_.push_back({.expr = e, .depth = depth});
    std::vector<const Expr*> parts;
    add_written_parts(e, parts);
    std::ranges::sort(parts, {}, [](const Expr* part) { return leftmost(part); });
    Stretch stretch = own(e);
    std::vector<std::size_t> children;
    for (const Expr* part : parts) {
      children.push_back(out_.size());
      const Stretch inner = visit(part, depth + 1);
      stretch.first = std::min(stretch.first, inner.first);
      stretch.last = std::max(stretch.last, inner.last);
    }
    balance(stretch);
    CelPart& part = out_[place];
    part.children = std::move(children);
    part.begin = tokens_[stretch.first].offset;
    const cel::LexedToken& last = tokens_[stretch.last];
    const char* from = tokens_[stretch.first].text.data();
    const char* to = last.text.data() + last.text.size();
    if (from < to) part.text = one_line({from, static_cast<std::size_t>(to - from)});
    part.end = last.offset + code_points(last.text);
    return stretch;
  }

  static std::uint32_t leftmost(const Expr* e) {
    std::uint32_t out = e->offset;
    for (const Expr* part : parts_of(e)) out = std::min(out, leftmost(part));
    return out;
  }

  // The tokens that belong to the expression itself rather than to a part of it.
  Stretch own(const Expr* e) const {
    const auto found = std::ranges::lower_bound(tokens_, e->offset, {}, &cel::LexedToken::offset);
    const std::size_t at =
        std::min(static_cast<std::size_t>(found - tokens_.begin()), tokens_.size() - 1);
    Stretch out{at, at};
    switch (tokens_[at].token) {
      case Token::kLeftParen:
        out.last = partner(at);
        out.first = start_of_name(at);
        break;
      case Token::kLeftBracket: out.last = partner(at); break;
      case Token::kLeftBrace:
        out.last = partner(at);
        if (e->kind == ExprKind::kStruct) out.first = start_of_name(at);
        break;
      case Token::kDot:
        out.last = std::min(at + (is(at + 1, Token::kQuestion) ? 2 : 1), tokens_.size() - 1);
        break;
      case Token::kMinus:
        if (e->kind == ExprKind::kLiteral) out.last = std::min(at + 1, tokens_.size() - 1);
        break;
      case Token::kIdentifier:
        if (e->absolute && at > 0 && is(at - 1, Token::kDot)) out.first = at - 1;
        break;
      default: break;
    }
    return out;
  }

  bool is(std::size_t at, Token token) const {
    return at < tokens_.size() && tokens_[at].token == token;
  }

  // Where the name before a bracket starts, dots included; the bracket itself when there is none.
  std::size_t start_of_name(std::size_t bracket) const {
    std::size_t at = bracket;
    if (at == 0 || !is(at - 1, Token::kIdentifier)) return at;
    --at;
    while (at >= 2 && is(at - 1, Token::kDot) && is(at - 2, Token::kIdentifier)) at -= 2;
    return at;
  }

  std::size_t partner(std::size_t opener) const {
    std::size_t depth = 0;
    for (std::size_t i = opener; i < tokens_.size(); ++i) {
      if (opens(tokens_[i].token)) ++depth;
      if (closes(tokens_[i].token) && --depth == 0) return i;
    }
    return tokens_.size() - 1;
  }

  // Takes in the brackets whose other half lies inside.
  void balance(Stretch& stretch) const {
    std::size_t open = 0;
    std::size_t unopened = 0;
    for (std::size_t i = stretch.first; i <= stretch.last; ++i) {
      if (opens(tokens_[i].token)) ++open;
      if (!closes(tokens_[i].token)) continue;
      if (open == 0) {
        ++unopened;
      } else {
        --open;
      }
    }
    while (unopened > 0 && stretch.first > 0) {
      const Token t = tokens_[--stretch.first].token;
      if (opens(t)) --unopened;
      if (closes(t)) ++unopened;
    }
    while (open > 0 && stretch.last + 1 < tokens_.size()) {
      const Token t = tokens_[++stretch.last].token;
      if (closes(t)) --open;
      if (opens(t)) ++open;
    }
  }

  static std::uint32_t code_points(std::string_view text) {
    return static_cast<std::uint32_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  }

  // Line breaks, and the indentation behind them, become a space.
  static std::string one_line(std::string_view text) {
    std::string out;
    bool broken = false;
    for (const char c : text) {
      if (c == '\n' || c == '\r') {
        broken = true;
      } else if (!broken || (c != ' ' && c != '\t')) {
        if (std::exchange(broken, false) && !out.ends_with(' ')) out += ' ';
        out += c == '\t' ? ' ' : c;
      }
    }
    return out;
  }

  const cel::Ast& ast_;
  std::vector<cel::LexedToken> tokens_;
  std::vector<CelPart> out_;
};

bool mentions(const Expr* e, std::string_view name) {
  if (e->kind == ExprKind::kIdent && e->reference.name == name) return true;
  return std::ranges::any_of(parts_of(e), [&](const Expr* part) { return mentions(part, name); });
}

}  // namespace

std::vector<CelPart> outline(const cel::Ast& ast) { return Outliner(ast).run(); }

bool mentions_variable(const cel::Ast& ast, std::string_view name) {
  return mentions(ast.root, name);
}

}  // namespace strake::cli
