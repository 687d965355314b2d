#include "cel/lib/string_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/number_format.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "cel/value/containers.h"
#include "cel/value/time.h"

// string.format in two styles. The conformance suite has the current one; Kubernetes keeps an older
// version of the library (docs/cel-conformance.md), which prints parts of lists and maps as
// literals and numbers through Go's message printer for English. Both share the clauses and the
// messages.

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
      // By the text of the key: maps have no order, output must.
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

// Kubernetes' form of %s, for values inside lists and maps: literals of the language.
Text as_kubernetes_string(const Value& v, Arena& arena, int depth);

Text as_kubernetes_item(const Value& v, Arena& arena, int depth) {
  switch (v.kind()) {
    case Kind::kString: return quote(v.as_text());
    case Kind::kBytes: return "b" + quote(v.as_text());
    case Kind::kTimestamp: return "timestamp(" + quote(format_rfc3339_nano(v.as_timestamp())) + ")";
    case Kind::kDuration: return "duration(" + quote(format_duration(v.as_duration())) + ")";
    case Kind::kDouble: {
      const double d = v.as_double();
      if (std::isnan(d)) return "\"NaN\"";
      if (std::isinf(d)) return d < 0 ? "\"-Inf\"" : "\"+Inf\"";
      return fmt::format("{:.6f}", d);
    }
    default: return as_kubernetes_string(v, arena, depth);
  }
}

Text as_kubernetes_string(const Value& v, Arena& arena, int depth) {
  if (depth > kMaxFormattedDepth) return std::nullopt;
  switch (v.kind()) {
    case Kind::kDouble: return format_go_g(v.as_double());
    case Kind::kList: {
      std::string out = "[";
      for (Cursor c(v, arena); !c.done(); c.next()) {
        const Text item = as_kubernetes_item(c.item(), arena, depth + 1);
        if (!item || out.size() > kMaxTextBytes) return std::nullopt;
        if (c.index() != 0) out += ", ";
        out += *item;
      }
      return out + "]";
    }
    case Kind::kMap: {
      std::vector<std::pair<std::string, std::string>> entries;
      for (Cursor c(v, arena); !c.done(); c.next()) {
        Text key = as_kubernetes_item(c.item(), arena, depth + 1);
        Text value = as_kubernetes_item(c.value(), arena, depth + 1);
        if (!key || !value) return std::nullopt;
        entries.emplace_back(*std::move(key), *std::move(value));
      }
      std::ranges::sort(entries);
      std::string out = "{";
      for (const auto& [key, value] : entries) {
        if (out.size() > 1) out += ", ";
        out.append(key).append(":").append(value);
        if (out.size() > kMaxTextBytes) return std::nullopt;
      }
      return out + "}";
    }
    default: return as_string(v, arena, depth);
  }
}

// %f and %e as Go prints them for American English: 12,345.68 and 1.234568 x 10 to the 04, in
// superscript.
Text as_english_float(const Value& v, const FormatClause& clause) {
  double d = 0;
  if (v.is(Kind::kDouble)) {
    d = v.as_double();
  } else if (v.is(Kind::kString) && v.as_text() == "NaN") {
    return "NaN";
  } else if (v.is(Kind::kString) && (v.as_text() == "Infinity" || v.as_text() == "-Infinity")) {
    return v.as_text().starts_with('-') ? "-\u221E" : "\u221E";
  } else {
    return std::nullopt;
  }
  if (std::isnan(d)) return "NaN";
  if (std::isinf(d)) return d < 0 ? "-\u221E" : "\u221E";
  if (clause.verb == 'e') {
    static constexpr std::string_view kSuperscripts[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3",
                                                         "\u2074", "\u2075", "\u2076", "\u2077",
                                                         "\u2078", "\u2079"};
    const std::string plain = fmt::format("{:.6e}", d);
    const std::size_t e = plain.find('e');
    std::string out = plain.substr(0, e) + "\u202F\u00D7\u202F10";
    for (char c : plain.substr(e + 1)) {
      if (c == '-') out += "\u207B";
      if (c >= '0' && c <= '9') out += kSuperscripts[c - '0'];
    }
    return out;
  }
  std::string out = fmt::format("{:.{}f}", d, clause.precision);
  const std::size_t first_digit = out.starts_with('-') ? 1 : 0;
  std::size_t point = out.find('.');
  if (point == std::string::npos) point = out.size();
  // From the point to the left, so that insertions do not move what is still to come.
  for (std::size_t at = point; at > first_digit + 3;) {
    at -= 3;
    out.insert(at, ",");
  }
  return out;
}

Text format_for_kubernetes(const FormatClause& clause, const Value& arg, Arena& arena) {
  switch (clause.verb) {
    case 's': return as_kubernetes_string(arg, arena, 0);
    case 'd': return arg.is(Kind::kDouble) ? Text() : as_decimal(arg);
    case 'f':
    case 'e': return as_english_float(arg, clause);
    case 'b': return as_binary(arg);
    case 'o': return as_octal(arg);
    default: return as_hex(arg, clause.verb == 'X');
  }
}

Text format_one(const FormatClause& clause, const Value& arg, Arena& arena) {
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

std::string describe_misfit(const FormatClause& clause, std::string_view given) {
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

std::optional<FormatClause> FormatReader::next(std::string& out) {
  constexpr std::string_view kUnexpectedEnd =
      "could not parse formatting clause: unexpected end of string";
  for (; at < format.size(); ++at) {
    if (format[at] != '%') {
      out += format[at];
      continue;
    }
    if (++at >= format.size()) {
      error = kUnexpectedEnd;
      return std::nullopt;
    }
    if (format[at] == '%') {
      out += '%';
      continue;
    }
    FormatClause clause{.precision = kDefaultPrecision};
    if (format[at] == '.') {
      clause.precision = 0;
      for (++at; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at) {
        clause.precision = std::min(clause.precision * 10 + (format[at] - '0'), kMaxPrecision + 1);
      }
      if (clause.precision > kMaxPrecision) {
        error = fmt::format("precision of {} exceeds the maximum allowed precision of {}",
                            clause.precision, kMaxPrecision);
        return std::nullopt;
      }
      if (at >= format.size()) {
        error = kUnexpectedEnd;
        return std::nullopt;
      }
    }
    clause.verb = format[at++];
    if (std::string_view("sdfebxXo").find(clause.verb) != std::string_view::npos) return clause;
    error = fmt::format("could not parse formatting clause: unrecognized formatting clause \"{}\"",
                        clause.verb);
    return std::nullopt;
  }
  return std::nullopt;
}

Value format_string(EvalContext& context, std::string_view format, const Value& args,
                    FormatStyle style) {
  std::string out;
  std::uint64_t used = 0;
  const std::uint64_t count = list_size(args);
  FormatReader reader{.format = format};
  while (const std::optional<FormatClause> clause = reader.next(out)) {
    if (used >= count) return context.error(fmt::format("index {} out of range", used));
    const Value arg = list_at(args, used++, context.arena);
    const Text text = style == FormatStyle::kKubernetes
                          ? format_for_kubernetes(*clause, arg, context.arena)
                          : format_one(*clause, arg, context.arena);
    if (!text) return context.error(describe_misfit(*clause, type_name(arg)));
    out += *text;
    if (out.size() > kMaxTextBytes) return context.error("string too long");
  }
  if (!reader.error.empty()) return context.error(reader.error);
  if (used < count) {
    return context.error(fmt::format(
        "too many arguments supplied to string.format (expected {}, got {})", used, count));
  }
  return Value::string(context.arena.copy(out));
}

}  // namespace strake::cel
