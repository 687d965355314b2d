#include "ops/kom/local_references.h"

#include <gtest/gtest.h>

namespace strake::ops {
namespace {

TEST(LocalReferences, StartBesideTheFileThatDeclaresTheApp) {
  EXPECT_EQ(ref_base_of_file("/work/shop/kompoxapp.yml"), "file:///work/shop/");
  EXPECT_EQ(ref_base_of_file("/kompoxapp.yml"), "file:///");
  EXPECT_EQ(*local_reference("file:///work/shop/", "compose.yml"), "/work/shop/compose.yml");
  EXPECT_EQ(*local_reference("file:///work/shop/", "./a/b.env"), "/work/shop/a/b.env");
  EXPECT_EQ(*local_reference("file:///", "a..b"), "/a..b");
}

TEST(LocalReferences, AreRefusedToAppsFromElsewhere) {
  const auto refused = local_reference("", "compose.yml");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error_class(), provider::FailureClass::kValidation);
  EXPECT_EQ(refused.error().message(),
            "local file \"compose.yml\" cannot be used: only an app that the app file declares may "
            "refer to files");
}

TEST(LocalReferences, DoNotLeaveTheFolder) {
  constexpr std::string_view kPaths[] = {"",       "/etc/passwd", "..",       "../a",
                                         "a/../b", "a/..",        {"a\0b", 3}};
  for (const std::string_view path : kPaths) {
    const auto refused = local_reference("file:///work/", path);
    ASSERT_FALSE(refused) << path;
    EXPECT_NE(refused.error().message().find("must be a relative path without \"..\""),
              std::string::npos);
  }
}

TEST(LocalReferences, AreToldFromComposeDocuments) {
  EXPECT_EQ(file_reference("file:compose.yml"), "compose.yml");
  EXPECT_EQ(file_reference("services: {}"), std::nullopt);
  EXPECT_EQ(file_reference("file: {}\nservices: {}"), std::nullopt);
  EXPECT_EQ(file_reference(""), std::nullopt);
}

}  // namespace
}  // namespace strake::ops
