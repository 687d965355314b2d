// find and findAll of strings.
#include "base/utf8.h"
#include "cel/lib/k8s_libraries.h"
#include "cel/lib/regex.h"
#include "cel/value/containers.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

re2::StringPiece piece(std::string_view s) { return {s.data(), s.size()}; }

Value illegal(EvalContext& c, const CallRegex& regex) {
  return c.error("Illegal regex: " + regex.error());
}

Value find_match(EvalContext& c, Args x) {
  const CallRegex regex(c, x[1].as_text());
  if (!regex.ok()) return illegal(c, regex);
  re2::StringPiece match;
  const std::string_view text = x[0].as_text();
  if (!regex->Match(piece(text), 0, text.size(), RE2::UNANCHORED, &match, 1)) {
    return Value::string({});
  }
  return Value::string({match.data(), match.size()});
}

// As Go's FindAllString: matches do not overlap, and an empty match right behind a match does not
// count.
Value find_up_to(EvalContext& c, Args x, std::int64_t limit) {
  const CallRegex regex(c, x[1].as_text());
  if (!regex.ok()) return illegal(c, regex);
  const std::string_view text = x[0].as_text();
  Value out = Value::list(new_list(0, c.arena), 0);
  std::size_t at = 0;
  std::size_t last_end = std::string_view::npos;
  std::int64_t found = 0;
  while (at <= text.size() && (limit < 0 || found < limit)) {
    re2::StringPiece match;
    if (!regex->Match(piece(text), at, text.size(), RE2::UNANCHORED, &match, 1)) break;
    const auto start = static_cast<std::size_t>(match.data() - text.data());
    const std::size_t end = start + match.size();
    const bool counts = !match.empty() || start != last_end;
    last_end = end;
    if (!match.empty()) {
      at = end;
    } else if (end < text.size()) {
      at = end + utf8::decode(text.substr(end)).width;
    } else {
      at = text.size() + 1;
    }
    if (!counts) continue;
    ++found;
    out = list_append(out, Value::string({match.data(), match.size()}), c.arena);
  }
  return out;
}

}  // namespace

const Library& k8s_regex_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.regex");
    const Type* string = &types::string;
    const Type* strings = out->types().list(string);
    out->function("find")
        .member("string_find_string", {string, string}, string, find_match)
        .prepare(prepare_regex);
    out->function("findAll")
        .member("string_find_all_string", {string, string}, strings,
                [](EvalContext& c, Args x) { return find_up_to(c, x, -1); })
        .prepare(prepare_regex)
        .member("string_find_all_string_int", {string, string, &types::integer}, strings,
                [](EvalContext& c, Args x) { return find_up_to(c, x, x[2].as_int()); })
        .prepare(prepare_regex);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
