#include "api/request/options.h"

#include <fmt/format.h>

#include <charconv>

#include "api/request/media.h"
#include "base/quote.h"
#include "base/unicode_print.h"
#include "base/utf8.h"
#include "kinds/protobuf.h"
#include "meta/names.h"
#include "meta/shape.h"
#include "value/field_error.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::api {
namespace {

using meta::Status;
using value::FieldError;
using value::FieldErrors;
using value::Value;
using Propagation = DeleteOptions::Propagation;

meta::GroupKind options_kind(std::string_view kind) { return {"meta.k8s.io", std::string(kind)}; }

Answer<std::int64_t> parse_int(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error == std::errc::result_out_of_range) {
    return refuse(Status::bad_request(
        fmt::format("strconv.ParseInt: parsing {}: value out of range", quote(text))));
  }
  if (error != std::errc() || end != text.data() + text.size()) {
    return refuse(Status::bad_request(
        fmt::format("strconv.ParseInt: parsing {}: invalid syntax", quote(text))));
  }
  return out;
}

Answer<std::optional<std::int64_t>> int_option(const http::Query& query, std::string_view name) {
  const auto text = query.get(name);
  if (!text || text->empty()) return std::optional<std::int64_t>();
  STRAKE_TRY(const std::int64_t number, parse_int(*text));
  return std::optional(number);
}

// As kube-apiserver 1.36 turns a parameter into a bool: anything but these two is true.
std::optional<bool> bool_option(const http::Query& query, std::string_view name) {
  const auto text = query.get(name);
  if (!text) return std::nullopt;
  return *text != "0" && meta::to_lower_ascii(*text) != "false";
}

FieldError not_supported(std::string_view field, const Value& v,
                         std::vector<std::string> supported) {
  return FieldError::not_supported(FieldPath() / field, v, supported);
}

void check_dry_run(const std::vector<std::string_view>& values, FieldErrors& errors,
                   bool& dry_run) {
  for (const std::string_view one : values) {
    if (one != "All") {
      FieldError error = not_supported("dryRun", Value::string(one), {"All"});
      std::string shown = "[";
      for (const std::string_view each : values)
        shown += (shown.size() > 1 ? "," : "") + quote(each);
      error.shown = shown + "]";
      errors.push_back(std::move(error));
      return;
    }
    dry_run = true;
  }
}

void check_field_manager(std::string_view manager, FieldErrors& errors) {
  if (manager.size() > 128)
    errors.push_back(FieldError::too_long(FieldPath() / "fieldManager", 128));
  std::string_view left = manager;
  while (!left.empty()) {
    const utf8::Decoded c = utf8::decode(left);
    if (!is_printable(c.code_point)) {
      errors.push_back(FieldError::invalid(FieldPath() / "fieldManager", Value::string(manager),
                                           "should only contain printable characters"));
      return;
    }
    left.remove_prefix(c.width);
  }
}

Answer<> invalid_unless_empty(std::string_view kind, const FieldErrors& errors) {
  if (errors.empty()) return {};
  return refuse(Status::invalid(options_kind(kind), "", errors));
}

