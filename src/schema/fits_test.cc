#include "schema/fits.h"

#include <gtest/gtest.h>

#include "schema/compile.h"
#include "schema/validate.h"
#include "value/json_reader.h"

namespace strake::schema {
namespace {

struct Case {
  std::string_view schema;
  std::string_view value;
  bool fits;
};

constexpr Case kCases[] = {
    {R"({})", R"({"a":[1,null]})", true},
    {R"({"type":"string"})", R"("a")", true},
    {R"({"type":"string"})", R"(1)", false},
    {R"({"type":"string"})", R"(null)", false},
    {R"({"type":"string","nullable":true})", R"(null)", true},
    {R"({"type":"number"})", R"(1)", true},
    {R"({"type":"integer"})", R"(1.0)", true},
    {R"({"type":"integer"})", R"(1.5)", false},
    {R"({"type":"integer","format":"int32"})", R"(2147483648)", false},
    {R"({"x-kubernetes-int-or-string":true})", R"("5%")", true},
    {R"({"x-kubernetes-int-or-string":true})", R"(true)", false},
    {R"({"type":"integer","minimum":3,"maximum":9,"multipleOf":3})", R"(9)", true},
    {R"({"type":"integer","minimum":3,"exclusiveMinimum":true})", R"(3)", false},
    {R"({"type":"integer","multipleOf":3})", R"(10)", false},
    {R"({"type":"integer","format":"int32","maximum":4294967296})", R"(5)", false},
    {R"({"type":"string","minLength":2,"maxLength":2})", R"("éé")", true},
    {R"({"type":"string","minLength":3})", R"("éé")", false},
    {R"({"type":"string","pattern":"^[a-z]+$"})", R"("A")", false},
    {R"({"type":"string","format":"date-time"})", R"("yesterday")", false},
    {R"({"type":"string","enum":["a","b"]})", R"("b")", true},
    {R"({"type":"string","enum":["a","b"]})", R"("c")", false},
    {R"({"type":"array","maxItems":2,"items":{"type":"integer"}})", R"([1,2])", true},
    {R"({"type":"array","maxItems":2,"items":{"type":"integer"}})", R"([1,2,3])", false},
    {R"({"type":"array","items":{"type":"integer"}})", R"([1,"2"])", false},
    {R"({"type":"object","required":["a"],"properties":{"a":{"type":"string"}}})", R"({"a":""})",
     true},
    {R"({"type":"object","required":["a"],"properties":{"a":{"type":"string"}}})", R"({})", false},
    {R"({"type":"object","required":["a"],"properties":{"a":{"type":"string","default":"x"}}})",
     R"({})", true},
    {R"({"type":"object","additionalProperties":{"type":"integer"}})", R"({"a":1,"b":"2"})", false},
    {R"({"type":"object","additionalProperties":false})", R"({"a":1})", false},
    {R"({"type":"object","maxProperties":1})", R"({"a":1,"b":2})", false},
    {R"({"anyOf":[{"required":["a"]},{"required":["b"]}]})", R"({"b":1})", true},
    {R"({"anyOf":[{"required":["a"]},{"required":["b"]}]})", R"({"c":1})", false},
    {R"({"oneOf":[{"required":["a"]},{"required":["b"]}]})", R"({"b":1})", true},
    {R"({"oneOf":[{"required":["a"]},{"required":["b"]}]})", R"({"a":1,"b":1})", false},
    {R"({"allOf":[{"required":["a"]},{"required":["b"]}]})", R"({"a":1})", false},
    {R"({"not":{"required":["a"]}})", R"({"a":1})", false},
    {R"({"not":{"required":["a"]}})", R"({"b":1})", true},
    // kube-apiserver 1.36 lets any text pass the type of a text format: only validate() knows.
    {R"({"not":{"type":"boolean","format":"date-time"}})", R"("2020-01-01T00:00:00Z")", true},
};

TEST(Fits, AgreesWithTheWholeValidation) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(testing::Message() << c.schema << " on " << c.value);
    const NodePtr schema = compile(value::read_json(c.schema).value().root()).value();
    const value::Document document = value::read_json(c.value).value();
    EXPECT_EQ(fits(document.root(), *schema), c.fits);
    EXPECT_EQ(validate(document.root(), *schema).empty(), c.fits);
  }
}

TEST(ListTypes, FindRepetitionsInShortAndLongLists) {
  struct ListCase {
    std::string_view list;
    std::size_t faults;
  };
  constexpr ListCase kSets[] = {
      {R"([])", 0},
      {R"(["a","b",1,true])", 0},
      {R"(["a","b","a","a"])", 1},
      {R"([1,1.0])", 0},
      {R"([1.0,1.0])", 1},
      {R"([[1],[1]])", 1},
      {R"([[1],[1.0]])", 1},
      {R"([null,null])", 1},
      {R"(["1",1,true,"true"])", 0},
      {R"([{"a":1},"a"])", 0},
      {R"([1,2,3,4,5,6,7,8,9,10,11,12,13,14,1])", 1},
  };
  const NodePtr set =
      compile(value::read_json(R"({"x-kubernetes-list-type":"set","items":{}})").value().root())
          .value();
  for (const ListCase& c : kSets) {
    EXPECT_EQ(validate_list_types(value::read_json(c.list).value().root(), *set).size(), c.faults)
        << c.list;
  }
  constexpr ListCase kMaps[] = {
      {R"([{"k":"a"},{"k":"b"},{}])", 0},
      {R"([{"k":"a"},{"k":"a"}])", 1},
      {R"([{},{"v":1}])", 1},
      {R"([{"k":1},{"k":"1"},{"k":1.0}])", 0},
      {R"([{"k":[1]},{"k":[1]}])", 1},
      {R"([{"k":"a"},null,null])", 1},
  };
  const NodePtr map =
      compile(
          value::read_json(
              R"({"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{}})")
              .value()
              .root())
          .value();
  for (const ListCase& c : kMaps) {
    EXPECT_EQ(validate_list_types(value::read_json(c.list).value().root(), *map).size(), c.faults)
        << c.list;
  }
}

}  // namespace
}  // namespace strake::schema
