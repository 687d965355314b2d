#include "base/sha256.h"

#include <gtest/gtest.h>

#include <random>

namespace strake {
namespace {

TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PadsEveryLengthRight) {
  // The digest over the digests of "", "a", "aa" and so on, made with another implementation.
  Sha256 all;
  for (std::size_t size = 0; size < 300; ++size) {
    const Sha256::Digest one = sha256(std::string(size, 'a'));
    all.update({reinterpret_cast<const char*>(one.data()), one.size()});
  }
  EXPECT_EQ(to_hex(all.digest()),
            "80e953e3b006c4bab43fd5d792f8bd29c122f6cf1497318365fe66bf2d61398d");
}

TEST(Sha256, DoesNotCareHowTheBytesArrive) {
  std::mt19937 random(9);
  std::string text(5000, '\0');
  for (char& c : text) c = static_cast<char>(random());
  for (int round = 0; round < 50; ++round) {
    Sha256 hash;
    std::string_view left = text;
    while (!left.empty()) {
      const std::size_t piece = random() % 200;
      hash.update(left.substr(0, piece));
      left.remove_prefix(std::min(piece, left.size()));
    }
    ASSERT_EQ(hash.digest(), sha256(text));
  }
}

TEST(Sha256, TakesMoreAfterADigest) {
  Sha256 hash;
  hash.update("a");
  EXPECT_EQ(hash.digest(), sha256("a"));
  hash.update("bc");
  EXPECT_EQ(hash.digest(), sha256("abc"));
}

TEST(ToHex, WritesTwoLowerCaseDigitsAByte) {
  EXPECT_EQ(to_hex(std::string_view("\x00\x0f\xf0\xff", 4)), "000ff0ff");
}

}  // namespace
}  // namespace strake
