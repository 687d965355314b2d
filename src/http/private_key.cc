#include "http/private_key.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

// The keys that we make are ECDSA P-256 in PKCS #8: always the same bytes but for two numbers. They
// are read and written here, and everything else by OpenSSL. OpenSSL 3.0 sets up its decoders for
// each key that it reads, which takes 0.7 ms, of a server that starts in ten.

namespace strake::http {
namespace {

using Bytes = std::span<const unsigned char>;

struct FreeParts {
  void operator()(PKCS8_PRIV_KEY_INFO* p) const { PKCS8_PRIV_KEY_INFO_free(p); }
  void operator()(BIGNUM* p) const { BN_clear_free(p); }
  void operator()(unsigned char* p) const { OPENSSL_free(p); }
  void operator()(EVP_PKEY_CTX* p) const { EVP_PKEY_CTX_free(p); }
  void operator()(OSSL_PARAM_BLD* p) const { OSSL_PARAM_BLD_free(p); }
  void operator()(OSSL_PARAM* p) const { OSSL_PARAM_free(p); }
};
template <typename T>
using Part = std::unique_ptr<T, FreeParts>;

constexpr const char* kPemName = "PRIVATE KEY";
constexpr std::size_t kNumber = 32;
constexpr std::size_t kPoint = 1 + 2 * kNumber;  // uncompressed

// PrivateKeyInfo (RFC 5208): version 0, id-ecPublicKey with prime256v1, and the key as a string.
constexpr std::array<unsigned char, 29> kInfo = {
    0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d,
    0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x6d};
// ECPrivateKey (RFC 5915): version 1, the number, and in [1] the point as a string of bits.
constexpr std::array<unsigned char, 7> kKey = {0x30, 0x6b, 0x02, 0x01, 0x01, 0x04, kNumber};
constexpr std::array<unsigned char, 5> kPublic = {0xa1, 0x44, 0x03, 0x42, 0x00};
// SubjectPublicKeyInfo (RFC 5280, 4.1) of that curve, up to the point.
constexpr std::array<unsigned char, 26> kPublicInfo = {
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
    0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00};
constexpr std::size_t kKeySize = kKey.size() + kNumber + kPublic.size() + kPoint;

bool is_pkcs8(std::string_view pem) {
  const std::size_t at = pem.find("PRIVATE KEY-----");
  return at != std::string_view::npos && pem.substr(0, at).ends_with("-----BEGIN ");
}

bool is_p256(const X509_ALGOR* algorithm) {
  const ASN1_OBJECT* kind = nullptr;
  const void* curve = nullptr;
  int form = 0;
  X509_ALGOR_get0(&kind, &form, &curve, algorithm);
  return OBJ_obj2nid(kind) == NID_X9_62_id_ecPublicKey && form == V_ASN1_OBJECT &&
         OBJ_obj2nid(static_cast<const ASN1_OBJECT*>(curve)) == NID_X9_62_prime256v1;
}

Owned<EVP_PKEY> make_p256(Bytes number, Bytes point) {
  const Part<BIGNUM> secret(BN_secure_new());
  const Part<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  const Part<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  if (!secret || !builder || !context ||
      BN_bin2bn(number.data(), static_cast<int>(number.size()), secret.get()) == nullptr ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME,
                                      SN_X9_62_prime256v1, 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1 ||
      OSSL_PARAM_BLD_push_BN_pad(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, secret.get(), kNumber) !=
          1) {
    return nullptr;
  }
  const Part<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(builder.get()));
  EVP_PKEY* made = nullptr;
  if (!parameters || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_KEYPAIR, parameters.get()) != 1) {
    return nullptr;
  }
  return Owned<EVP_PKEY>(made);
}

// Null when it has another form than ours.
Owned<EVP_PKEY> read_p256(const PKCS8_PRIV_KEY_INFO& info) {
  const unsigned char* data = nullptr;
  const X509_ALGOR* algorithm = nullptr;
  int size = 0;
  if (PKCS8_pkey_get0(nullptr, &data, &size, &algorithm, &info) != 1 || !is_p256(algorithm) ||
      size != static_cast<int>(kKeySize)) {
    return nullptr;
  }
  const Bytes key(data, kKeySize);
  const Bytes behind = key.subspan(kKey.size() + kNumber);
  if (!std::ranges::equal(key.first(kKey.size()), kKey) ||
      !std::ranges::equal(behind.first(kPublic.size()), kPublic)) {
    return nullptr;
  }
  return make_p256(key.subspan(kKey.size(), kNumber), behind.subspan(kPublic.size()));
}

