#include "auth/jwt/key.h"

#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <array>

#include "base/base64.h"
#include "base/sha256.h"
#include "http/certificate_fields.h"
#include "http/openssl_owned.h"
#include "http/private_key.h"

namespace strake::auth {
namespace {

using http::Owned;

enum class KeyType : std::uint8_t { kRsa, kP256, kP384, kP521 };

struct AlgorithmFacts {
  Algorithm algorithm;
  std::string_view name;
  KeyType type;
  const EVP_MD* (*digest)();
  bool pss = false;
};
constexpr AlgorithmFacts kAlgorithms[] = {
    {Algorithm::kRs256, "RS256", KeyType::kRsa, EVP_sha256},
    {Algorithm::kRs384, "RS384", KeyType::kRsa, EVP_sha384},
    {Algorithm::kRs512, "RS512", KeyType::kRsa, EVP_sha512},
    {Algorithm::kPs256, "PS256", KeyType::kRsa, EVP_sha256, true},
    {Algorithm::kPs384, "PS384", KeyType::kRsa, EVP_sha384, true},
    {Algorithm::kPs512, "PS512", KeyType::kRsa, EVP_sha512, true},
    {Algorithm::kEs256, "ES256", KeyType::kP256, EVP_sha256},
    {Algorithm::kEs384, "ES384", KeyType::kP384, EVP_sha384},
    {Algorithm::kEs512, "ES512", KeyType::kP521, EVP_sha512},
};

struct CurveFacts {
  KeyType type;
  std::string_view openssl_name;
  std::string_view name;  // in a JSON Web Key
  std::size_t bytes;      // of a coordinate
};
constexpr CurveFacts kCurves[] = {
    {KeyType::kP256, "prime256v1", "P-256", 32},
    {KeyType::kP384, "secp384r1", "P-384", 48},
    {KeyType::kP521, "secp521r1", "P-521", 66},
};

constexpr int kLeastRsaBits = 2048;
// A longer key takes more than a millisecond to verify with.
constexpr std::size_t kMostRsaBytes = 1024;
constexpr std::size_t kMostExponentBytes = 4;

const AlgorithmFacts& facts_of(Algorithm algorithm) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)];
}

const CurveFacts& curve_of(KeyType type) {
  return *std::ranges::find(kCurves, type, &CurveFacts::type);
}

struct FreeNumber {
  void operator()(BIGNUM* p) const { BN_free(p); }
};
using Number = std::unique_ptr<BIGNUM, FreeNumber>;

struct FreeMemory {
  void operator()(void* p) const { OPENSSL_free(p); }
};
template <typename T>
using Memory = std::unique_ptr<T, FreeMemory>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::unexpected<Error> signing_fails() {
  return fail(Code::kInternal, "cannot sign: {}", http::openssl_error());
}

Result<KeyType> type_of(const EVP_PKEY* key) {
  const int id = EVP_PKEY_get_base_id(key);
  if (id == EVP_PKEY_RSA) {
    if (EVP_PKEY_get_bits(key) < kLeastRsaBits)
      return fail(Code::kUnsupported, "an RSA key must have at least {} bits, got {}",
                  kLeastRsaBits, EVP_PKEY_get_bits(key));
    return KeyType::kRsa;
  }
  std::array<char, 64> group{};
  std::size_t size = 0;
  if (id == EVP_PKEY_EC && EVP_PKEY_get_group_name(key, group.data(), group.size(), &size) == 1) {
    const auto* curve =
        std::ranges::find(kCurves, std::string_view(group.data(), size), &CurveFacts::openssl_name);
    if (curve != std::end(kCurves)) return curve->type;
  }
  ERR_clear_error();
  return fail(Code::kUnsupported, "the key must be RSA, or ECDSA P-256, P-384 or P-521");
}

// A number of the key as base64url of its bytes, padded in front to a size where one is given.
std::string number_text(const EVP_PKEY* key, const char* name, std::size_t size = 0) {
  BIGNUM* got = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &got) != 1) return {};
  const Number number(got);
  if (size == 0) size = static_cast<std::size_t>(BN_num_bytes(got));
  std::string bytes(size, '\0');
  BN_bn2binpad(got, reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(size));
  return base64_encode(bytes, Base64::kUrlRaw);
}