Answer<ListOptions::Match> check_match(const http::Query& query, ListOptions& options, bool watch,
                                       FieldErrors& errors) {
  using Match = ListOptions::Match;
  const std::string_view text = query.get("resourceVersionMatch").value_or("");
  const FieldPath at = FieldPath() / "resourceVersionMatch";
  const auto forbid = [&](std::string why) {
    errors.push_back(FieldError::forbidden(at, std::move(why)));
  };
  const Match match = text == "Exact"          ? Match::kExact
                      : text == "NotOlderThan" ? Match::kNotOlderThan
                                               : Match::kUnset;
  if (watch) {
    if (options.send_initial_events) {
      if (match != Match::kNotOlderThan)
        forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    } else if (!text.empty()) {
      forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
    if (options.send_initial_events && !text.empty() && match != Match::kNotOlderThan) {
      errors.push_back(
          not_supported("resourceVersionMatch", Value::string(text), {"NotOlderThan"}));
    }
    return match;
  }
  if (options.send_initial_events) {
    errors.push_back(FieldError::forbidden(FieldPath() / "sendInitialEvents",
                                           "sendInitialEvents is forbidden for list"));
  }
  if (text.empty()) return match;
  if (options.resource_version.empty())
    forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
  if (!options.continue_token.empty())
    forbid("resourceVersionMatch is forbidden when continue is provided");
  if (match == Match::kUnset) {
    errors.push_back(
        not_supported("resourceVersionMatch", Value::string(text), {"Exact", "NotOlderThan", ""}));
  }
  if (match == Match::kExact && options.resource_version == "0") {
    forbid("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  }
  return match;
}

// DeleteOptions as a body.
using meta::Shape;
using meta::ShapeField;
using Keep = ShapeField::Keep;
constexpr ShapeField kPreconditionFields[] = {
    {"resourceVersion", &meta::kStringShape, Keep::kPointer},
    {"uid", &meta::kUidShape, Keep::kPointer},
};
constexpr Shape kPreconditions{Shape::Kind::kStruct, "v1.Preconditions", kPreconditionFields};
constexpr ShapeField kDeleteFields[] = {
    {"apiVersion", &meta::kStringShape, Keep::kNonEmpty},
    {"dryRun", &meta::kStringListShape, Keep::kNonEmpty},
    {"gracePeriodSeconds", &meta::kInt64Shape, Keep::kPointer},
    {"ignoreStoreReadErrorWithClusterBreakingPotential", &meta::kBoolShape, Keep::kPointer},
    {"kind", &meta::kStringShape, Keep::kNonEmpty},
    {"orphanDependents", &meta::kBoolShape, Keep::kPointer},
    {"preconditions", &kPreconditions, Keep::kPointer},
    {"propagationPolicy", &meta::kStringShape, Keep::kPointer},
};
constexpr Shape kDeleteOptionsShape{Shape::Kind::kStruct, "v1.DeleteOptions", kDeleteFields};

struct RawDelete {
  std::vector<std::string_view> dry_run;
  std::optional<bool> orphan_dependents;
  std::optional<std::string_view> propagation;
};

// Unlike objects, options may be protobuf for custom resources too.
Answer<value::Document> read_protobuf_options(std::string_view body) {
  Result<value::Document> read = kinds::decode_protobuf(body);
  if (!read) return refuse(Status::bad_request(read.error().message()));
  if (read->root().get("kind").as_string() != "DeleteOptions") {
    return refuse(Status::bad_request("decoded object cannot be converted to DeleteOptions"));
  }
  return *std::move(read);
}

Answer<value::Document> read_options_body(std::string_view body, std::string_view content_type) {
  const std::string type = media_type(content_type);
  if (type == kinds::kProtobufType) return read_protobuf_options(body);
  const bool yaml = type == "application/yaml";
  if (!type.empty() && type != "application/json" && !yaml)
    return refuse(Status::unsupported_media_type(kReadable));
  const value::ReadOptions options = value::ReadOptions::as_api_server();
  Result<value::Document> read =
      yaml ? value::read_yaml(body, options) : value::read_json(body, options);
  if (read) return *std::move(read);
  return refuse(Status::bad_request(
      fmt::format("couldn't get version/kind; json parse error: {}", read.error().message())));
}

Answer<> from_body(value::Document& document, DeleteOptions& out, RawDelete& raw) {
  STRAKE_CHECK(answer(meta::read_shape(document.root(), kDeleteOptionsShape, document.arena(),
                                       {.from_text = true})));
  const Value& root = document.root();
  if (const Value* list = root.find("dryRun")) {
    for (const Value& one : list->items()) raw.dry_run.push_back(one.as_string());
  }
  if (const Value* grace = root.find("gracePeriodSeconds")) out.grace_period = grace->as_int();
  if (const Value* orphan = root.find("orphanDependents"))
    raw.orphan_dependents = orphan->as_bool();
  if (const Value* policy = root.find("propagationPolicy")) raw.propagation = policy->as_string();
  if (const Value* preconditions = root.find("preconditions")) {
    if (const Value* uid = preconditions->find("uid")) out.uid = std::string(uid->as_string());
    if (const Value* rv = preconditions->find("resourceVersion"))
      out.resource_version = std::string(rv->as_string());
  }
  return {};
}

Answer<> from_query(const http::Query& query, DeleteOptions& out, RawDelete& raw) {
  raw.dry_run = query.get_all("dryRun");
  STRAKE_TRY(out.grace_period, int_option(query, "gracePeriodSeconds"));
  raw.orphan_dependents = bool_option(query, "orphanDependents");
  raw.propagation = query.get("propagationPolicy");
  return {};
}

void check_propagation(const RawDelete& raw, DeleteOptions& out, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "propagationPolicy";
  if (raw.orphan_dependents && raw.propagation) {
    errors.push_back(
        FieldError::invalid(at, Value::string(*raw.propagation),
                            "orphanDependents and deletionPropagation cannot be both set"));
  }
  if (raw.orphan_dependents) {
    out.propagation = *raw.orphan_dependents ? Propagation::kOrphan : Propagation::kBackground;
    out.orphan_dependents = raw.orphan_dependents;
  }
  if (!raw.propagation) return;
  if (*raw.propagation == "Orphan") {
    out.propagation = Propagation::kOrphan;
  } else if (*raw.propagation == "Background") {
    out.propagation = Propagation::kBackground;
  } else if (*raw.propagation == "Foreground") {
    out.propagation = Propagation::kForeground;
  } else {
    errors.push_back(not_supported("propagationPolicy", Value::string(*raw.propagation),
                                   {"Foreground", "Background", "Orphan", "nil"}));
  }
}

}  // namespace

Answer<std::int64_t> parse_resource_version(std::string_view text) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool too_large = error == std::errc::result_out_of_range || out > INT64_MAX;
  if (!too_large && error == std::errc() && end == text.data() + text.size())
    return static_cast<std::int64_t>(out);
  return refuse(Status::bad_request(
      fmt::format("resourceVersion: Invalid value: {0}: strconv.ParseUint: parsing {0}: {1}",
                  quote(text), too_large ? "value out of range" : "invalid syntax")));
}

Answer<ListOptions> read_list_options(const http::Query& query, bool watch) {
  ListOptions out;
  if (const auto text = query.get("labelSelector")) {
    STRAKE_TRY(out.labels, answer(meta::LabelSelector::parse(*text)));
  }
  if (const auto text = query.get("fieldSelector")) {
    STRAKE_TRY(out.fields, answer(meta::FieldSelector::parse(*text)));
  }
  STRAKE_TRY(const auto limit, int_option(query, "limit"));
  out.limit = std::max<std::int64_t>(limit.value_or(0), 0);
  STRAKE_TRY(const auto timeout, int_option(query, "timeoutSeconds"));
  if (timeout) out.timeout = std::chrono::seconds(*timeout);
  out.resource_version = query.get("resourceVersion").value_or("");
  out.continue_token = query.get("continue").value_or("");
  out.bookmarks = bool_option(query, "allowWatchBookmarks").value_or(false);
  out.send_initial_events = bool_option(query, "sendInitialEvents");
  FieldErrors errors;
  STRAKE_TRY(out.match, check_match(query, out, watch, errors));
  STRAKE_CHECK(invalid_unless_empty("ListOptions", errors));
  return out;
}

Answer<WriteOptions> read_write_options(const http::Query& query, std::string_view kind,
                                        bool apply) {
  WriteOptions out;
  FieldErrors errors;
  out.force = bool_option(query, "force");
  out.field_manager = query.get("fieldManager").value_or("");
  if (kind == "PatchOptions") {
    if (!apply && out.force) {
      errors.push_back(
          FieldError::forbidden(FieldPath() / "force", "may not be specified for non-apply patch"));
    }
    if (apply && out.field_manager.empty()) {
      errors.push_back(
          FieldError::required(FieldPath() / "fieldManager", "is required for apply patch"));
    }
  }
  check_field_manager(out.field_manager, errors);
  check_dry_run(query.get_all("dryRun"), errors, out.dry_run);
  const std::string_view validation = query.get("fieldValidation").value_or("");
  out.field_validation_given = !validation.empty();
  if (validation == "Ignore") {
    out.field_validation = FieldValidation::kIgnore;
  } else if (validation == "Strict") {
    out.field_validation = FieldValidation::kStrict;
  } else if (!validation.empty() && validation != "Warn") {
    errors.push_back(not_supported("fieldValidation", Value::string(validation),
                                   {"", "Ignore", "Strict", "Warn"}));
  }
  STRAKE_CHECK(invalid_unless_empty(kind, errors));
  return out;
}

Answer<DeleteOptions> read_delete_options(const http::Query& query, std::string_view body,
                                          std::string_view content_type) {
  DeleteOptions out;
  RawDelete raw;
  std::optional<value::Document> document;  // keeps what raw points at
  if (!body.empty()) {
    STRAKE_TRY(value::Document read, read_options_body(body, content_type));
    document.emplace(std::move(read));
    STRAKE_CHECK(from_body(*document, out, raw));
  } else {
    STRAKE_CHECK(from_query(query, out, raw));
  }
  FieldErrors errors;
  check_propagation(raw, out, errors);
  check_dry_run(raw.dry_run, errors, out.dry_run);
  STRAKE_CHECK(invalid_unless_empty("DeleteOptions", errors));
  return out;
}

}  // namespace strake::api
