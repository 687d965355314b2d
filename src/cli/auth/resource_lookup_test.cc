#include "cli/auth/resource_lookup.h"

#include <gtest/gtest.h>

namespace strake::cli {
namespace {

constexpr std::string_view kCore =
    R"({"items":[{"metadata":{},"versions":[{"version":"v1","resources":[
  {"resource":"pods","responseKind":{"kind":"Pod"},"scope":"Namespaced","singularResource":"pod","shortNames":["po"]},
  {"resource":"nodes","responseKind":{"kind":"Node"},"scope":"Cluster","singularResource":"node"},
  {"resource":"events","responseKind":{"kind":"Event"},"scope":"Namespaced"}]}]}]})";
constexpr std::string_view kGroups = R"({"items":[
  {"metadata":{"name":"events.k8s.io"},"versions":[{"version":"v1","resources":[
    {"resource":"events","responseKind":{"kind":"Event"},"scope":"Namespaced"}]}]},
  {"metadata":{"name":"example.com"},"versions":[{"version":"v2","resources":[
    {"resource":"widgets","responseKind":{"kind":"Widget"},"scope":"Cluster","shortNames":["wd"]}]}]}]})";

TEST(ResourceLookup, KnowsAResourceByAnyOfItsNames) {
  struct Case {
    std::string_view name, group, resource, subresource;
    bool namespaced;
  };
  const Case cases[] = {
      {"pods", "", "pods", "", true},
      {"pod", "", "pods", "", true},
      {"Pod", "", "pods", "", true},
      {"po", "", "pods", "", true},
      {"pods/log", "", "pods", "log", true},
      {"nodes", "", "nodes", "", false},
      {"widgets", "example.com", "widgets", "", false},
      {"wd.example.com/status", "example.com", "widgets", "status", false},
      // The first of several groups, unless one is named.
      {"events", "", "events", "", true},
      {"events.events.k8s.io", "events.k8s.io", "events", "", true},
  };
  for (const Case& one : cases) {
    const auto found = find_resource(kCore, kGroups, one.name);
    ASSERT_TRUE(found) << one.name << ": " << found.error().to_string();
    EXPECT_EQ(found->group, one.group) << one.name;
    EXPECT_EQ(found->resource, one.resource) << one.name;
    EXPECT_EQ(found->subresource, one.subresource) << one.name;
    EXPECT_EQ(found->namespaced, one.namespaced) << one.name;
  }
}

TEST(ResourceLookup, SaysWhatTheClusterDoesNotServe) {
  for (const std::string_view name : {"gadgets", "pods.example.com", ""}) {
    const auto found = find_resource(kCore, kGroups, name);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().code(), Code::kNotFound);
  }
}

}  // namespace
}  // namespace strake::cli
