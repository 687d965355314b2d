#include "patch/typed_fields.h"

#include <gtest/gtest.h>

#include <deque>

#include "patch/typed_check.h"
#include "schema/compile.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::Document;
using value::read_json;
using value::to_json;

constexpr const char* kSchema = R"({
  "type": "object",
  "properties": {
    "spec": {
      "type": "object",
      "properties": {
        "n": {"type": "integer"},
        "s": {"type": "string"},
        "b": {"type": "boolean"},
        "when": {"type": "string", "format": "date-time"},
        "mixed": {"x-kubernetes-int-or-string": true},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        "any": {"type": "object"},
        "map": {"type": "object", "additionalProperties": {"type": "object",
                "properties": {"x": {"type": "integer"}}}},
        "whole": {"type": "object", "x-kubernetes-map-type": "atomic",
                  "properties": {"x": {"type": "integer"}}},
        "list": {"type": "array", "items": {"type": "integer"}},
        "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
        "ports": {"type": "array", "x-kubernetes-list-type": "map",
                  "x-kubernetes-list-map-keys": ["port", "proto"],
                  "items": {"type": "object", "properties": {
                    "port": {"type": "integer"},
                    "proto": {"type": "string", "default": "TCP"},
                    "name": {"type": "string"}}}},
        "template": {"type": "object", "x-kubernetes-embedded-resource": true,
                     "x-kubernetes-preserve-unknown-fields": true}
      }
    }
  }
})";

class TypedFieldsTest : public ::testing::Test {
 protected:
  TypedFieldsTest() : schema_(schema::compile(read_json(kSchema)->root()).value()) {}

  FieldType type() const { return FieldType::of_resource(schema_.get()); }
  const value::Value& parse(const std::string& text) {
    documents_.push_back(read_json(text).value());
    return documents_.back().root();
  }
  std::string fields(const std::string& object) {
    return to_json(fields_of(parse(object), type(), arena_).write(arena_));
  }
  // "-removed ~modified +added", each as fieldsV1.
  std::string changes(const std::string& before, const std::string& after) {
    return changes(before, after, type());
  }
  std::string changes(const std::string& before, const std::string& after, const FieldType& as) {
    const Comparison c = compare_fields(parse(before), parse(after), as, arena_);
    std::string out;
    for (const auto& [mark, set] : {std::pair('-', c.removed), {'~', c.modified}, {'+', c.added}}) {
      if (set.empty()) continue;
      out += (out.empty() ? "" : " ") + std::string(1, mark) + to_json(set.write(arena_));
    }
    return out;
  }
  std::string faults(const std::string& object, Duplicates duplicates = Duplicates::kRefused) {
    const TypedFaults found = check_typed(parse(object), type(), duplicates, arena_);
    return found.empty() ? "none" : to_string(found);
  }

  Arena arena_;
  schema::NodePtr schema_;
  std::deque<Document> documents_;
};

TEST_F(TypedFieldsTest, NamesTheLeavesOfAnObject) {
  EXPECT_EQ(fields(R"({"apiVersion":"v1","spec":{"n":1,"s":"x"}})"),
            R"({"f:apiVersion":{},"f:spec":{"f:n":{},"f:s":{}}})");
  EXPECT_EQ(fields(R"({"spec":{"map":{"a":{"x":1},"b":{}}}})"),
            R"({"f:spec":{"f:map":{"f:a":{".":{},"f:x":{}},"f:b":{}}}})");
  EXPECT_EQ(fields(R"({"spec":{"whole":{"x":1},"list":[1,2]}})"),
            R"({"f:spec":{"f:list":{},"f:whole":{}}})");
  EXPECT_EQ(fields(R"({"spec":{"set":["b","a"]}})"),
            R"({"f:spec":{"f:set":{"v:\"a\"":{},"v:\"b\"":{}}}})");
  EXPECT_EQ(
      fields(R"({"spec":{"ports":[{"port":80},{"port":53,"proto":"UDP","name":"dns"}]}})"),
      R"({"f:spec":{"f:ports":{"k:{\"port\":53,\"proto\":\"UDP\"}":{".":{},"f:name":{},)"
      R"("f:port":{},"f:proto":{}},"k:{\"port\":80,\"proto\":\"TCP\"}":{".":{},"f:port":{}}}}})");
  EXPECT_EQ(fields(R"({"spec":{"set":[],"map":{},"s":null}})"),
            R"({"f:spec":{"f:map":{},"f:s":{}}})");
  EXPECT_EQ(fields(R"({"spec":{"free":{"a":{"b":1},"l":[{"x":1}]},"any":{"k":1}}})"),
            R"({"f:spec":{"f:any":{"f:k":{}},"f:free":{"f:a":{".":{},"f:b":{}},"f:l":{}}}})");
  EXPECT_EQ(fields(R"({"spec":{"mixed":"a"}})"), R"({"f:spec":{"f:mixed":{}}})");
}

