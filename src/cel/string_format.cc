#include "cel/string_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rfc3339.h"
#include "cel/containers.h"
#include "cel/time.h"

namespace strake::cel {
namespace {

constexpr int kDefaultPrecision = 6;
constexpr int kMaxPrecision = 1000;
constexpr int kMaxFormattedDepth = 1000;

// Each returns nothing when the argument has the wrong type.
using Text = std::optional<std::string>;

std::optional<std::string> not_finite(double d) {
  if (std::isnan(d)) return "NaN";
  if (std::isinf(d)) return d < 0 ? "-Infinity" : "Infinity";
  return std::nullopt;
}

// The fewest digits that read back as the same number, without an exponent.
std::string plain_double(double d) {
  if (auto special = not_finite(d)) return *special;
  std::string text = fmt::format("{}", d);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) {
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
  }
  // Spell the exponent out.
  std::string digits;
  for (char c : text.substr(0, e)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  const std::size_t dot = text.find('.');
  const bool negative = text[0] == '-';
  const long exponent = std::stol(text.substr(e + 1));
  const long whole = static_cast<long>((dot == std::string::npos ? e : dot) - (negative ? 1 : 0));
  const long point = whole + exponent;
  std::string out = negative ? "-" : "";
  if (point <= 0) {
    out += "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  } else if (point >= static_cast<long>(digits.size())) {
    out += digits + std::string(static_cast<std::size_t>(point) - digits.size(), '0');
  } else {
    out += digits.substr(0, static_cast<std::size_t>(point)) + "." +
           digits.substr(static_cast<std::size_t>(point));
  }
  return out;
}

Text as_string(const Value& v, Arena& arena, int depth) {
  if (depth > kMaxFormattedDepth) return std::nullopt;
  switch (v.kind()) {
    case Kind::kNull: return "null";
    case Kind::kBool: return v.as_bool() ? "true" : "false";
    case Kind::kInt: return std::to_string(v.as_int());
    case Kind::kUint: return std::to_string(v.as_uint());
    case Kind::kDouble: return plain_double(v.as_double());
    case Kind::kString:
    case Kind::kBytes: return std::string(v.as_text());
    case Kind::kTimestamp: return format_rfc3339_nano(v.as_timestamp());
    case Kind::kDuration: return format_duration(v.as_duration());
    case Kind::kType: return std::string(v.as_type()->name);
    case Kind::kList: {
      std::string out = "[";
      for (Cursor c(v, arena); !c.done(); c.next()) {
        const Text item = as_string(c.item(), arena, depth + 1);
        if (!item) return std::nullopt;
        if (c.index() != 0) out += ", ";
        out += *item;
        if (out.size() > kMaxTextBytes) return std::nullopt;
      }
      return out + "]";
    }
    case Kind::kMap: {
      std::vector<std::pair<std::string, std::string>> entries;
      for (Cursor c(v, arena); !c.done(); c.next()) {
        Text key = as_string(c.item(), arena, depth + 1);
        Text value = as_string(c.value(), arena, depth + 1);
        if (!key || !value) return std::nullopt;
        entries.emplace_back(*std::move(key), *std::move(value));
      }
      std::ranges::sort(entries);
      std::string out = "{";
      for (const auto& [key, value] : entries) {
        if (out.size() > 1) out += ", ";
        out.append(key).append(": ").append(value);
      }
      return out + "}";
    }
    default: return std::nullopt;
  }
}

Text as_decimal(const Value& v) {
  switch (v.kind()) {
    case Kind::kInt: return std::to_string(v.as_int());
    case Kind::kUint: return std::to_string(v.as_uint());
    case Kind::kDouble: return plain_double(v.as_double());
    default: return std::nullopt;
  }
}

Text as_float(const Value& v, int precision, bool scientific) {
  double d = 0;
  switch (v.kind()) {
    case Kind::kInt: d = static_cast<double>(v.as_int()); break;
    case Kind::kUint: d = static_cast<double>(v.as_uint()); break;
    case Kind::kDouble: d = v.as_double(); break;
    default: return std::nullopt;
  }
  if (auto special = not_finite(d)) return special;
  return scientific ? fmt::format("{:.{}e}", d, precision) : fmt::format("{:.{}f}", d, precision);
}

Text as_binary(const Value& v) {
  switch (v.kind()) {
    case Kind::kBool: return v.as_bool() ? "1" : "0";
    case Kind::kInt: return fmt::format("{:b}", v.as_int());
    case Kind::kUint: return fmt::format("{:b}", v.as_uint());
    default: return std::nullopt;
  }
}

Text as_octal(const Value& v) {
  switch (v.kind()) {
    case Kind::kInt: return fmt::format("{:o}", v.as_int());
    case Kind::kUint: return fmt::format("{:o}", v.as_uint());
    default: return std::nullopt;
  }
}

Text as_hex(const Value& v, bool upper) {
  switch (v.kind()) {
    case Kind::kInt:
      return upper ? fmt::format("{:X}", v.as_int()) : fmt::format("{:x}", v.as_int());
    case Kind::kUint:
      return upper ? fmt::format("{:X}", v.as_uint()) : fmt::format("{:x}", v.as_uint());
    case Kind::kString:
    case Kind::kBytes: {
      std::string out;
      for (char c : v.as_text()) {
        const auto byte = static_cast<unsigned char>(c);
        out += upper ? fmt::format("{:02X}", byte) : fmt::format("{:02x}", byte);
      }
      return out;
    }
    default: return std::nullopt;
  }
}

struct Clause {
  char verb = 0;
  int precision = kDefaultPrecision;
};

std::string wrong_type(const Clause& clause, const Value& arg) {
  const std::string_view given = type_name(arg);
  switch (clause.verb) {
    case 's':
      return fmt::format(
          "error during formatting: string clause can only be used on strings, bools, bytes, ints, "
          "doubles, "
          "maps, lists, types, durations, and timestamps, was given {}",
          given);
    case 'd':
      return fmt::format(
          "error during formatting: decimal clause can only be used on integers, was given {}",
          given);
    case 'f':
      return fmt::format(
          "error during formatting: fixed-point clause can only be used on doubles, was given {}",
          given);
    case 'e':
      return fmt::format(
          "error during formatting: scientific clause can only be used on doubles, was given {}",
          given);
    case 'b':
      return fmt::format(
          "error during formatting: only integers and bools can be formatted as binary, was given "
          "{}",
          given);
    case 'o':
      return fmt::format(
          "error during formatting: octal clause can only be used on integers, was given {}",
          given);
    default:
      return fmt::format(
          "error during formatting: only integers, byte buffers, and strings can be formatted as "
          "hex, was given {}",
          given);
  }
}

Text format_one(const Clause& clause, const Value& arg, Arena& arena) {
  switch (clause.verb) {
    case 's': return as_string(arg, arena, 0);
    case 'd': return as_decimal(arg);
    case 'f': return as_float(arg, clause.precision, false);
    case 'e': return as_float(arg, clause.precision, true);
    case 'b': return as_binary(arg);
    case 'o': return as_octal(arg);
    default: return as_hex(arg, clause.verb == 'X');
  }
}

}  // namespace

Value format_string(EvalContext& context, std::string_view format, const Value& args) {
  std::string out;
  std::uint64_t next = 0;
  const std::uint64_t count = list_size(args);
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (++i >= format.size()) {
      return context.error("could not parse formatting clause: unexpected end of string");
    }
    if (format[i] == '%') {
      out += '%';
      continue;
    }
    Clause clause;
    if (format[i] == '.') {
      clause.precision = 0;
      for (++i; i < format.size() && format[i] >= '0' && format[i] <= '9'; ++i) {
        clause.precision = std::min(clause.precision * 10 + (format[i] - '0'), kMaxPrecision + 1);
      }
      if (clause.precision > kMaxPrecision) {
        return context.error(
            fmt::format("precision of {} exceeds the maximum allowed precision of {}",
                        clause.precision, kMaxPrecision));
      }
      if (i >= format.size()) {
        return context.error("could not parse formatting clause: unexpected end of string");
      }
    }
    clause.verb = format[i];
    if (std::string_view("sdfebxXo").find(clause.verb) == std::string_view::npos) {
      return context.error(fmt::format(
          "could not parse formatting clause: unrecognized formatting clause \"{}\"", clause.verb));
    }
    if (next >= count) return context.error(fmt::format("index {} out of range", next));
    const Value arg = list_at(args, next++, context.arena);
    const Text text = format_one(clause, arg, context.arena);
    if (!text) return context.error(wrong_type(clause, arg));
    out += *text;
    if (out.size() > kMaxTextBytes) return context.error("string too long");
  }
  if (next < count) {
    return context.error(fmt::format(
        "too many arguments supplied to string.format (expected {}, got {})", next, count));
  }
  return Value::string(context.arena.copy(out));
}

}  // namespace strake::cel
