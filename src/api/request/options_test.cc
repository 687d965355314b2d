// Options of requests, from the query and from bodies.
#include "api/request/options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "http/message.h"

namespace strake::api {
namespace {

http::Query query_of(std::string_view text) { return http::Query::parse(text).value(); }

TEST(ListOptionsOf, AQueryAreReadAsGoDoes) {
  const auto options = read_list_options(
      query_of(
          "limit=5&timeoutSeconds=30&allowWatchBookmarks=1&labelSelector=a%3Db&resourceVersion=7"),
      true);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->limit, 5);
  EXPECT_EQ(options->timeout, std::chrono::seconds(30));
  EXPECT_TRUE(options->bookmarks);
  EXPECT_EQ(options->resource_version, "7");
  EXPECT_FALSE(options->labels.empty());
  // Anything but 0 and false is true.
  EXPECT_TRUE(read_list_options(query_of("allowWatchBookmarks=yes"), true)->bookmarks);
  EXPECT_TRUE(read_list_options(query_of("allowWatchBookmarks="), true)->bookmarks);
  EXPECT_FALSE(read_list_options(query_of("allowWatchBookmarks=False"), true)->bookmarks);
  EXPECT_FALSE(read_list_options(query_of("allowWatchBookmarks=0"), true)->bookmarks);
  EXPECT_EQ(read_list_options(query_of("limit="), false)->limit, 0);
  EXPECT_EQ(read_list_options(query_of("limit=99999999999999999999"), false).error().message,
            "strconv.ParseInt: parsing \"99999999999999999999\": value out of range");
}

TEST(WriteOptionsOf, AQueryAreChecked) {
  const auto options = read_write_options(
      query_of("dryRun=All&fieldManager=m&fieldValidation=Strict"), "CreateOptions");
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->dry_run);
  EXPECT_EQ(options->field_manager, "m");
  EXPECT_EQ(options->field_validation, FieldValidation::kStrict);
  EXPECT_FALSE(read_write_options(query_of("dryRun=All&dryRun=x"), "CreateOptions"));
  EXPECT_FALSE(read_write_options(query_of("dryRun="), "UpdateOptions"));
  EXPECT_TRUE(read_write_options(query_of("force=true&fieldManager=m"), "PatchOptions", true));
  EXPECT_FALSE(read_write_options(query_of("force=true"), "PatchOptions", true));
  EXPECT_FALSE(read_write_options(query_of("force=false"), "PatchOptions", false));
  EXPECT_TRUE(read_write_options(query_of(fmt::format("fieldManager={}", std::string(128, 'm'))),
                                 "CreateOptions"));
}

TEST(DeleteOptionsOf, ABodyAreReadInFull) {
  const auto options = read_delete_options(
      query_of(""),
      R"({"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":5,"dryRun":["All"],)"
      R"("preconditions":{"uid":"u","resourceVersion":"3"},"orphanDependents":false})",
      "application/json");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->grace_period, 5);
  EXPECT_TRUE(options->dry_run);
  EXPECT_EQ(options->uid, "u");
  EXPECT_EQ(options->resource_version, "3");
  EXPECT_EQ(options->orphan_dependents, false);
  EXPECT_EQ(options->propagation, DeleteOptions::Propagation::kBackground);
  EXPECT_FALSE(read_delete_options(query_of(""), R"({"gracePeriodSeconds":"x"})", ""));
  EXPECT_FALSE(read_delete_options(query_of(""), R"({"dryRun":["x"]})", ""));
  EXPECT_EQ(read_delete_options(query_of(""), "{}", "text/plain").error().code, 415);
}

TEST(ResourceVersions, AreWholeNumbers) {
  EXPECT_EQ(*parse_resource_version("0"), 0);
  EXPECT_EQ(*parse_resource_version("9223372036854775807"), INT64_MAX);
  for (const std::string_view bad : {"", "-1", "+1", "1.0", " 1", "1 ", "0x1", "abc"}) {
    const auto parsed = parse_resource_version(bad);
    ASSERT_FALSE(parsed) << bad;
    EXPECT_TRUE(parsed.error().message.ends_with("invalid syntax")) << parsed.error().message;
  }
  EXPECT_TRUE(parse_resource_version("99999999999999999999")
                  .error()
                  .message.ends_with("value out of range"));
}

}  // namespace
}  // namespace strake::api
