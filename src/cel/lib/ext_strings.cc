// Strings by code point: charAt, indexOf, lastIndexOf, substring, replace, split, join, trim, case,
// quote, format.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/trim.h"
#include "base/utf8.h"
#include "cel/lib/library.h"
#include "cel/lib/string_format.h"
#include "cel/value/containers.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

Value text_in(EvalContext& c, std::string_view s) {
  if (s.size() > kMaxTextBytes) return c.error("string too long");
  return Value::string(c.arena.copy(s));
}
Value out_of_range(EvalContext& c, std::int64_t index) {
  return c.error(fmt::format("index out of range: {}", index));
}

// The byte at which a code point starts; the size of the text past its end.
std::size_t byte_of(std::string_view text, std::uint64_t point) {
  if (utf8::is_ascii(text)) return std::min<std::uint64_t>(point, text.size());
  std::size_t at = 0;
  for (; point > 0 && at < text.size(); --point) at += utf8::decode(text.substr(at)).width;
  return at;
}

std::int64_t points(std::string_view text) { return static_cast<std::int64_t>(utf8::count(text)); }

Value char_at(EvalContext& c, Args x) {
  const std::string_view text = x[0].as_text();
  const std::int64_t i = x[1].as_int();
  if (i < 0 || i > points(text)) return out_of_range(c, i);
  const std::string_view rest = text.substr(byte_of(text, static_cast<std::uint64_t>(i)));
  return Value::string(rest.substr(0, utf8::decode(rest).width));
}

Value index_of(EvalContext& c, Args x) {
  const std::string_view text = x[0].as_text();
  const std::string_view wanted = x[1].as_text();
  const std::int64_t from = x.size() == 3 ? x[2].as_int() : 0;
  if (wanted.empty()) return Value::integer(from);
  if (from < 0) return out_of_range(c, from);
  if (from >= points(text)) return Value::integer(-1);
  const std::size_t found = text.find(wanted, byte_of(text, static_cast<std::uint64_t>(from)));
  if (found == std::string_view::npos) return Value::integer(-1);
  return Value::integer(points(text.substr(0, found)));
}

Value last_index_of(EvalContext& c, Args x) {
  const std::string_view text = x[0].as_text();
  const std::string_view wanted = x[1].as_text();
  const std::int64_t size = points(text);
  const std::int64_t from = x.size() == 3 ? x[2].as_int() : size;
  if (wanted.empty()) return Value::integer(from);
  if (from < 0) return out_of_range(c, from);
  if (x.size() == 3 && from >= size) return Value::integer(-1);
  const std::size_t found = text.rfind(wanted, byte_of(text, static_cast<std::uint64_t>(from)));
  if (found == std::string_view::npos) return Value::integer(-1);
  return Value::integer(points(text.substr(0, found)));
}

Value substring(EvalContext& c, Args x) {
  const std::string_view text = x[0].as_text();
  const std::int64_t size = points(text);
  const std::int64_t start = x[1].as_int();
  const std::int64_t end = x.size() == 3 ? x[2].as_int() : size;
  if (x.size() == 3 && start > end) {
    return c.error(fmt::format("invalid substring range. start: {}, end: {}", start, end));
  }
  if (start < 0 || start > size) return out_of_range(c, start);
  if (end < 0 || end > size) return out_of_range(c, end);
  const std::size_t first = byte_of(text, static_cast<std::uint64_t>(start));
  const std::size_t last = byte_of(text, static_cast<std::uint64_t>(end));
  return Value::string(text.substr(first, last - first));
}

template <char First, char Last, int Shift>
Value shift_case(EvalContext& c, Args x) {
  const std::string_view text = x[0].as_text();
  char* out = c.arena.allocate_text(text.size());
  std::ranges::transform(text, out, [](char ch) {
    return ch >= First && ch <= Last ? static_cast<char>(ch + Shift) : ch;
  });
  return Value::string({out, text.size()});
}

// Go's strings.Replace: an empty text is found between code points too.
Value replace(EvalContext& c, Args x) {
  const std::string_view text = x[0].as_text();
  const std::string_view from = x[1].as_text();
  const std::string_view to = x[2].as_text();
  std::int64_t left = x.size() == 4 ? x[3].as_int() : -1;
  std::string out;
  std::size_t at = 0;
  if (from.empty()) {
    for (; left != 0 && out.size() <= kMaxTextBytes; --left) {
      out += to;
      if (at >= text.size()) break;
      const std::size_t width = utf8::decode(text.substr(at)).width;
      out += text.substr(at, width);
      at += width;
    }
  } else {
    for (; left != 0 && out.size() <= kMaxTextBytes; --left) {
      const std::size_t found = text.find(from, at);
      if (found == std::string_view::npos) break;
      out.append(text.substr(at, found - at)).append(to);
      at = found + from.size();
    }
  }
  out += text.substr(std::min(at, text.size()));
  return text_in(c, out);
}

