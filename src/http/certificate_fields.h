#pragma once
// What an X.509 certificate says, for those who have one open. Internal to http.
#include <string>
#include <vector>

#include "base/time.h"
#include "http/message.h"

struct X509_name_st;
struct asn1_string_st;
struct x509_st;

namespace strake::http {

// Common name (the last, as Go takes it), organizations in order, and the UID.
PeerCertificate subject_fields(const X509_name_st* subject);
// The same, and the rest of PeerCertificate.
PeerCertificate peer_fields(const x509_st* certificate);

// Lower-case hex of the DER form; empty when it has none.
std::string sha256_of(const x509_st* certificate);
std::vector<std::string> dns_names(const x509_st* certificate);
std::vector<std::string> ip_addresses(const x509_st* certificate);
WallTime to_wall(const asn1_string_st* time);
WallTime not_before(const x509_st* certificate);
WallTime not_after(const x509_st* certificate);

// The newest of OpenSSL's errors in words, and clears them all.
std::string openssl_error();

}  // namespace strake::http
