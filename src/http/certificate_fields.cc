#include "http/certificate_fields.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <ctime>
#include <memory>

#include "base/sha256.h"

namespace strake::http {
namespace {

std::string utf8(const ASN1_STRING* text) {
  unsigned char* bytes = nullptr;
  const int size = ASN1_STRING_to_UTF8(&bytes, text);
  if (size < 0) return {};
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return out;
}

std::string ip_text(const ASN1_OCTET_STRING* address) {
  const int family = ASN1_STRING_length(address) == 4 ? AF_INET : AF_INET6;
  if (family == AF_INET6 && ASN1_STRING_length(address) != 16) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (inet_ntop(family, ASN1_STRING_get0_data(address), text.data(), text.size()) == nullptr) {
    return {};
  }
  return text.data();
}

std::vector<std::string> names(const X509* certificate, int type) {
  struct Free {
    void operator()(GENERAL_NAMES* all) const { GENERAL_NAMES_free(all); }
  };
  const std::unique_ptr<GENERAL_NAMES, Free> all(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  std::vector<std::string> found;
  for (int i = 0; all && i < sk_GENERAL_NAME_num(all.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(all.get(), i);
    if (name->type != type) continue;
    found.push_back(type == GEN_DNS ? utf8(name->d.dNSName) : ip_text(name->d.iPAddress));
  }
  return found;
}

}  // namespace

std::string sha256_of(const X509* certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate, &der);
  if (size < 0) return {};
  std::string digest =
      sha256_hex({reinterpret_cast<const char*>(der), static_cast<std::size_t>(size)});
  OPENSSL_free(der);
  return digest;
}

PeerCertificate subject_fields(const X509_NAME* subject) {
  // The attribute that names a user's UID in Kubernetes, which OpenSSL has no number for.
  static const ASN1_OBJECT* const uid = OBJ_txt2obj("1.3.6.1.4.1.57683.2", 1);
  PeerCertificate peer;
  for (int i = 0; i < X509_NAME_entry_count(subject); ++i) {
    const X509_NAME_ENTRY* entry = X509_NAME_get_entry(subject, i);
    const ASN1_OBJECT* kind = X509_NAME_ENTRY_get_object(entry);
    const ASN1_STRING* text = X509_NAME_ENTRY_get_data(entry);
    if (OBJ_obj2nid(kind) == NID_commonName) {
      peer.common_name = utf8(text);
    } else if (OBJ_obj2nid(kind) == NID_organizationName) {
      peer.organizations.push_back(utf8(text));
    } else if (OBJ_cmp(kind, uid) == 0) {
      peer.uid = utf8(text);
    }
  }
  return peer;
}

PeerCertificate peer_fields(const X509* certificate) {
  PeerCertificate peer = subject_fields(X509_get_subject_name(certificate));
  peer.sha256 = sha256_of(certificate);
  peer.not_after = Instant::from(not_after(certificate)).seconds;
  return peer;
}

std::vector<std::string> dns_names(const X509* certificate) { return names(certificate, GEN_DNS); }

std::vector<std::string> ip_addresses(const X509* certificate) {
  return names(certificate, GEN_IPADD);
}

WallTime to_wall(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return Instant{.seconds = ::timegm(&parts)}.to_wall();
}

WallTime not_before(const X509* certificate) { return to_wall(X509_get0_notBefore(certificate)); }

WallTime not_after(const X509* certificate) { return to_wall(X509_get0_notAfter(certificate)); }

std::string openssl_error() {
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "unknown error" : reason;
}

}  // namespace strake::http
