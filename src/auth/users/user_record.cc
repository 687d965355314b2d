#include "auth/users/user_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/sha256.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using value::Value;

constexpr std::size_t kNameDigits = 32;  // of the hash: 128 bits

constexpr std::string_view kName = "name";
constexpr std::string_view kGroups = "groups";
constexpr std::string_view kCertificates = "certificates";
constexpr std::string_view kRevokedAt = "revokedAt";

// The items of a list that is kept as JSON text; none when it is no list. A record that somebody
// has damaged then refuses more certificates, not fewer.
template <typename F>
void for_each_item(std::string_view json, F&& f) {
  const auto list = value::read_json(std::string(json));
  if (!list) return;
  for (const Value& item : list->root().items()) f(item);
}

std::string groups_text(const std::vector<std::string>& groups) {
  value::Document out;
  out.root() = Value::array({});
  for (const std::string& one : groups) out.root().append(Value::string(one), out.arena());
  return value::to_json(out.root());
}

std::string certificates_text(const std::vector<UserRecord::Certificate>& certificates) {
  value::Document out;
  out.root() = Value::array({});
  for (const UserRecord::Certificate& one : certificates) {
    Value item = Value::object({});
    item.set("sha256", Value::string(one.sha256), out.arena());
    item.set("expires", Value::string(one.expires), out.arena());
    out.root().append(item, out.arena());
  }
  return value::to_json(out.root());
}

}  // namespace

bool UserRecord::refuses(std::string_view certificate_sha256) const {
  return !revoked_at.empty() && std::ranges::find(certificates, certificate_sha256,
                                                  &Certificate::sha256) == certificates.end();
}

std::string user_record_name(std::string_view user) {
  return fmt::format("{}{}", kUserRecordPrefix, sha256_hex(user).substr(0, kNameDigits));
}

Result<UserRecord> read_user_record(const Value& config_map) {
  const Value& data = config_map.get("data");
  UserRecord out;
  out.name = value::text_of(data, kName);
  const std::string_view name = value::text_of(config_map.get("metadata"), "name");
  if (out.name.empty() || user_record_name(out.name) != name)
    return fail(Code::kInvalid, "the ConfigMap {} is no record of the user {}", quote(name),
                quote(out.name));
  for_each_item(value::text_of(data, kGroups),
                [&](const Value& item) { out.groups.emplace_back(value::text_of(item)); });
  for_each_item(value::text_of(data, kCertificates), [&](const Value& item) {
    out.certificates.push_back({.sha256 = std::string(value::text_of(item, "sha256")),
                                .expires = std::string(value::text_of(item, "expires"))});
  });
  out.revoked_at = value::text_of(data, kRevokedAt);
  return out;
}

void write_user_record(const UserRecord& record, value::Document& config_map) {
  Value& root = config_map.root();
  Arena& arena = config_map.arena();
  if (!root.is_object()) root = Value::object({});
  const std::string_view name = arena.copy(user_record_name(record.name));
  root.set("apiVersion", Value::string("v1"), arena);
  root.set("kind", Value::string("ConfigMap"), arena);
  Value& metadata = root.object_at("metadata", arena);
  metadata.set("name", Value::string(name), arena);
  metadata.set("namespace", Value::string(kUserRecordNamespace), arena);
  metadata.object_at("labels", arena).set(kUserRecordLabel, Value::string(name), arena);
  Value& data = root.object_at("data", arena);
  const auto set = [&](std::string_view key, std::string_view text) {
    data.set(key, Value::string(arena.copy(text)), arena);
  };
  set(kName, record.name);
  set(kGroups, groups_text(record.groups));
  set(kCertificates, certificates_text(record.certificates));
  if (!record.revoked_at.empty()) set(kRevokedAt, record.revoked_at);
}

}  // namespace strake::auth
