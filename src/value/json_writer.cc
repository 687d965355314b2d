#include "value/json_writer.h"

#include <charconv>
#include <vector>

#include "base/number_format.h"
#include "base/utf8.h"

namespace strake::value {
namespace {

constexpr char kHex[] = "0123456789abcdef";

// 1 where a byte is written as it is; html is 1 more column for <, > and &.
struct PlainBytes {
  bool plain[256] = {};
  constexpr explicit PlainBytes(bool escape_html) {
    for (int c = 0x20; c < 0x80; ++c) plain[c] = true;
    plain[static_cast<int>('"')] = plain[static_cast<int>('\\')] = false;
    if (escape_html)
      plain[static_cast<int>('<')] = plain[static_cast<int>('>')] = plain[static_cast<int>('&')] =
          false;
  }
};
constexpr PlainBytes kPlain(false);
constexpr PlainBytes kPlainHtml(true);

void write_escape(unsigned char c, std::string& out) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

void newline(std::string& out, std::size_t spaces) {
  out += '\n';
  out.append(spaces, ' ');
}

void write_scalar(const Value& v, std::string& out, const JsonStyle& style) {
  switch (v.type()) {
    case Type::kNull: out += "null"; return;
    case Type::kBool: out += v.as_bool() ? "true" : "false"; return;
    case Type::kInt: {
      char buffer[24];
      out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, v.as_int()).ptr);
      return;
    }
    case Type::kUint: {
      char buffer[24];
      out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, v.as_uint()).ptr);
      return;
    }
    case Type::kDouble: append_json_number(out, v.as_double()); return;
    case Type::kLiteral: out += v.as_string(); return;
    default: write_json_string(v.as_string(), out, style.escape_html); return;
  }
}

}  // namespace

void write_json_string(std::string_view text, std::string& out, bool escape_html) {
  const bool* plain = escape_html ? kPlainHtml.plain : kPlain.plain;
  out += '"';
  const char* p = text.data();
  const char* const end = p + text.size();
  const char* run = p;
  while (p != end) {
    const auto c = static_cast<unsigned char>(*p);
    if (plain[c]) {
      ++p;
      continue;
    }
    std::size_t length = 1;
    if (c >= 0x80) {
      length = utf8::decode({p, static_cast<std::size_t>(end - p)}).width;
      if (length == 1) length = 0;  // not a character
      // U+2028 and U+2029 are line ends to JavaScript, so Go escapes them.
      const bool separator =
          length == 3 && c == 0xe2 && p[1] == '\x80' && (p[2] == '\xa8' || p[2] == '\xa9');
      if (length != 0 && !separator) {
        p += length;
        continue;
      }
      out.append(run, p);
      if (separator) {
        out += p[2] == '\xa8' ? "\\u2028" : "\\u2029";
      } else {
        out += "\\ufffd";
        length = 1;
      }
    } else {
      out.append(run, p);
      write_escape(c, out);
    }
    p += length;
    run = p;
  }
  out.append(run, end);
  out += '"';
}

void write_json(const Value& root, std::string& out, const JsonStyle& style) {
  struct Frame {
    const Value* container;
    std::size_t next;
  };
  std::vector<Frame> open;
  auto begin = [&](const Value& v) {
    if (!v.is_array() && !v.is_object()) {
      write_scalar(v, out, style);
    } else if (v.size() == 0) {
      out += v.is_array() ? "[]" : "{}";
    } else {
      out += v.is_array() ? '[' : '{';
      open.push_back({&v, 0});
    }
  };
  begin(root);
  while (!open.empty()) {
    const Value& container = *open.back().container;
    const std::size_t i = open.back().next++;
    if (i == container.size()) {
      open.pop_back();
      if (style.indent != 0) newline(out, style.indent * open.size());
      out += container.is_array() ? ']' : '}';
      continue;
    }
    if (i != 0) out += ',';
    if (style.indent != 0) newline(out, style.indent * open.size());
    if (container.is_array()) {
      begin(container.items()[i]);
    } else {
      const Member& member = container.members()[i];
      write_json_string(member.key, out, style.escape_html);
      out += style.indent != 0 ? ": " : ":";
      begin(member.value);
    }
  }
}

std::string to_json(const Value& v, const JsonStyle& style) {
  std::string out;
  write_json(v, out, style);
  return out;
}

}  // namespace strake::value
