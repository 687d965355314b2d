#include "rules/shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/compile.h"
#include "value/yaml_reader.h"

namespace strake::rules {
namespace {

using cel::DocumentShape;

schema::NodePtr schema_of(std::string_view yaml) {
  return schema::compile(value::read_yaml(yaml).value().root()).value();
}

// The shape of a whole resource.
class ShapesOf {
 public:
  explicit ShapesOf(std::string_view yaml, bool root = false) : node_(schema_of(yaml)) {
    shape_ = shapes_.find(*node_, root);
  }
  const SchemaShape* operator->() const { return shape_; }
  const SchemaShape* get() const { return shape_; }
  const SchemaShape* field(std::string_view name) const {
    const cel::DocumentField* found = shape_->find_field(name);
    return found == nullptr ? nullptr : static_cast<const SchemaShape*>(found->shape);
  }

 private:
  schema::NodePtr node_;
  Shapes shapes_;
  const SchemaShape* shape_ = nullptr;
};

TEST(Shapes, TakeSizesFromTheLimitsOfTheSchema) {
  EXPECT_EQ(ShapesOf("{type: string, maxLength: 10}")->max_size, 40u);
  EXPECT_EQ(ShapesOf("{type: string, format: byte, maxLength: 10}")->max_size, 10u);
  EXPECT_EQ(ShapesOf("{type: string, enum: [a, abc]}")->max_size, 3u);
  EXPECT_EQ(ShapesOf("{type: array, maxItems: 7, items: {type: integer}}")->max_size, 7u);
  EXPECT_EQ(ShapesOf("{type: array, maxItems: -1, items: {type: integer}}")->max_size, 0u);
  EXPECT_EQ(
      ShapesOf("{type: object, maxProperties: 3, additionalProperties: {type: string}}")->max_size,
      3u);
  EXPECT_EQ(ShapesOf("{x-kubernetes-int-or-string: true, maxLength: 2}")->max_size, 8u);
}

TEST(Shapes, TakeSizesFromTheLargestRequestOtherwise) {
  EXPECT_EQ(ShapesOf("{type: string}")->max_size, 3'145'726u);
  EXPECT_EQ(ShapesOf("{type: array, items: {type: integer}}")->max_size, 1'572'863u);
  EXPECT_EQ(ShapesOf("{type: object, additionalProperties: {type: string}}")->max_size, 393'215u);
  EXPECT_EQ(ShapesOf("{type: string, format: date-time}")->max_size, 32u);
  EXPECT_EQ(ShapesOf("{type: boolean}")->max_size, 0u);
}

TEST(Shapes, CountRequiredFieldsInTheShortestText) {
  const ShapesOf shape(
      "{type: object, required: [a, bc, d], properties: {a: {type: integer}, bc: {type: boolean}, "
      "d: {type: string, default: x}, e: {type: string}}}");
  EXPECT_EQ(shape->min_json, 2u + (1 + 1 + 4) + (2 + 4 + 4));
}

TEST(Shapes, HideWhatHasNoType) {
  EXPECT_EQ(ShapesOf("{x-kubernetes-preserve-unknown-fields: true}").get(), nullptr);
  const ShapesOf shape(
      "{type: object, properties: {a: {x-kubernetes-preserve-unknown-fields: true}, b: {type: "
      "array, items: {x-kubernetes-preserve-unknown-fields: true}}, c: {type: object, "
      "additionalProperties: {x-kubernetes-preserve-unknown-fields: true}}, d: {type: string}}}");
  EXPECT_EQ(shape.field("a"), nullptr);
  EXPECT_EQ(shape.field("b"), nullptr);
  EXPECT_EQ(shape.field("c"), nullptr);
  EXPECT_NE(shape.field("d"), nullptr);
}

TEST(Shapes, SpellNamesAsExpressionsCan) {
  EXPECT_EQ(escape_name("a-b.c/d__e"), "a__dash__b__dot__c__slash__d__underscores__e");
  EXPECT_EQ(escape_name("namespace"), "__namespace__");
  EXPECT_EQ(escape_name("_a_"), "_a_");
  EXPECT_EQ(escape_name("1a"), std::nullopt);
  EXPECT_EQ(escape_name("a b"), std::nullopt);
  EXPECT_EQ(escape_name(""), std::nullopt);
  const ShapesOf shape(
      "{type: object, properties: {namespace: {type: string}, 1a: {type: string}}}");
  EXPECT_NE(shape.field("__namespace__"), nullptr);
  EXPECT_NE(shape.field("namespace"), nullptr);
  EXPECT_EQ(shape.field("1a"), nullptr);
}

TEST(Shapes, GiveAResourceItsMetadata) {
  const ShapesOf bare("{type: object, properties: {spec: {type: object}}}", true);
  for (const char* name : {"apiVersion", "kind", "metadata", "spec"}) {
    EXPECT_NE(bare.field(name), nullptr) << name;
  }
  EXPECT_NE(bare.field("metadata")->find_field("generateName"), nullptr);
  EXPECT_EQ(bare.field("metadata")->find_field("labels"), nullptr);
  EXPECT_EQ(ShapesOf("{type: object, properties: {}}").field("metadata"), nullptr);
  const ShapesOf embedded(
      "{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, "
      "x-kubernetes-preserve-unknown-fields: true}}}");
  EXPECT_NE(embedded.field("e")->find_field("kind"), nullptr);
}

TEST(Shapes, KnowHowListsCompare) {
  EXPECT_EQ(
      ShapesOf("{type: array, items: {type: string}, x-kubernetes-list-type: set}")->list_kind,
      DocumentShape::ListKind::kSet);
  const ShapesOf map(
      "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: "
      "object, required: [k], properties: {k: {type: string}}}}");
  EXPECT_EQ(map->list_kind, DocumentShape::ListKind::kMap);
  EXPECT_THAT(map->keys, ::testing::ElementsAre("k"));
}

}  // namespace
}  // namespace strake::rules
