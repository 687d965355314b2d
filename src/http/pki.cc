#include "http/pki.h"

#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <optional>

#include "base/sha256.h"
#include "http/certificate_fields.h"
#include "http/openssl_owned.h"
#include "http/private_key.h"

namespace strake::http {
namespace {

std::unexpected<Error> openssl_fails(std::string_view what) {
  return fail(Code::kInternal, "{}: {}", what, openssl_error());
}

std::string text_of(BIO* bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

Result<std::string> to_pem(X509* certificate) {
  const Owned<BIO> bio(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(bio.get(), certificate) != 1) return openssl_fails("certificate");
  return text_of(bio.get());
}

Result<Owned<X509>> first_certificate(std::string_view pem, Code code) {
  ERR_clear_error();
  const Owned<BIO> bio = open_text(pem);
  Owned<X509> certificate(PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr));
  if (!certificate) return fail(code, "not a PEM certificate: {}", openssl_error());
  return certificate;
}

Result<Owned<EVP_PKEY>> private_key(const Secret& pem, Code code) {
  ERR_clear_error();
  Owned<EVP_PKEY> key = read_private_key(pem.reveal());
  if (!key) return fail(code, "not a PEM private key: {}", openssl_error());
  return key;
}

Result<Owned<EVP_PKEY>> make_key() {
  ERR_clear_error();
  Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  if (!key) return openssl_fails("cannot make a key");
  return key;
}

// As X509_set_pubkey does for a key of make_key(), which takes 0.5 ms: OpenSSL 3.0 writes the key
// and reads it again.
bool set_public_key(X509* certificate, const EVP_PKEY* key) {
  struct FreeBytes {
    void operator()(unsigned char* p) const { OPENSSL_free(p); }
  };
  unsigned char* bytes = nullptr;
  const std::size_t size = EVP_PKEY_get1_encoded_public_key(const_cast<EVP_PKEY*>(key), &bytes);
  std::unique_ptr<unsigned char, FreeBytes> point(bytes);
  if (size == 0 || X509_PUBKEY_set0_param(X509_get_X509_PUBKEY(certificate),
                                          OBJ_nid2obj(NID_X9_62_id_ecPublicKey), V_ASN1_OBJECT,
                                          OBJ_nid2obj(NID_X9_62_prime256v1), point.get(),
                                          static_cast<int>(size)) != 1) {
    return false;
  }
  static_cast<void>(point.release());  // the certificate's now
  return true;
}

bool add_name(X509_NAME* name, const char* field, std::string_view text) {
  return X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(text.data()),
                                    static_cast<int>(text.size()), -1, 0) == 1;
}

bool add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Owned<X509_EXTENSION> extension(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool set_time(ASN1_TIME* to, WallTime time) {
  return ASN1_TIME_set(to, Instant::from(time).seconds) != nullptr;
}

// 126 random bits below a fixed one: unique without a register, positive, and always 16 bytes.
bool set_serial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), bytes.size()) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7f) | 0x40);
  struct FreeNumber {
    void operator()(BIGNUM* p) const { BN_free(p); }
  };
  const std::unique_ptr<BIGNUM, FreeNumber> number(BN_bin2bn(bytes.data(), bytes.size(), nullptr));
  return BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

// Names go into the extension one by one, as values: text with commas in it stays one name.
Result<> add_alternative_names(X509* certificate, const CertificateSpec& spec) {
  if (spec.dns_names.empty() && spec.ip_addresses.empty()) return {};
  struct FreeNames {
    void operator()(GENERAL_NAMES* p) const { GENERAL_NAMES_free(p); }
  };
  const std::unique_ptr<GENERAL_NAMES, FreeNames> names(sk_GENERAL_NAME_new_null());
  const auto add = [&names](int type, ASN1_STRING* value) {
    GENERAL_NAME* name = GENERAL_NAME_new();
    GENERAL_NAME_set0_value(name, type, value);
    sk_GENERAL_NAME_push(names.get(), name);
  };
  for (const std::string& dns : spec.dns_names) {
    ASN1_IA5STRING* text = ASN1_IA5STRING_new();
    ASN1_STRING_set(text, dns.data(), static_cast<int>(dns.size()));
    add(GEN_DNS, text);
  }
  for (const std::string& address : spec.ip_addresses) {
    ASN1_OCTET_STRING* bytes = a2i_IPADDRESS(address.c_str());
    if (bytes == nullptr) return fail(Code::kInvalid, "not an IP address: \"{}\"", address);
    add(GEN_IPADD, bytes);
  }
  if (X509_add1_ext_i2d(certificate, NID_subject_alt_name, names.get(), 0, X509V3_ADD_DEFAULT) !=
      1) {
    return openssl_fails("subject alternative names");
  }
  return {};
}

