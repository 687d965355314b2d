#include "api/verbs/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <expected>

#include "api/verbs/patched_text.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "kinds/builtins.h"
#include "kinds/describe.h"
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

// What kube-apiserver's decoder looks for first; its Go type shows in messages.
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
  return refuse(Status::bad_request(resource::decode_failure(
      {call.resource().group, call.version->name, call.resource().kind}, why)));
}

// A failure of the strategy's decoder: the client's, or that of a definition that cannot be had.
std::unexpected<Status> undecodable(const Call& call, const Error& error) {
  if (error.code() != Code::kBadRequest) return refuse(Status::from_error(error));
  return cannot_be_handled(call, error.message());
}

// What the decoder says of a body that it cannot read. It names numbers as they were written, which
// a document does not keep: the body is read once more.
std::unexpected<Status> undecodable_text(const Call& call, const Error& error) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  options.positions = call.strategy().wire().in_text_order;
  options.numbers = value::NumberPolicy::kExact;
  Result<Document> document = value::read_json_borrowed(call.request.body, options);
  if (!document || error.code() != Code::kBadRequest) return undecodable(call, error);
  const Result<> again =
      call.strategy().decode(document->root(), document->arena(), *call.version, {});
  return undecodable(call, again ? error : again.error());
}

Answer<Document> read_body(Call& call, bool yaml) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  options.positions = call.strategy().wire().in_text_order || yaml;
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

// Typed objects may leave out what they are: the path says it.
void fill_type(const Call& call, Document& document) {
  Value& root = document.root();
  if (!call.strategy().wire().typed || !root.is_object()) return;
  const auto fill = [&](std::string_view key, std::string_view text) {
    const Value* given = root.find(key);
    const bool missing =
        given == nullptr || given->is_null() || (given->is_string() && given->as_string().empty());
    if (missing) root.set(key, Value::string(document.arena().copy(text)), document.arena());
  };
  fill("kind", call.resource().kind);
  fill("apiVersion", call.api_version());
}

struct TypeText {
  std::string_view kind;
  std::string_view api_version;
};

bool equal_fold(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return lower(x) == lower(y);
  });
}

// The members that encoding/json of Go takes for the field, whatever the case of their letters, in
// the order of the text.
std::vector<const Value*> members_of_field(const Value& root, std::string_view field) {
  std::vector<std::size_t> found;
  const auto members = root.members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (equal_fold(members[i].key, field)) found.push_back(i);
  }
  if (found.size() > 1 && root.has_positions())
    std::ranges::sort(found, {}, [&](std::size_t i) { return root.key_position(i).offset; });
  std::vector<const Value*> out;
  for (const std::size_t i : found) out.push_back(&members[i].value);
  return out;
}

// What an object says it is, read as the decoder of kube-apiserver 1.36 does before anything else;
// empty where it says nothing. The error is a message.
std::expected<TypeText, std::string> read_type(const Value& root) {
  if (!root.is_object() && !root.is_null()) {
    return std::unexpected(
        fmt::format("couldn't get version/kind; json parse error: json: cannot unmarshal {} into "
                    "Go value of type {}",
                    go_name(root), kTypeStruct));
  }
  TypeText out;
  for (auto [key, text] : {std::pair<std::string_view, std::string_view*>{"kind", &out.kind},
                           {"apiVersion", &out.api_version}}) {
    for (const Value* v : members_of_field(root, key)) {
      if (v->is_string()) *text = v->as_string();
      if (v->is_null() || v->is_string()) continue;
      return std::unexpected(
          fmt::format("couldn't get version/kind; json parse error: json: cannot unmarshal {} into "
                      "Go struct field .{} of type string",
                      go_name(*v), key));
    }
  }
  return out;
}

// The failed conversion between two Go types: that of the kind that was sent, and the internal one
// of the endpoint.
std::string unknown_conversion(const Call& call, std::string_view version, std::string_view kind) {
  const std::string_view group = call.resource().group;
  return fmt::format("converting ({}.{}) to ({}.{}): unknown conversion", version, kind,
                     group.empty() ? "core" : group.substr(0, group.find('.')),
                     call.resource().kind);
}

// What the scheme of kube-apiserver 1.36 says of a kind that it does not have.
std::string not_registered(const meta::GroupVersionKind& gvk) {
  return fmt::format(
      "no kind {} is registered for version {} in scheme \"pkg/api/legacyscheme/scheme.go:30\"",
      quote(gvk.kind), quote(meta::GroupVersion{gvk.group, gvk.version}.to_string()));
}

