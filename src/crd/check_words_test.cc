#include "crd/check_words.h"

#include <gtest/gtest.h>

#include "crd/check_trail.h"
#include "crd/crd_shape.h"
#include "meta/shape.h"
#include "value/json_reader.h"

namespace strake::crd {
namespace {

TEST(CheckWords, KnowsTheKeywordsOfASchema) {
  const value::Document schema =
      value::read_json(R"({"type":"object","x-kubernetes-map-type":"atomic","format":"x","":1})")
          .value();
  const Words words = Words::of(schema.root());
  EXPECT_TRUE(words.has(Word::kType));
  EXPECT_TRUE(words.has(Word::kMapType));
  EXPECT_TRUE(words.has(Word::kOther));
  EXPECT_FALSE(words.any(Word::kItems | Word::kListType | Word::kProperties));
  EXPECT_FALSE(Words::of(value::Value::integer(1)).any(Word::kType | Word::kOther));
}

TEST(CheckTrail, BecomesAPathOnDemand) {
  const FieldPath start = FieldPath() / "spec";
  const SchemaTrail root(start);
  const SchemaTrail property = root.key("properties", "a.b");
  const SchemaTrail branch = property.index("allOf", 2);
  const SchemaTrail items = branch.field("items");
  const SchemaTrail item = items.index(1);
  EXPECT_EQ(root.path(), start);
  EXPECT_EQ(item.path().to_k8s(), "spec.properties[a.b].allOf[2].items[1]");
  EXPECT_EQ((branch / "type").to_k8s(), "spec.properties[a.b].allOf[2].type");
}

TEST(CrdShape, SaysWhichFieldsItAlwaysHas) {
  ASSERT_TRUE(kJsonSchemaShape.all_optional);
  for (const meta::ShapeField& field : kJsonSchemaShape.fields) {
    EXPECT_NE(field.keep, meta::ShapeField::Keep::kAlways) << field.name;
  }
}

}  // namespace
}  // namespace strake::crd
