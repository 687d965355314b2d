#include "ops/compose/placement.h"

#include <gtest/gtest.h>

#include "ops/compose/test_app.h"
#include "support/vectors.h"
#include "value/json_reader.h"

namespace strake::ops::compose {
namespace {

TEST(Placement, IsAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto document = value::read_json(testing::read_file(folder / "scheduling.json")).value();
  std::size_t cases = 0;
  for (const value::Value& one : document.root().get("cases").items()) {
    const auto got = place(test_deployment(one.get("deployment")));
    ASSERT_TRUE(got.has_value()) << got.error().message();
    const value::Value& want = one.get("expect");
    std::map<std::string, std::string, std::less<>> selector;
    for (const value::Member& m : want.get("nodeSelector").members())
      selector.emplace(m.key, m.value.as_string());
    EXPECT_EQ(got->node_selector, selector);
    const auto affinity = want.get("requiredNodeAffinity").items();
    ASSERT_EQ(got->required_affinity.size(), affinity.size());
    for (std::size_t i = 0; i < affinity.size(); ++i) {
      EXPECT_EQ(got->required_affinity[i].key, value::text_of(affinity[i], "key"));
      EXPECT_EQ(got->required_affinity[i].op, value::text_of(affinity[i], "operator"));
      EXPECT_EQ(got->required_affinity[i].values, test_texts(affinity[i].get("values")));
    }
    ++cases;
  }
  EXPECT_GE(cases, 3U);
  for (const value::Value& one : document.root().get("errors").items()) {
    // Selectors never come this far: declared apps have no place for them.
    if (!one.get("deployment").get("selectors").is_null()) continue;
    const auto got = place(test_deployment(one.get("deployment")));
    ASSERT_FALSE(got.has_value());
    EXPECT_NE(got.error().message().find(value::text_of(one, "contains")), std::string::npos)
        << got.error().message();
    EXPECT_EQ(got.error().error_class(), provider::FailureClass::kValidation);
  }
}

TEST(Placement, WantsValuesOfLabels) {
  EXPECT_FALSE(place({.pool = "a b", .pools = {}, .zone = {}, .zones = {}}).has_value());
  EXPECT_FALSE(place({.pool = {}, .pools = {"a", ""}, .zone = {}, .zones = {}}).has_value());
  EXPECT_FALSE(
      place({.pool = {}, .pools = {}, .zone = std::string(64, 'z'), .zones = {}}).has_value());
}

}  // namespace
}  // namespace strake::ops::compose