Result<> set_subject(X509_NAME* subject, std::string_view common_name,
                     const std::vector<std::string>& organizations) {
  for (const std::string& organization : organizations) {
    if (!add_name(subject, "O", organization)) {
      (void)openssl_error();
      return fail(Code::kInvalid, "not a name of an organization: \"{}\"", organization);
    }
  }
  if (!common_name.empty() && !add_name(subject, "CN", common_name)) {
    (void)openssl_error();
    return fail(Code::kInvalid, "not a common name: \"{}\"", common_name);
  }
  return {};
}

Result<Owned<X509>> start_certificate(std::string_view common_name,
                                      const std::vector<std::string>& organizations,
                                      const Validity& validity) {
  Owned<X509> certificate(X509_new());
  X509_NAME* subject = certificate ? X509_get_subject_name(certificate.get()) : nullptr;
  if (!certificate || X509_set_version(certificate.get(), X509_VERSION_3) != 1 ||
      !set_serial(certificate.get()) ||
      !set_time(X509_getm_notBefore(certificate.get()), validity.from) ||
      !set_time(X509_getm_notAfter(certificate.get()), validity.until)) {
    return openssl_fails("cannot make a certificate");
  }
  STRAKE_CHECK(set_subject(subject, common_name, organizations));
  return certificate;
}

Result<CertifiedKey> finish(X509* certificate, EVP_PKEY* key, EVP_PKEY* signer) {
  if (X509_sign(certificate, signer, EVP_sha256()) == 0) return openssl_fails("cannot sign");
  STRAKE_TRY(std::string pem, to_pem(certificate));
  return CertifiedKey{std::move(pem), write_private_key(key)};
}

bool add_leaf_extensions(X509* made, X509* ca, CertificateUse use) {
  return add_extension(made, ca, NID_basic_constraints, "critical,CA:FALSE") &&
         add_extension(made, ca, NID_key_usage, "critical,digitalSignature,keyEncipherment") &&
         add_extension(made, ca, NID_ext_key_usage,
                       use == CertificateUse::kServer ? "serverAuth" : "clientAuth") &&
         add_extension(made, ca, NID_authority_key_identifier, "keyid");
}

Result<Owned<X509_REQ>> first_request(std::string_view pem) {
  ERR_clear_error();
  const Owned<BIO> bio = open_text(pem);
  Owned<X509_REQ> request(PEM_read_bio_X509_REQ(bio.get(), nullptr, no_password, nullptr));
  if (!request) return fail(Code::kParse, "not a certificate request: {}", openssl_error());
  EVP_PKEY* key = X509_REQ_get0_pubkey(request.get());
  const bool is_signed = key != nullptr && X509_REQ_verify(request.get(), key) == 1;
  ERR_clear_error();
  if (!is_signed)
    return fail(Code::kInvalid, "the certificate request is not signed by the key in it");
  return request;
}

}  // namespace

struct Authority::Parts {
  CertifiedKey pair;
  Owned<X509> certificate;
  Owned<EVP_PKEY> key;
};