bool set_padding(EVP_PKEY_CTX* context, const AlgorithmFacts& facts) {
  if (facts.type != KeyType::kRsa) return true;
  if (!facts.pss) return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1;
  // RFC 7518, 3.5: the salt is as long as the digest.
  return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
         EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1;
}

// JOSE has r and s one behind the other, each as long as the curve (RFC 7518, 3.4), where OpenSSL
// has a DER sequence of both.
Result<std::string> to_jose(std::string_view der, std::size_t size) {
  const unsigned char* at = bytes_of(der);
  const Owned<ECDSA_SIG> parts(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  std::string out(2 * size, '\0');
  auto* to = reinterpret_cast<unsigned char*>(out.data());
  const int wanted = static_cast<int>(size);
  if (!parts || BN_bn2binpad(ECDSA_SIG_get0_r(parts.get()), to, wanted) != wanted ||
      BN_bn2binpad(ECDSA_SIG_get0_s(parts.get()), to + size, wanted) != wanted) {
    return signing_fails();
  }
  return out;
}

// Empty when it cannot be one.
std::string to_der(std::string_view jose, std::size_t size) {
  if (jose.size() != 2 * size) return {};
  Number r(BN_bin2bn(bytes_of(jose), static_cast<int>(size), nullptr));
  Number s(BN_bin2bn(bytes_of(jose) + size, static_cast<int>(size), nullptr));
  const Owned<ECDSA_SIG> parts(ECDSA_SIG_new());
  if (!parts || ECDSA_SIG_set0(parts.get(), r.release(), s.release()) != 1) return {};
  unsigned char* der = nullptr;
  const int bytes = i2d_ECDSA_SIG(parts.get(), &der);
  const Memory<unsigned char> owner(der);
  if (bytes <= 0) return {};
  return {reinterpret_cast<const char*>(der), static_cast<std::size_t>(bytes)};
}

// The key in one block of a PEM text; null when it holds none.
Owned<EVP_PKEY> key_in(std::string_view name, const unsigned char* der, long size) {
  const unsigned char* at = der;
  if (name == PEM_STRING_PUBLIC) return Owned<EVP_PKEY>(d2i_PUBKEY(nullptr, &at, size));
  if (name == PEM_STRING_RSA_PUBLIC)
    return Owned<EVP_PKEY>(d2i_PublicKey(EVP_PKEY_RSA, nullptr, &at, size));
  if (name == PEM_STRING_X509) {
    const Owned<X509> certificate(d2i_X509(nullptr, &at, size));
    return Owned<EVP_PKEY>(certificate ? X509_get_pubkey(certificate.get()) : nullptr);
  }
  if (name == PEM_STRING_PKCS8INF || name == PEM_STRING_RSA || name == PEM_STRING_ECPRIVATEKEY)
    return Owned<EVP_PKEY>(d2i_AutoPrivateKey(nullptr, &at, size));
  return nullptr;
}

struct FreeBuilder {
  void operator()(OSSL_PARAM_BLD* p) const { OSSL_PARAM_BLD_free(p); }
};
struct FreeParameters {
  void operator()(OSSL_PARAM* p) const { OSSL_PARAM_free(p); }
};
struct FreeKeyContext {
  void operator()(EVP_PKEY_CTX* p) const { EVP_PKEY_CTX_free(p); }
};
using Builder = std::unique_ptr<OSSL_PARAM_BLD, FreeBuilder>;

// Null when the parameters are no key.
Owned<EVP_PKEY> public_key(const char* type, OSSL_PARAM_BLD* builder) {
  const std::unique_ptr<OSSL_PARAM, FreeParameters> parameters(OSSL_PARAM_BLD_to_param(builder));
  const std::unique_ptr<EVP_PKEY_CTX, FreeKeyContext> context(
      EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (parameters && context && EVP_PKEY_fromdata_init(context.get()) == 1)
    EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get());
  ERR_clear_error();
  return Owned<EVP_PKEY>(key);
}

std::string_view without_zeros(std::string_view number) {
  while (number.starts_with('\0')) number.remove_prefix(1);
  return number;
}

std::string text_in(BIO* bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace

struct VerifyingKey::Impl {
  Owned<EVP_PKEY> key;
  KeyType type = KeyType::kRsa;
};

std::string_view to_string(Algorithm algorithm) { return facts_of(algorithm).name; }

std::optional<Algorithm> algorithm_named(std::string_view name) {
  const auto* found = std::ranges::find(kAlgorithms, name, &AlgorithmFacts::name);
  if (found == std::end(kAlgorithms)) return std::nullopt;
  return found->algorithm;
}

Result<VerifyingKey> VerifyingKey::of(std::shared_ptr<const Impl> impl) {
  const std::string der = http::encode_public_key(impl->key.get());
  if (der.empty()) return fail(Code::kUnsupported, "the key has no public half");
  const Sha256::Digest digest = sha256(der);
  const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), digest.size());
  return VerifyingKey(std::move(impl), base64_encode(bytes, Base64::kUrlRaw));
}