TEST_F(TypedFieldsTest, KnowsTheMetadataOfEveryObject) {
  EXPECT_EQ(fields(R"({"metadata":{"labels":{"a":"b"},"finalizers":["x"],"name":"n",)"
                   R"("ownerReferences":[{"uid":"u","name":"o"}]}})"),
            R"({"f:metadata":{"f:finalizers":{"v:\"x\"":{}},"f:labels":{"f:a":{}},"f:name":{},)"
            R"("f:ownerReferences":{"k:{\"uid\":\"u\"}":{}}}})");
  EXPECT_EQ(fields(R"({"spec":{"template":{"metadata":{"finalizers":["x"]},"spec":{"l":[1]}}}})"),
            R"({"f:spec":{"f:template":{"f:metadata":{"f:finalizers":{"v:\"x\"":{}}},)"
            R"("f:spec":{".":{},"f:l":{}}}}})");
}

TEST_F(TypedFieldsTest, OwnsDuplicatesTogether) {
  EXPECT_EQ(fields(R"({"spec":{"ports":[{"port":1,"name":"a"},{"port":1,"name":"b"}]}})"),
            R"({"f:spec":{"f:ports":{"k:{\"port\":1,\"proto\":\"TCP\"}":{}}}})");
}

TEST_F(TypedFieldsTest, DeducesWhereThereIsNoSchema) {
  const FieldType none = FieldType::of_resource(nullptr);
  EXPECT_EQ(
      changes(R"({})", R"({"data":{"a":"1","l":[1]},"metadata":{"labels":{"x":"y"}}})", none),
      R"(+{"f:data":{".":{},"f:a":{},"f:l":{}},"f:metadata":{".":{},"f:labels":{".":{},"f:x":{}}}})");
  EXPECT_EQ(changes(R"({"a":{"b":1}})", R"({"a":5})", none), R"(-{"f:a":{"f:b":{}}} ~{"f:a":{}})");
  EXPECT_EQ(changes(R"({"a":5})", R"({"a":{"b":1}})", none), R"(~{"f:a":{}} +{"f:a":{"f:b":{}}})");
  EXPECT_EQ(changes(R"({"a":null})", R"({"a":{"b":1}})", none), R"(+{"f:a":{"f:b":{}}})");
  EXPECT_EQ(changes(R"({"a":{}})", R"({"a":null})", none), R"(~{"f:a":{}})");
}

TEST_F(TypedFieldsTest, TellsWhatChanged) {
  EXPECT_EQ(changes(R"({"spec":{"n":1}})", R"({"spec":{"n":1}})"), "");
  EXPECT_EQ(changes(R"({"spec":{"n":1}})", R"({"spec":{"n":1.0}})"), "");
  EXPECT_EQ(changes(R"({"spec":{"n":1,"s":"a"}})", R"({"spec":{"n":2,"b":true}})"),
            R"(-{"f:spec":{"f:s":{}}} ~{"f:spec":{"f:n":{}}} +{"f:spec":{"f:b":{}}})");
  EXPECT_EQ(changes("{}", R"({"spec":{"n":1}})"), R"(+{"f:spec":{".":{},"f:n":{}}})");
  EXPECT_EQ(changes(R"({"spec":{"list":[1]}})", R"({"spec":{"list":[2]}})"),
            R"(~{"f:spec":{"f:list":{}}})");
  EXPECT_EQ(changes(R"({"spec":{"set":["a","b"]}})", R"({"spec":{"set":["b","c"]}})"),
            R"(-{"f:spec":{"f:set":{"v:\"a\"":{}}}} +{"f:spec":{"f:set":{"v:\"c\"":{}}}})");
  EXPECT_EQ(changes(R"({"spec":{"set":["a","b"]}})", R"({"spec":{"set":["b","a"]}})"), "");
  EXPECT_EQ(changes(R"({"spec":{"ports":[{"port":1,"name":"a"}]}})",
                    R"({"spec":{"ports":[{"port":1,"proto":"TCP","name":"b"}]}})"),
            R"(~{"f:spec":{"f:ports":{"k:{\"port\":1,\"proto\":\"TCP\"}":{"f:name":{}}}}} )"
            R"(+{"f:spec":{"f:ports":{"k:{\"port\":1,\"proto\":\"TCP\"}":{"f:proto":{}}}}})");
  EXPECT_EQ(changes(R"({"spec":{"whole":{"x":1}}})", R"({"spec":{"whole":{"x":2}}})"),
            R"(~{"f:spec":{"f:whole":{}}})");
  EXPECT_EQ(changes(R"({"spec":{"set":["a"]}})", R"({"spec":{}})"),
            R"(-{"f:spec":{"f:set":{".":{},"v:\"a\"":{}}}})");
}

