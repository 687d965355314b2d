#include "auth/jwt/key_set.h"

#include <algorithm>

#include "base/base64.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::auth {
namespace {

using value::Value;

constexpr std::size_t kMostKeySetDepth = 16;

Result<std::string> number_at(const Value& key, std::string_view name) {
  return base64_decode(value::text_of(key, name), Base64::kUrlRaw);
}

Result<VerifyingKey> read_key(const Value& key) {
  const std::string_view type = value::text_of(key, "kty");
  if (type == "RSA") {
    STRAKE_TRY(const std::string modulus, number_at(key, "n"));
    STRAKE_TRY(const std::string exponent, number_at(key, "e"));
    return VerifyingKey::of_rsa(modulus, exponent);
  }
  if (type == "EC") {
    STRAKE_TRY(const std::string x, number_at(key, "x"));
    STRAKE_TRY(const std::string y, number_at(key, "y"));
    return VerifyingKey::of_ec(value::text_of(key, "crv"), x, y);
  }
  return fail(Code::kUnsupported, "the type of the key is not supported");
}

}  // namespace

Result<KeySet> KeySet::read(std::string_view json) {
  value::ReadOptions options;
  options.limits.depth = kMostKeySetDepth;
  options.limits.bytes = kMostKeySetBytes;
  STRAKE_TRY(const value::Document document, value::read_json(json, options));
  const Value& list = document.root().get("keys");
  if (!list.is_array()) return fail(Code::kParse, "a key set has a list of keys");
  if (list.items().size() > kMostKeys)
    return fail(Code::kLimit, "the key set has more than {} keys", kMostKeys);
  KeySet out;
  out.digest_ = sha256(json);
  for (const Value& one : list.items()) {
    const std::string_view use = value::text_of(one, "use");
    if (!use.empty() && use != "sig") continue;
    std::optional<Algorithm> algorithm;
    if (const std::string_view name = value::text_of(one, "alg"); !name.empty()) {
      algorithm = algorithm_named(name);
      if (!algorithm) continue;
    }
    Result<VerifyingKey> key = read_key(one);
    if (!key || (algorithm && !key->takes(*algorithm))) continue;
    out.keys_.push_back({.id = std::string(value::text_of(one, "kid")),
                         .algorithm = algorithm,
                         .key = *std::move(key)});
  }
  return out;
}

bool KeySet::verifies(const UnverifiedToken& token) const {
  return std::ranges::any_of(keys_, [&](const Key& one) {
    if (!token.key_id.empty() && token.key_id != one.id) return false;
    if (one.algorithm && *one.algorithm != token.algorithm) return false;
    return token.is_signed_by(one.key);
  });
}

}  // namespace strake::auth
