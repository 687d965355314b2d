#include "patch/path_element.h"

#include <algorithm>
#include <charconv>
#include <optional>

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

// Names of items are read on every write, and nearly all of them are flat objects of short strings
// and whole numbers. Those need no parser, and no copy: this takes what it understands off the
// front of the text, and leaves all else to the reader of JSON.
class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  bool skip(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::optional<std::string_view> string() {
    if (!skip('"')) return std::nullopt;
    const std::size_t end = text_.find('"');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view out = text_.substr(0, end);
    const bool plain = std::all_of(
        out.begin(), out.end(), [](unsigned char c) { return c >= 0x20 && c < 0x80 && c != '\\'; });
    if (!plain) return std::nullopt;
    text_.remove_prefix(end + 1);
    return out;
  }
  std::optional<Value> scalar() {
    if (text_.starts_with('"')) {
      const auto read = string();
      return read ? std::optional(Value::string(*read)) : std::nullopt;
    }
    // Without a sign, a leading zero, or so many digits that it might not fit.
    const std::size_t digits = std::min(text_.find_first_not_of("0123456789"), text_.size());
    if (digits == 0 || digits > 18 || (digits > 1 && text_[0] == '0')) return std::nullopt;
    std::int64_t number = 0;
    std::from_chars(text_.data(), text_.data() + digits, number);
    text_.remove_prefix(digits);
    return Value::integer(number);
  }

 private:
  std::string_view text_;
};

constexpr std::size_t kMaxPlainKeys = 8;

// An object of plain scalars, its members sorted and each there once.
std::optional<Value> read_plain_object(std::string_view text, Arena& arena) {
  Member members[kMaxPlainKeys];
  std::size_t count = 0;
  PlainReader reader(text);
  if (!reader.skip('{')) return std::nullopt;
  do {
    const auto key = reader.string();
    if (!key || !reader.skip(':') || count == kMaxPlainKeys) return std::nullopt;
    const auto v = reader.scalar();
    if (!v) return std::nullopt;
    if (count != 0 && value::compare_keys(members[count - 1].key, *key) >= 0) return std::nullopt;
    members[count++] = {*key, *v};
  } while (reader.skip(','));
  if (!reader.skip('}') || !reader.done()) return std::nullopt;
  auto* laid = arena.allocate_array<Member>(count);
  std::copy_n(members, count, laid);
  return Value::object({laid, count});
}

std::optional<Value> read_plain_scalar(std::string_view text) {
  PlainReader reader(text);
  const auto v = reader.scalar();
  return v && reader.done() ? v : std::nullopt;
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

int PathElement::compare_kinds(const PathElement& other) const {
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
      if (const auto plain = read_plain_scalar(rest)) return item(*plain);
      STRAKE_TRY(const Value v, read_value(rest, arena));
      return item(v);
    }
    case 'k': {
      if (const auto plain = read_plain_object(rest, arena)) return key(*plain);
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
