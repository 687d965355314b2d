#include "meta/selectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/quote.h"
#include "base/utf8.h"
#include "meta/names.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::meta {
namespace {

using Operator = LabelSelector::Operator;
using Requirement = LabelSelector::Requirement;
using value::Value;

constexpr std::string_view kBinaryOperators = "in, notin, =, ==, !=, gt, lt";

enum class Token : std::uint8_t {
  kError,
  kEnd,
  kClose,
  kComma,
  kNot,
  kDoubleEquals,
  kEquals,
  kGreater,
  kIdentifier,
  kIn,
  kLess,
  kNotEquals,
  kNotIn,
  kOpen,
};

struct Lexeme {
  Token token;
  std::string text;
};

std::optional<Token> symbol(std::string_view text) {
  struct Entry {
    std::string_view text;
    Token token;
  };
  static constexpr Entry kSymbols[] = {
      {")", Token::kClose},         {",", Token::kComma},  {"!", Token::kNot},
      {"==", Token::kDoubleEquals}, {"=", Token::kEquals}, {">", Token::kGreater},
      {"in", Token::kIn},           {"<", Token::kLess},   {"!=", Token::kNotEquals},
      {"notin", Token::kNotIn},     {"(", Token::kOpen},
  };
  for (const Entry& entry : kSymbols) {
    if (entry.text == text) return entry.token;
  }
  return std::nullopt;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_special(char c) {
  return c == '=' || c == '!' || c == '(' || c == ')' || c == ',' || c == '>' || c == '<';
}

// A zero byte ends the text, as it does in kube-apiserver 1.36.
std::vector<Lexeme> scan(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  std::vector<Lexeme> out;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && is_space(text[at])) ++at;
    if (at == text.size()) break;
    if (!is_special(text[at])) {
      const std::size_t start = at;
      while (at < text.size() && !is_special(text[at]) && !is_space(text[at])) ++at;
      const std::string_view word = text.substr(start, at - start);
      out.push_back({symbol(word).value_or(Token::kIdentifier), std::string(word)});
      continue;
    }
    // The longest symbol that starts here; every special character is one by itself.
    const auto two = symbol(text.substr(at, 2));
    const std::size_t length = two && at + 1 < text.size() && is_special(text[at + 1]) ? 2 : 1;
    const std::string_view word = text.substr(at, length);
    out.push_back({symbol(word).value_or(Token::kError), std::string(word)});
    at += length;
  }
  out.push_back({Token::kEnd, ""});
  return out;
}

std::optional<std::int64_t> integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return out;
}

// The faults of one requirement, worded as field errors are.
Result<> check_requirement(const Requirement& one) {
  std::vector<std::string> faults;
  const auto invalid = [&](std::string_view field, std::string_view shown,
                           std::string_view detail) {
    faults.push_back(fmt::format("{}: Invalid value: {}: {}", field, quote(shown), detail));
  };
  if (const Messages messages = check_qualified_name(one.key); !messages.empty()) {
    invalid("key", one.key, join(messages, "; "));
  }
  if (one.op == Operator::kGreaterThan || one.op == Operator::kLessThan) {
    for (std::size_t i = 0; i < one.values.size(); ++i) {
      if (!integer(one.values[i])) {
        invalid(fmt::format("values[{}]", i), one.values[i],
                "for 'Gt', 'Lt' operators, the value must be an integer");
      }
    }
  }
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    if (const Messages messages = check_label_value(one.values[i]); !messages.empty()) {
      invalid(fmt::format("values[{}][{}]", i, one.key), one.values[i], join(messages, "; "));
    }
  }
  if (faults.empty()) return {};
  if (faults.size() == 1) return fail(Code::kBadRequest, "{}", faults[0]);
  return fail(Code::kBadRequest, "[{}]", fmt::join(faults, ", "));
}

class LabelParser {
 public:
  explicit LabelParser(std::string_view text) : lexemes_(scan(text)) {}

