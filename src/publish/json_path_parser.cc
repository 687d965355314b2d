#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/trim.h"
#include "base/utf8.h"
#include "publish/go_unquote.h"
#include "publish/json_path.h"
#include "publish/json_path_steps.h"

// The JSONPath of kubectl and printer columns, as client-go 1.36 reads it: not the language of RFC
// 9535, and with quirks that printer columns depend on. It is a template whose actions are lists of
// steps; brackets and filters are parsed by starting over with their text as a template of its own.

namespace strake::publish {
namespace {

using value::Value;

constexpr int kMaxNesting = 16;
// Beyond any array, and far from where adding lengths would overflow.
constexpr std::int64_t kFarIndex = std::int64_t{1} << 40;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// client-go 1.36 asks Unicode what a letter is; here whatever is not ASCII passes for one.
bool starts_word(char c) {
  return c == '_' || is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

bool ends_word(char c) {
  return std::string_view(" \t\r\n.,[]$@{}").find(c) != std::string_view::npos;
}

// strconv.Atoi, with what is out of range taken as far away. Nothing when it is no number.
std::optional<std::int64_t> parse_index(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || number > kFarIndex) number = kFarIndex;
  return negative ? -number : number;
}

FilterOperator filter_operator(std::string_view text) {
  if (text == "==") return FilterOperator::kEqual;
  if (text == "!=") return FilterOperator::kNotEqual;
  if (text == "<") return FilterOperator::kLess;
  if (text == "<=") return FilterOperator::kLessEqual;
  if (text == ">") return FilterOperator::kGreater;
  if (text == ">=") return FilterOperator::kGreaterEqual;
  return FilterOperator::kUnknown;
}

Step text_step(StepKind kind, std::string text = {}) {
  Step step;
  step.kind = kind;
  step.text = std::move(text);
  return step;
}

Step constant_step(Value constant) {
  Step step;
  step.kind = StepKind::kConstant;
  step.constant = constant;
  return step;
}

// "<path>}" and what may follow it: a template whose opening brace has been read.
class Parser {
 public:
  Parser(std::string_view input, int nesting) : input_(input), nesting_(nesting) {}

  Result<std::vector<Steps>> run() {
    if (nesting_ > kMaxNesting) return fail(Code::kLimit, "nested too deeply");
    std::vector<Steps> actions;
    while (true) {
      Steps action;
      STRAKE_CHECK(parse_action(action));
      actions.push_back(std::move(action));
      // Text between actions prints as it is, after the first match, which is all that counts.
      const std::size_t next = input_.find('{', at_);
      if (next == std::string_view::npos) return actions;
      at_ = next + 1;
    }
  }

 private:
  bool at_end() const { return at_ >= input_.size(); }
  bool sees(std::string_view text) const { return input_.substr(at_).starts_with(text); }

  Result<> parse_action(Steps& out) {
    while (true) {
      if (at_end()) return fail(Code::kParse, "unclosed action");
      if (sees("}")) {
        ++at_;
        return {};
      }
      STRAKE_CHECK(parse_step(out));
    }
  }

  Result<> parse_step(Steps& out) {
    if (sees("[?(")) return parse_filter(out);
    if (sees("..")) return parse_recursive(out);
    const char c = input_[at_];
    if (c == '\r' || c == '\n') return fail(Code::kParse, "unclosed action");
    if (c == ' ' || c == '@' || c == '$') {  // the current object: nothing to do
      ++at_;
      return {};
    }
    if (c == '[') return parse_array(out);
    if (c == '"' || c == '\'') return parse_quoted(out);
    if (c == '.') {
      ++at_;
      parse_field(out);
      return {};
    }
    if (c == '+' || c == '-' || is_digit(c)) return parse_number(out);
    if (starts_word(c)) {
      parse_word(out);
      return {};
    }
    return fail(Code::kParse, "unrecognized character in action: U+{:04X} '{}'",
                static_cast<unsigned>(c), c);
  }

