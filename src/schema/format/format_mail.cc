// One RFC 5322 address, as Go's net/mail reads it: quoted local parts, display names, comments and
// one-member groups too.
#include <array>
#include <string>

#include "base/utf8.h"
#include "schema/format/format_net.h"

namespace strake::schema {
namespace {

bool is_visible(char32_t c) { return (c >= '!' && c <= '~') || c >= 0x80; }
bool is_blank(char32_t c) { return c == ' ' || c == '\t'; }

bool is_bad_byte(const utf8::Decoded& read) {
  return read.code_point == utf8::kReplacement && read.width == 1;
}

enum class Atom : bool { kStrict, kPermissive };

// Words of the form =?charset?encoding?text?= are decoded by Go; one in a charset it lacks is an
// error.
bool has_unknown_charset(std::string_view word) {
  if (word.size() < 8 || !word.starts_with("=?") || !word.ends_with("?=")) return false;
  const std::string_view inner = word.substr(2, word.size() - 4);
  const std::size_t first = inner.find('?');
  if (first == std::string_view::npos || first == 0) return false;
  const std::size_t second = inner.find('?', first + 1);
  if (second != first + 2) return false;
  const char encoding = inner[first + 1];
  const std::string_view text = inner.substr(second + 1);
  if (encoding == 'b' || encoding == 'B') {
    // Not base64 means not an encoded word at all.
    std::size_t bytes = text.find_last_not_of('=') + 1;
    if (text.size() % 4 != 0 || text.size() - bytes > 2) return false;
    for (const char c : text.substr(0, bytes)) {
      const bool known = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '+' || c == '/';
      if (!known) return false;
    }
  } else if (encoding == 'q' || encoding == 'Q') {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '=') {
        const auto hex = [&](std::size_t at) {
          return at < text.size() && std::string_view("0123456789abcdefABCDEF").find(text[at]) !=
                                         std::string_view::npos;
        };
        if (!hex(i + 1) || !hex(i + 2)) return false;
        i += 2;
      } else if (!(c >= ' ' && c <= '~') && c != '\n' && c != '\r' && c != '\t') {
        return false;
      }
    }
  } else {
    return false;
  }
  std::string charset;
  for (const char c : inner.substr(0, first))
    charset.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
  return charset != "utf-8" && charset != "iso-8859-1" && charset != "us-ascii";
}

class AddressReader {
 public:
  explicit AddressReader(std::string_view text) : rest_(text) {}

  bool single_address() {
    int count = 0;
    if (!address(true, count) || !skip_comments() || !rest_.empty()) return false;
    return count == 1;
  }