  Result<std::vector<Requirement>> run() {
    std::vector<Requirement> out;
    for (;;) {
      const Lexeme& next = value();
      if (next.token == Token::kEnd) return out;
      if (next.token != Token::kIdentifier && next.token != Token::kNot) {
        return fail(Code::kBadRequest, "found '{}', expected: !, identifier, or 'end of string'",
                    next.text);
      }
      auto one = requirement();
      if (!one)
        return std::unexpected(std::move(one).error().prefixed("unable to parse requirement"));
      out.push_back(std::move(*one));
      const Lexeme after = take();
      if (after.token == Token::kEnd) return out;
      if (after.token != Token::kComma) {
        return fail(Code::kBadRequest, "found '{}', expected: ',' or 'end of string'", after.text);
      }
      const Lexeme& following = value();
      if (following.token != Token::kIdentifier && following.token != Token::kNot) {
        return fail(Code::kBadRequest, "found '{}', expected: identifier after ','",
                    following.text);
      }
    }
  }

 private:
  // In the place of a key or value, "in" and "notin" are words like any other.
  const Lexeme& value() {
    Lexeme& next = lexemes_[at_];
    if (next.token == Token::kIn || next.token == Token::kNotIn) {
      word_ = {Token::kIdentifier, next.text};
      return word_;
    }
    return next;
  }
  Lexeme take() {
    Lexeme out = value();
    advance();
    return out;
  }
  void advance() {
    if (at_ + 1 < lexemes_.size()) ++at_;
  }

  Result<Requirement> requirement() {
    Requirement out{.key = {}, .op = Operator::kExists, .values = {}};
    Lexeme next = take();
    const bool negated = next.token == Token::kNot;
    if (negated) next = take();
    if (next.token != Token::kIdentifier)
      return fail(Code::kBadRequest, "found '{}', expected: identifier", next.text);
    out.key = next.text;
    if (const Messages messages = check_qualified_name(out.key); !messages.empty()) {
      return fail(Code::kBadRequest, "<nil>: Invalid value: {}: {}", quote(out.key),
                  join(messages, "; "));
    }
    const Token follows = value().token;
    if (negated || follows == Token::kEnd || follows == Token::kComma) {
      out.op = negated ? Operator::kDoesNotExist : Operator::kExists;
    } else {
      STRAKE_TRY(out.op, operation());
      const bool is_set = out.op == Operator::kIn || out.op == Operator::kNotIn;
      STRAKE_TRY(out.values, is_set ? value_set() : exact_value());
      std::sort(out.values.begin(), out.values.end());
      out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
    }
    STRAKE_CHECK(check_requirement(out));
    return out;
  }

  Result<Operator> operation() {
    const Lexeme next = lexemes_[at_];
    advance();
    switch (next.token) {
      case Token::kIn: return Operator::kIn;
      case Token::kNotIn: return Operator::kNotIn;
      case Token::kEquals: return Operator::kEquals;
      case Token::kDoubleEquals: return Operator::kDoubleEquals;
      case Token::kNotEquals: return Operator::kNotEquals;
      case Token::kGreater: return Operator::kGreaterThan;
      case Token::kLess: return Operator::kLessThan;
      default:
        return fail(Code::kBadRequest, "found '{}', expected: {}", next.text, kBinaryOperators);
    }
  }

  Result<std::vector<std::string>> exact_value() {
    const Token next = value().token;
    if (next == Token::kEnd || next == Token::kComma) return std::vector<std::string>{""};
    const Lexeme word = take();
    if (word.token != Token::kIdentifier)
      return fail(Code::kBadRequest, "found '{}', expected: identifier", word.text);
    return std::vector<std::string>{word.text};
  }

