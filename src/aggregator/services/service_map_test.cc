#include "aggregator/services/service_map.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::aggregator {
namespace {

std::string found(const ServiceMap& map, std::string_view name, std::uint16_t port = 443) {
  const auto place =
      map.find({.namespace_name = "default", .name = std::string(name), .port = port});
  return place ? fmt::format("{} {}", place->host, place->port) : "nothing";
}

TEST(ServiceMapTest, LeadsFromAServiceToAPlace) {
  const auto map = ServiceMap::parse(
      "# a comment\n"
      "default/a: 10.0.0.1:6443\n"
      "default/a:8443: other.example.com:1\n"
      "default/six: '[::1]:443'\n");
  ASSERT_TRUE(map) << map.error().message();
  EXPECT_EQ(map->size(), 3u);
  EXPECT_EQ(found(*map, "a"), "10.0.0.1 6443");
  EXPECT_EQ(found(*map, "a", 8443), "other.example.com 1");
  EXPECT_EQ(found(*map, "six"), "::1 443");
  EXPECT_EQ(found(*map, "b"), "nothing");
}

TEST(ServiceMapTest, ReadsJsonAndAnEmptyFile) {
  EXPECT_EQ(found(ServiceMap::parse(R"({"default/a": "h:1"})").value(), "a"), "h 1");
  EXPECT_EQ(ServiceMap::parse("").value().size(), 0u);
  EXPECT_EQ(ServiceMap::parse("# nothing\n").value().size(), 0u);
}

TEST(ServiceMapTest, SaysWhatIsWrong) {
  const auto error = [](std::string_view text) {
    const auto map = ServiceMap::parse(text);
    return map ? "none" : std::string(map.error().message());
  };
  EXPECT_EQ(error("- a"), "must be a mapping from NAMESPACE/NAME[:PORT] to HOST:PORT");
  for (const std::string_view key : {"a", "a/b/c", "/b", "a/", "a/B", "a/b:0", "a/b:x"}) {
    EXPECT_EQ(error(fmt::format("\"{}\": h:1", key)),
              fmt::format("must be NAMESPACE/NAME or NAMESPACE/NAME:PORT, got \"{}\"", key));
  }
  for (const std::string_view to : {"h", "h:", ":1", "h:0", "h:65536", "::1:1", "https://h:1",
                                    "a b:1", "u@h:1", "[h]:1x", "1"}) {
    EXPECT_EQ(error(fmt::format("a/b: \"{}\"", to)), "a/b: must lead to HOST:PORT") << to;
  }
  EXPECT_EQ(error("a/b: 5"), "a/b: must lead to HOST:PORT");
}

}  // namespace
}  // namespace strake::aggregator