TEST_F(TypedFieldsTest, TellsHowDuplicatesChanged) {
  const auto ports = [](const char* items) {
    return fmt::format(R"({{"spec":{{"ports":[{}]}}}})", items);
  };
  const std::string one = ports(R"({"port":1,"name":"a"})");
  const std::string two = ports(R"({"port":1,"name":"a"},{"port":1,"name":"b"})");
  const std::string other = ports(R"({"port":1,"name":"a"},{"port":1,"name":"c"})");
  const std::string key = R"("k:{\"port\":1,\"proto\":\"TCP\"}")";
  EXPECT_EQ(changes(two, two), "");
  EXPECT_EQ(changes(two, other), fmt::format(R"(~{{"f:spec":{{"f:ports":{{{}:{{}}}}}}}})", key));
  EXPECT_EQ(
      changes(two, one),
      fmt::format(R"(-{{"f:spec":{{"f:ports":{{{0}:{{}}}}}}}} )"
                  R"(+{{"f:spec":{{"f:ports":{{{0}:{{".":{{}},"f:name":{{}},"f:port":{{}}}}}}}}}})",
                  key));
  EXPECT_EQ(
      changes(one, two),
      fmt::format(R"(-{{"f:spec":{{"f:ports":{{{0}:{{".":{{}},"f:name":{{}},"f:port":{{}}}}}}}}}} )"
                  R"(+{{"f:spec":{{"f:ports":{{{0}:{{}}}}}}}})",
                  key));
}

TEST_F(TypedFieldsTest, SaysWhatDoesNotFit) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"spec":{"n":1,"s":"a","b":true,"when":5,"mixed":1.5}})", "none"},
      {R"({"spec":null,"metadata":null})", "none"},
      {R"({"spec":{"x":1}})", ".spec.x: field not declared in schema"},
      {R"({"extra":1})", ".extra: field not declared in schema"},
      {R"({"spec":{"n":"a"}})", ".spec.n: expected numeric (int or float), got string"},
      {R"({"spec":{"n":[1]}})", ".spec.n: expected numeric (int or float), got []interface {}"},
      {R"({"spec":{"s":true}})",
       ".spec.s: expected string, got &value.valueUnstructured{Value:true}"},
      {R"({"spec":{"s":{"a":[1,"b",null]}}})",
       ".spec.s: expected string, got &value.valueUnstructured{Value:map[string]interface "
       "{}{\"a\":[]interface {}{1, \"b\", interface {}(nil)}}}"},
      {R"({"spec":{"b":"x"}})", ".spec.b: expected boolean, got &{x}"},
      {R"({"spec":{"when":{"a":[1,"b",null]}}})",
       ".spec.when: expected any scalar, got &{map[a:[1 b <nil>]]}"},
      {R"({"spec":{"ports":"x"}})", ".spec.ports: expected list, got &{x}"},
      {R"({"spec":5})", ".spec: expected map, got &{5}"},
      {R"({"spec":{"ports":[{"port":1},{"port":1,"proto":"TCP"}]}})",
       R"(.spec.ports: duplicate entries for key [port=1,proto="TCP"])"},
      {R"({"spec":{"set":["q","q"]}})", R"(.spec.set: duplicate entries for key [="q"])"},
      {R"({"spec":{"set":[{}]}})",
       ".spec.set: element 0: associative list without keys has an element that's a map type"},
      {R"({"spec":{"set":["a",[]]}})",
       ".spec.set: element 1: not supported: associative list with lists as elements"},
      {R"({"spec":{"set":[null]}})",
       ".spec.set: element 0: associative list without keys has an element that's an explicit "
       "null"},
      {R"({"spec":{"ports":[null]}})",
       ".spec.ports: element 0: associative list with keys may not have a null element"},
      {R"({"spec":{"ports":[1]}})",
       ".spec.ports: element 0: associative list with keys may not have non-map elements"},
      {R"({"spec":{"ports":[{"port":1,"name":5}],"list":["a",2]}})",
       "errors:\n  .spec.list[0]: expected numeric (int or float), got string\n  "
       ".spec.ports[port=1,proto=\"TCP\"].name: expected string, got "
       "&value.valueUnstructured{Value:5}"},
  };
  for (const auto& [object, want] : cases) EXPECT_EQ(faults(object), want) << object;
  EXPECT_EQ(faults(R"({"spec":{"set":["q","q"]}})", Duplicates::kAllowed), "none");
}

