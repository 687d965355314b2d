#include "kustomize/tree/node_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/base64.h"
#include "base/number_format.h"
#include "base/utf8.h"
#include "kustomize/tree/folded_text.h"
#include "kustomize/tree/node_reader.h"
#include "value/yaml_scalar.h"
#include "value/yaml_writer.h"

// What a node means as JSON. kustomize v5.5.0 writes a resource as YAML with kyaml and reads that
// text again at several points, so the meaning of a scalar is not its tag alone. It follows from
// four things, in this order:
//
//   1. a folded text in block style, whose line breaks change when it is written and read back;
//   2. the spelling: within braces the writer quotes some plain texts, which makes them strings;
//   3. a tag that was written out or contradicts the text, which is decoded or refused;
//   4. the style: quoted text and text with line breaks is a string, other text resolves by itself.
//
// Nothing is written and read here: scalar_value() computes the result of that round trip.

namespace strake::kustomize {
namespace {

using value::Member;
using value::Scalar;
using value::ScalarKind;
using value::Value;

std::string_view tag_text(Tag tag) {
  switch (tag) {
    case Tag::kNull: return "!!null";
    case Tag::kBool: return "!!bool";
    case Tag::kInt: return "!!int";
    case Tag::kFloat: return "!!float";
    case Tag::kTimestamp: return "!!timestamp";
    case Tag::kBinary: return "!!binary";
    default: return "!!str";
  }
}

std::unexpected<Error> not_as_tagged(const Node& node, Tag is) {
  return fail(Code::kInvalid, "yaml: cannot decode {} `{}` as a {}", tag_text(is), node.text,
              tag_text(node.tag));
}

// A date as JSON has it: 2031-5-6 is 2031-05-06T00:00:00Z.
std::string full_timestamp(std::string_view text) {
  struct Reader {
    std::string_view rest;
    int number() {
      int out = 0;
      while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
        out = out * 10 + (rest[0] - '0');
        rest.remove_prefix(1);
      }
      return out;
    }
    bool skip(std::string_view any) {
      if (rest.empty() || any.find(rest[0]) == std::string_view::npos) return false;
      rest.remove_prefix(1);
      return true;
    }
  } in{text};
  const int year = in.number();
  in.skip("-");
  const int month = in.number();
  in.skip("-");
  const int day = in.number();
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::string fraction;
  std::string zone = "Z";
  if (!in.rest.empty()) {
    while (in.skip("Tt ")) {
    }
    hour = in.number();
    in.skip(":");
    minute = in.number();
    in.skip(":");
    second = in.number();
    if (in.skip(".,")) {
      const std::size_t digits = std::min(in.rest.find_first_not_of("0123456789"), in.rest.size());
      fraction = in.rest.substr(0, std::min<std::size_t>(digits, 9));
      in.rest.remove_prefix(digits);
      while (fraction.ends_with('0')) fraction.pop_back();
      if (!fraction.empty()) fraction.insert(0, ".");
    }
    if (in.rest.starts_with('+') || in.rest.starts_with('-')) zone = in.rest;
    if (zone == "+00:00" || zone == "-00:00") zone = "Z";
  }
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}", year, month, day, hour, minute,
                     second, fraction, zone);
}

// JSON has nothing but characters.
std::string_view valid(std::string_view text, Arena& arena) {
  if (utf8::is_valid(text)) return text;
  std::string fixed;
  for (std::string_view rest = text; !rest.empty();) {
    const utf8::Decoded next = utf8::decode(rest);
    utf8::append(fixed, next.code_point);
    rest.remove_prefix(next.width);
  }
  return arena.copy(fixed);
}

// Characters that kustomize's reader refuses in the JSON text that it makes last, and the one
// that becomes a space there.
Result<std::string_view> printable(std::string_view text, Arena& arena) {
  const auto bad = [&](std::size_t i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == 0x7f) return true;
    if (c == 0xc2) return static_cast<unsigned char>(text[i + 1]) < 0xa0;
    return c == 0xef && text.substr(i).starts_with("\xef\xbf\xbe");
  };
  const bool ascii = std::ranges::all_of(text, [](char c) { return c > 0 && c != 0x7f; });
  if (ascii) return text;
  std::string changed;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!bad(i)) {
      if (!changed.empty()) changed += text[i];
      continue;
    }
    if (!text.substr(i).starts_with("\xc2\x85"))
      return fail(Code::kInvalid, "yaml: control characters are not allowed");
    if (changed.empty()) changed = text.substr(0, i);
    changed += ' ';
    ++i;
  }
  return changed.empty() ? text : arena.copy(changed);
}

Result<Value> string_value(std::string_view text, Arena& arena) {
  return Value::string(valid(text, arena));
}

