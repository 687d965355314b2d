#include "cli/user/cluster_users.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "auth/certificates/signing_rules.h"
#include "base/base64.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "kube/list.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kRequests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
constexpr std::string_view kRbac = "/apis/rbac.authorization.k8s.io/v1";
constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";
constexpr std::size_t kPage = 500;
constexpr int kConflicts = 5;
constexpr std::chrono::milliseconds kSignerTime{30'000};
constexpr std::chrono::milliseconds kFirstPause{20};
constexpr std::chrono::milliseconds kLongestPause{1'000};

std::string records_path() {
  return fmt::format("/api/v1/namespaces/{}/configmaps", auth::kUserRecordNamespace);
}

Result<Document> sent(const kube::Client& cluster, const kube::Request& request) {
  STRAKE_TRY(http::FetchResponse answer, cluster.send(request));
  return value::read_json(std::move(answer.body));
}

Result<Document> got(const kube::Client& cluster, std::string_view path) {
  STRAKE_TRY(std::string body, cluster.get(path));
  return value::read_json(std::move(body));
}

// {"apiGroup": ..., "kind": ..., "name": ...}
Value reference(std::string_view kind, std::string_view name, Arena& arena) {
  Value out = Value::object({});
  out.set("apiGroup", Value::string(kRbacGroup), arena);
  out.set("kind", Value::string(kind), arena);
  out.set("name", Value::string(name), arena);
  return out;
}

std::string bindings_path(std::string_view namespace_name) {
  return namespace_name.empty()
             ? fmt::format("{}/clusterrolebindings", kRbac)
             : fmt::format("{}/namespaces/{}/rolebindings", kRbac, namespace_name);
}

// Bindings made with users, those of one record or of all.
template <typename F>
Result<> for_each_binding(const kube::Client& cluster, std::string_view record, F&& f) {
  const std::string selector =
      fmt::format("?labelSelector={}{}", "strake.dev%2Fuser-record",
                  record.empty() ? std::string() : fmt::format("%3D{}", record));
  for (const std::string_view plural : {"clusterrolebindings", "rolebindings"}) {
    STRAKE_TRY(const std::vector<std::string> pages,
               kube::list_pages(cluster, fmt::format("{}/{}{}", kRbac, plural, selector), kPage));
    for (const std::string& page : pages) {
      STRAKE_TRY(const Document list, value::read_json(page));
      for (const Value& item : list.root().get("items").items()) STRAKE_CHECK(f(item));
    }
  }
  return {};
}

}  // namespace

Result<UserRole> ClusterUsers::find_role(const std::string& name,
                                         const std::string& namespace_name) const {
  const auto cluster_role = cluster_.get(fmt::format("{}/clusterroles/{}", kRbac, name));
  if (cluster_role)
    return UserRole{.kind = "ClusterRole", .name = name, .namespace_name = namespace_name};
  if (cluster_role.error().code() != Code::kNotFound) return std::unexpected(cluster_role.error());
  if (namespace_name.empty())
    return fail(Code::kNotFound, "there is no ClusterRole {}", quote(name));
  const auto role =
      cluster_.get(fmt::format("{}/namespaces/{}/roles/{}", kRbac, namespace_name, name));
  if (role) return UserRole{.kind = "Role", .name = name, .namespace_name = namespace_name};
  if (role.error().code() != Code::kNotFound) return std::unexpected(role.error());
  return fail(Code::kNotFound, "there is no ClusterRole {}, and no such Role in the namespace {}",
              quote(name), namespace_name);
}

Result<http::CertifiedKey> ClusterUsers::add(const NewUser& user) const {
  std::vector<UserRole> roles;
  for (const std::string& name : user.roles) {
    STRAKE_TRY(UserRole role, find_role(name, user.namespace_name));
    roles.push_back(std::move(role));
  }
  STRAKE_TRY(http::CertifiedKey made, certify(user));
  STRAKE_TRY(const http::CertificateInfo info, http::read_certificate(made.certificate_pem));
  if (info.common_name != user.name)
    return fail(Code::kInvalid, "the cluster made a certificate for the user {}",
                quote(info.common_name));
  const std::string expires = format_rfc3339(Instant::from(info.validity.until));
  const std::string now = format_rfc3339(Instant::from(clock_.now()));
  STRAKE_CHECK(edit_record(user.name, [&](auth::UserRecord& record) {
    record.groups = user.groups;
    std::erase_if(record.certificates, [&](const auto& one) { return one.expires < now; });
    record.certificates.push_back({.sha256 = info.sha256, .expires = expires});
  }));
  for (const UserRole& role : roles) STRAKE_CHECK(bind(user, role));
  return made;
}

Result<http::CertifiedKey> ClusterUsers::certify(const NewUser& user) const {
  STRAKE_TRY(http::RequestedKey key, http::make_request(user.name, user.groups));
  Document request;
  Arena& arena = request.arena();
  request.root() = Value::object({});
  request.root().set("apiVersion", Value::string("certificates.k8s.io/v1"), arena);
  request.root().set("kind", Value::string("CertificateSigningRequest"), arena);
  request.root()
      .object_at("metadata", arena)
      .set("generateName", Value::string(auth::kUserRecordPrefix), arena);
  Value& spec = request.root().object_at("spec", arena);
  spec.set("request", Value::string(arena.copy(base64_encode(key.request_pem))), arena);
  spec.set("signerName", Value::string(auth::kClientSigner), arena);
  spec.set("expirationSeconds", Value::integer(user.life.count()), arena);
  Value usages = Value::array({});
  usages.append(Value::string("client auth"), arena);
  spec.set("usages", usages, arena);
  STRAKE_TRY(const Document created, sent(cluster_, {.method = "POST",
                                                     .path = std::string(kRequests),
                                                     .content_type = std::string(kJson),
                                                     .body = value::to_json(request.root())}));
  const std::string path =
      fmt::format("{}/{}", kRequests, value::text_of(created.root().get("metadata"), "name"));
  const auto approved = cluster_.send(
      {.method = "PATCH",
       .path = path + "/approval",
       .content_type = "application/merge-patch+json",
       .body = R"({"status":{"conditions":[{"type":"Approved","status":"True",)"
               R"("reason":"StrakeUserAdd","message":"approved by strake user add"}]}})"});
  Result<std::string> certificate =
      approved ? wait_for_certificate(path) : std::unexpected(approved.error());
  // It has done its work, or never will.
  const auto removed = cluster_.send({.method = "DELETE", .path = path});
  if (!certificate) return std::unexpected(certificate.error());
  if (!removed) return std::unexpected(removed.error());
  return http::CertifiedKey{.certificate_pem = *std::move(certificate),
                            .key_pem = std::move(key.key_pem)};
}

Result<std::string> ClusterUsers::wait_for_certificate(const std::string& path) const {
  const Deadline deadline = Deadline::after(kSignerTime);
  for (std::chrono::milliseconds pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    STRAKE_TRY(const Document request, got(cluster_, path));
    const Value& status = request.root().get("status");
    if (const std::string_view text = value::text_of(status, "certificate"); !text.empty())
      return base64_decode(text);
    for (const Value& condition : status.get("conditions").items()) {
      const std::string_view type = value::text_of(condition, "type");
      if (type == "Failed" || type == "Denied")
        return fail(Code::kForbidden, "the cluster does not sign the certificate: {}",
                    value::text_of(condition, "message"));
    }
    if (deadline.expired())
      return fail(Code::kTimeout,
                  "nobody signed the certificate in {} seconds: the cluster needs a "
                  "signer for {}",
                  kSignerTime.count() / 1000, auth::kClientSigner);
    std::this_thread::sleep_for(pause);
  }
}

template <typename F>
Result<> ClusterUsers::edit_record(const std::string& name, F&& change) const {
  const std::string path = fmt::format("{}/{}", records_path(), auth::user_record_name(name));
  for (int i = 0;; ++i) {
    Result<Document> present = got(cluster_, path);
    if (!present && present.error().code() != Code::kNotFound)
      return std::unexpected(present.error());
    Document map = present ? *std::move(present) : Document();
    auth::UserRecord record{.name = name, .groups = {}, .certificates = {}, .revoked_at = {}};
    if (present) {
      STRAKE_TRY(record, auth::read_user_record(map.root()));
    }
    change(record);
    auth::write_user_record(record, map);
    const auto written = cluster_.send({.method = present ? "PUT" : "POST",
                                        .path = present ? path : records_path(),
                                        .content_type = std::string(kJson),
                                        .body = value::to_json(map.root())});
    if (written) return {};
    const Code code = written.error().code();
    if (i == kConflicts ||
        (code != Code::kConflict && code != Code::kAlreadyExists && code != Code::kNotFound))
      return std::unexpected(written.error());
  }
}

Result<> ClusterUsers::bind(const NewUser& user, const UserRole& role) const {
  const std::string record = auth::user_record_name(user.name);
  Document binding;
  Arena& arena = binding.arena();
  binding.root() = Value::object({});
  const bool everywhere = role.namespace_name.empty();
  binding.root().set("apiVersion", Value::string("rbac.authorization.k8s.io/v1"), arena);
  binding.root().set("kind", Value::string(everywhere ? "ClusterRoleBinding" : "RoleBinding"),
                     arena);
  Value& metadata = binding.root().object_at("metadata", arena);
  // The same user and role make the same name: to add them again changes nothing.
  metadata.set("name", Value::string(arena.copy(fmt::format("{}-{}", record, role.name))), arena);
  metadata.object_at("labels", arena).set(auth::kUserRecordLabel, Value::string(record), arena);
  binding.root().set("roleRef", reference(role.kind, role.name, arena), arena);
  Value subjects = Value::array({});
  subjects.append(reference("User", user.name, arena), arena);
  binding.root().set("subjects", subjects, arena);
  const auto made = cluster_.send({.method = "POST",
                                   .path = bindings_path(role.namespace_name),
                                   .content_type = std::string(kJson),
                                   .body = value::to_json(binding.root())});
  if (!made && made.error().code() != Code::kAlreadyExists) return std::unexpected(made.error());
  return {};
}

Result<std::vector<ClusterUser>> ClusterUsers::list() const {
  STRAKE_TRY(
      const std::vector<std::string> pages,
      kube::list_pages(
          cluster_, fmt::format("{}?labelSelector={}", records_path(), "strake.dev%2Fuser-record"),
          kPage));
  std::vector<ClusterUser> out;
  std::map<std::string, std::size_t> place;
  for (const std::string& page : pages) {
    STRAKE_TRY(const Document list, value::read_json(page));
    for (const Value& item : list.root().get("items").items()) {
      Result<auth::UserRecord> record = auth::read_user_record(item);
      if (!record) continue;  // not ours: a server does not follow it either
      place[auth::user_record_name(record->name)] = out.size();
      out.push_back({.record = *std::move(record), .roles = {}});
    }
  }
  STRAKE_CHECK(for_each_binding(cluster_, "", [&](const Value& binding) -> Result<> {
    const Value& metadata = binding.get("metadata");
    const auto owner =
        place.find(std::string(value::text_of(metadata.get("labels"), auth::kUserRecordLabel)));
    if (owner == place.end()) return {};
    const Value& role = binding.get("roleRef");
    out[owner->second].roles.push_back(
        {.kind = std::string(value::text_of(role, "kind")),
         .name = std::string(value::text_of(role, "name")),
         .namespace_name = std::string(value::text_of(metadata, "namespace"))});
    return {};
  }));
  std::ranges::sort(out, {}, [](const ClusterUser& user) { return user.record.name; });
  return out;
}

Result<std::size_t> ClusterUsers::revoke(const std::string& name) const {
  STRAKE_CHECK(edit_record(name, [&](auth::UserRecord& record) {
    record.certificates.clear();
    record.revoked_at = format_rfc3339(Instant::from(clock_.now()));
  }));
  std::size_t removed = 0;
  STRAKE_CHECK(for_each_binding(
      cluster_, auth::user_record_name(name), [&](const Value& binding) -> Result<> {
        const Value& metadata = binding.get("metadata");
        const auto gone = cluster_.send(
            {.method = "DELETE",
             .path = fmt::format("{}/{}", bindings_path(value::text_of(metadata, "namespace")),
                                 value::text_of(metadata, "name"))});
        if (!gone && gone.error().code() != Code::kNotFound) return std::unexpected(gone.error());
        ++removed;
        return {};
      }));
  return removed;
}

Result<bool> ClusterUsers::refuses_revoked() const {
  STRAKE_TRY(const Document version, got(cluster_, "/version"));
  return value::text_of(version.root(), "gitVersion").contains("+strake");
}

Result<std::string> ClusterUsers::own_name() const {
  STRAKE_TRY(const Document review,
             sent(cluster_, {.method = "POST",
                             .path = "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                             .content_type = std::string(kJson),
                             .body = R"({"apiVersion":"authentication.k8s.io/v1",)"
                                     R"("kind":"SelfSubjectReview"})"}));
  return std::string(value::text_of(review.root().get("status").get("userInfo"), "username"));
}

}  // namespace strake::cli
