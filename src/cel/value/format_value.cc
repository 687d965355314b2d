#include "cel/value/format_value.h"

#include <fmt/format.h>

#include "base/number_format.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "cel/value/containers.h"
#include "cel/value/time.h"

namespace strake::cel {
namespace {

constexpr std::uint64_t kMaxItems = 100;
constexpr int kMaxShownDepth = 32;

void append_literal(std::string& out, const Value& v, Arena& arena, int depth);

void append_items(std::string& out, const Value& container, Arena& arena, int depth) {
  const bool map = container.is(Kind::kMap);
  out += map ? '{' : '[';
  for (Cursor c(container, arena); !c.done(); c.next()) {
    if (c.index() != 0) out += ", ";
    if (c.index() == kMaxItems || depth >= kMaxShownDepth) {
      out += "...";
      break;
    }
    append_literal(out, c.item(), arena, depth + 1);
    if (!map) continue;
    out += ": ";
    append_literal(out, c.value(), arena, depth + 1);
  }
  out += map ? '}' : ']';
}

void append_object(std::string& out, const Value& v, Arena& arena, int depth) {
  out += type_name(v);
  if (v.node() == nullptr) {
    const auto text = v.as_object()->text(arena);
    out += text ? "(" + quote(*text) + ")" : "{...}";
    return;
  }
  out += '{';
  bool first = true;
  for (const DocumentField& field : v.shape()->fields) {
    const value::Value* member = v.node()->find(field.key);
    if (member == nullptr || member->is_null()) continue;
    if (!std::exchange(first, false)) out += ", ";
    if (depth >= kMaxShownDepth) {
      out += "...";
      break;
    }
    out.append(field.name).append(": ");
    append_literal(out, Value::from_node(*member, field.shape, arena), arena, depth + 1);
  }
  out += '}';
}

void append_literal(std::string& out, const Value& v, Arena& arena, int depth) {
  switch (v.kind()) {
    case Kind::kNull: out += "null"; break;
    case Kind::kBool: out += v.as_bool() ? "true" : "false"; break;
    case Kind::kInt: out += std::to_string(v.as_int()); break;
    case Kind::kUint: out += std::to_string(v.as_uint()) + "u"; break;
    case Kind::kDouble: out += format_go_g(v.as_double()); break;
    case Kind::kString: append_quoted(out, v.as_text()); break;
    case Kind::kBytes:
      out += 'b';
      append_quoted(out, v.as_text());
      break;
    case Kind::kTimestamp:
      out += "timestamp(\"" + format_rfc3339_nano(v.as_timestamp()) + "\")";
      break;
    case Kind::kDuration: out += "duration(\"" + format_duration(v.as_duration()) + "\")"; break;
    case Kind::kList:
    case Kind::kMap: append_items(out, v, arena, depth); break;
    case Kind::kType: out += v.as_type()->name; break;
    case Kind::kOptional:
      if (v.held() == nullptr) {
        out += "optional.none()";
      } else {
        out += "optional.of(";
        append_literal(out, *v.held(), arena, depth + 1);
        out += ')';
      }
      break;
    case Kind::kObject: append_object(out, v, arena, depth); break;
    case Kind::kError: out += fmt::format("error({})", v.as_error().message); break;
  }
}

}  // namespace

std::string to_literal(const Value& v, Arena& arena) {
  std::string out;
  append_literal(out, v, arena, 0);
  return out;
}

std::string to_text(const Value& v, Arena& arena) {
  if (v.is(Kind::kString)) return std::string(v.as_text());
  if (v.is(Kind::kUint)) return std::to_string(v.as_uint());
  return to_literal(v, arena);
}

}  // namespace strake::cel
