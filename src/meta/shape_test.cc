#include "meta/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::meta {
namespace {

using Keep = ShapeField::Keep;
using ::testing::ElementsAre;

extern const Shape kNodeShape;
constinit const Shape kNodeOrBoolShape{
    Shape::Kind::kObjectOrBool, "v1.NodeOrBool", {}, &kNodeShape};
constinit const Shape kNodeOrListShape{
    Shape::Kind::kObjectOrList, "v1.NodeOrList", {}, &kNodeShape};
constinit const Shape kNodesShape{Shape::Kind::kMap, "map[string]v1.Node", {}, &kNodeShape};
constinit const ShapeField kNodeFields[] = {
    {"any", &kAnyShape, Keep::kPointer},
    {"bytes", &kBytesShape},
    {"count", &kInt32Shape},
    {"flag", &kBoolShape},
    {"items", &kNodeOrListShape, Keep::kPointer},
    {"limit", &kInt64Shape, Keep::kPointer},
    {"more", &kNodeOrBoolShape, Keep::kPointer},
    {"must", &kStringShape, Keep::kAlways},
    {"nodes", &kNodesShape},
    {"number", &kFloatShape, Keep::kPointer},
    {"tags", &kStringListShape},
    {"time", &kTimeShape},
};
constinit const Shape kNodeShape{Shape::Kind::kStruct, "v1.Node", kNodeFields};

std::string read(std::string_view json, ShapeOptions options = {}) {
  value::ReadOptions reading;
  reading.positions = options.from_text;
  auto document = value::read_json(json, reading);
  EXPECT_TRUE(document);
  const auto done = read_shape(document->root(), kNodeShape, document->arena(), options);
  if (!done) return done.error().message();
  return value::to_json(document->root());
}

TEST(Shapes, LeaveOutWhatIsEmptyAndAddWhatMustBeThere) {
  EXPECT_EQ(read("{}"), R"({"must":""})");
  EXPECT_EQ(
      read(R"({"count":0,"flag":false,"tags":[],"nodes":{},"bytes":"","time":null,"must":"x"})"),
      R"({"must":"x"})");
  EXPECT_EQ(read(R"({"any":null,"limit":0,"number":0,"must":"x"})"),
            R"({"limit":0,"must":"x","number":0})");
  EXPECT_EQ(read("null"), R"({"must":""})");
}

TEST(Shapes, WriteTimesAndBytesAnew) {
  EXPECT_EQ(read(R"({"must":"","time":"2024-01-01T02:00:00.5+02:00"})"),
            R"({"must":"","time":"2024-01-01T00:00:00Z"})");
  EXPECT_EQ(read("{\"bytes\":\"aGVs\\nbG8=\",\"must\":\"\"}"), R"({"bytes":"aGVsbG8=","must":""})");
}

TEST(Shapes, RefuseWrongTypesInTheDecodersWords) {
  EXPECT_EQ(read("[]"), "json: cannot unmarshal array into Go value of type v1.Node");
  EXPECT_EQ(read(R"({"must":1})"),
            "json: cannot unmarshal number into Go struct field Node.must of type string");
  EXPECT_EQ(read(R"({"tags":"x"})"),
            "json: cannot unmarshal string into Go struct field Node.tags of type []string");
  EXPECT_EQ(read(R"({"tags":[true]})"),
            "json: cannot unmarshal bool into Go struct field Node.tags of type string");
  EXPECT_EQ(read(R"({"nodes":{"a":{"flag":{}}}})"),
            "json: cannot unmarshal object into Go struct field Node.nodes.flag of type bool");
  EXPECT_EQ(read(R"({"count":1.5})"),
            "json: cannot unmarshal number 1.5 into Go struct field Node.count of type int32");
  EXPECT_EQ(
      read(R"({"count":3000000000})"),
      "json: cannot unmarshal number 3000000000 into Go struct field Node.count of type int32");
  EXPECT_EQ(read(R"({"bytes":"*"})"), "illegal base64 data at input byte 0");
  EXPECT_EQ(read(R"({"time":1})"),
            "json: cannot unmarshal number into Go struct field Node.time of type string");
  EXPECT_EQ(read(R"({"time":"x"})"),
            R"(parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006")");
}

TEST(Shapes, ReportTheFirstTypeErrorUnlessATypeOfItsOwnFails) {
  EXPECT_EQ(read(R"({"count":"x","flag":"y"})"),
            "json: cannot unmarshal string into Go struct field Node.count of type int32");
  EXPECT_EQ(read(R"({"count":"x","more":3,"must":1})"), "boolean or JSON schema expected");
}

TEST(Shapes, FollowTheTextWhenItIsKnown) {
  EXPECT_EQ(read(R"({"must":1,"count":"x"})", {.from_text = true}),
            "json: cannot unmarshal number into Go struct field Node.must of type string");
  EXPECT_EQ(read(R"({"limit":5.0})", {.from_text = true}),
            "json: cannot unmarshal number 5.0 into Go struct field Node.limit of type int64");
  EXPECT_EQ(read(R"({"limit":5.0,"must":""})"), R"({"limit":5,"must":""})");
}

TEST(Shapes, SeeErrorsInLoosePlacesFromOutside) {
  EXPECT_EQ(
      read(R"({"items":{"nodes":{"a":{"tags":[1]}}}})"),
      "json: cannot unmarshal number into Go struct field Node.items.nodes.tags of type string");
  EXPECT_EQ(read(R"({"items":"x","must":""})"), R"({"items":null,"must":""})");
  EXPECT_EQ(read(R"({"items":[{"count":1,"must":""}],"must":""})"),
            R"({"items":[{"count":1,"must":""}],"must":""})");
  EXPECT_EQ(read(R"({"more":false,"must":""})"), R"({"more":false,"must":""})");
}

TEST(Shapes, ListUnknownFieldsButNotInLoosePlaces) {
  std::vector<std::string> unknown;
  EXPECT_EQ(read(R"({"a":1,"nodes":{"k":{"b":2,"must":""}},"items":{"c":3,"must":""},"must":""})",
                 {.unknown = &unknown}),
            R"({"items":{"must":""},"must":"","nodes":{"k":{"must":""}}})");
  EXPECT_THAT(unknown, ElementsAre("a", "nodes.k.b"));
}

TEST(Shapes, DropMalformedFieldsWhenAsked) {
  EXPECT_EQ(
      read(R"({"count":"x","flag":true,"more":3,"must":1,"time":"x"})", {.drop_malformed = true}),
      R"({"flag":true,"must":""})");
}

TEST(Shapes, KeepMicroTimesToTheMicrosecond) {
  const auto read_time = [](std::string_view json) {
    auto document = value::read_json(json);
    const auto read = read_shape(document->root(), kMicroTimeShape, document->arena());
    return read ? value::to_json(document->root()) : read.error().message();
  };
  EXPECT_EQ(read_time(R"("2024-01-01T01:00:00.123456+01:00")"), R"("2024-01-01T00:00:00.123456Z")");
  EXPECT_EQ(read_time(R"("0001-01-01T00:00:00.000000Z")"), "null");
  EXPECT_EQ(read_time("null"), "null");
  EXPECT_EQ(read_time("3"), "json: cannot unmarshal number into Go value of type string");
  EXPECT_THAT(read_time(R"("2024-01-01T00:00:00Z")"), ::testing::StartsWith("parsing time"));
}

TEST(Shapes, ReadQuantitiesAndWriteThemAnew) {
  const auto read = [](std::string_view json) {
    auto document = value::read_json(json);
    EXPECT_TRUE(document);
    const auto done = read_shape(document->root(), kQuantityShape, document->arena());
    return done ? value::to_json(document->root()) : done.error().message();
  };
  EXPECT_EQ(read("\"500m\""), "\"500m\"");
  EXPECT_EQ(read("0.5"), "\"500m\"");
  EXPECT_EQ(read("\" 1024Mi \""), "\"1Gi\"");
  EXPECT_EQ(read("null"), "\"0\"");
  const std::string refused =
      "quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  EXPECT_EQ(read("\"lots\""), refused);
  EXPECT_EQ(read("{}"), refused);
}