Result<Value> float_value(double d) {
  if (!std::isfinite(d)) {
    return fail(Code::kInvalid, "json: unsupported value: {}",
                std::isnan(d) ? "NaN"
                : d < 0       ? "-Inf"
                              : "+Inf");
  }
  // Go writes whole floats below 1e21 without a point or exponent, and what reads them next takes
  // them for integers.
  if (std::floor(d) != d || std::fabs(d) >= 1e21) return Value::number(d);
  const Scalar whole = value::whole_float(d);
  if (whole.kind == ScalarKind::kInt) return Value::integer(whole.integer);
  if (whole.kind == ScalarKind::kUint) return Value::unsigned_integer(whole.unsigned_integer);
  return Value::number(d);
}

Result<Value> resolved_value(const Node& node, const Scalar& scalar, Arena& arena) {
  switch (scalar.kind) {
    case ScalarKind::kNull: return Value();
    case ScalarKind::kBool: return Value::boolean(scalar.boolean);
    case ScalarKind::kInt: return Value::integer(scalar.integer);
    case ScalarKind::kUint: return Value::unsigned_integer(scalar.unsigned_integer);
    case ScalarKind::kFloat: return float_value(scalar.real);
    case ScalarKind::kTimestamp: return Value::string(arena.copy(full_timestamp(node.text)));
    case ScalarKind::kString: break;
  }
  return string_value(node.text, arena);
}

Scalar plain_meaning(std::string_view text, Tag tag) {
  if (tag == Tag::kString) return {};
  return value::resolve_scalar(text, value::YamlSchema::kKustomize, true);
}

// A scalar whose tag contradicts its text, or was written out.
Result<Value> tagged_value(const Node& node, Tag is, Arena& arena) {
  switch (node.tag) {
    case Tag::kString:
    case Tag::kOther: return string_value(node.text, arena);
    case Tag::kBinary: {
      const auto bytes = base64_decode(node.text);
      if (!bytes) return fail(Code::kInvalid, "!!binary value contains invalid base64 data");
      return string_value(arena.copy(*bytes), arena);
    }
    case Tag::kFloat:
      if (is == Tag::kInt || is == Tag::kFloat) {
        const Scalar scalar = plain_meaning(node.text, is);
        return float_value(scalar.kind == ScalarKind::kInt ? static_cast<double>(scalar.integer)
                           : scalar.kind == ScalarKind::kUint
                               ? static_cast<double>(scalar.unsigned_integer)
                               : scalar.real);
      }
      return not_as_tagged(node, is);
    default:
      if (is != node.tag) return not_as_tagged(node, is);
      return resolved_value(node, plain_meaning(node.text, is), arena);
  }
}

// How what is in a map or list is spelled.
Spelling below(const Node& node, Spelling spelling) {
  return node.flow && spelling == Spelling::kBlock ? Spelling::kFlow : spelling;
}

}  // namespace

Result<Value> scalar_value(const Node& node, Arena& arena, Spelling spelling) {
  if (node.folded && spelling == Spelling::kBlock &&
      node.text.find('\n') != std::string_view::npos) {
    Node read_back = node;
    read_back.folded = false;
    read_back.text = arena.copy(refolded(node.text));
    return scalar_value(read_back, arena, spelling);
  }
  if (node.tag == Tag::kString && !node.tagged) return string_value(node.text, arena);
  // Within braces the writer puts quotes around nothing, and around what has a colon.
  if (spelling == Spelling::kFlow && !node.quoted && !node.tagged &&
      (node.text.empty() || node.text.find(':') != std::string_view::npos) &&
      (node.tag == Tag::kNone || node.tag == plain_tag(node.text)))
    return string_value(node.text, arena);
  if (node.tag == Tag::kNull && node.text.empty()) return Value();
  const Tag is = plain_tag(node.text);
  if (node.tag != Tag::kNone && (node.tagged || node.tag != is))
    return tagged_value(node, is, arena);
  // Without a tag the style decides.
  if (node.quoted || node.text.find('\n') != std::string_view::npos)
    return string_value(node.text, arena);
  return resolved_value(node, plain_meaning(node.text, is), arena);
}

Result<Value> to_value(const Node& node, Arena& arena, Spelling spelling) {
  if (node.is_scalar()) return scalar_value(node, arena, spelling);
  spelling = below(node, spelling);
  if (node.is_list()) {
    Value* items = arena.allocate_array<Value>(node.count);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      STRAKE_TRY(items[i], to_value(*node.items[i], arena, spelling));
    }
    return Value::array({items, node.count});
  }
  // encoding/json writes the members of a map sorted by key. Addresses break ties, so that of two
  // equal keys the later is the one reported.
  std::vector<const Entry*> order;
  order.reserve(node.count);
  for (const Entry& entry : node.members()) order.push_back(&entry);
  std::ranges::sort(order, [](const Entry* a, const Entry* b) {
    const int keys = value::compare_keys(a->key, b->key);
    return keys != 0 ? keys < 0 : a < b;
  });
  Member* members = arena.allocate_array<Member>(node.count);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!order[i]->text_key) {
      return fail(Code::kInvalid, "json: unsupported type: map[interface {{}}]interface {{}}");
    }
    if (i > 0 && order[i]->key == order[i - 1]->key) {
      Error error(
          Code::kInvalid,
          fmt::format("yaml: unmarshal errors:\n  line {}: mapping key \"{}\" already defined at "
                      "line {}",
                      order[i]->line, order[i]->key, order[i - 1]->line));
      if (order[i]->line > 0) error = std::move(error).at(Position{.line = order[i]->line});
      return std::unexpected(std::move(error));
    }
    const std::string_view key = valid(order[i]->key, arena);
    STRAKE_TRY(Value value, to_value(*order[i]->value, arena, spelling));
    members[i] = {key, value};
  }
  return Value::object({members, node.count});
}

