#include "meta/status.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::meta {
namespace {

// An answer is never longer than this, whatever was sent. FieldErrors stay below by their own
// limits.
constexpr std::size_t kMostMessageBytes = 2 * value::kMostErrorBytes;
constexpr std::size_t kMostCauses = value::kMostFieldErrors + 1;
constexpr std::size_t kMostCauseBytes = 4 * value::kMostErrorBytes;

// Writes members that are not empty, one after the other.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  ~ObjectWriter() { out_ += '}'; }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;

  void text(std::string_view key, std::string_view text) {
    if (text.empty()) return;
    begin(key);
    value::write_json_string(text, out_);
  }
  void number(std::string_view key, std::int64_t number) {
    if (number == 0) return;
    begin(key);
    out_ += fmt::format("{}", number);
  }
  void begin(std::string_view key) {
    if (!first_) out_ += ',';
    first_ = false;
    value::write_json_string(key, out_);
    out_ += ':';
  }

 private:
  std::string& out_;
  bool first_ = true;
};

Status failure(int code, std::string_view reason, std::string message, StatusDetails details = {}) {
  Status out;
  out.code = code;
  out.reason = reason;
  out.message = std::move(message);
  out.details = std::move(details);
  return out;
}

StatusDetails about(const GroupResource& resource, std::string_view name = {}) {
  StatusDetails out;
  out.name = name;
  out.group = resource.group;
  out.kind = resource.resource;
  return out;
}

}  // namespace

bool StatusDetails::empty() const {
  return name.empty() && group.empty() && kind.empty() && uid.empty() && causes.empty() &&
         retry_after_seconds == 0;
}

std::string Status::to_json() const {
  std::string out;
  ObjectWriter object(out);
  object.text("kind", "Status");
  object.text("apiVersion", "v1");
  object.begin("metadata");
  {
    ObjectWriter metadata(out);
    metadata.text("continue", continue_token);
  }
  object.text("status", success ? "Success" : "Failure");
  if (message.size() <= kMostMessageBytes) {
    object.text("message", message);
  } else {
    std::string cut = message;
    value::cut_text(cut, kMostMessageBytes);
    object.text("message", cut);
  }
  object.text("reason", reason);
  if (!details.empty() || empty_details) {
    object.begin("details");
    ObjectWriter writer(out);
    writer.text("name", details.name);
    writer.text("group", details.group);
    writer.text("kind", details.kind);
    writer.text("uid", details.uid);
    if (!details.causes.empty()) {
      writer.begin("causes");
      out += '[';
      const std::size_t start = out.size();
      for (std::size_t i = 0; i < details.causes.size(); ++i) {
        if (out.back() != '[') out += ',';
        ObjectWriter one(out);
        if (i == kMostCauses || out.size() - start > kMostCauseBytes) {
          one.text("message", value::more_errors(details.causes.size() - i));
          break;
        }
        const StatusCause& cause = details.causes[i];
        one.text("reason", cause.reason);
        one.text("message", cause.message);
        one.text("field", cause.field);
      }
      out += ']';
    }
    writer.number("retryAfterSeconds", details.retry_after_seconds);
  }
  if (!success || code != 200) object.number("code", code);
  return out;
}

value::Document Status::to_document() const {
  // What was just written is JSON.
  value::ReadOptions options;
  options.text = value::TextPolicy::kReplace;
  return *value::read_json(to_json(), options);
}

Status Status::bad_request(std::string message) {
  return failure(400, "BadRequest", std::move(message));
}

Status Status::unauthorized() { return failure(401, "Unauthorized", "Unauthorized"); }

Status Status::forbidden(const GroupResource& resource, std::string_view name,
                         std::string_view why) {
  std::string message =
      resource.empty() ? fmt::format("forbidden: {}", why)
      : name.empty()
          ? fmt::format("{} is forbidden: {}", resource.to_string(), why)
          : fmt::format("{} {} is forbidden: {}", resource.to_string(), quote(name), why);
  Status out = failure(403, "Forbidden", std::move(message), about(resource, name));
  out.empty_details = true;
  return out;
}

Status Status::not_found(const GroupResource& resource, std::string_view name) {
  return failure(404, "NotFound", fmt::format("{} {} not found", resource.to_string(), quote(name)),
                 about(resource, name));
}

Status Status::method_not_allowed(const GroupResource& resource, std::string_view verb) {
  return failure(
      405, "MethodNotAllowed",
      fmt::format("{} is not supported on resources of kind {}", verb, quote(resource.to_string())),
      about(resource));
}

Status Status::method_not_supported() {
  Status out = failure(405, "MethodNotAllowed",
                       "the server does not allow this method on the requested resource");
  out.empty_details = true;
  return out;
}

Status Status::path_not_found() {
  Status out = failure(404, "NotFound", "the server could not find the requested resource");
  out.empty_details = true;
  return out;
}

Status Status::not_acceptable(const std::vector<std::string>& media_types) {
  return failure(
      406, "NotAcceptable",
      fmt::format("only the following media types are accepted: {}", fmt::join(media_types, ", ")));
}

Status Status::already_exists(const GroupResource& resource, std::string_view name,
                              bool being_deleted) {
  return failure(
      409, "AlreadyExists",
      fmt::format("{}{} {} already exists", being_deleted ? "object is being deleted: " : "",
                  resource.to_string(), quote(name)),
      about(resource, name));
}