TEST(Shapes, ReadNumbersOrTexts) {
  const auto read = [](std::string_view json) {
    auto document = value::read_json(json);
    EXPECT_TRUE(document);
    const auto done = read_shape(document->root(), kIntOrStringShape, document->arena());
    return done ? value::to_json(document->root()) : done.error().message();
  };
  EXPECT_EQ(read("80"), "80");
  EXPECT_EQ(read("\"http\""), "\"http\"");
  EXPECT_EQ(read("1.5"), "json: cannot unmarshal number 1.5 into Go value of type int32");
  EXPECT_EQ(read("2147483648"),
            "json: cannot unmarshal number 2147483648 into Go value of type int32");
  EXPECT_EQ(read("[]"), "json: cannot unmarshal array into Go value of type int32");
}

TEST(Shapes, ListEveryFaultWhenAsked) {
  auto document = value::read_json(R"({"a": 1, "b": {"c": [1, "2"]}})");
  ASSERT_TRUE(document);
  static const Shape list{Shape::Kind::kList, "[]int64", {}, &kInt64Shape};
  static const ShapeField inner_fields[] = {{"c", &list, ShapeField::Keep::kNonEmpty, "Inline"}};
  static const Shape inner{Shape::Kind::kStruct, "v1.Inner", inner_fields};
  static const ShapeField fields[] = {{"a", &kStringShape}, {"b", &inner}};
  static const Shape outer{Shape::Kind::kStruct, "v1.Outer", fields};
  std::vector<ShapeFault> faults;
  ASSERT_TRUE(read_shape(document->root(), outer, document->arena(), {.faults = &faults}));
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].path, "a");
  EXPECT_EQ(faults[0].message,
            "json: cannot unmarshal number into Go struct field Outer.a of type string");
  EXPECT_EQ(faults[1].path, "b.c[1]");
  // The struct that JSON does not show is part of Go's path.
  EXPECT_EQ(faults[1].message,
            "json: cannot unmarshal string into Go struct field Inner.b.Inline.c of type int64");
}

TEST(Shapes, GiveUpOnDeepNesting) {
  std::string json;
  for (int i = 0; i < 2000; ++i) json += R"({"items":)";
  json += "{}";
  for (int i = 0; i < 2000; ++i) json += '}';
  EXPECT_EQ(read(json), "nested more than 1000 levels deep");
}

}  // namespace
}  // namespace strake::meta
