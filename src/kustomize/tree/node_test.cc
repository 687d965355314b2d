#include "kustomize/tree/node.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace strake::kustomize {
namespace {

std::string keys_of(const Node& map) {
  std::string out;
  for (const Entry& entry : map.members())
    out += fmt::format("{}={} ", entry.key, entry.value->text);
  return out;
}

// What a list of pairs would do.
struct Model {
  std::vector<std::pair<std::string, std::string>> pairs;

  auto find(const std::string& key) {
    return std::ranges::find(pairs, key, &std::pair<std::string, std::string>::first);
  }
  std::string text() const {
    std::string out;
    for (const auto& [key, value] : pairs) out += fmt::format("{}={} ", key, value);
    return out;
  }
};

TEST(Node, FindsPutsAndRemovesMembersOfMapsOfAnySize) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    NodeArena arena;
    Node* map = arena.map();
    Model model;
    for (int step = 0; step < 600; ++step) {
      const std::string key = fmt::format("k{}", random() % 150);
      const std::string value = fmt::format("{}", step);
      const auto at = model.find(key);
      const bool known = at != model.pairs.end();
      switch (random() % 8) {
        case 0:
          ASSERT_EQ(NodeArena::remove(*map, key), known);
          if (known) model.pairs.erase(at);
          break;
        case 1:
          // A source may give a key twice; the first counts.
          arena.append(*map, arena.keep(key), arena.scalar(value));
          model.pairs.emplace_back(key, value);
          break;
        case 2: map = arena.copy(map); break;
        default:
          arena.put(*map, key, arena.scalar(value));
          if (known) {
            at->second = value;
          } else {
            model.pairs.emplace_back(key, value);
          }
      }
      const std::string other = fmt::format("k{}", random() % 150);
      const auto expected = model.find(other);
      const Node* found = map->find(other);
      ASSERT_EQ(found != nullptr, expected != model.pairs.end()) << "seed " << seed;
      if (found != nullptr) ASSERT_EQ(found->text, expected->second);
    }
    EXPECT_EQ(keys_of(*map), model.text()) << "seed " << seed;
  }
}

TEST(Node, RemovesTheFirstOfEachOfManyNames) {
  NodeArena arena;
  Node* map = arena.map();
  for (int i = 0; i < 100; ++i)
    arena.append(*map, arena.keep(fmt::format("k{}", i % 50)), arena.scalar(std::to_string(i)));
  std::unordered_set<std::string_view> keys;
  for (int i = 1; i < 50; ++i) keys.insert(arena.keep(fmt::format("k{}", i)));
  keys.insert("missing");
  NodeArena::remove_all(*map, keys);
  EXPECT_EQ(map->count, 51U);
  EXPECT_EQ(map->find("k0")->text, "0");
  EXPECT_EQ(map->find("k1")->text, "51");
}

}  // namespace
}  // namespace strake::kustomize
