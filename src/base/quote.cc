#include "base/quote.h"

#include "base/unicode_print.h"
#include "base/utf8.h"

namespace strake {
namespace {

constexpr char kLowerHex[] = "0123456789abcdef";

void append_hex_digits(std::string& out, char32_t number, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += kLowerHex[number >> shift & 0xf];
}

void append_escaped(std::string& out, char32_t c, char32_t quote_mark) {
  if (c == quote_mark || c == '\\') {
    out += '\\';
    out += static_cast<char>(c);
    return;
  }
  if (is_printable(c)) return utf8::append(out, c);
  switch (c) {
    case '\a': out += "\\a"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\v': out += "\\v"; return;
    default: break;
  }
  if (c < ' ' || c == 0x7f) {
    out += "\\x";
    append_hex_digits(out, c, 2);
  } else if (c < 0x10000) {
    out += "\\u";
    append_hex_digits(out, c, 4);
  } else {
    out += "\\U";
    append_hex_digits(out, c, 8);
  }
}

bool is_plain_ascii(char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; }

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out.reserve(out.size() + text.size() + 2);
  out += '"';
  std::size_t i = 0;
  while (i < text.size()) {
    std::size_t end = i;
    while (end < text.size() && is_plain_ascii(text[end])) ++end;
    out += text.substr(i, end - i);
    i = end;
    if (i == text.size()) break;
    const utf8::Decoded next = utf8::decode(text.substr(i));
    if (next.width == 1 && next.code_point == utf8::kReplacement) {
      out += "\\x";
      append_hex_digits(out, static_cast<unsigned char>(text[i]), 2);
    } else {
      append_escaped(out, next.code_point, '"');
    }
    i += next.width;
  }
  out += '"';
}

std::string quote(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

std::string quote_list(std::span<const std::string> texts) {
  std::string out = "[";
  for (const std::string& one : texts) {
    if (out.size() > 1) out += ' ';
    append_quoted(out, one);
  }
  return out + "]";
}

std::string quote_rune(char32_t code_point) {
  if (code_point > utf8::kLargest || (code_point >= 0xd800 && code_point <= 0xdfff)) {
    code_point = utf8::kReplacement;
  }
  std::string out = "'";
  append_escaped(out, code_point, '\'');
  out += '\'';
  return out;
}

std::string quote_json_char(unsigned char byte) { return quote_rune(byte); }

std::string quote_time(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || byte < ' ') {
      out += "\\x";
      append_hex_digits(out, byte, 2);
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
  return out;
}

}  // namespace strake