bool is_p256(const EVP_PKEY* key) {
  std::array<char, 64> group{};
  std::size_t size = 0;
  return EVP_PKEY_get_base_id(key) == EVP_PKEY_EC &&
         EVP_PKEY_get_group_name(key, group.data(), group.size(), &size) == 1 &&
         std::string_view(group.data(), size) == SN_X9_62_prime256v1;
}

// The bytes of a key of P-256; fewer when it has no such form.
std::vector<unsigned char> encode_p256(EVP_PKEY* key) {
  BIGNUM* got = nullptr;
  if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &got) != 1) return {};
  const Part<BIGNUM> number(got);
  unsigned char* bytes = nullptr;
  const std::size_t size = EVP_PKEY_get1_encoded_public_key(key, &bytes);
  const Part<unsigned char> point(bytes);
  std::array<unsigned char, kNumber> secret{};
  if (size != kPoint || BN_bn2binpad(got, secret.data(), kNumber) != kNumber) return {};
  std::vector<unsigned char> out;
  out.reserve(kInfo.size() + kKeySize);  // no copy is left behind
  for (const Bytes part : {Bytes(kInfo), Bytes(kKey), Bytes(secret), Bytes(kPublic)})
    out.insert(out.end(), part.begin(), part.end());
  out.insert(out.end(), bytes, bytes + size);
  OPENSSL_cleanse(secret.data(), secret.size());
  return out;
}

}  // namespace

Owned<EVP_PKEY> read_private_key(std::string_view pem) {
  const Owned<BIO> bio = open_text(pem);
  if (!is_pkcs8(pem))
    return Owned<EVP_PKEY>(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  const Part<PKCS8_PRIV_KEY_INFO> info(
      PEM_read_bio_PKCS8_PRIV_KEY_INFO(bio.get(), nullptr, no_password, nullptr));
  if (!info) return nullptr;
  if (Owned<EVP_PKEY> ours = read_p256(*info)) return ours;
  ERR_clear_error();
  return Owned<EVP_PKEY>(EVP_PKCS82PKEY(info.get()));
}

Secret write_private_key(const EVP_PKEY* key) {
  const Owned<BIO> bio(BIO_new(BIO_s_secmem()));
  // These only look at the key.
  EVP_PKEY* shown = const_cast<EVP_PKEY*>(key);
  std::vector<unsigned char> ours =
      is_p256(key) ? encode_p256(shown) : std::vector<unsigned char>();
  if (ours.empty()) {
    ERR_clear_error();
    PEM_write_bio_PKCS8PrivateKey(bio.get(), shown, nullptr, nullptr, 0, nullptr, nullptr);
  } else {
    PEM_write_bio(bio.get(), kPemName, "", ours.data(), static_cast<long>(ours.size()));
    OPENSSL_cleanse(ours.data(), ours.size());
  }
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return Secret(std::string(text, static_cast<std::size_t>(size)));
}

std::string encode_public_key(const EVP_PKEY* key) {
  EVP_PKEY* shown = const_cast<EVP_PKEY*>(key);
  unsigned char* bytes = nullptr;
  if (is_p256(key)) {
    const std::size_t size = EVP_PKEY_get1_encoded_public_key(shown, &bytes);
    const Part<unsigned char> point(bytes);
    // A key that was read with a compressed point keeps that form.
    if (size == kPoint) {
      std::string out(kPublicInfo.begin(), kPublicInfo.end());
      return out.append(point.get(), point.get() + kPoint);
    }
    bytes = nullptr;
  }
  const int size = i2d_PUBKEY(shown, &bytes);
  const Part<unsigned char> der(bytes);
  if (size <= 0) return {};
  return {der.get(), der.get() + size};
}

}  // namespace strake::http
