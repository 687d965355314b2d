#include "validate/schema_set.h"

#include <gtest/gtest.h>

namespace strake::validate {
namespace {

Result<std::size_t> add(SchemaSet& schemas, std::string text) {
  return schemas.add("schema.yaml", std::make_shared<const std::string>(std::move(text)));
}

TEST(SchemaSet, TakesAnyJsonSchemaForASchema) {
  // None of these has `type` or `properties`, by which most can be told.
  for (const char* text : {"{}", "true", "false", R"({"unevaluatedProperties":false})",
                           R"({"dependencies":{}})", R"({"x-kubernetes-list-type":"set"})"}) {
    JudgeOptions loose;
    loose.profile = Profile::kLoose;
    SchemaSet schemas(loose);
    const auto added = add(schemas, text);
    ASSERT_TRUE(added.has_value()) << text << ": " << added.error().to_string();
    EXPECT_EQ(*added, 1u) << text;
    EXPECT_NE(schemas.any(), nullptr) << text;
  }
}

TEST(SchemaSet, TakesAnEmptyDocumentAmongOthersForNoSchema) {
  JudgeOptions loose;
  loose.profile = Profile::kLoose;
  SchemaSet schemas(loose);
  const auto added = add(schemas, "kind: ConfigMap\napiVersion: v1\n---\n{}\n");
  ASSERT_TRUE(added.has_value()) << added.error().to_string();
  EXPECT_EQ(*added, 0u);
  EXPECT_EQ(schemas.any(), nullptr);
}

TEST(SchemaSet, SaysWhyAnEmptySchemaIsNotStructural) {
  SchemaSet schemas(JudgeOptions{});
  const auto added = add(schemas, "{}");
  ASSERT_FALSE(added.has_value());
  EXPECT_NE(added.error().to_string().find("the schema is not structural"), std::string::npos)
      << added.error().to_string();
}

}  // namespace
}  // namespace strake::validate