 private:
  bool consume(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_space() {
    while (!rest_.empty() && is_blank(static_cast<unsigned char>(rest_.front())))
      rest_.remove_prefix(1);
  }
  bool skip_comments() {
    skip_space();
    while (consume('(')) {
      std::string ignored;
      if (!comment(ignored)) return false;
      skip_space();
    }
    return true;
  }

  // The order of net/mail: an address alone is tried first. When that fails the text is read again
  // from the same place as a display name with the address in angle brackets, or as a group.
  bool address(bool groups, int& count) {
    skip_space();
    if (rest_.empty()) return false;
    const std::string_view start = rest_;
    if (addr_spec()) {
      ++count;
      skip_space();
      return !rest_.starts_with('(') || display_comment();
    }
    rest_ = start;
    if (!rest_.starts_with('<') && !phrase()) return false;
    skip_space();
    if (groups && consume(':')) return group(count);
    if (!consume('<') || !addr_spec() || !consume('>')) return false;
    ++count;
    return true;
  }

  bool group(int& count) {
    skip_space();
    if (consume(';')) {
      skip_comments();
      return true;
    }
    while (true) {
      skip_space();
      if (!address(false, count) || !skip_comments()) return false;
      if (consume(';')) {
        skip_comments();
        return true;
      }
      if (!consume(',')) return false;
    }
  }

  bool addr_spec() {
    skip_space();
    if (rest_.empty()) return false;
    std::string_view word;
    if (rest_.front() == '"') {
      std::size_t length = 0;
      if (!quoted_string(length) || length == 0) return false;
    } else if (!atom(Atom::kStrict, word)) {
      return false;
    }
    if (!consume('@')) return false;
    skip_space();
    if (rest_.empty()) return false;
    return rest_.front() == '[' ? domain_literal() : atom(Atom::kStrict, word);
  }

  bool domain_literal() {
    const std::size_t end = rest_.find(']');
    if (end == std::string_view::npos) return false;
    const std::string_view address = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return is_ipv4(address, LeadingZeros::kRefused) || is_ipv6(address, LeadingZeros::kRefused);
  }

  bool phrase() {
    bool any = false;
    while (true) {
      skip_space();
      if (rest_.empty()) return true;
      std::size_t length = 0;
      std::string_view word;
      const bool good = rest_.front() == '"'
                            ? quoted_string(length)
                            : atom(Atom::kPermissive, word) && !has_unknown_charset(word);
      if (!good) return any;
      any = true;
    }
  }

  bool quoted_string(std::size_t& length) {
    std::string_view text = rest_.substr(1);
    bool escaped = false;
    while (!text.empty()) {
      const utf8::Decoded read = utf8::decode(text);
      if (is_bad_byte(read)) return false;
      text.remove_prefix(read.width);
      if (!escaped && read.code_point == '"') {
        rest_ = text;
        return true;
      }
      if (!escaped && read.code_point == '\\') {
        escaped = true;
        continue;
      }
      if (!is_visible(read.code_point) && !is_blank(read.code_point)) return false;
      escaped = false;
      ++length;
    }
    return false;
  }

  bool atom(Atom mode, std::string_view& word) {
    std::size_t size = 0;
    while (size < rest_.size()) {
      const utf8::Decoded read = utf8::decode(rest_.substr(size));
      if (is_bad_byte(read)) return false;
      const bool never = read.code_point < 0x80 &&
                         std::string_view("<>\":").find(static_cast<char>(read.code_point)) !=
                             std::string_view::npos;
      const bool special = read.code_point < 0x80 &&
                           std::string_view("()[];@\\,").find(static_cast<char>(read.code_point)) !=
                               std::string_view::npos;
      if (never || (special && mode == Atom::kStrict) || !is_visible(read.code_point)) break;
      size += read.width;
    }
    if (size == 0) return false;
    word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    if (mode == Atom::kPermissive) return true;
    return !word.starts_with('.') && !word.ends_with('.') &&
           word.find("..") == std::string_view::npos;
  }

  // A comment that gives the display name: its words are decoded.
  bool display_comment() {
    std::string text;
    if (!consume('(') || !comment(text)) return false;
    std::string_view words = text;
    while (!words.empty()) {
      const std::size_t end = words.find_first_of(" \t");
      if (has_unknown_charset(words.substr(0, end))) return false;
      words = end == std::string_view::npos ? std::string_view() : words.substr(end + 1);
    }
    return true;
  }

  // Comments nest. Depth is counted, so that deep ones take no stack.
  bool comment(std::string& text) {  // '(' is behind us
    int depth = 1;
    while (!rest_.empty() && depth > 0) {
      if (rest_.front() == '\\' && rest_.size() > 1) {
        rest_.remove_prefix(1);
      } else if (rest_.front() == '(') {
        ++depth;
      } else if (rest_.front() == ')') {
        --depth;
      }
      if (depth > 0) text.push_back(rest_.front());
      rest_.remove_prefix(1);
    }
    return depth == 0;
  }

  std::string_view rest_;
};

}  // namespace

bool is_mail_address(std::string_view text) { return AddressReader(text).single_address(); }

}  // namespace strake::schema
