#include "value/value.h"

#include <gtest/gtest.h>

#include "value/builder.h"
#include "value/document.h"
#include "value/duplicate_filter.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/members.h"

namespace strake::value {
namespace {

Document parse(std::string_view text, NumberPolicy numbers = NumberPolicy::kWide) {
  ReadOptions options;
  options.numbers = numbers;
  return read_json(text, options).value();
}

TEST(Value, FindsMembersInSmallAndLargeObjects) {
  Document small = parse(R"({"b":1,"a":2})");
  EXPECT_EQ(small.root().find("a")->as_int(), 2);
  EXPECT_EQ(small.root().find("c"), nullptr);
  EXPECT_EQ(Value::integer(1).find("a"), nullptr);
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += fmt::format("{}\"key{}\":{}", i == 0 ? "" : ",", i, i);
  Document large = parse(text + "}");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(large.root().find(fmt::format("key{}", i))->as_int(), i);
  EXPECT_EQ(large.root().find("key100"), nullptr);
}

TEST(Value, KeepsMembersSortedThroughEdits) {
  Document document = parse(R"({"b":1,"d":2})");
  Value& root = document.root();
  root.set("c", Value::integer(3), document.arena());
  root.set("a", Value::integer(4), document.arena());
  root.set("d", Value::integer(5), document.arena());
  EXPECT_EQ(to_json(root), R"({"a":4,"b":1,"c":3,"d":5})");
  EXPECT_TRUE(root.remove("b"));
  EXPECT_FALSE(root.remove("b"));
  EXPECT_EQ(to_json(root), R"({"a":4,"c":3,"d":5})");
}

TEST(Value, ReadsAsNullWhatIsNotThere) {
  const Document document = parse(R"({"a":{"b":1}})");
  EXPECT_EQ(document.root().get("a").get("b").as_int(), 1);
  EXPECT_TRUE(document.root().get("x").get("y").is_null());
  EXPECT_TRUE(Value::integer(3).get("x").is_null());
}

TEST(Value, HasNoTextItemsOrMembersOfAnotherType) {
  const Document document = parse(R"(["text",[1],{"a":1},12345678])");
  for (const Value& one : document.root().items()) {
    EXPECT_EQ(one.as_string().empty(), !one.is_string());
    EXPECT_EQ(one.items().empty(), !one.is_array());
    EXPECT_EQ(one.members().empty(), !one.is_object());
  }
}

TEST(Value, MakesAnObjectWhereThereIsNone) {
  Document document = parse(R"({"a":{"b":1},"c":7})");
  Value& root = document.root();
  EXPECT_EQ(root.object_at("a", document.arena()).get("b").as_int(), 1);
  EXPECT_EQ(root.object_at("c", document.arena()).size(), 0u);
  root.object_at("d", document.arena()).set("e", Value::integer(2), document.arena());
  EXPECT_EQ(to_json(root), R"({"a":{"b":1},"c":{},"d":{"e":2}})");
}

TEST(Value, SetsManyMembersAtOnceAsOneByOne) {
  Document document = parse(R"({"b":1,"d":2,"f":3})");
  const Value before = document.root();
  Document more = parse(R"({"a":10,"c":11,"d":12,"g":13})");
  set_members(document.root(), more.root().members(), document.arena());
  EXPECT_EQ(to_json(document.root()), R"({"a":10,"b":1,"c":11,"d":12,"f":3,"g":13})");
  EXPECT_EQ(to_json(before), R"({"b":1,"d":2,"f":3})");
  document.root().set("e", Value::integer(14), document.arena());
  set_members(document.root(), {}, document.arena());
  EXPECT_EQ(to_json(document.root()), R"({"a":10,"b":1,"c":11,"d":12,"e":14,"f":3,"g":13})");
}

TEST(Value, RemovesTheMembersThatATestNames) {
  Document document = parse(R"({"a":1,"b":2,"c":3,"d":4})");
  remove_members(document.root(), [](const Member& m) { return m.value.as_int() % 2 == 0; });
  EXPECT_EQ(to_json(document.root()), R"({"a":1,"c":3})");
  remove_members(document.root(), [](const Member&) { return false; });
  EXPECT_EQ(document.root().size(), 2u);
  Document list = parse("[1,2]");
  remove_members(list.root(), [](const Member&) { return true; });
  EXPECT_EQ(list.root().size(), 2u);
}

TEST(Value, GrowsInMemoryThatIsLinearInWhatIsAdded) {
  constexpr std::size_t kMany = 100'000;
  Document list;
  list.root() = Value::array({});
  for (std::size_t i = 0; i < kMany; ++i) list.root().append(Value::integer(1), list.arena());
  EXPECT_EQ(list.root().size(), kMany);
  EXPECT_LT(list.arena().bytes_reserved(), kMany * sizeof(Value) * 6);

  Document object;
  object.root() = Value::object({});
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::string key = fmt::format("{:06}", i);
    object.root().set(object.arena().copy(key), Value::integer(1), object.arena());
  }
  EXPECT_EQ(object.root().size(), kMany);
  EXPECT_LT(object.arena().bytes_reserved(), kMany * sizeof(Member) * 6);
}

TEST(Value, KeepsCopiesApartWhenBothGrow) {
  Document document;
  Arena& arena = document.arena();
  Value first = Value::array({});
  for (int i = 0; i < 5; ++i) first.append(Value::integer(i), arena);
  Value second = first;
  first.append(Value::integer(10), arena);
  second.append(Value::integer(20), arena);
  second.append(Value::integer(21), arena);
  EXPECT_EQ(to_json(first), "[0,1,2,3,4,10]");
  EXPECT_EQ(to_json(second), "[0,1,2,3,4,20,21]");
  Value shorter = first;
  shorter.truncate(2);
  shorter.append(Value::integer(30), arena);
  EXPECT_EQ(to_json(shorter), "[0,1,30]");
  EXPECT_EQ(to_json(first), "[0,1,2,3,4,10]");

  Value object = Value::object({});
  for (const std::string_view key : {"a", "b", "c"}) object.set(key, Value::integer(1), arena);
  Value other = object;
  object.set("d", Value::integer(2), arena);
  other.set("e", Value::integer(3), arena);
  other.set("aa", Value::integer(4), arena);
  EXPECT_EQ(to_json(object), R"({"a":1,"b":1,"c":1,"d":2})");
  EXPECT_EQ(to_json(other), R"({"a":1,"aa":4,"b":1,"c":1,"e":3})");
}

TEST(Value, EqualsByValueAndIsIdenticalByType) {
  struct Case {
    const char* a;
    const char* b;
    bool equal;
    bool identical;
  };
  const Case cases[] = {
      {"1", "1.0", true, false},
      {"[1,2]", "[1,2]", true, true},
      {"[1,2]", "[2,1]", false, false},
      {R"({"a":1,"b":2})", R"({"b":2,"a":1})", true, true},
      {R"({"a":1})", R"({"a":1,"b":2})", false, false},
      {"\"1\"", "1", false, false},
      {"null", "false", false, false},
      {"9223372036854775808", "9223372036854775808.0", true, false},
      {"9223372036854775809", "9223372036854775808", false, false},
      {"0", "-0.0", true, false},
  };
  for (const Case& c : cases) {
    const Document a = parse(c.a);
    const Document b = parse(c.b);
    EXPECT_EQ(equal(a.root(), b.root()), c.equal) << c.a << " and " << c.b;
    EXPECT_EQ(identical(a.root(), b.root()), c.identical) << c.a << " and " << c.b;
    if (c.equal) EXPECT_EQ(hash(a.root()), hash(b.root())) << c.a << " and " << c.b;
  }
}

TEST(Value, HashesDifferForDifferentShapes) {
  const char* shapes[] = {"[]",
                          "{}",
                          "[[]]",
                          "[[],[]]",
                          "[[[]]]",
                          "[1,[2]]",
                          "[[1],2]",
                          R"({"a":{"b":1}})",
                          R"({"b":{"a":1}})",
                          "null",
                          "\"\""};
  for (const char* a : shapes) {
    for (const char* b : shapes) {
      if (a != b) EXPECT_NE(hash(parse(a).root()), hash(parse(b).root())) << a << " and " << b;
    }
  }
}

TEST(Value, OutlivesItsDocumentWhenCopiedDeeply) {
  Arena arena;
  Value copy;
  {
    const Document document =
        parse(R"({"a":["text",{"k":1.5}],"long":"0123456789012345678901234567890"})");
    copy = deep_copy(document.root(), arena);
  }
  EXPECT_EQ(to_json(copy), R"({"a":["text",{"k":1.5}],"long":"0123456789012345678901234567890"})");
}

FieldPath path(std::string_view pointer) {
  FieldPath out;
  EXPECT_TRUE(FieldPath::parse_pointer(pointer, out));
  return out;
}

TEST(Document, FindsValuesByPath) {
  const Document document = parse(R"({"a":[{"0":"zero"},2]})");
  EXPECT_EQ(document.at(path("/a/1"))->as_int(), 2);
  EXPECT_EQ(document.at(path("/a/0/0"))->as_string(), "zero") << "digits are a name in an object";
  EXPECT_EQ(document.at(path("/a/2")), nullptr);
  EXPECT_EQ(document.at(path("/a/x")), nullptr);
}

TEST(Document, CopiesOnlyWhatAForkEdits) {
  const Document original = parse(R"({"a":{"x":1,"y":[1,2]},"b":{"z":3}})");
  Document copy = original.fork();
  ASSERT_TRUE(copy.set(path("/a/x"), Value::integer(9)));
  EXPECT_EQ(to_json(copy.root()), R"({"a":{"x":9,"y":[1,2]},"b":{"z":3}})");
  EXPECT_EQ(to_json(original.root()), R"({"a":{"x":1,"y":[1,2]},"b":{"z":3}})");
  EXPECT_EQ(copy.at(path("/b"))->members().data(), original.at(path("/b"))->members().data())
      << "shared";
  EXPECT_TRUE(copy.remove(path("/a/y/0")));
  EXPECT_TRUE(copy.remove(path("/b/z")));
  EXPECT_FALSE(copy.remove(path("/b/z")));
  EXPECT_EQ(to_json(copy.root()), R"({"a":{"x":9,"y":[2]},"b":{}})");
  EXPECT_EQ(to_json(original.root()), R"({"a":{"x":1,"y":[1,2]},"b":{"z":3}})");
}

TEST(Document, KeepsAForkAliveWithoutItsOriginal) {
  auto original =
      std::make_unique<Document>(parse(R"({"text":"a string that lives in the original"})"));
  Document copy = original->fork();
  original.reset();
  ASSERT_TRUE(copy.set(path("/n"), Value::integer(1)));
  EXPECT_EQ(to_json(copy.root()), R"({"n":1,"text":"a string that lives in the original"})");
}

TEST(Document, MakesObjectsOnTheWayAndAppendsToLists) {
  Document document = parse(R"({"l":[1]})");
  ASSERT_TRUE(document.set(path("/new/deep/k"), Value::boolean(true)));
  ASSERT_TRUE(document.set(path("/l/1"), Value::integer(2)));
  EXPECT_EQ(to_json(document.root()), R"({"l":[1,2],"new":{"deep":{"k":true}}})");
  const Result<> beyond = document.set(path("/l/5"), Value());
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().to_string(), ".l: has no element 5, only 2 elements");
  const Result<> through = document.set(path("/l/0/x"), Value());
  ASSERT_FALSE(through);
  EXPECT_EQ(through.error().to_string(), ".l[0]: cannot step into integer with x");
}