Answer<> check_type(const Call& call, const Value& root) {
  const auto type = read_type(root);
  if (!type) return unrecognized(call, type.error());
  const auto [kind, api_version] = *type;
  if (kind.empty()) {
    return unrecognized(call, fmt::format("Object 'Kind' is missing in '{}'", call.request.body));
  }
  if (kind == call.resource().kind && api_version == call.api_version()) return {};
  if (call.strategy().wire().typed) {
    // A kind that Kubernetes has is read, and then fits nowhere.
    const meta::GroupVersionKind gvk = meta::from_api_version_and_kind(api_version, kind);
    const bool is_known = kinds::find_kind(gvk) != nullptr;
    const auto& older = call.resource().older_versions;
    if (kind == call.resource().kind && std::ranges::find(older, api_version) != older.end())
      return {};
    if (!is_known || kind != call.resource().kind) {
      return refuse(Status::bad_request(fmt::format(
          "{} in version {} cannot be handled as a {}: {}", kind, quote(gvk.version),
          call.resource().kind,
          is_known ? unknown_conversion(call, gvk.version, kind) : not_registered(gvk))));
    }
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

std::unexpected<Status> invalid_patch(const PatchedObject& patched, std::string_view why) {
  const std::string text = patched.quote();
  value::FieldErrors errors;
  errors.push_back(
      value::FieldError::invalid(FieldPath() / "patch", Value::string(text), std::string(why)));
  return refuse(Status::invalid({"", ""}, "", errors));
}

}  // namespace

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

Answer<Document> read_protobuf(const Call& call) {
  Result<Document> document = kinds::decode_protobuf(call.request.body);
  if (document) return *std::move(document);
  const Error& error = document.error();
  if (error.code() == Code::kUnsupported) return refuse(Status::unsupported_media_type(kReadable));
  if (error.code() == Code::kParse) return unrecognized(call, error.message());
  return cannot_be_handled(call, error.message());
}

Answer<Document> decode_body(Call& call, FieldValidation validation) {
  if (call.request.body_too_large) return refuse(Status::request_too_large("limit is 3145728"));
  const std::string type = media_type(call.request.headers.get("Content-Type"));
  const bool yaml = type == "application/yaml";
  const bool protobuf = type == kinds::kProtobufType && call.strategy().wire().protobuf;
  if (!type.empty() && type != "application/json" && !yaml && !protobuf)
    return refuse(Status::unsupported_media_type(kReadable));
  STRAKE_TRY(Document document, protobuf ? read_protobuf(call) : read_body(call, yaml));
  fill_type(call, document);
  STRAKE_CHECK(check_type(call, document.root()));
  std::vector<std::string> unknown;
  const Result<> read = call.strategy().decode(
      document.root(), document.arena(), *call.version,
      {.unknown = validation == FieldValidation::kIgnore ? nullptr : &unknown});
  if (!read) {
    return protobuf || yaml ? undecodable(call, read.error())
                            : undecodable_text(call, read.error());
  }
  if (validation == FieldValidation::kIgnore) return document;
  std::vector<std::string> strict = strict_errors(document, unknown, yaml);
  if (strict.empty()) return document;
  if (validation == FieldValidation::kStrict) {
    return cannot_be_handled(call, resource::strict_failure(strict));
  }
  for (std::string& one : strict) call.warnings.push_back(std::move(one));
  return document;
}

Answer<> settle_patched(Call& call, Document& document, FieldValidation validation,
                        const PatchedObject& patched) {
  const auto invalid = [&](std::string_view why) { return invalid_patch(patched, why); };
  std::vector<std::string> unknown;
  std::vector<std::string>* wanted = validation == FieldValidation::kIgnore ? nullptr : &unknown;
  const kinds::Strategy& strategy = call.strategy();
  if (const kinds::StrategicMerge* merge = strategy.strategic_merge();
      merge != nullptr && patched.converted) {
    if (const auto fault = converter_fault(document.root(), merge->shape)) return invalid(*fault);
  }
  const Result<> read = strategy.decode(document.root(), document.arena(), *call.version,
                                        {.from_text = false, .unknown = wanted});
  if (!read && read.error().code() != Code::kBadRequest)
    return refuse(Status::from_error(read.error()));
  if (!read) return invalid(read.error().message());
  if (validation == FieldValidation::kIgnore) return {};
  std::vector<std::string> strict = patched.strict_errors;
  for (std::string& one : resource::strict_errors({}, unknown)) strict.push_back(std::move(one));
  if (strict.empty()) return {};
  if (validation == FieldValidation::kStrict) {
    return invalid(resource::strict_failure(strict));
  }
  for (const std::string& one : strict) call.warnings.push_back(one);
  return {};
}

Answer<> check_patched_type(const Call& call, const Document& document,
                            const PatchedObject& object) {
  if (!call.strategy().wire().typed) return {};
  const auto invalid = [&](std::string_view why) { return invalid_patch(object, why); };
  const auto type = read_type(document.root());
  if (!type) return invalid(type.error());
  const auto [kind, api_version] = *type;
  if (api_version.empty()) {
    // kube-apiserver 1.36 then decodes into the internal type, which knows none of the fields, and
    // misses the name first.
    return refuse(Status::bad_request(fmt::format(
        "the name of the object ({} based on URL) was undeterminable: name must be provided",
        call.info.name)));
  }
  if ((kind.empty() || kind == call.resource().kind) && api_version == call.api_version())
    return {};
  const meta::GroupVersionKind gvk = meta::from_api_version_and_kind(
      api_version, kind.empty() ? std::string_view(call.resource().kind) : kind);
  // What the scheme knows, served or not.
  if (kinds::find_kind(gvk) == nullptr) return invalid(not_registered(gvk));
  return invalid(unknown_conversion(call, gvk.version, gvk.kind));
}

void restore_type(const Call& call, Document& document) {
  if (!call.strategy().wire().typed) return;
  Arena& arena = document.arena();
  document.root().set("kind", Value::string(arena.copy(call.resource().kind)), arena);
  document.root().set("apiVersion", Value::string(arena.copy(call.api_version())), arena);
}

Answer<Document> parse_current(std::string_view bytes) { return answer(parse_stored(bytes)); }

}  // namespace strake::api
