#include "ops/protection.h"

#include <gtest/gtest.h>

#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::ops {
namespace {

using provider::FailureClass;
using provider::Protection;
using value::text_of;
using value::Value;

TEST(ClusterProtection, BlocksWhatTheRecordedMatrixBlocks) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "protection.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("cases").items()) {
    const auto level = parse_protection(text_of(one, "level"));
    ASSERT_TRUE(level) << level.error().message();
    const std::string_view name = text_of(one, "operation");
    const auto operation = name == "create"   ? ClusterOperation::kCreate
                           : name == "update" ? ClusterOperation::kUpdate
                                              : ClusterOperation::kDelete;
    const auto checked = check_protection(text_of(one, "scope"), *level, operation);
    EXPECT_EQ(checked ? "" : checked.error().message(), text_of(one, "error"));
    if (!checked) EXPECT_EQ(checked.error().error_class(), FailureClass::kProtected);
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 24U, 6U));
}

TEST(ClusterProtection, RefusesLevelsThatThereAreNot) {
  const auto parsed = parse_protection("readonly");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().error_class(), FailureClass::kValidation);
}

}  // namespace
}  // namespace strake::ops