Value split(EvalContext& c, Args x) {
  std::string_view rest = x[0].as_text();
  const std::string_view separator = x[1].as_text();
  const std::int64_t limit = x.size() == 3 ? x[2].as_int() : -1;
  std::vector<Value> parts;
  auto room = [&] { return limit < 0 || static_cast<std::int64_t>(parts.size()) < limit - 1; };
  if (limit != 0) {
    if (separator.empty()) {
      while (!rest.empty() && room()) {
        const std::size_t width = utf8::decode(rest).width;
        parts.push_back(Value::string(rest.substr(0, width)));
        rest.remove_prefix(width);
      }
      if (!rest.empty()) parts.push_back(Value::string(rest));
    } else {
      for (std::size_t found = 0; room(); rest.remove_prefix(found + separator.size())) {
        found = rest.find(separator);
        if (found == std::string_view::npos) break;
        parts.push_back(Value::string(rest.substr(0, found)));
      }
      parts.push_back(Value::string(rest));
    }
  }
  return Value::list(parts, c.arena);
}

Value join(EvalContext& c, Args x) {
  const std::string_view separator = x.size() == 2 ? x[1].as_text() : std::string_view{};
  std::string out;
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    const Value part = item.item();
    if (!part.is(Kind::kString)) return c.error("no such overload");
    if (item.index() != 0) out += separator;
    out += part.as_text();
    if (out.size() > kMaxTextBytes) break;
  }
  return text_in(c, out);
}

Value trim(EvalContext&, Args x) { return Value::string(trim_unicode(x[0].as_text())); }

Value quote_text(EvalContext& c, Args x) {
  std::string out = "\"";
  for (char ch : utf8::replace_invalid(x[0].as_text())) {
    switch (ch) {
      case '\a': out += "\\a"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\v': out += "\\v"; break;
      case '\\': out += "\\\\"; break;
      case '"': out += "\\\""; break;
      default: out += ch;
    }
  }
  return text_in(c, out + "\"");
}

Value reverse_text(EvalContext& c, Args x) {
  const std::string_view text = x[0].as_text();
  std::string out;
  for (std::size_t end = text.size(); end > 0;) {
    std::size_t start = end - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    out += text.substr(start, end - start);
    end = start;
  }
  return text_in(c, out);
}

void declare_strings(Library& library, Function format) {
  const Type* s = &types::string;
  const Type* i = &types::integer;
  const Type* strings = library.types().list(s);
  library.function("charAt").member("string_char_at_int", {s, i}, s, char_at);
  library.function("indexOf")
      .member("string_index_of_string", {s, s}, i, index_of)
      .member("string_index_of_string_int", {s, s, i}, i, index_of);
  library.function("lastIndexOf")
      .member("string_last_index_of_string", {s, s}, i, last_index_of)
      .member("string_last_index_of_string_int", {s, s, i}, i, last_index_of);
  library.function("lowerAscii").member("string_lower_ascii", {s}, s, shift_case<'A', 'Z', 32>);
  library.function("upperAscii").member("string_upper_ascii", {s}, s, shift_case<'a', 'z', -32>);
  library.function("replace")
      .member("string_replace_string_string", {s, s, s}, s, replace)
      .member("string_replace_string_string_int", {s, s, s, i}, s, replace);
  library.function("split")
      .member("string_split_string", {s, s}, strings, split)
      .member("string_split_string_int", {s, s, i}, strings, split);
  library.function("substring")
      .member("string_substring_int", {s, i}, s, substring)
      .member("string_substring_int_int", {s, i, i}, s, substring);
  library.function("trim").member("string_trim", {s}, s, trim);
  library.function("join")
      .member("list_join", {strings}, s, join)
      .member("list_join_string", {strings, s}, s, join);
  library.function("strings.quote").global("strings_quote", {s}, s, quote_text);
  library.function("format").member("string_format", {s, &types::list_of_dyn}, s, format);
}

}  // namespace

const Library& strings_library() {
  static const Library* const library = [] {
    auto* out = new Library("strings");
    declare_strings(*out, [](EvalContext& c, Args x) {
      return format_string(c, x[0].as_text(), x[1], FormatStyle::kKubernetes);
    });
    return out;
  }();
  return *library;
}

const Library& latest_strings_library() {
  static const Library* const library = [] {
    auto* out = new Library("latest strings");
    declare_strings(*out, [](EvalContext& c, Args x) {
      return format_string(c, x[0].as_text(), x[1], FormatStyle::kSpecification);
    });
    out->function("reverse").member("string_reverse", {&types::string}, &types::string,
                                    reverse_text);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