  // (a,b), with empty values between and around commas.
  Result<std::vector<std::string>> value_set() {
    const Lexeme open = take();
    if (open.token != Token::kOpen)
      return fail(Code::kBadRequest, "found '{}' expected: '('", open.text);
    const Lexeme first = value();
    if (first.token == Token::kClose) {
      advance();
      return std::vector<std::string>{""};
    }
    if (first.token != Token::kIdentifier && first.token != Token::kComma) {
      return fail(Code::kBadRequest, "found '{}', expected: ',', ')' or identifier", first.text);
    }
    std::vector<std::string> out;
    for (;;) {
      const Lexeme next = take();
      const Lexeme following = value();
      if (next.token == Token::kIdentifier) {
        out.push_back(next.text);
        if (following.token == Token::kComma) continue;
        if (following.token == Token::kClose) break;
        return fail(Code::kBadRequest, "found '{}', expected: ',' or ')'", following.text);
      }
      if (next.token != Token::kComma) {
        return fail(Code::kBadRequest, "found '{}', expected: ',', or identifier", next.text);
      }
      if (out.empty() || following.token == Token::kClose || following.token == Token::kComma)
        out.emplace_back();
      if (following.token == Token::kClose) break;
    }
    advance();
    return out;
  }

  std::vector<Lexeme> lexemes_;
  std::size_t at_ = 0;
  Lexeme word_;
};

std::string_view operator_text(Operator op) {
  switch (op) {
    case Operator::kEquals: return "=";
    case Operator::kDoubleEquals: return "==";
    case Operator::kNotEquals: return "!=";
    case Operator::kIn: return " in ";
    case Operator::kNotIn: return " notin ";
    case Operator::kGreaterThan: return ">";
    case Operator::kLessThan: return "<";
    case Operator::kExists:
    case Operator::kDoesNotExist: return "";
  }
  return "";
}

void sort_by_key(std::vector<Requirement>& requirements) {
  std::sort(requirements.begin(), requirements.end(),
            [](const Requirement& a, const Requirement& b) {
              return std::tie(a.key, a.op, a.values) < std::tie(b.key, b.op, b.values);
            });
}

std::string escape_field_value(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == ',' || c == '=') out += '\\';
    out += c;
  }
  return out;
}

Result<std::string> unescape_field_value(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ',' || c == '=') {
      // kube-apiserver 1.36 prints the character's number.
      return fail(Code::kBadRequest, "invalid field selector: unescaped character in value: {}",
                  static_cast<int>(c));
    }
    if (c != '\\') {
      out += c;
      continue;
    }
    const std::string_view rest = text.substr(i + 1);
    if (rest.empty() || (rest[0] != '\\' && rest[0] != ',' && rest[0] != '=')) {
      return fail(Code::kBadRequest, "invalid field selector: invalid escape sequence: \\{}",
                  rest.empty() ? std::string() : utf8::encode(utf8::decode(rest).code_point));
    }
    out += rest[0];
    ++i;
  }
  return out;
}

// Commas divide, unless a backslash stands before them.
std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      out.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  out.push_back(text.substr(start));
  return out;
}

Result<Requirement> expression_of(const Value& expression) {
  const Value* values = expression.find("values");
  Requirement out{
      .key = std::string(text_of(expression, "key")), .op = Operator::kIn, .values = {}};
  const std::string_view word = text_of(expression, "operator");
  if (word == "In") {
    out.op = Operator::kIn;
  } else if (word == "NotIn") {
    out.op = Operator::kNotIn;
  } else if (word == "Exists") {
    out.op = Operator::kExists;
  } else if (word == "DoesNotExist") {
    out.op = Operator::kDoesNotExist;
  } else {
    return fail(Code::kBadRequest, "{} is not a valid label selector operator", quote(word));
  }
  if (values != nullptr && values->is_array()) {
    for (const Value& item : values->items()) out.values.emplace_back(value::text_of(item));
  }
  const bool is_set = out.op == Operator::kIn || out.op == Operator::kNotIn;
  if (is_set && out.values.empty()) {
    return fail(
        Code::kBadRequest,
        "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty");
  }
  if (!is_set && !out.values.empty()) {
    return fail(Code::kBadRequest,
                "values: Invalid value: {}: values set must be empty for exists and does not exist",
                value::to_json(*values));
  }
  std::sort(out.values.begin(), out.values.end());
  out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
  STRAKE_CHECK(check_requirement(out));
  return out;
}

}  // namespace

