#include "provider/names/resource_id.h"

#include <gtest/gtest.h>

#include "provider/names/quote_briefly.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider {
namespace {

using value::text_of;
using value::Value;

TEST(ResourceIds, AreReadAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "resource-ids.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("cases").items()) {
    ++cases;
    auto id = ResourceId::parse(text_of(one, "id"));
    Outcome<> checked;
    if (!id) {
      checked = std::unexpected(id.error());
    } else if (one.find("declaredKind") != nullptr) {
      checked = id->check_document(text_of(one, "declaredKind"), text_of(one, "declaredName"));
    }
    if (const auto wanted = text_of(one, "errorContains"); !wanted.empty()) {
      ASSERT_FALSE(checked) << text_of(one, "id");
      EXPECT_NE(checked.error().message().find(wanted), std::string::npos)
          << checked.error().message();
      EXPECT_EQ(checked.error().error_class(), FailureClass::kValidation);
      continue;
    }
    ASSERT_TRUE(checked) << checked.error().message();
    EXPECT_EQ(id->text(), text_of(one, "id"));
    EXPECT_EQ(id->kind(), text_of(one, "kind"));
    EXPECT_EQ(id->parent(), text_of(one, "parent"));
    for (const std::string_view kind : {"ws", "prv", "cls", "app", "box"})
      EXPECT_EQ(id->name_of(kind), text_of(one.get("names"), kind)) << kind;
  }
  EXPECT_GE(cases, testing::count_in(folder, 20U, 12U));
}

TEST(ResourceIds, LeadUpToTheirWorkspace) {
  std::string text = "/ws/w/prv/p/cls/c/app/a/box/b";
  for (const std::string_view name : {"b", "a", "c", "p", "w"}) {
    const auto id = ResourceId::parse(text);
    ASSERT_TRUE(id) << id.error().message();
    EXPECT_EQ(id->name(), name);
    EXPECT_EQ(id->name_of(id->short_kind()), name);
    text = std::string(id->parent());
  }
  EXPECT_EQ(text, "");
}

TEST(ResourceIds, StayWholeWhenTheyAreMoved) {
  auto first = ResourceId::parse("/ws/w");  // short enough to lie in the string itself
  ASSERT_TRUE(first);
  const ResourceId copy = *first;
  const ResourceId moved = *std::move(first);
  EXPECT_EQ(moved, copy);
  EXPECT_EQ(moved.name(), "w");
  EXPECT_LT(moved, *ResourceId::parse("/ws/x"));
}

TEST(ResourceIds, OfAnyLengthAreRefusedInAFewWords) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "/ws/w";
  const auto chain = ResourceId::parse(text);
  ASSERT_FALSE(chain);
  EXPECT_EQ(chain.error().message(),
            "Resource ID of a Workspace expects 1 kind/name pairs, got 100000");
  const auto name = ResourceId::parse("/ws/" + std::string(100'000, 'W'));
  ASSERT_FALSE(name);
  EXPECT_LT(name.error().message().size(), 500U);
}

TEST(QuotedValues, AreCutWhenTheyAreLong) {
  EXPECT_EQ(quote_briefly("a\nb"), "\"a\\nb\"");
  EXPECT_EQ(quote_briefly(std::string(64, 'x')), '"' + std::string(64, 'x') + '"');
  EXPECT_EQ(quote_briefly(std::string(65, 'x')), '"' + std::string(64, 'x') + "\"...");
}

}  // namespace
}  // namespace strake::provider