  void parse_word(Steps& out) {
    const std::size_t start = at_;
    while (!at_end() && !ends_word(input_[at_])) ++at_;
    const std::string_view word = input_.substr(start, at_ - start);
    if (word == "true" || word == "false") {
      out.push_back(constant_step(Value::boolean(word == "true")));
    } else {
      out.push_back(text_step(StepKind::kWord, std::string(word)));
    }
  }

  Result<> parse_recursive(Steps& out) {
    if (!out.empty() && out.back().kind == StepKind::kRecursive)
      return fail(Code::kParse, "invalid multiple recursive descent");
    at_ += 2;
    out.push_back(text_step(StepKind::kRecursive));
    if (!at_end() && starts_word(input_[at_])) parse_field(out);
    return {};
  }

  // The dot has been read. A backslash takes the next character as it is, and goes.
  void parse_field(Steps& out) {
    const std::size_t start = at_;
    while (!at_end()) {
      if (input_[at_] == '\\') {
        ++at_;
        at_ += utf8::decode(input_.substr(at_)).width;
        continue;
      }
      if (ends_word(input_[at_])) break;
      ++at_;
    }
    std::string name(input_.substr(start, at_ - start));
    if (name == "*") {
      out.push_back(text_step(StepKind::kWildcard));
      return;
    }
    std::erase(name, '\\');
    out.push_back(text_step(StepKind::kField, std::move(name)));
  }

  Result<> parse_number(Steps& out) {
    const std::size_t start = at_;
    if (input_[at_] == '+' || input_[at_] == '-') ++at_;
    while (!at_end() && (input_[at_] == '.' || is_digit(input_[at_]))) ++at_;
    const std::string_view text = input_.substr(start, at_ - start);
    const std::string_view digits = text.substr(text.starts_with('+') ? 1 : 0);
    const char* end = digits.data() + digits.size();
    std::int64_t integer = 0;
    if (const auto [stop, error] = std::from_chars(digits.data(), end, integer);
        error == std::errc() && stop == end) {
      out.push_back(constant_step(Value::integer(integer)));
      return {};
    }
    double number = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), end, number, std::chars_format::fixed);
    if (error != std::errc() || stop != end)
      return fail(Code::kParse, "cannot parse number {}", text);
    out.push_back(constant_step(Value::number(number)));
    return {};
  }

  Result<> parse_quoted(Steps& out) {
    const std::size_t start = at_;
    const char quote_mark = input_[at_++];
    while (true) {
      if (at_end() || input_[at_] == '\n') return fail(Code::kParse, "unterminated quoted string");
      if (input_[at_++] == quote_mark && input_[at_ - 2] != '\\') break;
    }
    const std::string_view quoted = input_.substr(start, at_ - start);
    auto text = go_unquote(quoted);
    if (!text) {
      return fail(Code::kParse, "unquote string {} error {}", quoted, text.error().message());
    }
    out.push_back(text_step(StepKind::kText, *std::move(text)));
    return {};
  }

  // The first action of "{<text>}".
  Result<Steps> parse_inner(std::string_view text) const {
    const std::string input = fmt::format("{}}}", text);
    STRAKE_TRY(std::vector<Steps> actions, Parser(input, nesting_ + 1).run());
    return std::move(actions.front());
  }

  Result<> parse_array(Steps& out) {
    const std::size_t start = at_ + 1;
    while (true) {
      if (at_end() || input_[at_] == '\n') return fail(Code::kParse, "unterminated array");
      if (input_[at_++] == ']') break;
    }
    const std::string_view text = input_.substr(start, at_ - 1 - start);
    if (text.find(',') != std::string_view::npos) return parse_union(text, out);
    if (text.size() >= 2 && text.front() == '\'' &&
        text.find('\'', 1) == text.size() - 1) {  // one pair of quotes
      // A quoted name is read as a path of its own: dots divide it here too.
      STRAKE_TRY(Steps steps, parse_inner(fmt::format(".{}", text.substr(1, text.size() - 2))));
      std::ranges::move(steps, std::back_inserter(out));
      return {};
    }
    return parse_slice(text == "*" ? ":" : text, out);
  }

