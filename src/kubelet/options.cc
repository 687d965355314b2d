#include "kubelet/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <span>

#include "base/quote.h"
#include "base/rfc3339.h"
#include "kinds/fields.h"
#include "meta/names.h"
#include "meta/status.h"
#include "value/field_error.h"
#include "value/fields.h"

namespace strake::kubelet {
namespace {

using meta::Status;
using value::Document;
using value::FieldError;
using value::Value;

enum class ParameterType : std::uint8_t { kText, kTexts, kFlag, kNumber, kTime, kPorts };

struct Parameter {
  std::string_view name;
  ParameterType type;
};

constexpr Parameter kLog[] = {{"container", ParameterType::kText},
                              {"follow", ParameterType::kFlag},
                              {"insecureSkipTLSVerifyBackend", ParameterType::kFlag},
                              {"limitBytes", ParameterType::kNumber},
                              {"previous", ParameterType::kFlag},
                              {"sinceSeconds", ParameterType::kNumber},
                              {"sinceTime", ParameterType::kTime},
                              {"stream", ParameterType::kText},
                              {"tailLines", ParameterType::kNumber},
                              {"timestamps", ParameterType::kFlag}};
constexpr Parameter kAttach[] = {{"container", ParameterType::kText},
                                 {"stderr", ParameterType::kFlag},
                                 {"stdin", ParameterType::kFlag},
                                 {"stdout", ParameterType::kFlag},
                                 {"tty", ParameterType::kFlag}};
constexpr Parameter kExec[] = {
    {"command", ParameterType::kTexts}, {"container", ParameterType::kText},
    {"stderr", ParameterType::kFlag},   {"stdin", ParameterType::kFlag},
    {"stdout", ParameterType::kFlag},   {"tty", ParameterType::kFlag}};
constexpr Parameter kPortForward[] = {{"ports", ParameterType::kPorts}};

std::span<const Parameter> parameters_of(std::string_view kind) {
  if (kind == "PodLogOptions") return kLog;
  if (kind == "PodAttachOptions") return kAttach;
  if (kind == "PodExecOptions") return kExec;
  return kPortForward;
}

std::string not_a_number(std::string_view function, std::string_view text, bool out_of_range) {
  return fmt::format("strconv.{}: parsing {}: {}", function, quote(text),
                     out_of_range ? "value out of range" : "invalid syntax");
}

// As Go's strconv reads it: ParseInt takes a sign.
template <typename Number>
Result<Number> parse_number(std::string_view function, std::string_view text) {
  std::string_view digits = text;
  if (std::is_signed_v<Number> && digits.starts_with('+')) digits.remove_prefix(1);
  Number out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  const bool whole = end == digits.data() + digits.size() && !digits.empty();
  if (!whole || error == std::errc::invalid_argument ||
      (digits.size() != text.size() && digits.starts_with('-')))
    return fail(Code::kInvalid, "{}", not_a_number(function, text, false));
  if (error != std::errc()) return fail(Code::kInvalid, "{}", not_a_number(function, text, true));
  return out;
}

Result<Value> read_ports(const std::vector<std::string_view>& all, Arena& arena) {
  Value out = Value::array({});
  for (std::string_view rest : all) {
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      const auto port = parse_number<std::uint16_t>("ParseUint", rest.substr(0, comma));
      if (!port)
        return fail(Code::kInvalid, "cannot convert to []int32: {}", port.error().message());
      out.append(Value::integer(*port), arena);
      more = comma != std::string_view::npos;
      if (more) rest.remove_prefix(comma + 1);
    }
  }
  return out;
}

// Null for what is written as if it were absent.
Result<Value> read_one(const Parameter& parameter, const std::vector<std::string_view>& all,
                       Arena& arena) {
  const std::string_view first = all.front();
  switch (parameter.type) {
    case ParameterType::kText: {
      // An empty stream is a stream all the same.
      if (first.empty() && parameter.name != "stream") return Value();
      return Value::string(arena.copy(first));
    }
    case ParameterType::kTexts: {
      Value out = Value::array({});
      for (const std::string_view one : all) out.append(Value::string(arena.copy(one)), arena);
      return out;
    }
    case ParameterType::kFlag: {
      const bool off = first == "0" || meta::to_lower_ascii(first) == "false";
      return off ? Value() : Value::boolean(true);
    }
    case ParameterType::kNumber: {
      STRAKE_TRY(const std::int64_t number, parse_number<std::int64_t>("ParseInt", first));
      return Value::integer(number);
    }
    case ParameterType::kTime: {
      // The zero time.
      if (first.empty() || first == "null") return Value::string("0001-01-01T00:00:00Z");
      STRAKE_TRY(const Instant time, parse_rfc3339(first));
      return Value::string(arena.copy(format_rfc3339(time)));
    }
    case ParameterType::kPorts: return read_ports(all, arena);
  }
  return Value();
}

// Names and values, in the order in which they are sent.
class QueryText {
 public:
  void add(std::string_view name, std::string_view text) {
    parts_.emplace(name, fmt::format("{}={}", name, http::percent_encode(text)));
  }
  void add_flag(const Value& options, std::string_view member, std::string_view name,
                std::string_view text) {
    if (value::flag_of(options, member)) add(name, text);
  }
  void add_number(const Value& options, std::string_view member) {
    if (kinds::member(options, member) != nullptr)
      add(member, fmt::format("{}", kinds::integer(options, member)));
  }
  std::string take() const {
    std::string out;
    for (const auto& [name, part] : parts_) out += (out.empty() ? "" : "&") + part;
    return out;
  }

