#include "provider/names/name_checks.h"

#include <gtest/gtest.h>

#include <map>

#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider {
namespace {

using value::text_of;
using value::Value;

TEST(ShortNames, AreTakenAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "names.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  const std::map<std::string_view, Outcome<> (*)(std::string_view)> checks = {
      {"volume", check_volume_name}, {"disk", check_disk_name}, {"snapshot", check_snapshot_name}};
  std::size_t cases = 0;
  for (const Value& one : data->root().get("cases").items()) {
    const auto checked = checks.at(text_of(one, "kind"))(text_of(one, "value"));
    EXPECT_EQ(checked.has_value(), one.get("valid").as_bool()) << text_of(one, "value");
    if (!checked) {
      EXPECT_TRUE(checked.error().message().starts_with(text_of(one, "errorPrefix")))
          << checked.error().message();
      EXPECT_EQ(checked.error().error_class(), FailureClass::kValidation);
    }
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 39U, 10U));
}

}  // namespace
}  // namespace strake::provider
