#include "value/yaml_key_order.h"

#include <gtest/gtest.h>

namespace strake::value {
namespace {

TEST(YamlKeyOrder, ComparesNumbersInsideKeysByValue) {
  const std::vector<std::vector<std::string_view>> ascending = {
      {"a", "b", "c"},
      {"", "a", "aa", "ab", "b"},
      {"9", "10", "11", "100"},
      {"a9", "a10", "a10b", "a11"},
      {"a1b9", "a1b10", "a2b1"},
      {"-", "1", "a"},
      {"_a", "A", "B", "a", "b"},
      {"a-1", "a.b", "a1", "ab"},
      {"a0", "a00", "a1", "a01", "a2"},
      {"a100", "a101", "a1001"},
      {"z", "\xc3\xa9", "\xe6\x97\xa5"},  // é and 日 are letters
      {"\xe2\x82\xac", "a"},              // the euro sign is none
      {"x\xd9\xa1", "x\xd9\xa2"},         // Arabic digits
      {"app", "app.kubernetes.io/name", "appA", "appB", "appa"},
  };
  for (const auto& keys : ascending) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      EXPECT_FALSE(yaml_key_less(keys[i], keys[i])) << keys[i];
      if (i == 0) continue;
      EXPECT_TRUE(yaml_key_less(keys[i - 1], keys[i])) << keys[i - 1] << " < " << keys[i];
      EXPECT_FALSE(yaml_key_less(keys[i], keys[i - 1])) << keys[i] << " < " << keys[i - 1];
    }
  }
}

TEST(YamlKeyOrder, TellsAnyTwoKeysApart) {
  const std::string_view keys[] = {"",
                                   "0",
                                   "00",
                                   "000",
                                   "1",
                                   "01",
                                   "a",
                                   "a0",
                                   "a00",
                                   "9999999999999999999999",
                                   "99999999999999999999990",
                                   "a\xff",
                                   "\xc3\xa9",
                                   "é1",
                                   "é01",
                                   "-",
                                   "--"};
  for (const std::string_view a : keys) {
    for (const std::string_view b : keys) {
      if (a != b) EXPECT_NE(yaml_key_less(a, b), yaml_key_less(b, a)) << a << " and " << b;
    }
  }
}

}  // namespace
}  // namespace strake::value