 private:
  std::multimap<std::string, std::string> parts_;
};

}  // namespace

api::Answer<Document> read_options(std::string_view kind, const http::Query& query) {
  Document out;
  Arena& arena = out.arena();
  out.root() = Value::object({});
  out.root().set("apiVersion", Value::string("v1"), arena);
  out.root().set("kind", Value::string(arena.copy(kind)), arena);
  for (const Parameter& parameter : parameters_of(kind)) {
    const std::vector<std::string_view> all = query.get_all(parameter.name);
    if (all.empty()) {
      // Always written in Go, as it is not optional.
      if (parameter.type == ParameterType::kTexts) out.root().set(parameter.name, Value(), arena);
      continue;
    }
    Result<Value> one = read_one(parameter, all, arena);
    if (!one) return api::refuse(Status::bad_request(std::string(one.error().message())));
    if (!one->is_null()) out.root().set(parameter.name, *std::move(one), arena);
  }
  return out;
}

api::Answer<> check_log_options(const Value& options, std::string_view pod) {
  value::FieldErrors errors;
  const auto check_least = [&](std::string_view name, std::int64_t least, const char* detail) {
    const Value* number = kinds::member(options, name);
    if (number != nullptr && kinds::integer(options, name) < least)
      errors.push_back(FieldError::invalid(FieldPath() / name, *number, detail));
  };
  check_least("tailLines", 0, "must be greater than or equal to 0");
  check_least("limitBytes", 1, "must be greater than 0");
  if (kinds::member(options, "sinceSeconds") != nullptr &&
      kinds::member(options, "sinceTime") != nullptr) {
    errors.push_back(FieldError::forbidden(
        FieldPath() / "", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else {
    check_least("sinceSeconds", 1, "must be greater than 0");
  }
  // Its feature is off in kube-apiserver 1.36.
  if (kinds::member(options, "stream") != nullptr)
    errors.push_back(FieldError::forbidden(FieldPath() / "stream", "may not be specified"));
  if (errors.empty()) return {};
  return api::refuse(Status::invalid({"", "PodLogOptions"}, pod, errors));
}

std::string log_query(const Value& options) {
  QueryText out;
  for (const std::string_view flag : {"follow", "previous", "timestamps"})
    out.add_flag(options, flag, flag, "true");
  for (const std::string_view number : {"sinceSeconds", "tailLines", "limitBytes"})
    out.add_number(options, number);
  if (const std::string_view time = value::text_of(options, "sinceTime"); !time.empty())
    out.add("sinceTime", time);
  return out.take();
}

std::string stream_query(const Value& options) {
  QueryText out;
  out.add_flag(options, "stdin", "input", "1");
  out.add_flag(options, "stdout", "output", "1");
  out.add_flag(options, "stderr", "error", "1");
  out.add_flag(options, "tty", "tty", "1");
  for (const Value& word : kinds::items(options, "command"))
    out.add("command", value::text_of(word));
  std::string ports;
  for (const Value& port : kinds::items(options, "ports"))
    ports += fmt::format("{}{}", ports.empty() ? "" : ",", port.as_int());
  if (!ports.empty()) out.add("port", ports);
  return out.take();
}

}  // namespace strake::kubelet
