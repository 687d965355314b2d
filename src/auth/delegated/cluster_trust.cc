#include "auth/delegated/cluster_trust.h"

#include <algorithm>

#include "http/pki.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::auth {
namespace {

using value::Value;

using TrustList = std::optional<std::vector<std::string>>;

// Far beyond what anybody writes.
constexpr std::size_t kMostEntries = 1000;
constexpr std::size_t kMostListBytes = 64 * 1024;
constexpr std::size_t kMostAuthorityBytes = 1 << 20;

std::unexpected<Error> bad_key(std::string_view key, std::string_view why) {
  return fail(Code::kInvalid, "ConfigMap {}/{}, key {}: {}", kTrustNamespace, kTrustName, key, why);
}

Result<std::optional<std::string_view>> text_at(const Value& data, std::string_view key) {
  const Value* found = data.find(key);
  if (found == nullptr) return std::nullopt;
  if (!found->is_string()) return bad_key(key, "must be a string");
  if (found->as_string().empty()) return std::nullopt;
  return found->as_string();
}

Result<std::optional<std::string>> authorities_at(const Value& data, std::string_view key) {
  STRAKE_TRY(const std::optional<std::string_view> text, text_at(data, key));
  if (!text) return std::nullopt;
  if (text->size() > kMostAuthorityBytes) return bad_key(key, "is too long");
  if (const auto sums = http::certificate_sums(*text); !sums)
    return bad_key(key, sums.error().message());
  return std::string(*text);
}

Result<TrustList> list_at(const Value& data, std::string_view key) {
  STRAKE_TRY(const std::optional<std::string_view> text, text_at(data, key));
  if (!text) return TrustList();
  if (text->size() > kMostListBytes) return bad_key(key, "is too long");
  const auto read = value::read_json(*text, value::ReadOptions::as_api_server());
  if (!read || !read->root().is_array()) return bad_key(key, "must be a JSON list of strings");
  if (read->root().size() > kMostEntries) return bad_key(key, "has too many entries");
  std::vector<std::string> out;
  for (const Value& one : read->root().items()) {
    if (!one.is_string()) return bad_key(key, "must be a JSON list of strings");
    out.emplace_back(one.as_string());
  }
  return TrustList(std::move(out));
}

// A header without a name would be the prefix of all, and the first one that a client sends.
Result<TrustList> headers_at(const Value& data, std::string_view key) {
  STRAKE_TRY(TrustList list, list_at(data, key));
  if (list && std::ranges::any_of(*list, [](const auto& one) { return one.empty(); }))
    return bad_key(key, "the name of a header is empty");
  return list;
}

}  // namespace

Result<ClusterTrust> ClusterTrust::read(const Value& config_map) {
  const Value& data = config_map.get("data");
  if (!data.is_null() && !data.is_object())
    return fail(Code::kInvalid, "ConfigMap {}/{}: data must be an object", kTrustNamespace,
                kTrustName);
  ClusterTrust out;
  STRAKE_TRY(out.client_ca_pem, authorities_at(data, "client-ca-file"));
  STRAKE_TRY(out.proxy_ca_pem, authorities_at(data, "requestheader-client-ca-file"));
  STRAKE_TRY(out.allowed_names, list_at(data, "requestheader-allowed-names"));
  STRAKE_TRY(out.username_headers, headers_at(data, "requestheader-username-headers"));
  STRAKE_TRY(out.uid_headers, headers_at(data, "requestheader-uid-headers"));
  STRAKE_TRY(out.group_headers, headers_at(data, "requestheader-group-headers"));
  STRAKE_TRY(out.extra_prefixes, headers_at(data, "requestheader-extra-headers-prefix"));
  return out;
}

ClusterTrust ClusterTrust::or_else(const ClusterTrust& other) const {
  ClusterTrust out = *this;
  const auto fill = [](auto& own, const auto& from) {
    if (!own) own = from;
  };
  fill(out.client_ca_pem, other.client_ca_pem);
  fill(out.proxy_ca_pem, other.proxy_ca_pem);
  fill(out.allowed_names, other.allowed_names);
  fill(out.username_headers, other.username_headers);
  fill(out.uid_headers, other.uid_headers);
  fill(out.group_headers, other.group_headers);
  fill(out.extra_prefixes, other.extra_prefixes);
  return out;
}

std::optional<FrontProxyOptions> ClusterTrust::front_proxy() const {
  if (!proxy_ca_pem) return std::nullopt;
  const auto list = [](const TrustList& given) {
    return given.value_or(std::vector<std::string>());
  };
  return FrontProxyOptions{.allowed_names = list(allowed_names),
                           .username_headers = list(username_headers),
                           .group_headers = list(group_headers),
                           .uid_headers = list(uid_headers),
                           .extra_prefixes = list(extra_prefixes)};
}

}  // namespace strake::auth
