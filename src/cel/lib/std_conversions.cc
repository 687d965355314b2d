// bool(), int(), string() and the rest.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/number_format.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "cel/lib/std_library.h"
#include "cel/value/time.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

Value same(EvalContext&, Args x) { return x[0]; }

Value no_conversion(EvalContext& c, std::string_view from, const Type& to) {
  return c.error(fmt::format("type conversion error from '{}' to '{}'", from, to.name));
}

Value new_text(EvalContext& c, std::string_view s) { return Value::string(c.arena.copy(s)); }

template <typename Int>
std::optional<Int> whole_number(std::string_view s) {
  Int out = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), out);
  if (error != std::errc() || end != s.data() + s.size()) return std::nullopt;
  return out;
}

Value string_to_bool(EvalContext& c, Args x) {
  static constexpr std::array<std::string_view, 6> kTrue = {"1", "t", "T", "true", "TRUE", "True"};
  static constexpr std::array<std::string_view, 6> kFalse = {"0",     "f",     "F",
                                                             "false", "FALSE", "False"};
  if (std::ranges::find(kTrue, x[0].as_text()) != kTrue.end()) return Value::boolean(true);
  if (std::ranges::find(kFalse, x[0].as_text()) != kFalse.end()) return Value::boolean(false);
  return no_conversion(c, "string", types::boolean);
}

// strconv.ParseInt takes a leading plus, which from_chars does not.
Value string_to_int(EvalContext& c, Args x) {
  std::string_view s = x[0].as_text();
  if (s.starts_with('+') && !s.substr(1).starts_with('-')) s.remove_prefix(1);
  const auto n = whole_number<std::int64_t>(s);
  return n ? Value::integer(*n) : no_conversion(c, "string", types::integer);
}

Value string_to_uint(EvalContext& c, Args x) {
  const auto n = whole_number<std::uint64_t>(x[0].as_text());
  return n ? Value::uinteger(*n) : no_conversion(c, "string", types::uinteger);
}

// Whether Go's strconv.ParseFloat takes a text that strtod takes. It wants an exponent behind
// hexadecimal digits and no sign before nan, and it knows neither white space nor nan(...).
bool is_go_float(std::string_view s) {
  if (s.find_first_of(std::string_view(" \t\n\v\f\r(\0", 8)) != std::string_view::npos)
    return false;
  const bool sign = s.starts_with('+') || s.starts_with('-');
  std::string_view digits = s.substr(sign ? 1 : 0);
  if (digits.starts_with("0x") || digits.starts_with("0X"))
    return digits.find_first_of("pP") != std::string_view::npos;
  return !sign || !(digits.starts_with('n') || digits.starts_with('N'));
}

// Close to Go's strconv.ParseFloat: hexadecimal digits with underscores do not pass here.
Value string_to_double(EvalContext& c, Args x) {
  const std::string s(x[0].as_text());
  const bool plausible = !s.empty() && is_go_float(s);
  char* end = nullptr;
  const double d = plausible ? std::strtod(s.c_str(), &end) : 0;
  if (!plausible || end != s.c_str() + s.size()) return no_conversion(c, "string", types::number);
  const bool digits = s.find_first_of("0123456789") != std::string::npos;
  if (std::isinf(d) && digits) return no_conversion(c, "string", types::number);
  return Value::number(d);
}

Value double_to_int(EvalContext& c, Args x) {
  const double d = x[0].as_double();
  // The ends themselves are refused too, since a double near them may have been rounded.
  if (!(d > -9223372036854775808.0 && d < 9223372036854775807.0))
    return c.error("integer overflow");
  return Value::integer(static_cast<std::int64_t>(d));
}

Value double_to_uint(EvalContext& c, Args x) {
  const double d = x[0].as_double();
  if (!(d >= 0 && d < 18446744073709551615.0)) return c.error("unsigned integer overflow");
  return Value::uinteger(static_cast<std::uint64_t>(d));
}

Value bytes_to_string(EvalContext& c, Args x) {
  if (!utf8::is_valid(x[0].as_text())) {
    return c.error("invalid UTF-8 in bytes, cannot convert to string");
  }
  return Value::string(x[0].as_text());
}

Value string_to_duration(EvalContext& c, Args x) {
  const auto d = parse_duration(x[0].as_text());
  return d ? Value::duration(*d) : no_conversion(c, "string", types::duration);
}

Value string_to_timestamp(EvalContext& c, Args x) {
  const Result<Instant> t = parse_rfc3339(x[0].as_text());
  if (!t) return no_conversion(c, "string", types::timestamp);
  if (!in_range(*t)) return c.error("timestamp overflow");
  return Value::timestamp(*t);
}

Value int_to_timestamp(EvalContext& c, Args x) {
  const Instant t{x[0].as_int(), 0};
  return in_range(t) ? Value::timestamp(t) : c.error("timestamp overflow");
}

