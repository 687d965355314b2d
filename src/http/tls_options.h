#pragma once
// What each side of a TLS connection is given: certificates, keys, and whom to trust.
#include <cstdint>
#include <string>

#include "base/secret.h"

namespace strake::http {

// A server's.
struct TlsOptions {
  std::string certificate_pem;  // the chain, the server's own first
  std::string key_pem;
  std::string client_ca_pem;  // client certificates are asked for and verified against these; empty
                              // for none
};

// A client's.
struct ClientTlsOptions {
  enum class Trust : std::uint8_t {
    kSystem,  // the authorities that the system trusts
    kGiven,   // those of ca_pem alone
    kNobody,  // takes any certificate
  };
  Trust trust = Trust::kSystem;
  std::string ca_pem;
  std::string certificate_pem;  // the chain, the client's own first; empty to show none
  Secret key_pem;
};

}  // namespace strake::http