Result<std::vector<VerifyingKey>> VerifyingKey::read(std::string_view pem) {
  std::vector<VerifyingKey> out;
  const Owned<BIO> bio = http::open_text(pem);
  while (true) {
    char* name = nullptr;
    char* header = nullptr;
    unsigned char* der = nullptr;
    long size = 0;
    if (PEM_read_bio(bio.get(), &name, &header, &der, &size) != 1) break;
    const Memory<char> name_owner(name);
    const Memory<char> header_owner(header);
    const Memory<unsigned char> der_owner(der);
    Owned<EVP_PKEY> key = key_in(name, der, size);
    OPENSSL_cleanse(der, static_cast<std::size_t>(size));
    if (!key) continue;
    STRAKE_TRY(const KeyType type, type_of(key.get()));
    STRAKE_TRY(VerifyingKey one,
               of(std::make_shared<const Impl>(Impl{.key = std::move(key), .type = type})));
    out.push_back(std::move(one));
  }
  ERR_clear_error();
  if (out.empty()) return fail(Code::kParse, "no RSA or ECDSA key in PEM form");
  return out;
}

Result<VerifyingKey> VerifyingKey::of_rsa(std::string_view modulus, std::string_view exponent) {
  modulus = without_zeros(modulus);
  exponent = without_zeros(exponent);
  if (modulus.size() > kMostRsaBytes || exponent.size() > kMostExponentBytes)
    return fail(Code::kUnsupported, "an RSA key must have at most {} bits and a small exponent",
                kMostRsaBytes * 8);
  const Number n(BN_bin2bn(bytes_of(modulus), static_cast<int>(modulus.size()), nullptr));
  const Number e(BN_bin2bn(bytes_of(exponent), static_cast<int>(exponent.size()), nullptr));
  // An even number is no product of two large primes, and 1 leaves every message as it is.
  if (!BN_is_odd(n.get()) || !BN_is_odd(e.get()) || BN_is_one(e.get()))
    return fail(Code::kParse, "the numbers are no RSA key");
  const Builder builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
  Owned<EVP_PKEY> key = public_key("RSA", builder.get());
  if (!key) return fail(Code::kParse, "the numbers are no RSA key");
  STRAKE_TRY(const KeyType type, type_of(key.get()));
  return of(std::make_shared<const Impl>(Impl{.key = std::move(key), .type = type}));
}

Result<VerifyingKey> VerifyingKey::of_ec(std::string_view curve, std::string_view x,
                                         std::string_view y) {
  const auto* facts = std::ranges::find(kCurves, curve, &CurveFacts::name);
  if (facts == std::end(kCurves)) return fail(Code::kUnsupported, "the curve is not supported");
  if (x.size() != facts->bytes || y.size() != facts->bytes)
    return fail(Code::kParse, "the numbers are no key of the curve");
  // An uncompressed point (SEC 1, 2.3.3). OpenSSL looks whether it lies on the curve.
  std::string point = "\x04";
  point.append(x).append(y);
  const std::string group(facts->openssl_name);
  const Builder builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, group.c_str(), 0);
  OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                   point.size());
  Owned<EVP_PKEY> key = public_key("EC", builder.get());
  if (!key) return fail(Code::kParse, "the numbers are no key of the curve");
  return of(std::make_shared<const Impl>(Impl{.key = std::move(key), .type = facts->type}));
}

bool VerifyingKey::takes(Algorithm algorithm) const {
  return facts_of(algorithm).type == impl_->type;
}

