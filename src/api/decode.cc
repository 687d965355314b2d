#include "api/decode.h"

#include <fmt/format.h>

#include "api/patched_text.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "kinds/protobuf.h"
#include "resource/settle.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Document;
using value::Value;

// What the reference's decoder looks for first; its Go type shows in messages.
constexpr std::string_view kTypeStruct =
    "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
    "\"json:\\\"kind,omitempty\\\"\" }";

std::string_view go_name(const Value& v) {
  switch (v.type()) {
    case value::Type::kBool: return "bool";
    case value::Type::kString: return "string";
    case value::Type::kArray: return "array";
    default: return "number";
  }
}

std::unexpected<Status> unrecognized(const Call& call, std::string_view why) {
  return refuse(Status::bad_request(
      fmt::format("the object provided is unrecognized (must be of type {}): {} ({})",
                  call.resource().kind, why, summarize_body(call.request.body))));
}

std::unexpected<Status> cannot_be_handled(const Call& call, std::string_view why) {
  return refuse(
      Status::bad_request(fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2}",
                                      call.resource().kind, call.version->name, why)));
}

Answer<Document> read_protobuf(const Call& call) {
  Result<Document> document = kinds::decode_protobuf(call.request.body);
  if (document) return *std::move(document);
  const Error& error = document.error();
  if (error.code() == Code::kUnsupported) return refuse(Status::unsupported_media_type(kReadable));
  if (error.code() == Code::kParse) return unrecognized(call, error.message());
  return cannot_be_handled(call, error.message());
}

Answer<Document> read_body(Call& call, bool yaml) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  // Decoding by shape takes members in the order of the text.
  options.positions = call.endpoint->hooks() != nullptr || yaml;
  if (yaml) {
    Result<Document> document = value::read_yaml(call.request.body, options);
    if (!document) return unrecognized(call, document.error().message());
    return *std::move(document);
  }
  Result<Document> document = value::read_json_borrowed(call.request.body, options);
  if (!document) {
    return unrecognized(
        call, "couldn't get version/kind; json parse error: " + document.error().message());
  }
  return *std::move(document);
}

// Built-in kinds may leave out what they are: the path says it. Custom resources may not.
void fill_type(const Call& call, Document& document) {
  Value& root = document.root();
  if (call.endpoint->hooks() == nullptr || call.info.subresource == "token" || !root.is_object())
    return;
  const auto fill = [&](std::string_view key, std::string_view text) {
    const Value* given = root.find(key);
    const bool missing =
        given == nullptr || given->is_null() || (given->is_string() && given->as_string().empty());
    if (missing) root.set(key, Value::string(document.arena().copy(text)), document.arena());
  };
  fill("kind", call.resource().kind);
  fill("apiVersion", call.api_version());
}

Answer<> check_type(const Call& call, const Value& root) {
  if (!root.is_object() && !root.is_null()) {
    return unrecognized(
        call,
        fmt::format("couldn't get version/kind; json parse error: json: cannot unmarshal {} into "
                    "Go value of type {}",
                    go_name(root), kTypeStruct));
  }
  const auto text = [&](std::string_view key) -> Answer<std::string_view> {
    const Value* v = root.find(key);
    if (v == nullptr || v->is_null()) return std::string_view();
    if (v->is_string()) return v->as_string();
    return unrecognized(
        call,
        fmt::format("couldn't get version/kind; json parse error: json: cannot unmarshal {} into "
                    "Go struct field .{} of type string",
                    go_name(*v), key));
  };
  STRAKE_TRY(const std::string_view kind, text("kind"));
  STRAKE_TRY(const std::string_view api_version, text("apiVersion"));
  if (kind.empty()) {
    return unrecognized(call, fmt::format("Object 'Kind' is missing in '{}'", call.request.body));
  }
  const bool is_token = call.info.subresource == "token";
  if (call.endpoint->hooks() != nullptr && !is_token && api_version == call.api_version() &&
      kind != call.resource().kind) {
    return refuse(Status::bad_request(
        fmt::format("{0} in version \"{1}\" cannot be handled as a {2}: converting ({1}.{0}) to "
                    "({3}.{2}): unknown conversion",
                    kind, call.version->name, call.resource().kind,
                    call.resource().group.empty()
                        ? "core"
                        : call.resource().group.substr(0, call.resource().group.find('.')))));
  }
  if (api_version != call.api_version()) {
    return refuse(Status::bad_request(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    api_version, call.api_version())));
  }
  return {};
}

// YAML has its own words for repeated keys, with the line of the later one.
std::vector<std::string> strict_errors(const Document& document,
                                       const std::vector<std::string>& unknown, bool yaml) {
  if (!yaml || document.duplicates().empty())
    return resource::strict_errors(document.duplicates(), unknown);
  std::string text = "yaml: unmarshal errors:";
  for (const value::DuplicateKey& one : document.duplicates()) {
    text +=
        fmt::format("\n  line {}: key {} already set in map", one.second.line,
                    quote(one.path.steps().empty() ? std::string() : one.path.steps().back().name));
  }
  std::vector<std::string> out = {std::move(text)};
  for (std::string& one : resource::strict_errors({}, unknown)) out.push_back(std::move(one));
  return out;
}