void declare_numbers(Library& library) {
  library.function("double")
      .global("double_to_double", {&types::number}, &types::number, same)
      .global(
          "int64_to_double", {&types::integer}, &types::number,
          [](EvalContext&, Args x) { return Value::number(static_cast<double>(x[0].as_int())); })
      .global("string_to_double", {&types::string}, &types::number, string_to_double)
      .global("uint64_to_double", {&types::uinteger}, &types::number, [](EvalContext&, Args x) {
        return Value::number(static_cast<double>(x[0].as_uint()));
      });
  library.function("int")
      .global("int64_to_int64", {&types::integer}, &types::integer, same)
      .global("double_to_int64", {&types::number}, &types::integer, double_to_int)
      .global("duration_to_int64", {&types::duration}, &types::integer,
              [](EvalContext&, Args x) { return Value::integer(x[0].as_duration()); })
      .global("string_to_int64", {&types::string}, &types::integer, string_to_int)
      .global("timestamp_to_int64", {&types::timestamp}, &types::integer,
              [](EvalContext&, Args x) { return Value::integer(x[0].as_timestamp().seconds); })
      .global("uint64_to_int64", {&types::uinteger}, &types::integer, [](EvalContext& c, Args x) {
        if (x[0].as_uint() > INT64_MAX) return c.error("integer overflow");
        return Value::integer(x[0].as_int());
      });
  library.function("uint")
      .global("uint64_to_uint64", {&types::uinteger}, &types::uinteger, same)
      .global("double_to_uint64", {&types::number}, &types::uinteger, double_to_uint)
      .global("int64_to_uint64", {&types::integer}, &types::uinteger,
              [](EvalContext& c, Args x) {
                if (x[0].as_int() < 0) return c.error("unsigned integer overflow");
                return Value::uinteger(x[0].as_uint());
              })
      .global("string_to_uint64", {&types::string}, &types::uinteger, string_to_uint);
}

void declare_texts(Library& library) {
  library.function("string")
      .global("string_to_string", {&types::string}, &types::string, same)
      .global("bool_to_string", {&types::boolean}, &types::string,
              [](EvalContext&, Args x) { return Value::string(x[0].as_bool() ? "true" : "false"); })
      .global("bytes_to_string", {&types::bytes}, &types::string, bytes_to_string)
      .global("double_to_string", {&types::number}, &types::string,
              [](EvalContext& c, Args x) { return new_text(c, format_go_g(x[0].as_double())); })
      .global(
          "duration_to_string", {&types::duration}, &types::string,
          [](EvalContext& c, Args x) { return new_text(c, format_duration(x[0].as_duration())); })
      .global("int64_to_string", {&types::integer}, &types::string,
              [](EvalContext& c, Args x) { return new_text(c, std::to_string(x[0].as_int())); })
      .global("timestamp_to_string", {&types::timestamp}, &types::string,
              [](EvalContext& c, Args x) {
                return new_text(c, format_rfc3339_nano(x[0].as_timestamp()));
              })
      .global("uint64_to_string", {&types::uinteger}, &types::string,
              [](EvalContext& c, Args x) { return new_text(c, std::to_string(x[0].as_uint())); });
  library.function("bytes")
      .global("bytes_to_bytes", {&types::bytes}, &types::bytes, same)
      .global("string_to_bytes", {&types::string}, &types::bytes,
              [](EvalContext&, Args x) { return Value::bytes(x[0].as_text()); });
}

void declare_type_names(Library& library) {
  for (const Type* t :
       {&types::boolean, &types::integer, &types::uinteger, &types::number, &types::string,
        &types::bytes, &types::null, &types::timestamp, &types::duration}) {
    library.type_name(t->name, t);
  }
  library.type_name("list", &types::list_of_dyn);
  library.type_name("map", &types::map_of_dyn);
  library.type_name("type", &types::type);
}

}  // namespace

void declare_conversions(Library& library) {
  declare_type_names(library);
  declare_numbers(library);
  declare_texts(library);
  const Type* a = library.types().param("A");
  library.function("bool")
      .global("bool_to_bool", {&types::boolean}, &types::boolean, same)
      .global("string_to_bool", {&types::string}, &types::boolean, string_to_bool);
  library.function("duration")
      .global("duration_to_duration", {&types::duration}, &types::duration, same)
      .global("string_to_duration", {&types::string}, &types::duration, string_to_duration);
  library.function("timestamp")
      .global("timestamp_to_timestamp", {&types::timestamp}, &types::timestamp, same)
      .global("int64_to_timestamp", {&types::integer}, &types::timestamp, int_to_timestamp)
      .global("string_to_timestamp", {&types::string}, &types::timestamp, string_to_timestamp);
  library.function("dyn").global("to_dyn", {a}, &types::dyn, same);
  library.function("type").global("type", {a}, library.types().type_of(a),
                                  [](EvalContext&, Args x) { return Value::type(type_of(x[0])); });
}

}  // namespace strake::cel