namespace {

std::optional<Unprintable> first_unprintable(const Node& node, Spelling spelling) {
  if (node.is_scalar()) {
    Arena scratch;
    Result<Value> value = scalar_value(node, scratch, spelling);
    if (value && make_printable(*value, scratch)) return std::nullopt;
    return Unprintable{node.origin, node.line};
  }
  spelling = below(node, spelling);
  for (const Node* item : node.elements()) {
    if (const auto found = first_unprintable(*item, spelling)) return found;
  }
  std::unordered_set<std::string_view> seen;
  for (const Entry& entry : node.members()) {
    if (!entry.text_key || !seen.insert(entry.key).second) {
      // A key that a step wrote has no line of its own.
      return entry.line > 0 ? Unprintable{node.origin, entry.line}
                            : Unprintable{entry.value->origin, entry.value->line};
    }
    if (const auto found = first_unprintable(*entry.value, spelling)) return found;
  }
  return std::nullopt;
}

}  // namespace

Unprintable find_unprintable(const Node& root) {
  return first_unprintable(root, Spelling::kBlock).value_or(Unprintable{root.origin, root.line});
}

Result<> make_printable(Value& value, Arena& arena) {
  if (value.is_string()) {
    STRAKE_TRY(const std::string_view text, printable(value.as_string(), arena));
    if (text.data() != value.as_string().data()) value = Value::string(text);
  } else if (value.is_array()) {
    for (Value& item : value.mutable_items()) STRAKE_CHECK(make_printable(item, arena));
  } else if (value.is_object()) {
    for (Member& member : value.mutable_members()) {
      STRAKE_TRY(member.key, printable(member.key, arena));
      STRAKE_CHECK(make_printable(member.value, arena));
    }
  }
  return {};
}

namespace {

// Whether kustomize's writer would quote the string: that stays with the node.
bool needs_quotes(std::string_view text) {
  if (text.empty() || text.find('\n') != std::string_view::npos) return true;
  const std::string yaml = value::to_yaml(Value::string(text));
  return yaml.starts_with('"') || yaml.starts_with('\'') || yaml.starts_with('|');
}

void write_scalar(Node& node, const Value& value, NodeArena& arena) {
  node.quoted = node.folded = node.tagged = node.keep_null = false;
  switch (value.type()) {
    case value::Type::kNull:
      node.tag = Tag::kNull;
      node.text = "null";
      break;
    case value::Type::kBool:
      node.tag = Tag::kBool;
      node.text = value.as_bool() ? "true" : "false";
      break;
    case value::Type::kString:
    case value::Type::kLiteral:
      node.tag = Tag::kString;
      node.text = arena.keep(value.as_string());
      node.quoted = needs_quotes(node.text);
      break;
    default: {
      const std::string text = format_go_g(value.as_double());
      node.text = arena.keep(text);
      node.tag = plain_tag(node.text);
      break;
    }
  }
}

}  // namespace

Node* from_json_value(const Value& value, NodeArena& arena) {
  if (value.is_object()) {
    Node* map = arena.map();
    for (const Member& member : value.members())
      arena.append(*map, arena.keep(member.key), from_json_value(member.value, arena));
    return map;
  }
  if (value.is_array()) {
    Node* list = arena.list();
    for (const Value& item : value.items()) arena.append(*list, from_json_value(item, arena));
    return list;
  }
  Node* node = arena.scalar({});
  write_scalar(*node, value, arena);
  return node;
}

Result<> take_through_json(Node& node, NodeArena& arena, Spelling spelling) {
  spelling = below(node, spelling);
  // What comes out of JSON is written in blocks, but for what is empty.
  node.flow = !node.is_scalar() && node.count == 0;
  for (std::uint32_t i = 0; i < node.count; ++i) {
    Node& part = node.is_map() ? *node.entries[i].value : *node.items[i];
    STRAKE_CHECK(take_through_json(part, arena, spelling));
  }
  if (node.is_scalar()) {
    STRAKE_TRY(const Value value, scalar_value(node, arena.arena(), spelling));
    const bool same_string =
        node.is_string() && !node.tagged && value.is_string() && value.as_string() == node.text;
    if (same_string) {
      node.quoted = needs_quotes(node.text);
      node.folded = false;
    } else {
      write_scalar(node, value, arena);
    }
  }
  return {};
}

std::string to_text(const Node& node) {
  Arena arena;
  const auto value = to_value(node, arena);
  return value ? value::to_yaml(*value) : std::string(node.text);
}

}  // namespace strake::kustomize