Algorithm VerifyingKey::algorithm() const {
  switch (impl_->type) {
    case KeyType::kRsa: return Algorithm::kRs256;
    case KeyType::kP256: return Algorithm::kEs256;
    case KeyType::kP384: return Algorithm::kEs384;
    case KeyType::kP521: break;
  }
  return Algorithm::kEs512;
}

bool VerifyingKey::verify(Algorithm algorithm, std::string_view message,
                          std::string_view signature) const {
  const AlgorithmFacts& facts = facts_of(algorithm);
  if (facts.type != impl_->type) return false;
  std::string der;
  if (facts.type != KeyType::kRsa) {
    der = to_der(signature, curve_of(facts.type).bytes);
    if (der.empty()) return false;
    signature = der;
  }
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  EVP_PKEY_CTX* options = nullptr;
  const bool good = EVP_DigestVerifyInit(context.get(), &options, facts.digest(), nullptr,
                                         impl_->key.get()) == 1 &&
                    set_padding(options, facts) &&
                    EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(),
                                     bytes_of(message), message.size()) == 1;
  ERR_clear_error();
  return good;
}

std::string VerifyingKey::jwk() const {
  const EVP_PKEY* key = impl_->key.get();
  const std::string_view name = to_string(algorithm());
  if (impl_->type == KeyType::kRsa) {
    return fmt::format(R"({{"use":"sig","kty":"RSA","kid":"{}","alg":"{}","n":"{}","e":"{}"}})",
                       id_, name, number_text(key, OSSL_PKEY_PARAM_RSA_N),
                       number_text(key, OSSL_PKEY_PARAM_RSA_E));
  }
  const CurveFacts& curve = curve_of(impl_->type);
  return fmt::format(
      R"({{"use":"sig","kty":"EC","kid":"{}","crv":"{}","alg":"{}","x":"{}","y":"{}"}})", id_,
      curve.name, name, number_text(key, OSSL_PKEY_PARAM_EC_PUB_X, curve.bytes),
      number_text(key, OSSL_PKEY_PARAM_EC_PUB_Y, curve.bytes));
}

std::string VerifyingKey::pem() const {
  const Owned<BIO> bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PUBKEY(bio.get(), impl_->key.get());
  return text_in(bio.get());
}

Result<SigningKey> SigningKey::make() {
  ERR_clear_error();
  Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  if (!key) return fail(Code::kInternal, "cannot make a key: {}", http::openssl_error());
  STRAKE_TRY(VerifyingKey verifying,
             VerifyingKey::of(std::make_shared<const VerifyingKey::Impl>(
                 VerifyingKey::Impl{.key = std::move(key), .type = KeyType::kP256})));
  return SigningKey(std::move(verifying));
}

Result<SigningKey> SigningKey::read(const Secret& key_pem) {
  ERR_clear_error();
  Owned<EVP_PKEY> key = http::read_private_key(key_pem.reveal());
  if (!key) return fail(Code::kParse, "not a PEM private key: {}", http::openssl_error());
  STRAKE_TRY(const KeyType type, type_of(key.get()));
  STRAKE_TRY(VerifyingKey verifying, VerifyingKey::of(std::make_shared<const VerifyingKey::Impl>(
                                         VerifyingKey::Impl{.key = std::move(key), .type = type})));
  return SigningKey(std::move(verifying));
}

Secret SigningKey::pem() const { return http::write_private_key(verifying_.impl_->key.get()); }

Result<std::string> SigningKey::sign(std::string_view message) const {
  ERR_clear_error();
  const AlgorithmFacts& facts = facts_of(verifying_.algorithm());
  EVP_PKEY* key = verifying_.impl_->key.get();
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  EVP_PKEY_CTX* options = nullptr;
  std::string out(static_cast<std::size_t>(EVP_PKEY_get_size(key)), '\0');
  std::size_t size = out.size();
  if (EVP_DigestSignInit(context.get(), &options, facts.digest(), nullptr, key) != 1 ||
      !set_padding(options, facts) ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(out.data()), &size,
                     bytes_of(message), message.size()) != 1) {
    return signing_fails();
  }
  out.resize(size);
  if (facts.type == KeyType::kRsa) return out;
  return to_jose(out, curve_of(facts.type).bytes);
}

}  // namespace strake::auth