  Result<> parse_union(std::string_view text, Steps& out) {
    Step step;
    step.kind = StepKind::kUnion;
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t comma = std::min(text.find(',', start), text.size());
      const std::string_view one = trim(text.substr(start, comma - start), " ");
      STRAKE_TRY(Steps steps, parse_inner(fmt::format("[{}]", one)));
      step.parts.push_back(std::move(steps));
      start = comma + 1;
    }
    out.push_back(std::move(step));
    return {};
  }

  Result<> parse_slice(std::string_view text, Steps& out) {
    const auto invalid = [&] { return fail(Code::kParse, "invalid array index {}", text); };
    std::optional<std::int64_t> numbers[3];
    std::size_t count = 0;
    std::string_view rest = text;
    while (true) {
      if (count == 3) return invalid();
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      const std::string_view one = rest.substr(0, colon);
      const std::string_view digits = one.substr(one.starts_with('-') ? 1 : 0);
      if (!std::ranges::all_of(digits, is_digit)) return invalid();
      if (!one.empty()) {
        numbers[count] = parse_index(one);
        if (!numbers[count]) return fail(Code::kParse, "array index {} is not a number", one);
      }
      ++count;
      if (colon == rest.size()) break;
      rest.remove_prefix(colon + 1);
    }
    Step step;
    step.kind = StepKind::kSlice;
    step.slice = {.first = numbers[0], .last = numbers[1], .step = numbers[2]};
    if (count == 1) {
      step.slice.last = numbers[0].value_or(0) + 1;
      step.slice.last_is_derived = true;
    }
    out.push_back(std::move(step));
    return {};
  }

  // Up to the first ")]" that does not stand in the first pair of quotes.
  Result<std::string_view> filter_text() {
    at_ += 3;
    const std::size_t start = at_;
    char quote_mark = 0;
    bool closed = false;
    while (true) {
      if (at_end() || input_[at_] == '\n') return fail(Code::kParse, "unterminated filter");
      const char c = input_[at_++];
      if (c == '"' || c == '\'') {
        if (quote_mark == 0) {
          quote_mark = c;
        } else if (c == quote_mark && input_[at_ - 2] != '\\') {
          closed = true;
        }
      }
      if (c == ')' && (quote_mark != 0) == closed) break;
    }
    if (at_end() || input_[at_] != ']') return fail(Code::kParse, "unclosed array expect ]");
    return input_.substr(start, at_++ - 1 - start);
  }

  Result<> parse_filter(Steps& out) {
    STRAKE_TRY(const std::string_view text, filter_text());
    constexpr std::string_view kOperators = "!<>=";
    const std::size_t start = text.find_first_of(kOperators);
    Step step;
    step.kind = StepKind::kFilter;
    std::size_t end = std::string_view::npos;
    if (start != std::string_view::npos && start > 0) {
      end = std::min(text.find_first_not_of(kOperators, start), text.size());
      // Something must be left to compare with, if need be the end of the operator.
      if (end == text.size()) --end;
    }
    if (end == std::string_view::npos || end == start) {
      STRAKE_TRY(Steps only, parse_inner(text));
      step.parts.push_back(std::move(only));
    } else {
      STRAKE_TRY(Steps left, parse_inner(text.substr(0, start)));
      STRAKE_TRY(Steps right, parse_inner(text.substr(end)));
      step.op = filter_operator(text.substr(start, end - start));
      step.parts.push_back(std::move(left));
      step.parts.push_back(std::move(right));
    }
    out.push_back(std::move(step));
    return {};
  }

  std::string_view input_;
  std::size_t at_ = 0;
  int nesting_;
};

}  // namespace

Result<std::vector<Steps>> parse_json_path(std::string_view path) {
  if (path.size() > JsonPath::kMaxBytes)
    return fail(Code::kLimit, "a JSONPath may have at most {} bytes", JsonPath::kMaxBytes);
  const std::string input = fmt::format("{}}}", path);
  return Parser(input, 0).run();
}

}  // namespace strake::publish