// Fills defaults and drops what the kind does not know. `unknown` gets the paths of the latter.
Answer<> settle(const Call& call, Document& document, bool from_text,
                std::vector<std::string>* unknown) {
  if (const kinds::Hooks* hooks = call.endpoint->hooks()) {
    const Result<> read = meta::read_shape(document.root(), hooks->shape(), document.arena(),
                                           {.from_text = from_text, .unknown = unknown});
    if (!read) return cannot_be_handled(call, read.error().message());
    hooks->apply_defaults(document.root(), document.arena());
    return {};
  }
  STRAKE_TRY(const resource::Kind* kind, answer(call.version->kind()));
  const Result<> settled = resource::settle(document.root(), *kind, document.arena(), unknown);
  if (!settled) return cannot_be_handled(call, settled.error().message());
  return {};
}

}  // namespace

std::string Call::now_text() const { return format_rfc3339(Instant::from(now)); }

std::string summarize_body(std::string_view body) {
  constexpr std::size_t kShown = 30;
  if (body.empty()) return "<empty>";
  const std::string_view more = body.size() > kShown ? " ..." : "";
  if (body.front() == '{') return std::string(body.substr(0, kShown)).append(more);
  std::string out;
  for (const char c : body.substr(0, kShown))
    out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out.append(more);
}

Answer<Document> decode_body(Call& call, FieldValidation validation) {
  if (call.request.body_too_large) return refuse(Status::request_too_large("limit is 3145728"));
  const std::string type = media_type(call.request.headers.get("Content-Type"));
  const bool yaml = type == "application/yaml";
  // Custom resources have no protobuf form.
  const bool protobuf = type == kinds::kProtobufType && call.endpoint->hooks() != nullptr;
  if (!type.empty() && type != "application/json" && !yaml && !protobuf)
    return refuse(Status::unsupported_media_type(kReadable));
  STRAKE_TRY(Document document, protobuf ? read_protobuf(call) : read_body(call, yaml));
  fill_type(call, document);
  STRAKE_CHECK(check_type(call, document.root()));
  std::vector<std::string> unknown;
  STRAKE_CHECK(
      settle(call, document, true, validation == FieldValidation::kIgnore ? nullptr : &unknown));
  if (validation == FieldValidation::kIgnore) return document;
  std::vector<std::string> strict = strict_errors(document, unknown, yaml);
  if (strict.empty()) return document;
  if (validation == FieldValidation::kStrict) {
    return cannot_be_handled(call,
                             fmt::format("strict decoding error: {}", fmt::join(strict, ", ")));
  }
  for (std::string& one : strict) call.warnings.push_back(std::move(one));
  return document;
}

Answer<> settle_patched(Call& call, Document& document, FieldValidation validation,
                        const PatchedObject& patched) {
  const auto invalid = [&](std::string_view why) {
    value::FieldErrors errors;
    const std::string text = patched.quote();
    errors.push_back(
        value::FieldError::invalid(FieldPath() / "patch", Value::string(text), std::string(why)));
    return refuse(Status::invalid({"", ""}, "", errors));
  };
  std::vector<std::string> unknown;
  std::vector<std::string>* wanted = validation == FieldValidation::kIgnore ? nullptr : &unknown;
  if (const kinds::Hooks* hooks = call.endpoint->hooks()) {
    if (patched.converted) {
      if (const auto fault = converter_fault(document.root(), hooks->shape()))
        return invalid(*fault);
    }
    const Result<> read = meta::read_shape(document.root(), hooks->shape(), document.arena(),
                                           {.from_text = false, .unknown = wanted});
    if (!read) return invalid(read.error().message());
    hooks->apply_defaults(document.root(), document.arena());
  } else {
    STRAKE_TRY(const resource::Kind* kind, answer(call.version->kind()));
    const Result<> settled = resource::settle(document.root(), *kind, document.arena(), wanted);
    if (!settled) return invalid(settled.error().message());
  }
  if (validation == FieldValidation::kIgnore) return {};
  std::vector<std::string> strict = patched.strict_errors;
  for (std::string& one : resource::strict_errors({}, unknown)) strict.push_back(std::move(one));
  if (strict.empty()) return {};
  if (validation == FieldValidation::kStrict) {
    return invalid(fmt::format("strict decoding error: {}", fmt::join(strict, ", ")));
  }
  for (const std::string& one : strict) call.warnings.push_back(one);
  return {};
}

Answer<Document> parse_current(std::string_view bytes) {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  return answer(value::read_json_borrowed(bytes, options));
}

}  // namespace strake::api