TEST(Events, PlayADocumentBackAsItWas) {
  const Document document = parse(R"({"a":[1,{"b":[]},[[]],"x"],"c":{},"d":null})");
  DocumentBuilder builder({});
  ASSERT_TRUE(play(document.root(), builder));
  EXPECT_TRUE(identical(builder.take().root(), document.root()));
}

struct Filtered {
  std::string document;
  std::vector<DuplicateKey> duplicates;
  std::string error;
};

Filtered filter(std::string_view text, DuplicatePolicy policy) {
  ReadOptions options;
  options.duplicates = DuplicatePolicy::kLastWins;
  DocumentBuilder builder(options);
  DuplicateKeyFilter filter(builder, policy);
  JsonPushParser parser(filter, options);
  Result<> done = parser.feed(text);
  if (done) done = parser.finish();
  if (!done)
    return {.error = filter.error() ? filter.error()->to_string() : done.error().to_string()};
  return {.document = to_json(builder.take().root()), .duplicates = filter.duplicates()};
}

TEST(DuplicateKeyFilter, SettlesDuplicatesInAStream) {
  const std::string text = R"([{"a":{"x":1},"b":2,"a":{"x":[{}],"x":2},"c":3},{"a":1}])";
  const Filtered first = filter(text, DuplicatePolicy::kFirstWins);
  EXPECT_EQ(first.document, R"([{"a":{"x":1},"b":2,"c":3},{"a":1}])");
  ASSERT_EQ(first.duplicates.size(), 1u) << "what is passed over is not looked into";
  EXPECT_EQ(first.duplicates[0].path.to_pointer(), "/0/a");
  EXPECT_EQ(first.duplicates[0].second.column, 21u);

  const Filtered last = filter(text, DuplicatePolicy::kLastWins);
  EXPECT_EQ(last.document, R"([{"a":{"x":2},"b":2,"c":3},{"a":1}])");
  ASSERT_EQ(last.duplicates.size(), 2u);
  EXPECT_EQ(last.duplicates[1].path.to_pointer(), "/0/a/x");

  EXPECT_EQ(filter(text, DuplicatePolicy::kError).error,
            "line 1 column 21: .[0].a: duplicate key \"a\", first at 1:3");
}

}  // namespace
}  // namespace strake::value
