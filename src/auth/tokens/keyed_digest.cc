#include "auth/tokens/keyed_digest.h"

#include <sys/random.h>

#include <array>
#include <cstdint>

namespace strake::auth {
namespace {

constexpr std::size_t kBlock = 64;  // of SHA-256

std::string_view digest_bytes(const Sha256::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string padded(std::string_view key, char with) {
  std::string out(key);
  out.resize(kBlock, '\0');
  for (char& c : out) c = static_cast<char>(c ^ with);
  return out;
}

std::string random_key() {
  std::string out(32, '\0');
  std::size_t have = 0;
  while (have < out.size()) {
    const ssize_t got = ::getrandom(out.data() + have, out.size() - have, 0);
    if (got > 0) have += static_cast<std::size_t>(got);
  }
  return out;
}

void add_length(std::string& out, std::size_t length) {
  for (int shift = 56; shift >= 0; shift -= 8)
    out += static_cast<char>(static_cast<std::uint64_t>(length) >> shift & 0xff);
}

}  // namespace

Sha256::Digest hmac_sha256(std::string_view key, std::string_view text) {
  const Sha256::Digest short_key = sha256(key);
  if (key.size() > kBlock) key = digest_bytes(short_key);
  Sha256 inner;
  inner.update(padded(key, 0x36));
  inner.update(text);
  Sha256 outer;
  outer.update(padded(key, 0x5c));
  outer.update(digest_bytes(inner.digest()));
  return outer.digest();
}

KeyedDigest::KeyedDigest() : key_(random_key()) {}

Sha256::Digest KeyedDigest::of(std::string_view token,
                               std::span<const std::string> audiences) const {
  // With its length in front of each, so that no two lists are one text. Wiped afterwards.
  std::string text;
  std::size_t size = token.size() + 16;
  for (const std::string& one : audiences) size += one.size() + 8;
  text.reserve(size);
  add_length(text, token.size());
  text += token;
  add_length(text, audiences.size());
  for (const std::string& one : audiences) {
    add_length(text, one.size());
    text += one;
  }
  const Secret whole(std::move(text));
  return hmac_sha256(key_.reveal(), whole.reveal());
}

}  // namespace strake::auth
