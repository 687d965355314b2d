#include "patch/field_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using ::testing::ElementsAre;
using value::Document;
using value::read_json;
using value::to_json;
using value::Value;

class FieldSetTest : public ::testing::Test {
 protected:
  FieldSet set(const std::string& text) {
    documents_.push_back(read_json(text).value());
    return FieldSet::read(documents_.back().root(), arena_).value();
  }
  std::string text(const FieldSet& s) { return to_json(s.write(arena_)); }
  std::string refusal(const std::string& text) {
    documents_.push_back(read_json(text).value());
    const auto read = FieldSet::read(documents_.back().root(), arena_);
    return read ? "none" : read.error().message();
  }
  static std::vector<std::string> paths(const FieldSet& s) {
    std::vector<std::string> out;
    s.each([&](const FieldSteps& path) { out.push_back(print(path)); });
    return out;
  }

  Arena arena_;
  std::vector<Document> documents_;
};

TEST_F(FieldSetTest, ReadsWhatItWrites) {
  for (
      const char* json : {
          R"({})",
          R"({"f:spec":{"f:a":{}}})",
          R"({"f:spec":{".":{},"f:a":{},"f:b":{"f:c":{}}}})",
          R"({"f:l":{".":{},"k:{\"port\":443,\"proto\":\"TCP\"}":{".":{},"f:port":{}},"k:{\"port\":80,\"proto\":\"TCP\"}":{"f:port":{}}}})",
          R"({"f:s":{"v:\"a\"":{},"v:1":{},"v:1.5":{},"v:null":{},"v:true":{}}})",
          R"({"f:s":{"i:0":{},"i:10":{},"i:2":{}}})",
          R"({"f:":{},"f:a.b/c":{},"f:f:x":{}})",
          R"({"f:s":{"v:\"a\\u003cb\\\"c\\\\\"":{}}})",
          R"({"f:s":{"v:[1,{\"a\":2}]":{}}})",
      }) {
    EXPECT_EQ(text(set(json)), json);
  }
}

TEST_F(FieldSetTest, ReadsNullAndDotsAsTheReferenceDoes) {
  EXPECT_EQ(text(set("null")), "{}");
  EXPECT_EQ(text(set(R"({".":{}})")), "{}");
  EXPECT_EQ(text(set(R"({"f:a":null})")), R"({"f:a":{}})");
  EXPECT_EQ(text(set(R"({"f:a":{".":{}}})")), R"({"f:a":{}})");
  EXPECT_EQ(text(set(R"({"f:a":{".":5,"f:b":{}}})")), R"({"f:a":{".":{},"f:b":{}}})");
  EXPECT_EQ(text(set(R"({"x:new":{},"f:a":{"y:b":{}}})")), R"({"f:a":{}})");
  // Two spellings of one element are one.
  EXPECT_EQ(text(set(R"({"v:1":{"f:a":{}},"v:1.0":{"f:b":{}}})")),
            R"({"v:1":{"f:a":{},"f:b":{}}})");
}

