#include "auth/jwt/jwt.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::auth {
namespace {

using value::Value;

// One text for every token that is none: what is wrong with it is nobody's business.
std::unexpected<Error> no_token(std::string_view part) {
  return fail(Code::kParse, "the {} of the token cannot be read", part);
}

// The decoder passes over line breaks and takes any last bits, so that one token could be written
// in several ways: only the one that the encoder writes is good.
Result<std::string> decode_part(std::string_view text, std::string_view part) {
  Result<std::string> bytes = base64_decode(text, Base64::kUrlRaw);
  if (!bytes || base64_encode(*bytes, Base64::kUrlRaw) != text) return no_token(part);
  return *std::move(bytes);
}

Result<value::Document> read_object(std::string_view text, std::string_view part) {
  STRAKE_TRY(std::string json, decode_part(text, part));
  value::ReadOptions options;
  options.limits.depth = kMostTokenDepth;
  Result<value::Document> document = value::read_json(std::move(json), options);
  if (!document || !document->root().is_object()) return no_token(part);
  return *std::move(document);
}

}  // namespace

Result<UnverifiedToken> read_token(std::string_view text) {
  if (text.size() > kMostTokenBytes)
    return fail(Code::kLimit, "the token has more than {} bytes", kMostTokenBytes);
  const std::size_t first = text.find('.');
  const std::size_t second =
      first == std::string_view::npos ? std::string_view::npos : text.find('.', first + 1);
  if (second == std::string_view::npos || text.find('.', second + 1) != std::string_view::npos)
    return fail(Code::kParse, "a token has three parts");
  STRAKE_TRY(const value::Document header, read_object(text.substr(0, first), "header"));
  const Value& fields = header.root();
  // RFC 7515, 4.1.11: whoever does not know a critical header must refuse the token.
  if (fields.find("crit") != nullptr)
    return fail(Code::kUnsupported, "the token has a critical header");
  const std::optional<Algorithm> algorithm = algorithm_named(value::text_of(fields, "alg"));
  if (!algorithm) return fail(Code::kUnsupported, "the algorithm of the token is not supported");
  const Value& key_id = fields.get("kid");
  if (!key_id.is_null() && !key_id.is_string()) return no_token("header");
  STRAKE_TRY(value::Document claims,
             read_object(text.substr(first + 1, second - first - 1), "claims"));
  STRAKE_TRY(std::string signature, decode_part(text.substr(second + 1), "signature"));
  return UnverifiedToken{.algorithm = *algorithm,
                         .key_id = std::string(value::text_of(key_id)),
                         .claims = std::move(claims),
                         .signed_text = text.substr(0, second),
                         .signature = std::move(signature)};
}

Result<std::string> write_token(std::string_view claims_json, const SigningKey& key) {
  const std::string header = fmt::format(
      R"({{"alg":"{}","kid":"{}"}})", to_string(key.verifying().algorithm()), key.verifying().id());
  std::string out = fmt::format("{}.{}", base64_encode(header, Base64::kUrlRaw),
                                base64_encode(claims_json, Base64::kUrlRaw));
  STRAKE_TRY(const std::string signature, key.sign(out));
  out += '.';
  out += base64_encode(signature, Base64::kUrlRaw);
  return out;
}

}  // namespace strake::auth
