#include "ops/controllers/kube_lease.h"

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "value/document.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::ops {
namespace {

using value::text_of;
using value::Value;

std::string in_quotes(std::string_view text) {
  std::string out;
  value::write_json_string(text, out);
  return out;
}

// Zero for what is no time: it is shown, and decides nothing.
Instant time_of(const Value& spec, std::string_view key) {
  const auto time = parse_rfc3339_micro(text_of(spec, key));
  return time ? *time : Instant();
}

std::int64_t whole_number(const Value& spec, std::string_view key) {
  const Value& found = spec.get(key);
  return found.type() == value::Type::kInt ? found.as_int() : 0;
}

Result<StoredLease> read_lease(const std::string& text) {
  STRAKE_TRY(const value::Document document,
             value::read_json(text, value::ReadOptions::as_api_server()));
  const Value& spec = document.root().get("spec");
  StoredLease out;
  out.record = {.holder = std::string(text_of(spec, "holderIdentity")),
                .duration = std::chrono::seconds(whole_number(spec, "leaseDurationSeconds")),
                .acquired = time_of(spec, "acquireTime"),
                .renewed = time_of(spec, "renewTime"),
                .transitions = whole_number(spec, "leaseTransitions")};
  out.version = text_of(document.root().get("metadata"), "resourceVersion");
  if (out.version.empty()) return fail(Code::kParse, "the Lease has no resourceVersion");
  return out;
}

}  // namespace

std::string KubeLease::collection() const {
  return fmt::format("/apis/coordination.k8s.io/v1/namespaces/{}/leases", namespace_name_);
}

std::string KubeLease::body(const LeaseRecord& record, const std::string& version) const {
  return fmt::format(
      R"({{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{{"name":{},)"
      R"("namespace":{}{}}},"spec":{{"holderIdentity":{},"leaseDurationSeconds":{},)"
      R"("acquireTime":"{}","renewTime":"{}","leaseTransitions":{}}}}})",
      in_quotes(name_), in_quotes(namespace_name_),
      version.empty() ? "" : fmt::format(R"(,"resourceVersion":{})", in_quotes(version)),
      in_quotes(record.holder), record.duration.count(), format_rfc3339_micro(record.acquired),
      format_rfc3339_micro(record.renewed), record.transitions);
}

Result<std::optional<StoredLease>> KubeLease::get(Deadline until) {
  const auto text = server_.within({}, until).get(fmt::format("{}/{}", collection(), name_));
  if (!text && text.error().code() == Code::kNotFound) return std::nullopt;
  if (!text) return std::unexpected(text.error());
  STRAKE_TRY(StoredLease out, read_lease(*text));
  return out;
}

Result<StoredLease> KubeLease::create(const LeaseRecord& record, Deadline until) {
  STRAKE_TRY(const http::FetchResponse answer,
             server_.within({}, until).send({.method = "POST",
                                             .path = collection(),
                                             .content_type = "application/json",
                                             .body = body(record, {})}));
  return read_lease(answer.body);
}

Result<StoredLease> KubeLease::update(const StoredLease& lease, Deadline until) {
  STRAKE_TRY(const http::FetchResponse answer,
             server_.within({}, until).send({.method = "PUT",
                                             .path = fmt::format("{}/{}", collection(), name_),
                                             .content_type = "application/json",
                                             .body = body(lease.record, lease.version)}));
  return read_lease(answer.body);
}

}  // namespace strake::ops