TEST_F(TypedFieldsTest, ComparesOnlyWhatFits) {
  const auto fits = [&](const value::Value& before, const value::Value& after) {
    return check_and_compare(before, after, type(), arena_).has_value();
  };
  const value::Value& good = parse(R"({"spec":{"n":1,"list":[1],"whole":{"x":1}}})");
  EXPECT_TRUE(fits(good, good));
  for (const char* text : {
           R"({"extra":1})",
           R"({"spec":5})",
           R"({"spec":{"n":"x"}})",
           R"({"spec":{"list":["x"]}})",
           R"({"spec":{"list":"x"}})",
           R"({"spec":{"whole":{"x":"x"}}})",
           R"({"spec":{"whole":{"y":1}}})",
           R"({"spec":{"set":[null]}})",
           R"({"spec":{"ports":[{"port":1},{"port":"x"}]}})",
           R"({"spec":{"ports":[{"port":1},{"port":1,"name":1}]}})",
       }) {
    const value::Value& bad = parse(text);
    EXPECT_FALSE(fits(good, bad)) << text;
    EXPECT_FALSE(fits(bad, good)) << text;
    EXPECT_FALSE(fits(bad, bad)) << "also where memory is shared: " << text;
    EXPECT_FALSE(fits(parse(text), bad)) << text;
  }
}

TEST_F(TypedFieldsTest, RefusesWhatIsTooDeep) {
  std::string deep;
  for (std::size_t i = 0; i < kMaxFieldDepth; ++i) deep += R"({"a":)";
  const std::string object =
      R"({"spec":{"free":)" + deep + "1" + std::string(kMaxFieldDepth, '}') + "}}";
  EXPECT_NE(faults(object).find("nested deeper than 500"), std::string::npos);
  EXPECT_NE(faults(object, Duplicates::kAllowed).find("nested deeper than 500"), std::string::npos);
  const value::Value nothing = value::Value::object({});
  EXPECT_FALSE(check_and_compare(nothing, parse(object), type(), arena_));
  EXPECT_FALSE(check_and_compare(parse(object), parse(object), type(), arena_));
  // The object, its spec and the number are three.
  const std::size_t most = kMaxFieldDepth - 3;
  for (const std::size_t levels : {most, most + 1}) {
    const std::string fitting =
        R"({"spec":{"free":)" + deep.substr(0, levels * 5) + "1" + std::string(levels, '}') + "}}";
    EXPECT_EQ(faults(fitting) == "none", levels == most);
    EXPECT_EQ(check_and_compare(nothing, parse(fitting), type(), arena_).has_value(),
              levels == most);
    EXPECT_EQ(check_and_compare(parse(fitting), parse(fitting), type(), arena_).has_value(),
              levels == most);
  }
}

TEST_F(TypedFieldsTest, OwnsAsAWholeWhatHasBecomeAtomic) {
  const auto reconciled = [&](const char* set) {
    return to_json(
        reconcile(FieldSet::read(parse(set), arena_).value(), type(), arena_).write(arena_));
  };
  EXPECT_EQ(reconciled(R"({"f:spec":{"f:whole":{"f:x":{}},"f:list":{".":{},"v:1":{}}}})"),
            R"({"f:spec":{"f:list":{},"f:whole":{}}})");
  EXPECT_EQ(reconciled(R"({"f:spec":{"f:ports":{"k:{\"port\":1}":{".":{},"f:name":{}}}}})"),
            R"({"f:spec":{"f:ports":{"k:{\"port\":1}":{".":{},"f:name":{}}}}})");
  EXPECT_EQ(reconciled(R"({"f:gone":{"f:x":{}},"f:spec":{"f:free":{"f:a":{"f:b":{}}}}})"),
            R"({"f:gone":{"f:x":{}},"f:spec":{"f:free":{"f:a":{"f:b":{}}}}})");
}

TEST_F(TypedFieldsTest, MakesNamedFieldsMembers) {
  const auto named = [&](const char* set) {
    return to_json(with_named_fields(FieldSet::read(parse(set), arena_).value(), type(), arena_)
                       .write(arena_));
  };
  EXPECT_EQ(
      named(
          R"({"f:spec":{"f:map":{"f:a":{"f:x":{}}},"f:ports":{"k:{\"port\":1}":{"f:name":{}}}}})"),
      R"({"f:spec":{".":{},"f:map":{".":{},"f:a":{"f:x":{}}},"f:ports":{".":{},"k:{\"port\":1}":{"f:name":{}}}}})");
}

}  // namespace
}  // namespace strake::patch