Result<LabelSelector> LabelSelector::parse(std::string_view text) {
  LabelSelector out;
  STRAKE_TRY(out.requirements_, LabelParser(text).run());
  sort_by_key(out.requirements_);
  return out;
}

Result<LabelSelector> LabelSelector::from_value(const Value* selector) {
  LabelSelector out;
  if (selector == nullptr) return out;
  if (const Value* labels = selector->find("matchLabels");
      labels != nullptr && labels->is_object()) {
    for (const value::Member& label : labels->members()) {
      Requirement one{.key = std::string(label.key),
                      .op = Operator::kEquals,
                      .values = {std::string(value::text_of(label.value))}};
      STRAKE_CHECK(check_requirement(one));
      out.requirements_.push_back(std::move(one));
    }
  }
  if (const Value* list = selector->find("matchExpressions"); list != nullptr && list->is_array()) {
    for (const Value& item : list->items()) {
      STRAKE_TRY(Requirement one, expression_of(item));
      out.requirements_.push_back(std::move(one));
    }
  }
  sort_by_key(out.requirements_);
  return out;
}

bool LabelSelector::Requirement::holds(std::optional<std::string_view> label) const {
  const bool exists = label.has_value();
  const std::string_view text = label.value_or(std::string_view());
  const auto listed = [&] { return std::find(values.begin(), values.end(), text) != values.end(); };
  switch (op) {
    case Operator::kIn:
    case Operator::kEquals:
    case Operator::kDoubleEquals: return exists && listed();
    case Operator::kNotIn:
    case Operator::kNotEquals: return !exists || !listed();
    case Operator::kExists: return exists;
    case Operator::kDoesNotExist: return !exists;
    case Operator::kGreaterThan:
    case Operator::kLessThan: {
      if (!exists || values.size() != 1) return false;
      const auto left = integer(text);
      const auto right = integer(values[0]);
      if (!left || !right) return false;
      return op == Operator::kGreaterThan ? *left > *right : *left < *right;
    }
  }
  return false;
}

bool LabelSelector::matches(const Value* labels) const {
  return matches_with([labels](std::string_view key) -> std::optional<std::string_view> {
    const Value* found = labels != nullptr ? labels->find(key) : nullptr;
    if (found == nullptr) return std::nullopt;
    return value::text_of(*found);
  });
}

std::string LabelSelector::to_string() const {
  std::string out;
  for (const Requirement& one : requirements_) {
    if (!out.empty()) out += ',';
    if (one.op == Operator::kDoesNotExist) out += '!';
    out += one.key;
    out += operator_text(one.op);
    const bool is_set = one.op == Operator::kIn || one.op == Operator::kNotIn;
    if (is_set) out += '(';
    out += fmt::format("{}", fmt::join(one.values, ","));
    if (is_set) out += ')';
  }
  return out;
}

Result<FieldSelector> FieldSelector::parse(std::string_view text) {
  FieldSelector out;
  std::vector<std::string_view> terms = split_terms(text);
  std::sort(terms.begin(), terms.end());
  for (const std::string_view term : terms) {
    if (term.empty()) continue;
    const std::size_t at = std::min(term.find("!="), term.find('='));
    if (at == std::string_view::npos) {
      return fail(Code::kBadRequest, "invalid selector: '{}'; can't understand '{}'", text, term);
    }
    const bool equal = term[at] == '=';
    const std::size_t length = equal && !term.substr(at).starts_with("==") ? 1 : 2;
    STRAKE_TRY(std::string literal, unescape_field_value(term.substr(at + length)));
    out.requirements_.push_back({std::string(term.substr(0, at)), equal, std::move(literal)});
  }
  return out;
}

std::optional<std::string_view> FieldSelector::required_value(std::string_view field) const {
  for (const Requirement& one : requirements_) {
    if (one.equal && one.field == field) return one.value;
  }
  return std::nullopt;
}

std::string FieldSelector::to_string() const {
  std::string out;
  for (const Requirement& one : requirements_) {
    if (!out.empty()) out += ',';
    out += one.field + (one.equal ? "=" : "!=") + escape_field_value(one.value);
  }
  return out;
}

}  // namespace strake::meta