Authority::Authority(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
Authority::Authority(Authority&&) noexcept = default;
Authority::~Authority() = default;

const CertifiedKey& Authority::pair() const { return parts_->pair; }

Result<Authority> Authority::make(std::string_view common_name, const Validity& validity) {
  STRAKE_TRY(Owned<EVP_PKEY> key, make_key());
  STRAKE_TRY(Owned<X509> ca, start_certificate(common_name, {}, validity));
  X509_set_issuer_name(ca.get(), X509_get_subject_name(ca.get()));
  if (!set_public_key(ca.get(), key.get()) ||
      !add_extension(ca.get(), ca.get(), NID_basic_constraints, "critical,CA:TRUE") ||
      !add_extension(ca.get(), ca.get(), NID_key_usage,
                     "critical,digitalSignature,keyEncipherment,keyCertSign") ||
      !add_extension(ca.get(), ca.get(), NID_subject_key_identifier, "hash")) {
    return openssl_fails("cannot make a certificate");
  }
  STRAKE_TRY(CertifiedKey pair, finish(ca.get(), key.get(), key.get()));
  return Authority(
      std::make_unique<const Parts>(Parts{std::move(pair), std::move(ca), std::move(key)}));
}

Result<Authority> Authority::read(const CertifiedKey& pair) {
  STRAKE_TRY(Owned<X509> ca, first_certificate(pair.certificate_pem, Code::kInvalid));
  STRAKE_TRY(Owned<EVP_PKEY> key, private_key(pair.key_pem, Code::kInvalid));
  if (X509_check_private_key(ca.get(), key.get()) != 1) {
    (void)openssl_error();
    return fail(Code::kInvalid, "the authority's key does not belong to its certificate");
  }
  if (X509_check_ca(ca.get()) == 0) {
    return fail(Code::kInvalid, "the authority's certificate may not sign others");
  }
  return Authority(std::make_unique<const Parts>(Parts{pair, std::move(ca), std::move(key)}));
}

Result<CertifiedKey> Authority::issue(const CertificateSpec& spec) const {
  STRAKE_TRY(Owned<EVP_PKEY> key, make_key());
  STRAKE_TRY(Owned<X509> made,
             start_certificate(spec.common_name, spec.organizations, spec.validity));
  X509_set_issuer_name(made.get(), X509_get_subject_name(parts_->certificate.get()));
  if (!set_public_key(made.get(), key.get()) ||
      !add_leaf_extensions(made.get(), parts_->certificate.get(), spec.use)) {
    return openssl_fails("cannot make a certificate");
  }
  STRAKE_CHECK(add_alternative_names(made.get(), spec));
  return finish(made.get(), key.get(), parts_->key.get());
}

Result<std::string> Authority::sign(std::string_view request_pem, const Validity& validity) const {
  STRAKE_TRY(const Owned<X509_REQ> request, first_request(request_pem));
  STRAKE_TRY(Owned<X509> made, start_certificate("", {}, validity));
  X509_set_subject_name(made.get(), X509_REQ_get_subject_name(request.get()));
  X509_set_issuer_name(made.get(), X509_get_subject_name(parts_->certificate.get()));
  if (X509_set_pubkey(made.get(), X509_REQ_get0_pubkey(request.get())) != 1 ||
      !add_leaf_extensions(made.get(), parts_->certificate.get(), CertificateUse::kClient) ||
      X509_sign(made.get(), parts_->key.get(), EVP_sha256()) == 0) {
    return openssl_fails("cannot make a certificate");
  }
  return to_pem(made.get());
}

Result<CertifiedKey> make_ca(std::string_view common_name, const Validity& validity) {
  STRAKE_TRY(const Authority made, Authority::make(common_name, validity));
  return made.pair();
}

Result<CertifiedKey> issue_certificate(const CertifiedKey& authority, const CertificateSpec& spec) {
  STRAKE_TRY(const Authority ca, Authority::read(authority));
  return ca.issue(spec);
}

Result<CertificateRequestInfo> read_request(std::string_view pem) {
  STRAKE_TRY(const Owned<X509_REQ> request, first_request(pem));
  PeerCertificate fields = subject_fields(X509_REQ_get_subject_name(request.get()));
  return CertificateRequestInfo{.common_name = std::move(fields.common_name),
                                .organizations = std::move(fields.organizations)};
}

Result<RequestedKey> make_request(std::string_view common_name,
                                  const std::vector<std::string>& organizations) {
  STRAKE_TRY(const Owned<EVP_PKEY> key, make_key());
  const Owned<X509_REQ> request(X509_REQ_new());
  if (!request) return openssl_fails("cannot make a request");
  STRAKE_CHECK(set_subject(X509_REQ_get_subject_name(request.get()), common_name, organizations));
  const Owned<BIO> bio(BIO_new(BIO_s_mem()));
  if (X509_REQ_set_pubkey(request.get(), key.get()) != 1 ||
      X509_REQ_sign(request.get(), key.get(), EVP_sha256()) == 0 ||
      PEM_write_bio_X509_REQ(bio.get(), request.get()) != 1) {
    return openssl_fails("cannot make a request");
  }
  return RequestedKey{.request_pem = text_of(bio.get()), .key_pem = write_private_key(key.get())};
}

Result<std::string> sign_request(const CertifiedKey& authority, std::string_view request_pem,
                                 const Validity& validity) {
  STRAKE_TRY(const Authority ca, Authority::read(authority));
  return ca.sign(request_pem, validity);
}

namespace {

// What is left of a text in DER.
struct Der {
  const unsigned char* at = nullptr;
  long left = 0;

  // The next element must be of that tag: goes into it, or past it.
  bool enter(int tag) { return step(tag, false); }
  bool skip(int tag) { return step(tag, true); }

 private:
  bool step(int tag, bool past) {
    const unsigned char* inside = at;
    long size = 0;
    int found = 0;
    int found_class = 0;
    const int form = ASN1_get_object(&inside, &size, &found, &found_class, left);
    if ((form & 0x80) != 0 || (form & 1) != 0 || found != tag) return false;  // wrong or endless
    left = past ? left - (inside - at) - size : size;
    at = past ? inside + size : inside;
    return true;
  }
};

struct FreeBytes {
  void operator()(unsigned char* p) const { OPENSSL_free(p); }
  void operator()(ASN1_TIME* p) const { ASN1_TIME_free(p); }
};

std::optional<WallTime> read_time(Der& from) {
  const unsigned char* at = from.at;
  const std::unique_ptr<ASN1_TIME, FreeBytes> time(d2i_ASN1_TIME(nullptr, &at, from.left));
  if (!time) return std::nullopt;
  from.left -= at - from.at;
  from.at = at;
  return to_wall(time.get());
}

struct DerBlock {
  std::unique_ptr<unsigned char, FreeBytes> bytes;
  long size = 0;
  Der der() const { return {.at = bytes.get(), .left = size}; }
};

// The next certificate of the text; none at its end, or with the reason among OpenSSL's errors.
std::optional<DerBlock> next_certificate(BIO* bio) {
  unsigned char* bytes = nullptr;
  DerBlock out;
  if (PEM_bytes_read_bio(&bytes, &out.size, nullptr, PEM_STRING_X509, bio, no_password, nullptr) !=
      1)
    return std::nullopt;
  out.bytes.reset(bytes);
  return out;
}

std::optional<Validity> validity_in(Der der) {
  // RFC 5280, 4.1: the version, the serial number, the algorithm, the issuer.
  const bool inside = der.enter(V_ASN1_SEQUENCE) && der.enter(V_ASN1_SEQUENCE);
  static_cast<void>(der.skip(0));  // version 1 is left out
  if (inside && der.skip(V_ASN1_INTEGER) && der.skip(V_ASN1_SEQUENCE) &&
      der.skip(V_ASN1_SEQUENCE) && der.enter(V_ASN1_SEQUENCE)) {
    const std::optional<WallTime> from = read_time(der);
    const std::optional<WallTime> until = read_time(der);
    if (from && until) return Validity{.from = *from, .until = *until};
  }
  ERR_clear_error();
  return std::nullopt;
}

}  // namespace

// OpenSSL 3.0 takes 0.3 ms for a certificate, most of it for the key in it.
Result<Validity> read_validity(std::string_view pem) {
  ERR_clear_error();
  const Owned<BIO> bio = open_text(pem);
  const std::optional<DerBlock> block = next_certificate(bio.get());
  if (!block) return fail(Code::kParse, "not a PEM certificate: {}", openssl_error());
  if (const auto found = validity_in(block->der())) return *found;
  return fail(Code::kParse, "not a PEM certificate: its validity cannot be read");
}

Result<CertificateInfo> read_certificate(std::string_view pem) {
  STRAKE_TRY(Owned<X509> certificate, first_certificate(pem, Code::kParse));
  PeerCertificate fields = peer_fields(certificate.get());
  CertificateInfo info;
  info.common_name = std::move(fields.common_name);
  info.organizations = std::move(fields.organizations);
  info.sha256 = std::move(fields.sha256);
  std::array<char, 256> issuer{};
  X509_NAME_get_text_by_NID(X509_get_issuer_name(certificate.get()), NID_commonName, issuer.data(),
                            issuer.size());
  info.issuer = issuer.data();
  info.dns_names = dns_names(certificate.get());
  info.ip_addresses = ip_addresses(certificate.get());
  info.validity = {not_before(certificate.get()), not_after(certificate.get())};
  info.is_ca = X509_check_ca(certificate.get()) != 0;
  return info;
}

Result<std::set<std::string>> certificate_sums(std::string_view pem) {
  std::set<std::string> out;
  ERR_clear_error();
  const Owned<BIO> bio = open_text(pem);
  // As read_validity(), and for the same reason. Whether all of it is in order is seen by TLS,
  // which is given the same text.
  while (const std::optional<DerBlock> block = next_certificate(bio.get())) {
    Der behind = block->der();
    if (!validity_in(behind) || !behind.skip(V_ASN1_SEQUENCE))
      return fail(Code::kParse, "not a PEM certificate: its validity cannot be read");
    out.insert(sha256_hex({reinterpret_cast<const char*>(block->bytes.get()),
                           static_cast<std::size_t>(block->size - behind.left)}));
  }
  const unsigned long last = ERR_peek_last_error();
  const bool at_end =
      ERR_GET_LIB(last) == ERR_LIB_PEM && ERR_GET_REASON(last) == PEM_R_NO_START_LINE;
  const std::string why = openssl_error();
  if (!at_end) return fail(Code::kParse, "{}", why);
  if (out.empty()) return fail(Code::kParse, "no PEM certificate found");
  return out;
}

Result<> check_certificate(const CertifiedKey& pair, std::string_view authorities_pem,
                           WallTime now) {
  STRAKE_TRY(Owned<X509> certificate, first_certificate(pair.certificate_pem, Code::kInvalid));
  STRAKE_TRY(Owned<EVP_PKEY> key, private_key(pair.key_pem, Code::kInvalid));
  if (X509_check_private_key(certificate.get(), key.get()) != 1) {
    (void)openssl_error();
    return fail(Code::kInvalid, "the key does not belong to the certificate");
  }
  const Owned<X509_STORE> store(X509_STORE_new());
  const Owned<BIO> bio = open_text(authorities_pem);
  while (X509* one = PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr)) {
    const Owned<X509> authority(one);
    X509_STORE_add_cert(store.get(), authority.get());
  }
  ERR_clear_error();
  const Owned<X509_STORE_CTX> context(X509_STORE_CTX_new());
  if (X509_STORE_CTX_init(context.get(), store.get(), certificate.get(), nullptr) != 1) {
    return openssl_fails("cannot check a certificate");
  }
  X509_STORE_CTX_set_time(context.get(), 0, Instant::from(now).seconds);
  // An intermediate among the given authorities is trusted by itself, without its root.
  X509_STORE_CTX_set_flags(context.get(), X509_V_FLAG_PARTIAL_CHAIN);
  if (X509_verify_cert(context.get()) == 1) return {};
  const int why = X509_STORE_CTX_get_error(context.get());
  ERR_clear_error();
  return fail(Code::kInvalid, "the certificate does not pass: {}",
              X509_verify_cert_error_string(why));
}

}  // namespace strake::http
