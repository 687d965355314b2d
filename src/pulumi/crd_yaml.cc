#include "pulumi/crd_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/number_format.h"
#include "base/utf8.h"
#include "value/yaml_scalar.h"

namespace strake::pulumi {
namespace {

using value::Member;
using value::Type;
using value::Value;

bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || (c >= '0' && c <= '9') || c == '-'; }

// Readers disagree on which spellings of these are booleans, so none of them stands plain.
bool is_reserved_word(std::string_view text) {
  constexpr std::array<std::string_view, 9> kWords = {"y",   "n",    "yes",   "no",  "on",
                                                      "off", "true", "false", "null"};
  if (text.size() > 5) return false;
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return std::ranges::find(kWords, small) != kWords.end();
}

bool is_plain_key(std::string_view text) {
  return !text.empty() && is_word_start(text[0]) && std::ranges::all_of(text, is_word_part) &&
         !is_reserved_word(text);
}

// Names of the API: group, version, kind and the like.
bool is_plain_name(std::string_view text) {
  if (text.empty() || text[0] == '-' || is_reserved_word(text)) return false;
  const bool made_of_words =
      std::ranges::all_of(text, [](char c) { return is_word_part(c) || c == '.' || c == '/'; });
  return made_of_words && value::resolve_scalar(text, value::YamlSchema::kKubernetes, true).kind ==
                              value::ScalarKind::kString;
}

void append_number(std::string& out, const Value& v) {
  if (v.type() == Type::kInt) {
    fmt::format_to(std::back_inserter(out), "{}", v.as_int());
    return;
  }
  const std::string text = format_json_number(v.as_double());
  const std::size_t exponent = text.find('e');
  // Some readers take a number with an exponent for a string unless it has a point.
  if (exponent != std::string::npos && text.find('.') == std::string::npos) {
    out += text.substr(0, exponent) + ".0" + text.substr(exponent);
  } else {
    out += text;
  }
}

// Whether the text under a key is one of the format's own words or names.
bool is_structural(std::string_view key) {
  constexpr std::array<std::string_view, 10> kKeys = {
      "apiVersion", "kind",  "group", "listKind", "plural",
      "singular",   "scope", "type",  "strategy", "x-kubernetes-list-type"};
  return std::ranges::find(kKeys, key) != kKeys.end();
}

class CrdYaml {
 public:
  explicit CrdYaml(std::string& out) : out_(out) {}

  void root(const Value& v) {
    if (v.is_object() && v.size() > 0) {
      members(v, 0);
    } else {
      scalar("", v);
      out_ += '\n';
    }
  }

 private:
  // What stands below determines how texts are written: in a map of properties, a default or an
  // enum nothing is a structural word, whatever its key.
  enum class Below : std::uint8_t { kStructure, kNames, kData };

  void members(const Value& object, std::size_t column, Below below = Below::kStructure) {
    bool first = true;
    for (const Member& member : object.members()) {
      if (!first || column_ != column) indent(column);
      first = false;
      column_ = kNowhere;
      key(member.key);
      out_ += ':';
      value(member.key, member.value, column, below);
    }
  }

  static Below below_key(std::string_view key, const Value& v, Below now) {
    if (now == Below::kData) return now;
    if (now == Below::kNames) return Below::kStructure;
    if (key == "properties" && v.is_object()) return Below::kNames;
    if (key == "default" || key == "enum" || key == "example" || key == "annotations" ||
        key == "labels") {
      return Below::kData;
    }
    return now;
  }

  void value(std::string_view name, const Value& v, std::size_t column, Below below) {
    const Below next = below_key(name, v, below);
    if (v.is_object() && v.size() > 0) {
      out_ += '\n';
      members(v, column + 2, next);
    } else if (v.is_array() && v.size() > 0) {
      out_ += '\n';
      items(name, v, column, next);
    } else {
      out_ += ' ';
      scalar(below == Below::kStructure ? name : std::string_view(), v);
      out_ += '\n';
    }
  }

  void items(std::string_view name, const Value& list, std::size_t column, Below below) {
    for (const Value& item : list.items()) {
      indent(column);
      out_ += '-';
      if (item.is_object() && item.size() > 0) {
        out_ += ' ';
        column_ = column + 2;
        members(item, column + 2, below);
      } else if (item.is_array() && item.size() > 0) {
        out_ += '\n';
        items(name, item, column + 2, below);
      } else {
        out_ += ' ';
        scalar("", item);
        out_ += '\n';
      }
    }
  }

  void key(std::string_view text) {
    if (is_plain_key(text)) {
      out_ += text;
    } else {
      append_yaml_quoted(out_, text);
    }
  }

  void scalar(std::string_view name, const Value& v) {
    switch (v.type()) {
      case Type::kNull: out_ += "null"; break;
      case Type::kBool: out_ += v.as_bool() ? "true" : "false"; break;
      case Type::kObject: out_ += "{}"; break;
      case Type::kArray: out_ += "[]"; break;
      case Type::kString: text(name, v.as_string()); break;
      default: append_number(out_, v);
    }
  }

  void text(std::string_view name, std::string_view text) {
    // A version's name is plain, that of the CRD is not.
    const bool plain = is_structural(name) || (name == "name" && in_versions());
    if (plain && is_plain_name(text)) {
      out_ += text;
    } else {
      append_yaml_quoted(out_, text);
    }
  }

  bool in_versions() const { return out_.ends_with("- name: "); }
  void indent(std::size_t column) { out_.append(column, ' '); }

  static constexpr std::size_t kNowhere = SIZE_MAX;
  std::string& out_;
  std::size_t column_ = kNowhere;  // the first key of an item stands behind its dash
};

// What YAML counts as printable, less what confuses people.
bool is_yaml_printable(char32_t c) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return false;
  if (c == 0x2028 || c == 0x2029 || c == 0xfeff) return false;
  return c < 0xfffe || c > 0xffff;
}

void append_escape(std::string& out, char32_t c) {
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(c));
  }
}

}  // namespace

void write_crd_yaml(const Value& v, std::string& out) { CrdYaml(out).root(v); }

void append_yaml_quoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const utf8::Decoded c = utf8::decode(text);
    if (c.code_point == '"' || c.code_point == '\\') {
      out += '\\';
      out += text[0];
    } else if (is_yaml_printable(c.code_point)) {
      out += text.substr(0, c.width);
    } else {
      append_escape(out, c.code_point);
    }
    text.remove_prefix(c.width);
  }
  out += '"';
}

}  // namespace strake::pulumi
