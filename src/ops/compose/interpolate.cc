#include "ops/compose/interpolate.h"

namespace strake::ops::compose {
namespace {

constexpr bool starts_variable(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::size_t variable_length(std::string_view text) {
  if (text.empty() || !starts_variable(text[0])) return 0;
  std::size_t length = 1;
  while (length < text.size() &&
         (starts_variable(text[length]) || (text[length] >= '0' && text[length] <= '9')))
    ++length;
  return length;
}

// Where the brace ends that was opened before the text. Braces inside count, so that a default may
// be JSON.
std::size_t closing_brace(std::string_view text) {
  std::size_t open = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++open;
    if (text[i] == '}' && --open == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

Result<std::string> Interpolation::apply(std::string_view text) {
  std::string out;
  STRAKE_CHECK(append(text, 0, out));
  return out;
}

Result<> Interpolation::append(std::string_view text, int depth, std::string& out) {
  if (depth > kMaxDepth)
    return fail(Code::kLimit, "variables are nested more than {} deep", kMaxDepth);
  while (!text.empty()) {
    const std::size_t dollar = text.find('$');
    STRAKE_CHECK(put(text.substr(0, dollar), out));
    if (dollar == std::string_view::npos) return {};
    text.remove_prefix(dollar + 1);
    if (text.starts_with('$')) {
      STRAKE_CHECK(put("$", out));
      text.remove_prefix(1);
      continue;
    }
    if (text.starts_with('{')) {
      text.remove_prefix(1);
      const std::size_t end = closing_brace(text);
      if (end == std::string_view::npos)
        return fail(Code::kInvalid, "a variable that starts with ${{ has no end");
      STRAKE_CHECK(braced(text.substr(0, end), depth, out));
      text.remove_prefix(end + 1);
      continue;
    }
    const std::size_t length = variable_length(text);
    if (length == 0)
      return fail(Code::kInvalid,
                  "a dollar sign must start a variable: write $$ for the sign itself");
    STRAKE_CHECK(braced(text.substr(0, length), depth, out));
    text.remove_prefix(length);
  }
  return {};
}

Result<> Interpolation::braced(std::string_view inside, int depth, std::string& out) {
  const std::string_view name = inside.substr(0, variable_length(inside));
  std::string_view rest = inside.substr(name.size());
  if (name.empty()) return fail(Code::kInvalid, "the name of a variable was expected behind ${{");
  const std::string* found = find(name);
  if (rest.empty()) {
    if (found == nullptr) missing_.emplace(name);
    return found != nullptr ? put(*found, out) : Result<>();
  }
  const bool empty_is_missing = rest.starts_with(':');
  if (empty_is_missing) rest.remove_prefix(1);
  const char operation = rest.empty() ? '\0' : rest.front();
  if (!rest.empty()) rest.remove_prefix(1);
  const bool there = found != nullptr && !(empty_is_missing && found->empty());
  switch (operation) {
    case '-': return there ? put(*found, out) : append(rest, depth + 1, out);
    case '+': return there ? append(rest, depth + 1, out) : Result<>();
    case '?':
      if (there) return put(*found, out);
      // The message as it is written: values of other variables may be secrets.
      return fail(Code::kInvalid, "required variable {} is missing a value{}{}", name,
                  rest.empty() ? "" : ": ", rest);
    default:
      return fail(Code::kInvalid, "after the variable {}, one of :- - :? ? :+ + was expected",
                  name);
  }
}

Result<> Interpolation::put(std::string_view text, std::string& out) {
  bytes_ += text.size();
  if (bytes_ > kMaxBytes)
    return fail(Code::kLimit, "the document takes more than {} bytes with its variables",
                kMaxBytes);
  out += text;
  return {};
}

const std::string* Interpolation::find(std::string_view name) const {
  const auto found = environment_.find(name);
  return found != environment_.end() ? &found->second : nullptr;
}

std::string escape_dollars(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

}  // namespace strake::ops::compose
