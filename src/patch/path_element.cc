#include "patch/path_element.h"

#include <algorithm>
#include <charconv>

#include "base/number_format.h"
#include "base/quote.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {

using value::Member;
using value::Type;
using value::Value;

namespace {

// Keys and items are scalars in every schema there is; what a client writes may be nested, within
// reason.
constexpr std::size_t kMaxValueDepth = 32;

int sign(auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; }

// The place of a type in the order of values.
int rank(const Value& v) {
  if (v.is_number()) return 0;
  switch (v.type()) {
    case Type::kString: return 1;
    case Type::kBool: return 2;
    case Type::kArray: return 3;
    case Type::kObject: return 4;
    default: return 5;
  }
}

int compare_numbers(const Value& a, const Value& b) {
  if (a.type() == Type::kInt && b.type() == Type::kInt) return sign(a.as_int(), b.as_int());
  return sign(a.as_double(), b.as_double());
}

int compare_items(std::span<const Value> a, std::span<const Value> b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const int order = compare_values(a[i], b[i])) return order;
  }
  return sign(a.size(), b.size());
}

int compare_members(std::span<const Member> a, std::span<const Member> b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const int order = value::compare_keys(a[i].key, b[i].key)) return order;
    if (const int order = compare_values(a[i].value, b[i].value)) return order;
  }
  return sign(a.size(), b.size());
}

Result<Value> read_value(std::string_view text, Arena& arena) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  options.limits.depth = kMaxValueDepth;
  STRAKE_TRY(const value::Document read, value::read_json_borrowed(text, options));
  return value::deep_copy(read.root(), arena);
}

bool is_plain_string(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"' &&
         text.find_first_of("\"\\", 1) == text.size() - 1 &&
         std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return c < 0x20 || c >= 0x80; });
}

}  // namespace

int compare_values(const Value& a, const Value& b) {
  if (const int order = sign(rank(a), rank(b))) return order;
  switch (a.type()) {
    case Type::kNull: return 0;
    case Type::kBool: return sign(a.as_bool(), b.as_bool());
    case Type::kString: return sign(a.as_string().compare(b.as_string()), 0);
    case Type::kArray: return compare_items(a.items(), b.items());
    case Type::kObject: return compare_members(a.members(), b.members());
    default: return compare_numbers(a, b);
  }
}

void print_value(const Value& v, std::string& out) {
  switch (v.type()) {
    case Type::kNull: out += "null"; break;
    case Type::kBool: out += v.as_bool() ? "true" : "false"; break;
    case Type::kDouble: out += format_go_v(v.as_double()); break;
    case Type::kString: append_quoted(out, v.as_string()); break;
    case Type::kArray:
      out += '[';
      for (std::size_t i = 0; i < v.size(); ++i) {
        if (i != 0) out += ',';
        print_value(v.items()[i], out);
      }
      out += ']';
      break;
    case Type::kObject:
      for (const Member& m : v.members()) {
        out += m.key;
        out += '=';
        print_value(m.value, out);
      }
      break;
    default: value::write_json(v, out); break;
  }
}

int PathElement::compare(const PathElement& other) const {
  if (kind_ != other.kind_) return sign(kind_, other.kind_);
  if (kind_ == Kind::kField) return value::compare_keys(name(), other.name());
  return compare_values(value_, other.value_);
}

void PathElement::print(std::string& out) const {
  switch (kind_) {
    case Kind::kField:
      out += '.';
      out += name();
      return;
    case Kind::kKey: {
      char separator = '[';
      for (const Member& m : value_.members()) {
        out += separator;
        out += m.key;
        out += '=';
        print_value(m.value, out);
        separator = ',';
      }
      out += value_.size() == 0 ? "[]" : "]";
      return;
    }
    case Kind::kValue:
      out += "[=";
      print_value(value_, out);
      out += ']';
      return;
    case Kind::kIndex: fmt::format_to(std::back_inserter(out), "[{}]", value_.as_int()); return;
  }
}

void PathElement::write(std::string& out) const {
  switch (kind_) {
    case Kind::kField:
      out += "f:";
      out += name();
      return;
    case Kind::kKey: out += "k:"; break;
    case Kind::kValue: out += "v:"; break;
    case Kind::kIndex: out += "i:"; break;
  }
  value::write_json(value_, out);
}

Result<PathElement> PathElement::read(std::string_view text, Arena& arena) {
  if (text.size() < 2) return fail(Code::kParse, "key must be 2 characters long:");
  if (text[1] != ':') return fail(Code::kParse, "missing colon: {}", text);
  const std::string_view rest = text.substr(2);
  switch (text[0]) {
    case 'f': return field(rest);
    case 'v': {
      if (is_plain_string(rest)) return item(Value::string(rest.substr(1, rest.size() - 2)));
      STRAKE_TRY(const Value v, read_value(rest, arena));
      return item(v);
    }
    case 'k': {
      STRAKE_TRY(const Value v, read_value(rest, arena));
      if (!v.is_object()) return fail(Code::kParse, "expected the key fields of an item: {}", text);
      return key(v);
    }
    case 'i': {
      std::int64_t at = 0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), at);
      if (error != std::errc() || end != rest.data() + rest.size())
        return fail(Code::kParse, "strconv.Atoi: parsing {}: invalid syntax", quote(rest));
      return index(at);
    }
    default: return fail(Code::kUnsupported, "unknown path element type");
  }
}

std::string print(const FieldSteps& path) {
  std::string out;
  for (const PathElement& element : path) element.print(out);
  return out;
}

}  // namespace strake::patch