TEST_F(FieldSetTest, ReadsPlainAndOtherNamesAlike) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"k:{\"a\":1,\"b\":\"x\"}":{}})", R"([a=1,b="x"])"},
      {R"({"k:{\"b\":\"x\",\"a\":1}":{}})", R"([a=1,b="x"])"},
      {R"({"k:{ \"a\" : 1 }":{}})", "[a=1]"},
      {R"({"k:{\"a\":-1,\"b\":true,\"c\":null,\"d\":1.50}":{}})", "[a=-1,b=true,c=null,d=1.5]"},
      {R"({"k:{\"a\":\"\\u00e9\\n\"}":{}})", R"([a="é\n"])"},
      {R"({"k:{\"a\":\"é\"}":{}})", R"([a="é"])"},
      {R"({"k:{\"a\":1234567890123456789}":{}})", "[a=1234567890123456789]"},
      {R"({"k:{\"a\":1,\"a\":2}":{}})", "[a=2]"},
      {R"({"k:{}":{}})", "[]"},
      {R"({"v:0":{}})", "[=0]"},
      {R"({"v: 7 ":{}})", "[=7]"},
      {R"({"v:\"\"":{}})", R"([=""])"},
      {R"({"v:\"a\\\"b\"":{}})", R"([="a\"b"])"},
      {R"({"v:1e2":{}})", "[=100]"},
  };
  for (const auto& [json, want] : cases) EXPECT_THAT(paths(set(json)), ElementsAre(want)) << json;
  EXPECT_NE(refusal(R"({"v:007":{}})"), "none");
  EXPECT_NE(refusal(R"({"k:{\"a\":1,}":{}})"), "none");
  EXPECT_NE(refusal(R"({"k:{\"a\":1":{}})"), "none");
  EXPECT_NE(refusal(R"({"k:{\"a\":1}x":{}})"), "none");
}

TEST_F(FieldSetTest, RefusesWhatIsNoSet) {
  EXPECT_EQ(refusal("[]"), "expected an object of fields, got array");
  EXPECT_EQ(refusal(R"({"f:a":5})"), "expected an object of fields, got integer");
  EXPECT_EQ(refusal(R"({"f":{}})"), "key must be 2 characters long:");
  EXPECT_EQ(refusal(R"({"foo":{}})"), "missing colon: foo");
  EXPECT_EQ(refusal(R"({"i:x":{}})"), R"(strconv.Atoi: parsing "x": invalid syntax)");
  EXPECT_NE(refusal(R"({"v:{":{}})"), "none");
  EXPECT_NE(refusal(R"({"v:1 2":{}})"), "none");
  EXPECT_NE(refusal(R"({"k:1":{}})"), "none");
  std::string deep;
  for (std::size_t i = 0; i < kMaxFieldDepth; ++i) deep += R"({"f:a":)";
  EXPECT_EQ(refusal(deep + "{}" + std::string(kMaxFieldDepth, '}')), "none");
  EXPECT_EQ(refusal(R"({"f:a":)" + deep + "{}" + std::string(kMaxFieldDepth + 1, '}')),
            "fields are nested deeper than 500");
}

TEST_F(FieldSetTest, ListsMembersOfALevelBeforeThoseBelow) {
  const FieldSet s = set(
      R"({"f:a":{".":{},"f:x":{}},"f:b":{},"f:l":{"k:{\"n\":\"x\",\"p\":1.5}":{".":{},"f:n":{}},"v:\"q\"":{},"v:true":{},"i:3":{}}})");
  EXPECT_THAT(paths(s), ElementsAre(".a", ".b", ".a.x", R"(.l[n="x",p=1.5])", R"(.l[="q"])",
                                    ".l[=true]", ".l[3]", R"(.l[n="x",p=1.5].n)"));
  EXPECT_EQ(s.count(), 8u);
  EXPECT_TRUE(s.has({PathElement::field("a"), PathElement::field("x")}));
  EXPECT_FALSE(s.has({PathElement::field("l")}));
  EXPECT_FALSE(s.has({}));
}

TEST_F(FieldSetTest, OrdersElementsByValue) {
  const FieldSet s = set(
      R"({"v:10":{},"v:9":{},"v:9.5":{},"v:\"a\"":{},"v:false":{},"v:null":{},"f:z":{},"i:0":{},"k:{\"a\":1}":{}})");
  EXPECT_THAT(paths(s), ElementsAre(".z", "[a=1]", "[=9]", "[=9.5]", "[=10]", R"([="a"])",
                                    "[=false]", "[=null]", "[0]"));
}

TEST_F(FieldSetTest, TellsMembersFromWhatIsBelowThem) {
  const FieldSet a = set(R"({"f:a":{".":{},"f:x":{},"f:y":{}},"f:b":{}})");
  const FieldSet b = set(R"({"f:a":{".":{},"f:x":{}},"f:c":{}})");
  EXPECT_EQ(text(unite(a, b, arena_)), R"({"f:a":{".":{},"f:x":{},"f:y":{}},"f:b":{},"f:c":{}})");
  EXPECT_EQ(text(intersection(a, b, arena_)), R"({"f:a":{".":{},"f:x":{}}})");
  EXPECT_EQ(text(difference(a, b, arena_)), R"({"f:a":{"f:y":{}},"f:b":{}})");
  EXPECT_EQ(text(recursive_difference(a, b, arena_)), R"({"f:b":{}})");
  EXPECT_EQ(text(difference(a, set(R"({"f:a":{}})"), arena_)),
            R"({"f:a":{"f:x":{},"f:y":{}},"f:b":{}})");
  EXPECT_EQ(text(recursive_difference(a, set(R"({"f:a":{"f:x":{}}})"), arena_)),
            R"({"f:a":{".":{},"f:y":{}},"f:b":{}})");
  EXPECT_EQ(text(leaves(a, arena_)), R"({"f:a":{"f:x":{},"f:y":{}},"f:b":{}})");
}

TEST_F(FieldSetTest, SharesWhatAnOperationLeavesAlone) {
  const FieldSet a = set(R"({"f:a":{"f:x":{}},"f:b":{"f:y":{}}})");
  EXPECT_TRUE(unite(a, set(R"({"f:a":{"f:x":{}}})"), arena_).same_tree(a));
  EXPECT_TRUE(difference(a, set(R"({"f:c":{}})"), arena_).same_tree(a));
  const FieldSet less = difference(a, set(R"({"f:a":{"f:x":{}}})"), arena_);
  EXPECT_TRUE(less.below(PathElement::field("b")).same_tree(a.below(PathElement::field("b"))));
}

TEST_F(FieldSetTest, ObeysTheLawsOfSets) {
  std::mt19937 random(7);
  const auto make = [&] {
    FieldSet out;
    for (int i = 0; i < 12; ++i) {
      FieldSteps path;
      for (std::size_t depth = 1 + random() % 3; depth > 0; --depth) {
        path.push_back(random() % 2 == 0 ? PathElement::field(random() % 2 == 0 ? "a" : "b")
                                         : PathElement::item(Value::integer(random() % 3)));
      }
      out = unite(out, FieldSet::of(path, arena_), arena_);
    }
    return out;
  };
  for (int round = 0; round < 300; ++round) {
    const FieldSet a = make();
    const FieldSet b = make();
    const FieldSet both = intersection(a, b, arena_);
    const FieldSet only_a = difference(a, b, arena_);
    ASSERT_EQ(unite(only_a, both, arena_), a);
    ASSERT_TRUE(intersection(only_a, b, arena_).empty());
    ASSERT_EQ(unite(a, b, arena_), unite(b, a, arena_));
    ASSERT_EQ(a.count() + b.count(), unite(a, b, arena_).count() + both.count());
    ASSERT_EQ(set(text(a)), a);
    ASSERT_TRUE(difference(recursive_difference(a, b, arena_), a, arena_).empty());
  }
}

}  // namespace
}  // namespace strake::patch
