#include "kube/watch_event.h"

#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kube {
namespace {

using value::text_of;
using value::Value;

// What the server tells in place of an object.
Error told_error(const Value& status, std::string_view path) {
  const Value& code = status.get("code");
  std::string message(text_of(status, "message"));
  if (code.type() == value::Type::kInt && code.as_int() == 410)
    return Error(text_of(status, "reason") == "Expired" ? Code::kExpired : Code::kGone,
                 std::move(message));
  return Error(Code::kServiceUnavailable, fmt::format("a watch of {}: {}", path, message));
}

}  // namespace

std::string WatchEvent::version() const {
  return std::string(text_of(object().get("metadata"), "resourceVersion"));
}

Result<WatchEvent> read_watch_event(std::string_view line, std::string_view path) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  options.limits.bytes = kMostWatchLine;
  Result<value::Document> read = value::read_json(line, options);
  if (!read || !read->root().is_object())
    return fail(Code::kParse, "a watch of {} sent what is no event", path);
  const std::string_view type = text_of(read->root(), "type");
  const Value& object = read->root().get("object");
  if (type == "ERROR") return std::unexpected(told_error(object, path));
  if (!object.is_object())
    return fail(Code::kParse, "a watch of {} sent an event without an object", path);
  WatchEvent out;
  if (type == "ADDED" || type == "MODIFIED") out.type = WatchEvent::Type::kSet;
  if (type == "DELETED") out.type = WatchEvent::Type::kDeleted;
  out.document = *std::move(read);
  return out;
}

}  // namespace strake::kube