Status Status::generate_name_conflict(const GroupResource& resource, std::string_view name) {
  Status out = already_exists(resource, name);
  out.message += ", the server was not able to generate a unique name for the object";
  out.details.retry_after_seconds = 1;
  return out;
}

Status Status::conflict(const GroupResource& resource, std::string_view name,
                        std::string_view why) {
  return failure(409, "Conflict",
                 fmt::format("Operation cannot be fulfilled on {} {}: {}", resource.to_string(),
                             quote(name), why),
                 about(resource, name));
}

Status Status::modified(const GroupResource& resource, std::string_view name) {
  return conflict(resource, name,
                  "the object has been modified; please apply your changes to the latest version "
                  "and try again");
}

Status Status::apply_conflict(std::string message, std::vector<StatusCause> causes) {
  StatusDetails details;
  details.causes = std::move(causes);
  return failure(409, "Conflict", std::move(message), std::move(details));
}

Status Status::expired(std::string message) { return failure(410, "Expired", std::move(message)); }

Status Status::request_too_large(std::string_view why) {
  return failure(413, "RequestEntityTooLarge", fmt::format("Request entity too large: {}", why));
}

Status Status::unsupported_media_type(const std::vector<std::string>& media_types) {
  return failure(
      415, "UnsupportedMediaType",
      fmt::format(
          "the body of the request was in an unknown format - accepted media types include: {}",
          fmt::join(media_types, ", ")));
}

Status Status::invalid(const GroupKind& kind, std::string_view name,
                       const value::FieldErrors& errors) {
  StatusDetails details;
  details.name = name;
  details.group = kind.group;
  details.kind = kind.kind;
  for (const value::FieldError& error : errors) {
    details.causes.push_back({std::string(error.reason()), error.body(), error.field()});
  }
  if (errors.omitted() != 0)
    details.causes.push_back({"", value::more_errors(errors.omitted()), ""});
  std::string message = fmt::format("{} {} is invalid", kind.to_string(), quote(name));
  if (!errors.empty()) message += ": " + value::aggregate(errors);
  return failure(422, "Invalid", std::move(message), std::move(details));
}

Status Status::too_many_requests(std::string message, std::int32_t retry_after_seconds) {
  StatusDetails details;
  details.retry_after_seconds = retry_after_seconds;
  return failure(429, "TooManyRequests", std::move(message), std::move(details));
}

Status Status::internal_error(std::string_view why) {
  StatusDetails details;
  details.causes.push_back({"", std::string(why), ""});
  return failure(500, "InternalError", fmt::format("Internal error occurred: {}", why),
                 std::move(details));
}

Status Status::raw_error(std::string message) { return failure(500, "", std::move(message)); }

Status Status::server_timeout(const GroupResource& resource, std::string_view operation) {
  StatusDetails details = about(resource, operation);
  details.retry_after_seconds = 2;
  return failure(
      500, "ServerTimeout",
      fmt::format(
          "The {} operation against {} could not be completed at this time, please try again.",
          operation, resource.to_string()),
      std::move(details));
}

Status Status::service_unavailable(std::string message, std::int32_t retry_after_seconds) {
  StatusDetails details;
  details.retry_after_seconds = retry_after_seconds;
  return failure(503, "ServiceUnavailable", std::move(message), std::move(details));
}

Status Status::timeout(std::string_view why, std::int32_t retry_after_seconds) {
  StatusDetails details;
  details.retry_after_seconds = retry_after_seconds;
  return failure(504, "Timeout", fmt::format("Timeout: {}", why), std::move(details));
}

Status Status::deleted(const GroupResource& resource, std::string_view name, std::string_view uid) {
  Status out;
  out.success = true;
  out.code = 200;
  out.details = about(resource, name);
  out.details.uid = uid;
  return out;
}

Status Status::done() {
  Status out;
  out.success = true;
  out.code = 201;
  return out;
}

Status Status::from_error(const Error& error) {
  switch (error.code()) {
    case Code::kBadRequest:
    case Code::kParse:
    case Code::kUsage: return bad_request(error.message());
    case Code::kUnauthorized: return unauthorized();
    case Code::kForbidden: return failure(403, "Forbidden", error.message());
    case Code::kNotFound: return failure(404, "NotFound", error.message());
    case Code::kMethodNotAllowed: return failure(405, "MethodNotAllowed", error.message());
    case Code::kNotAcceptable: return failure(406, "NotAcceptable", error.message());
    case Code::kAlreadyExists: return failure(409, "AlreadyExists", error.message());
    case Code::kConflict: return failure(409, "Conflict", error.message());
    case Code::kGone: return failure(410, "Gone", error.message());
    case Code::kExpired: return expired(error.message());
    case Code::kRequestTooLarge:
    case Code::kLimit: return request_too_large(error.message());
    case Code::kUnsupportedMediaType: return failure(415, "UnsupportedMediaType", error.message());
    case Code::kInvalid: return failure(422, "Invalid", error.message());
    case Code::kTooManyRequests: return too_many_requests(error.message(), 1);
    case Code::kServiceUnavailable: return service_unavailable(error.message());
    case Code::kTimeout: return timeout(error.message(), 0);
    case Code::kUnsupported: return failure(501, "NotImplemented", error.message());
    case Code::kInternal:
    case Code::kIo:
    case Code::kCancelled: return internal_error(error.message());
  }
  return internal_error(error.message());
}

}  // namespace strake::meta
