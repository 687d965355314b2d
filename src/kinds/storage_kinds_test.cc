// StorageVersionMigrations.
#include <gtest/gtest.h>

#include "kinds/builtins.h"
#include "kinds/test_requests.h"

namespace strake::kinds {
namespace {

using testing::create;
using testing::row;
using testing::update;
using testing::update_status;

const Resource& migrations() {
  return testing::builtin("storagemigration.k8s.io", "storageversionmigrations");
}

constexpr std::string_view kMigration =
    R"({"metadata":{"name":"m"},"spec":{"resource":{"group":"a.example","resource":"things"}}})";

std::string with_status(std::string_view status) {
  return R"({"metadata":{"name":"m"},"spec":{"resource":{"group":"a.example","resource":"things"}},"status":)" +
         std::string(status) + "}";
}

std::string condition(std::string_view type, std::string_view status) {
  return R"({"lastTransitionTime":"2024-01-01T00:00:00Z","message":"","reason":"R","status":")" +
         std::string(status) + R"(","type":")" + std::string(type) + R"("})";
}

TEST(StorageVersionMigration, IsOfOneResource) {
  EXPECT_FALSE(migrations().namespaced);
  // It is deprecated in 1.38.
  EXPECT_EQ(migrations().versions.front().deprecation_warning, "");
  EXPECT_EQ(migrations().storage_prefix, "/registry/storageversionmigrations/");
  EXPECT_EQ(
      create(migrations(), kMigration),
      R"({"metadata":{"name":"m"},"spec":{"resource":{"group":"a.example","resource":"things"}},"status":{}})");
  // The core group has no name.
  EXPECT_EQ(
      create(migrations(),
             R"({"metadata":{"name":"m"},"spec":{"resource":{"group":"","resource":"secrets"}}})"),
      R"({"metadata":{"name":"m"},"spec":{"resource":{"group":"","resource":"secrets"}},"status":{}})");
  EXPECT_EQ(create(migrations(), R"({"metadata":{"name":"m"},"spec":{}})"),
            "422: spec.resource.resource: Required value: resource is required to be set");
  EXPECT_EQ(
      create(migrations(),
             R"({"metadata":{"name":"m"},"spec":{"resource":{"group":"A","resource":"a/b"}}})"),
      R"(422: spec.resource.group: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); spec.resource.resource: Invalid value: "a/b": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?'))");
}

TEST(StorageVersionMigration, BeginsWithoutAStatusAndKeepsItsResource) {
  EXPECT_EQ(
      create(migrations(), with_status(R"({"resourceVersion":"5"})")),
      R"({"metadata":{"name":"m"},"spec":{"resource":{"group":"a.example","resource":"things"}},"status":{}})");
  EXPECT_EQ(
      update(migrations(), with_status(R"({"resourceVersion":"5"})"),
             R"({"metadata":{"name":"m"},"spec":{"resource":{"group":"b","resource":"things"}}})"),
      R"(422: spec: Invalid value: {"Resource":{"group":"b","resource":"things"}}: field is immutable)");
  EXPECT_EQ(update(migrations(), with_status(R"({"resourceVersion":"5"})"), kMigration),
            with_status(R"({"resourceVersion":"5"})"));
}

TEST(StorageVersionMigration, HasOneOutcome) {
  const auto status = [](std::string_view conditions) {
    return with_status(R"({"conditions":[)" + std::string(conditions) +
                       R"(],"resourceVersion":"5"})");
  };
  const auto both = [](std::string_view a, std::string_view b) {
    return condition(a, "True") + "," + condition(b, "True");
  };
  const auto refused = [&](std::string_view old, const std::string& now) {
    const std::string verdict = update_status(migrations(), "status", status(old), status(now));
    return verdict.starts_with("422") ? verdict.substr(verdict.rfind("]: ") + 3) : verdict;
  };
  const std::string running = condition("Running", "True");
  EXPECT_EQ(refused("", running), status(running));
  EXPECT_EQ(refused("", both("Succeeded", "Failed")),
            "Both success and failed conditions cannot be true at the same time");
  EXPECT_EQ(refused("", both("Succeeded", "Running")),
            "Running condition cannot be true when success condition is true");
  EXPECT_EQ(refused("", both("Failed", "Running")),
            "Running condition cannot be true when failed condition is true");
  EXPECT_EQ(refused(condition("Succeeded", "True"), condition("Succeeded", "False")),
            "Success condition cannot be set to false once it is true");
  EXPECT_EQ(refused(condition("Failed", "True"), condition("Failed", "Unknown")),
            "Failed condition cannot be set to false once it is true");
}

TEST(StorageVersionMigration, BeginsAtARevisionThatStays) {
  const auto change = [](std::string_view from, std::string_view to) {
    const auto text = [](std::string_view version) {
      return with_status(
          version.empty() ? "{}" : R"({"resourceVersion":")" + std::string(version) + "\"}");
    };
    return update_status(migrations(), "status", text(from), text(to));
  };
  EXPECT_EQ(change("", "5"), with_status(R"({"resourceVersion":"5"})"));
  EXPECT_EQ(
      change("", "x"),
      R"(422: status.resourceVersion: Invalid value: "x": resource version is not well formed: x)");
  EXPECT_EQ(
      change("", "05"),
      R"(422: status.resourceVersion: Invalid value: "05": resource version is not well formed: 05)");
  EXPECT_EQ(change("5", "6"),
            R"(422: status.resourceVersion: Invalid value: "6": field is immutable)");
}

TEST(StorageVersionMigration, ShowsItsResource) {
  EXPECT_EQ(row(migrations(), kMigration, "2024-01-01T00:00:00Z"), R"(["m","things.a.example"])");
}

}  // namespace
}  // namespace strake::kinds
