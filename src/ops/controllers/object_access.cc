#include "ops/controllers/object_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "ops/kom/definitions.h"
#include "value/document.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::ops {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kMerge = "application/merge-patch+json";
constexpr std::size_t kMostEventMessage = 1024;  // as kube-apiserver 1.36 takes it

// Whether merging it into `live` changes nothing.
bool is_merged(const Value& live, const Value& patch) {
  if (!patch.is_object()) return value::equal(live, patch);
  return live.is_object() && std::ranges::all_of(patch.members(), [&](const value::Member& one) {
           const Value* there = live.find(one.key);
           if (one.value.is_null()) return there == nullptr || there->is_null();
           return there != nullptr && is_merged(*there, one.value);
         });
}

std::string in_quotes(std::string_view text) {
  std::string out;
  value::write_json_string(text, out);
  return out;
}

}  // namespace

std::string collection_path(OperatedKind kind) {
  return fmt::format("/apis/{}/{}/{}", kKomGroup, kKomVersion, plural_of(kind));
}

std::string object_path(const ObjectKey& key) {
  return fmt::format("/apis/{}/{}/namespaces/{}/{}/{}", kKomGroup, kKomVersion, key.namespace_name,
                     plural_of(key.kind), key.name);
}

Result<DeclaredPtr> KubeAccess::read(const ObjectKey& key) {
  const auto text = server_.get(object_path(key));
  if (!text && text.error().code() == Code::kNotFound) return nullptr;
  if (!text) return std::unexpected(text.error());
  STRAKE_TRY(const Document object, value::read_json(*text, value::ReadOptions::as_api_server()));
  return read_declared(key.kind, object.root());
}

Result<> KubeAccess::write_status(const DeclaredObject& object, const Value& status) {
  if (is_merged(object.status(), status)) return {};
  // The uid: another object of that name is not meant.
  auto sent = server_.send({.method = "PATCH",
                            .path = object_path(object.key) + "/status",
                            .content_type = std::string(kMerge),
                            .body = fmt::format(R"({{"metadata":{{"uid":{}}},"status":{}}})",
                                                in_quotes(object.uid), value::to_json(status))});
  if (!sent && sent.error().code() != Code::kNotFound)
    return std::unexpected(std::move(sent).error());
  return {};
}

Result<> KubeAccess::set_finalizer(const DeclaredObject& object, bool wanted) {
  if (object.has_finalizer() == wanted) return {};
  std::vector<std::string> names = object.finalizers;
  if (wanted) {
    names.emplace_back(kCleanupFinalizer);
  } else {
    std::erase(names, kCleanupFinalizer);
  }
  std::string list;
  for (const std::string& one : names) list += (list.empty() ? "" : ",") + in_quotes(one);
  auto sent = server_.send(
      {.method = "PATCH",
       .path = object_path(object.key),
       .content_type = std::string(kMerge),
       .body = fmt::format(R"({{"metadata":{{"uid":{},"resourceVersion":{},"finalizers":[{}]}}}})",
                           in_quotes(object.uid), in_quotes(object.resource_version), list)});
  if (!sent && !wanted && sent.error().code() == Code::kNotFound) return {};
  if (!sent) return std::unexpected(std::move(sent).error());
  return {};
}

Result<> KubeAccess::record(const DeclaredObject& object, EventType type, std::string_view reason,
                            std::string_view message) {
  const std::string_view word = type == EventType::kNormal ? "Normal" : "Warning";
  // The same words about the same object are one event.
  const std::string digest =
      sha256_hex(fmt::format("{}\n{}\n{}\n{}", object.uid, word, reason, message)).substr(0, 16);
  const std::string name = fmt::format("{}.{}", object.key.name.substr(0, 200), digest);
  const std::string path = fmt::format("/api/v1/namespaces/{}/events", object.key.namespace_name);
  const std::string now = in_quotes(format_rfc3339(Instant::from(clock_.now())));
  auto there = server_.get(fmt::format("{}/{}", path, name));
  if (there) {
    STRAKE_TRY(const Document event, value::read_json(*there, value::ReadOptions::as_api_server()));
    const Value& count = event.root().get("count");
    STRAKE_TRY(
        [[maybe_unused]] const auto counted,
        server_.send({.method = "PATCH",
                      .path = fmt::format("{}/{}", path, name),
                      .content_type = std::string(kMerge),
                      .body = fmt::format(
                          R"({{"count":{},"lastTimestamp":{}}})",
                          count.type() == value::Type::kInt ? count.as_int() + 1 : 1, now)}));
    return {};
  }
  if (there.error().code() != Code::kNotFound) return std::unexpected(std::move(there).error());
  STRAKE_TRY(
      [[maybe_unused]] const auto made,
      server_.send(
          {.method = "POST",
           .path = path,
           .content_type = "application/json",
           .body = fmt::format(
               R"({{"apiVersion":"v1","kind":"Event","metadata":{{"name":{},"namespace":{}}},)"
               R"("involvedObject":{{"apiVersion":{},"kind":{},"namespace":{},"name":{},"uid":{},)"
               R"("resourceVersion":{}}},"type":"{}","reason":{},"message":{},"source":)"
               R"({{"component":"{}"}},"count":1,"firstTimestamp":{},"lastTimestamp":{}}})",
               in_quotes(name), in_quotes(object.key.namespace_name), in_quotes(kKomApiVersion),
               in_quotes(to_string(object.key.kind)), in_quotes(object.key.namespace_name),
               in_quotes(object.key.name), in_quotes(object.uid),
               in_quotes(object.resource_version), word, in_quotes(reason), in_quotes(message),
               kOperateComponent, now, now)}));
  return {};
}

void KubeAccess::tell(const DeclaredObject& object, EventType type, std::string_view reason,
                      std::string_view message) {
  const log::Logger log = log::get("operate");
  const std::string what = to_string(object.key);
  std::string text(message);
  cut_text(text, kMostEventMessage);
  if (type == EventType::kNormal) {
    log.info("done", {{"object", what}, {"reason", reason}, {"message", text}});
  } else {
    log.warn("not as it should be", {{"object", what}, {"reason", reason}, {"message", text}});
  }
  const Result<> recorded = record(object, type, reason, text);
  if (!recorded && recorded.error().code() != Code::kCancelled)
    log.debug("an event was not recorded", {{"object", what}, {"error", recorded.error()}});
}

}  // namespace strake::ops
