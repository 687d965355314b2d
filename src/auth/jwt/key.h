#pragma once
// Keys of JSON Web Signatures (RFC 7515, RFC 7518): RSA and ECDSA. What a key may be used with
// follows from the key, never from a token: a token whose algorithm belongs to another type of key
// is not looked at. There are no shared secrets and no unsigned tokens. May be used from any
// thread.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"

namespace strake::auth {

enum class Algorithm : std::uint8_t {
  kRs256,
  kRs384,
  kRs512,
  kPs256,
  kPs384,
  kPs512,
  kEs256,
  kEs384,
  kEs512
};
std::string_view to_string(Algorithm algorithm);  // "RS256"
// Nothing for all others: "none", those with shared secrets, and what is not known.
std::optional<Algorithm> algorithm_named(std::string_view name);

class VerifyingKey {
 public:
  // The keys of a PEM text: public keys, certificates, and private ones for their public half.
  // Fails with kParse when there is none, and with kUnsupported when one is of another type: an RSA
  // key below 2048 bits, another curve.
  static Result<std::vector<VerifyingKey>> read(std::string_view pem);
  // From the numbers of a JSON Web Key (RFC 7518, 6), as bytes, the most significant first. Fail
  // with kUnsupported for a size or a curve that is not taken, and with kParse when the numbers
  // are no key.
  static Result<VerifyingKey> of_rsa(std::string_view modulus, std::string_view exponent);
  static Result<VerifyingKey> of_ec(std::string_view curve, std::string_view x, std::string_view y);

  // The SHA-256 of its DER form in base64url, as kube-apiserver 1.36 names keys.
  const std::string& id() const { return id_; }
  // What it signs with unless something else is asked for: RS256, or the one algorithm of its
  // curve.
  Algorithm algorithm() const;
  bool takes(Algorithm algorithm) const;
  // False for an algorithm that it does not take.
  bool verify(Algorithm algorithm, std::string_view message, std::string_view signature) const;
  // As a JSON Web Key (RFC 7517), with its members in the order of kube-apiserver 1.36.
  std::string jwk() const;
  std::string pem() const;

 private:
  friend class SigningKey;
  struct Impl;
  static Result<VerifyingKey> of(std::shared_ptr<const Impl> impl);
  VerifyingKey(std::shared_ptr<const Impl> impl, std::string id)
      : impl_(std::move(impl)), id_(std::move(id)) {}
  std::shared_ptr<const Impl> impl_;
  std::string id_;
};

class SigningKey {
 public:
  static Result<SigningKey> make();                       // ECDSA P-256
  static Result<SigningKey> read(const Secret& key_pem);  // fails as VerifyingKey::read

  Secret pem() const;  // PKCS #8
  const VerifyingKey& verifying() const { return verifying_; }
  // By verifying().algorithm(). Takes milliseconds with a long RSA key.
  Result<std::string> sign(std::string_view message) const;

 private:
  explicit SigningKey(VerifyingKey verifying) : verifying_(std::move(verifying)) {}
  VerifyingKey verifying_;  // its Impl holds the private half too
};

}  // namespace strake::auth
