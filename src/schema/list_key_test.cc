#include "schema/list_key.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/yaml_reader.h"

namespace strake::schema {
namespace {

value::Document parse(std::string_view yaml) { return value::read_yaml(yaml).value(); }

TEST(ItemsByKey, FindsTheFirstWithTheSameKeys) {
  const std::vector<std::string> keys{"a", "b"};
  const value::Document list = parse(
      "[{a: 1, b: x, at: 0}, {a: 1, at: 1}, 7, {a: 1, b: x, at: 3}, {a: '1', b: x, at: 4}, {at: "
      "5}]");
  const ItemsByKey items(&list.root(), keys);
  const auto place = [&](std::string_view item) -> std::int64_t {
    const value::Document read = parse(item);
    const value::Value* found = items.find(read.root());
    return found != nullptr ? found->find("at")->as_int() : -1;
  };
  EXPECT_EQ(place("{b: x, a: 1, other: 2}"), 0);
  EXPECT_EQ(place("{a: 1}"), 1) << "an absent key is a value of its own";
  EXPECT_EQ(place("{a: '1', b: x}"), 4) << "types count";
  EXPECT_EQ(place("{}"), 5);
  EXPECT_EQ(place("{a: 2, b: x}"), -1);
  EXPECT_EQ(place("{a: 1, b: null}"), -1);
  EXPECT_EQ(place("7"), -1);
  EXPECT_EQ(ItemsByKey(nullptr, keys).find(list.root().items()[0]), nullptr);
  EXPECT_EQ(ItemsByKey(&list.root().items()[0], keys).find(list.root().items()[0]), nullptr);
}

// Comparing each with all of them would take minutes here.
TEST(ItemsByKey, FindsEachOfManyWithoutLookingAtAllOfThem) {
  constexpr std::size_t kMany = 100'000;
  std::string yaml;
  for (std::size_t i = 0; i < kMany; ++i) yaml += fmt::format("- {{k: n{}}}\n", i);
  const value::Document list = parse(yaml);
  const std::vector<std::string> keys{"k"};
  const ItemsByKey items(&list.root(), keys);
  std::size_t found = 0;
  for (const value::Value& item : list.root().items()) found += items.find(item) == &item;
  EXPECT_EQ(found, kMany);
}

}  // namespace
}  // namespace strake::schema
