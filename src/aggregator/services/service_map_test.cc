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
  const ServiceMap map({{"default/a", {.host = "10.0.0.1", .port = 6443}},
                        {"default/a:8443", {.host = "other.example.com", .port = 1}}});
  EXPECT_EQ(found(map, "a"), "10.0.0.1 6443");
  EXPECT_EQ(found(map, "a", 8443), "other.example.com 1");
  EXPECT_EQ(found(map, "b"), "nothing");
}

}  // namespace
}  // namespace strake::aggregator
