#pragma once
// The Status document in which the API says how a request failed: code, reason, message and
// details. Made here for every case that has a fixed wording; to_json() is the body of the
// response.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "meta/gvk.h"
#include "value/document.h"
#include "value/field_error.h"

namespace strake::meta {

struct StatusCause {
  std::string reason;
  std::string message;
  std::string field;
  friend bool operator==(const StatusCause&, const StatusCause&) = default;
};

struct StatusDetails {
  std::string name;
  std::string group;
  std::string kind;  // for most errors the plural of the resource
  std::string uid;
  std::vector<StatusCause> causes;
  std::int32_t retry_after_seconds = 0;
  bool empty() const;
};

struct Status {
  int code = 500;
  std::string reason;
  std::string message;
  StatusDetails details;
  bool success = false;
  bool empty_details = false;  // `details: {}` is written where there are none
  std::string continue_token;  // metadata.continue, with an expired list

  // Keys in the order in which the API server writes them, with no newline at the end. Bounded: a
  // message of more than 2 MiB is cut, and causes end with one that counts those left out.
  std::string to_json() const;
  value::Document to_document() const;

  // Each is named for its reason, and words its message as the server does.
  static Status bad_request(std::string message);
  static Status unauthorized();
  // Without a name: "<resource> is forbidden: <why>"; without a resource too: "forbidden: <why>".
  static Status forbidden(const GroupResource& resource, std::string_view name,
                          std::string_view why);
  static Status not_found(const GroupResource& resource, std::string_view name);
  static Status method_not_allowed(const GroupResource& resource, std::string_view verb);
  // The same where no resource or verb can be named.
  static Status method_not_supported();
  // Nothing is served at that path, though its group is.
  static Status path_not_found();
  static Status not_acceptable(const std::vector<std::string>& media_types);
  static Status already_exists(const GroupResource& resource, std::string_view name,
                               bool being_deleted = false);
  static Status generate_name_conflict(const GroupResource& resource, std::string_view name);
  // "Operation cannot be fulfilled on <resource> "<name>": <why>"
  static Status conflict(const GroupResource& resource, std::string_view name,
                         std::string_view why);
  // Someone else wrote the object meanwhile.
  static Status modified(const GroupResource& resource, std::string_view name);
  static Status apply_conflict(std::string message, std::vector<StatusCause> causes);
  static Status expired(std::string message);
  static Status request_too_large(std::string_view why);
  static Status unsupported_media_type(const std::vector<std::string>& media_types);
  static Status invalid(const GroupKind& kind, std::string_view name,
                        const value::FieldErrors& errors);
  static Status too_many_requests(std::string message, std::int32_t retry_after_seconds);
  static Status internal_error(std::string_view why);
  // A failure that the server passes on as it is: code 500 without a reason.
  static Status raw_error(std::string message);
  static Status server_timeout(const GroupResource& resource, std::string_view operation);
  static Status service_unavailable(std::string message, std::int32_t retry_after_seconds = 0);
  static Status timeout(std::string_view why, std::int32_t retry_after_seconds);
  // An object was deleted.
  static Status deleted(const GroupResource& resource, std::string_view name, std::string_view uid);
  // Something was done to an object by creating what is not kept: code 201.
  static Status done();

  // Any other error, by its code.
  static Status from_error(const Error& error);
};

}  // namespace strake::meta
