#include "store/sqlite/checksum.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace strake::store::sqlite {
namespace {

TEST(Checksum, IsTheXxh64ThatItsAuthorPublished) {
  EXPECT_EQ(xxh64(""), 0xef46db3751d8e999u);
  EXPECT_EQ(xxh64("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(xxh64("abc"), 0x44bc2cf5ad770999u);
  EXPECT_EQ(xxh64("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1u);
}

TEST(Checksum, OfARowDependsOnEveryField) {
  const LogRow row{.revision = 7,
                   .key = "/a",
                   .create_revision = 3,
                   .previous = 5,
                   .deleted = false,
                   .value = "value"};
  std::set<Checksum> sums = {row_sum(row)};
  const auto changed = [&](auto change) {
    LogRow other = row;
    change(other);
    EXPECT_TRUE(sums.insert(row_sum(other)).second);
  };
  changed([](LogRow& one) { one.revision = 8; });
  changed([](LogRow& one) { one.key = "/b"; });
  changed([](LogRow& one) { one.create_revision = 4; });
  changed([](LogRow& one) { one.previous = 6; });
  changed([](LogRow& one) { one.deleted = true; });
  changed([](LogRow& one) { one.value = "valuf"; });
  changed([](LogRow& one) { one.key = "/av", one.value = "alue"; });
  changed([](LogRow& one) { one.value = ""; });
}

TEST(Checksum, SeesEveryFlippedBit) {
  std::string value(100, 'v');
  const Checksum right = row_sum({.revision = 1, .key = "/k", .value = value});
  for (std::size_t bit = 0; bit < value.size() * 8; ++bit) {
    value[bit / 8] = static_cast<char>(value[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(row_sum({.revision = 1, .key = "/k", .value = value}), right) << bit;
    value[bit / 8] = static_cast<char>(value[bit / 8] ^ (1 << (bit % 8)));
  }
}

}  // namespace
}  // namespace strake::store::sqlite
