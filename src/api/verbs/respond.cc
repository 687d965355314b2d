#include "api/verbs/respond.h"

#include <fmt/format.h>

#include "api/request/forbidden.h"
#include "api/verbs/decode.h"
#include "base/quote.h"
#include "kinds/protobuf.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_writer.h"

namespace strake::api {
namespace {

using http::Piece;
using http::Response;
using meta::Status;
using publish::IncludeObject;
using value::Value;

constexpr std::string_view kJsonType = "application/json";
constexpr std::string_view kYamlType = "application/yaml";
// What goes out as protobuf although no kind is declared so.
constexpr std::string_view kMetaVersion = "meta.k8s.io/v1";

Response response(int code, std::string_view type) {
  Response out;
  out.status = code;
  out.headers.add("Content-Type", type);
  return out;
}

const kinds::ProtoMessage* message_of(std::string_view api_version, std::string_view kind) {
  if (kind == "Status" && api_version == "v1") return &kinds::status_message();
  if (kind == "PartialObjectMetadata" && api_version == kMetaVersion)
    return &kinds::partial_metadata_message();
  return kinds::find_message(api_version, kind);
}

// A whole answer that was made as JSON, in the encoding and the layout that were asked for.
Answer<Response> encoded(const Call& call, int code, std::string json) {
  if (call.wanted.encoding == Encoding::kProtobuf) {
    STRAKE_TRY(const value::Document document, parse_current(json));
    Response out = response(code, kinds::kProtobufType);
    STRAKE_TRY(std::string body, protobuf_body(document.root()));
    out.body.emplace_back(std::move(body));
    return out;
  }
  if (call.wanted.encoding == Encoding::kYaml) {
    STRAKE_TRY(const value::Document document, parse_current(json));
    Response out = response(code, kYamlType);
    out.body.emplace_back(value::to_yaml(document.root()));
    return out;
  }
  Response out = response(code, kJsonType);
  if (wants_pretty(call)) {
    STRAKE_TRY(const value::Document document, parse_current(json));
    out.body.emplace_back(value::to_json(document.root(), {.indent = 2}));
  } else {
    out.body.emplace_back(std::move(json));
  }
  out.body.push_back(Piece::literal("\n"));
  return out;
}

// The resourceVersion of one object is that of the table that shows it.
std::string version_meta(const Value& object) {
  std::string out = "{\"resourceVersion\":";
  value::write_json_string(meta::ObjectMeta::of(object).resource_version(), out);
  return out + "}";
}

Answer<std::string> table_of_one(const Call& call, std::string_view bytes, bool with_columns,
                                 IncludeObject include) {
  STRAKE_TRY(const value::Document document, parse_current(bytes));
  const publish::TablePrinter& printer = call.endpoint->printer(*call.version);
  std::string out;
  printer.begin(out, version_meta(document.root()), with_columns);
  printer.row(out, document.root(), bytes, include, call.now);
  printer.end(out);
  return out;
}

Answer<std::string> partial_of_one(std::string_view bytes) {
  STRAKE_TRY(const value::Document document, parse_current(bytes));
  std::string out;
  publish::partial_object_metadata(out, document.root());
  return out;
}

struct EventName {
  std::string_view type;
  std::string_view head;  // how the event begins
};
EventName name_of(EventType type) {
  switch (type) {
    case EventType::kAdded: return {"ADDED", "{\"type\":\"ADDED\",\"object\":"};
    case EventType::kModified: return {"MODIFIED", "{\"type\":\"MODIFIED\",\"object\":"};
    case EventType::kDeleted: return {"DELETED", "{\"type\":\"DELETED\",\"object\":"};
  }
  return {};
}

}  // namespace

Status no_protobuf(std::string_view go_type) {
  Status out;
  out.code = 406;
  out.reason = "NotAcceptable";
  out.message = fmt::format(
      "object *{} does not implement the protobuf marshalling interface and cannot be encoded to a "
      "protobuf message",
      go_type);
  return out;
}

Answer<std::string> protobuf_message(const Value& object) {
  const std::string_view kind = value::text_of(object, "kind");
  const kinds::ProtoMessage* message = message_of(value::text_of(object, "apiVersion"), kind);
  if (message == nullptr) return refuse(no_protobuf(kind));
  return kinds::encode_message(object, *message);
}

Answer<std::string> protobuf_body(const Value& object) {
  STRAKE_TRY(const std::string message, protobuf_message(object));
  return kinds::in_envelope(value::text_of(object, "apiVersion"), value::text_of(object, "kind"),
                            message);
}

bool wants_pretty(const Call& call) {
  if (call.wanted.pretty) return true;
  if (const auto asked = call.query.get("pretty")) return *asked != "false" && *asked != "0";
  // People look at these; programs do not.
  const std::string_view agent = call.request.headers.get("User-Agent");
  return agent.starts_with("curl") || agent.starts_with("Wget") || agent.starts_with("Mozilla/5.0");
}

Response status_response(const Status& status, Encoding encoding) {
  Response out = response(status.success && status.code == 500 ? 200 : status.code,
                          encoding == Encoding::kYaml       ? kYamlType
                          : encoding == Encoding::kProtobuf ? kinds::kProtobufType
                                                            : kJsonType);
  if (status.details.retry_after_seconds > 0) {
    out.headers.add("Retry-After", fmt::format("{}", status.details.retry_after_seconds));
  }
  if (encoding == Encoding::kYaml) {
    out.body.emplace_back(value::to_yaml(status.to_document().root()));
  } else if (encoding == Encoding::kProtobuf) {
    out.body.emplace_back(kinds::in_envelope(
        "v1", "Status",
        kinds::encode_message(status.to_document().root(), kinds::status_message())));
  } else {
    out.body.emplace_back(status.to_json() + "\n");
  }
  return out;
}

Response text_response(int code, std::string text, std::string_view type) {
  Response out = response(code, type);
  out.headers.add("X-Content-Type-Options", "nosniff");
  out.body.emplace_back(std::move(text));
  return out;
}

Response not_found_page() { return text_response(404, "404 page not found\n"); }

Response internal_error_page(const Call& call, std::string_view why) {
  const std::string uri = call.request.query.empty()
                              ? call.request.path
                              : fmt::format("{}?{}", call.request.path, call.request.query);
  return text_response(
      500, html_escaped(fmt::format("Internal Server Error: {}: {}", quote(uri), why)) + "\n");
}

Response json_response(int code, std::string text) {
  Response out = response(code, kJsonType);
  out.body.emplace_back(std::move(text));
  return out;
}

std::string ListMeta::to_json(bool always_continue) const {
  std::string out = "{";
  if (always_continue || !continue_token.empty()) {
    out += "\"continue\":";
    value::write_json_string(continue_token, out);
    out += ',';
  }
  if (remaining) out += fmt::format("\"remainingItemCount\":{},", *remaining);
  return out + fmt::format("\"resourceVersion\":\"{}\"}}", revision);
}

Status wrong_form(const Call& call) {
  const bool is_list = call.wanted.form == Form::kPartial;
  // The Go type shows in the message.
  std::string type = is_list ? "unstructured.UnstructuredList" : "unstructured.Unstructured";
  if (call.strategy().wire().typed) {
    const std::string_view group = call.resource().group;
    type = fmt::format("{}.{}", group.empty() ? "core" : group.substr(0, group.find('.')),
                       is_list ? call.resource().list_kind : call.resource().kind);
  }
  Status out;
  out.code = 406;
  out.reason = "NotAcceptable";
  out.message = is_list ? fmt::format(
                              "you requested PartialObjectMetadata, but the requested "
                              "object is a list (*{})",
                              type)
                        : fmt::format(
                              "you requested PartialObjectMetadataList, but the requested "
                              "object is not a list (*{})",
                              type);
  return out;
}

Answer<IncludeObject> read_include_object(const http::Query& query) {
  const std::string_view text = query.get("includeObject").value_or("");
  if (text.empty() || text == "Metadata") return IncludeObject::kMetadata;
  if (text == "Object") return IncludeObject::kObject;
  if (text == "None") return IncludeObject::kNone;
  return refuse(Status::bad_request(
      fmt::format("Unable to convert to Table as requested: includeObject: Invalid value: "
                  "{}: must be 'Metadata', 'Object', 'None', or empty",
                  quote(text))));
}

Answer<Response> object_response(Call& call, int code, Bytes bytes) {
  switch (call.wanted.form) {
    case Form::kTable: {
      STRAKE_TRY(const IncludeObject include, read_include_object(call.query));
      STRAKE_TRY(std::string table, table_of_one(call, *bytes, true, include));
      return encoded(call, code, std::move(table));
    }
    case Form::kPartialList: return refuse(wrong_form(call));
    case Form::kPartial: {
      STRAKE_TRY(std::string partial, partial_of_one(*bytes));
      return encoded(call, code, std::move(partial));
    }
    case Form::kObject: break;
  }
  if (call.wanted.encoding != Encoding::kJson || wants_pretty(call))
    return encoded(call, code, *bytes);
  Response out = response(code, kJsonType);
  out.body.reserve(2);
  out.body.emplace_back(std::move(bytes));
  out.body.push_back(Piece::literal("\n"));
  return out;
}

EventWriter::EventWriter(const Call& call)
    : call_(call), metrics_(call.endpoint->metrics().of(call.version->name, "")) {}

void EventWriter::add(std::vector<Piece>& out, std::string line) {
  metrics_.count_event(line.size());
  out.emplace_back(std::move(line));
}

std::string_view EventWriter::media_type() const {
  return call_.wanted.encoding == Encoding::kProtobuf ? kinds::kProtobufStreamType : kJsonType;
}

Answer<> EventWriter::add_event(std::vector<Piece>& out, std::string_view type,
                                const std::string& object) {
  if (call_.wanted.encoding == Encoding::kProtobuf) {
    STRAKE_TRY(const value::Document document, parse_current(object));
    STRAKE_TRY(const std::string body, protobuf_body(document.root()));
    add(out, kinds::watch_frame(type, body));
    return {};
  }
  // Held until the client takes it: no larger than it must be.
  constexpr std::size_t kFrame = std::string_view(R"({"type":"","object":})").size() + 1;
  std::string line;
  line.reserve(kFrame + type.size() + object.size());
  line.append(R"({"type":")").append(type).append(R"(","object":)").append(object).append("}\n");
  add(out, std::move(line));
  return {};
}

Answer<> EventWriter::write(std::vector<Piece>& out, EventType type, Bytes bytes) {
  const EventName name = name_of(type);
  if (call_.wanted.form == Form::kObject && call_.wanted.encoding == Encoding::kJson) {
    metrics_.count_event(name.head.size() + bytes->size() + 2);
    out.push_back(Piece::literal(name.head));
    out.emplace_back(std::move(bytes));
    out.push_back(Piece::literal("}\n"));
    return {};
  }
  if (call_.wanted.form == Form::kObject) return add_event(out, name.type, *bytes);
  std::string shown;
  if (call_.wanted.form == Form::kTable) {
    STRAKE_TRY(const IncludeObject include, read_include_object(call_.query));
    STRAKE_TRY(shown, table_of_one(call_, *bytes, !std::exchange(columns_sent_, true), include));
  } else {
    STRAKE_TRY(shown, partial_of_one(*bytes));
  }
  return add_event(out, name.type, shown);
}

void EventWriter::bookmark(std::vector<Piece>& out, Revision revision, bool initial_events_end) {
  const std::string metadata = fmt::format(
      "{{{}\"resourceVersion\":\"{}\"}}",
      initial_events_end ? R"("annotations":{"k8s.io/initial-events-end":"true"},)" : "", revision);
  std::string object;
  switch (call_.wanted.form) {
    case Form::kObject:
      object = fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{}}})",
                           call_.resource().kind, call_.api_version(), metadata);
      break;
    case Form::kTable:
      object = fmt::format(
          R"({{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{{"resourceVersion":"{}"}},"columnDefinitions":null,)"
          R"("rows":[{{"cells":null,"object":{{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{}}}}}]}})",
          revision, metadata);
      break;
    default:
      object = fmt::format(
          R"({{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{}}})",
          metadata);
  }
  // It is of a kind that has just been shown to have the form.
  static_cast<void>(add_event(out, "BOOKMARK", object));
}

void EventWriter::error(std::vector<Piece>& out, const Status& status) {
  static_cast<void>(add_event(out, "ERROR", status.to_json()));
}

}  // namespace strake::api
