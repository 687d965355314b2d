#include "cel/syntax/literal.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/utf8.h"

namespace strake::cel {
namespace {

template <typename Int>
std::optional<Int> to_integer(std::string_view digits, int base) {
  Int out = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return out;
}

struct Quoted {
  std::string_view body;
  bool raw = false;
};

Quoted unquote(std::string_view token) {
  Quoted out;
  while (!token.starts_with('"') && !token.starts_with('\'')) {
    if ((token[0] | 32) == 'r') out.raw = true;
    token.remove_prefix(1);
  }
  const bool triple = token.size() >= 6 && token[1] == token[0] && token[2] == token[0];
  const std::size_t quotes = triple ? 3 : 1;
  out.body = token.substr(quotes, token.size() - 2 * quotes);
  return out;
}

char32_t number_at(std::string_view body, std::size_t at, std::size_t digits, int base) {
  return to_integer<std::uint32_t>(body.substr(at, digits), base).value_or(utf8::kLargest + 1);
}

// The lexer has let only well-formed escapes through.
std::optional<std::string> unescape(Quoted quoted, bool bytes) {
  std::string out;
  const std::string_view body = quoted.body;
  auto put = [&](char32_t c) {
    if (bytes) {
      out += static_cast<char>(c);
    } else {
      utf8::append(out, c);
    }
  };
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if (c == '\r') {
      // Line breaks in literals are line feeds, however the source spells them.
      out += '\n';
      if (i + 1 < body.size() && body[i + 1] == '\n') ++i;
      continue;
    }
    if (c != '\\' || quoted.raw) {
      out += c;
      continue;
    }
    const char e = body[++i];
    switch (e) {
      case 'a': out += '\a'; break;
      case 'b': out += '\b'; break;
      case 'f': out += '\f'; break;
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case 't': out += '\t'; break;
      case 'v': out += '\v'; break;
      case 'x':
      case 'X':
        put(number_at(body, i + 1, 2, 16));
        i += 2;
        break;
      case '0':
      case '1':
      case '2':
      case '3':
        put(number_at(body, i, 3, 8));
        i += 2;
        break;
      case 'u':
      case 'U': {
        const std::size_t digits = e == 'u' ? 4 : 8;
        const char32_t point = number_at(body, i + 1, digits, 16);
        const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
        if (bytes || surrogate || point > utf8::kLargest) return std::nullopt;
        utf8::append(out, point);
        i += digits;
        break;
      }
      default: out += e;
    }
  }
  return out;
}

}  // namespace

std::optional<Value> parse_int_literal(std::string_view text) {
  std::optional<std::int64_t> n;
  const bool negative = text.starts_with('-');
  std::string_view digits = negative ? text.substr(1) : text;
  // The sign belongs to the literal: the smallest integer has no positive counterpart to negate.
  if (digits.starts_with("0x")) {
    const std::string signed_digits = (negative ? "-" : "") + std::string(digits.substr(2));
    n = to_integer<std::int64_t>(signed_digits, 16);
  } else {
    n = to_integer<std::int64_t>(text, 10);
  }
  if (!n) return std::nullopt;
  return Value::integer(*n);
}

std::optional<Value> parse_uint_literal(std::string_view text) {
  text.remove_suffix(1);
  const auto n = text.starts_with("0x") ? to_integer<std::uint64_t>(text.substr(2), 16)
                                        : to_integer<std::uint64_t>(text, 10);
  if (!n) return std::nullopt;
  return Value::uinteger(*n);
}

std::optional<Value> parse_double_literal(std::string_view text) {
  double d = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), d);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too small is zero; too large is no number.
    d = std::strtod(std::string(text).c_str(), nullptr);
    if (std::isinf(d)) return std::nullopt;
  } else if (error != std::errc()) {
    return std::nullopt;
  }
  return Value::number(d);
}

std::optional<Value> parse_string_literal(std::string_view token, Arena& arena) {
  const std::optional<std::string> text = unescape(unquote(token), false);
  if (!text) return std::nullopt;
  return Value::string(arena.copy(*text));
}

std::optional<Value> parse_bytes_literal(std::string_view token, Arena& arena) {
  const std::optional<std::string> text = unescape(unquote(token), true);
  if (!text) return std::nullopt;
  return Value::bytes(arena.copy(*text));
}

}  // namespace strake::cel
