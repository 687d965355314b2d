// Formats against what kube-apiserver v1.36.4 said to each value.
#include <gtest/gtest.h>

#include <string>

#include "schema/format/format.h"
#include "support/vectors.h"
#include "value/json_reader.h"

namespace strake::schema {
namespace {

TEST(FormatVectors, AgreeWithTheRecordedServer) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("values_")) continue;
    auto doc = value::read_json(testing::read_file(entry.path()));
    ASSERT_TRUE(doc.has_value()) << doc.error().to_string();
    for (const value::Value& step : doc->root().find("steps")->items()) {
      const std::string_view id = step.find("id")->as_string();
      if (!id.starts_with("fmt-")) continue;
      const Format format = string_format(id.substr(4, id.rfind('#') - 4));
      const value::Value* spec = step.find("body")->find("spec");
      if (format == Format::kNone || spec == nullptr || spec->members().empty()) continue;
      const value::Value& subject = spec->members().front().value;
      if (!subject.is_string()) continue;
      const bool accepted = step.find("expect")->find("code")->as_int() == 201;
      EXPECT_EQ(matches_format(format, subject.as_string()), accepted)
          << id << ": " << subject.as_string();
      ++compared;
    }
  }
  EXPECT_GE(compared, testing::count_in(folder, 60, 15));
}

}  // namespace
}  // namespace strake::schema
