#include "patch/json_patch.h"

#include <gtest/gtest.h>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::Document;
using value::read_json;
using value::to_json;

// The patched document as text, or the code and message of the refusal.
std::string patched(std::string_view document, std::string_view patch,
                    const JsonPatchLimits& limits = {}) {
  const Document doc = read_json(document).value();
  Arena arena;
  std::string out;
  {
    const Document operations = read_json(patch).value();
    const auto done = apply_json_patch(doc.root(), operations.root(), arena, limits);
    EXPECT_EQ(to_json(doc.root()), to_json(read_json(document)->root())) << "the input changed";
    if (!done) return fmt::format("{}: {}", to_string(done.error().code()), done.error().message());
    out = to_json(*done, {.escape_html = false});
  }
  return out;
}

struct Case {
  const char* document;
  const char* patch;
  const char* want;
};

TEST(JsonPatch, DoesWhatTheRfcShows) {
  const Case cases[] = {
      {R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux"}])",
       R"({"baz":"qux","foo":"bar"})"},
      {R"({"foo":["bar","baz"]})", R"([{"op":"add","path":"/foo/1","value":"qux"}])",
       R"({"foo":["bar","qux","baz"]})"},
      {R"({"baz":"qux","foo":"bar"})", R"([{"op":"remove","path":"/baz"}])", R"({"foo":"bar"})"},
      {R"({"foo":["bar","qux","baz"]})", R"([{"op":"remove","path":"/foo/1"}])",
       R"({"foo":["bar","baz"]})"},
      {R"({"baz":"qux","foo":"bar"})", R"([{"op":"replace","path":"/baz","value":"boo"}])",
       R"({"baz":"boo","foo":"bar"})"},
      {R"({"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}})",
       R"([{"op":"move","from":"/foo/waldo","path":"/qux/thud"}])",
       R"({"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}})"},
      {R"({"foo":["all","grass","cows","eat"]})",
       R"([{"op":"move","from":"/foo/1","path":"/foo/3"}])",
       R"({"foo":["all","cows","eat","grass"]})"},
      {R"({"baz":"qux","foo":["a",2,"c"]})",
       R"([{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}])",
       R"({"baz":"qux","foo":["a",2,"c"]})"},
      {R"({"foo":"bar"})", R"([{"op":"add","path":"/child","value":{"grandchild":{}}}])",
       R"({"child":{"grandchild":{}},"foo":"bar"})"},
      {R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux","xyz":123}])",
       R"({"baz":"qux","foo":"bar"})"},
      {R"({"/":9,"~1":10})", R"([{"op":"test","path":"/~01","value":10}])", R"({"/":9,"~1":10})"},
      {R"({"foo":["bar"]})", R"([{"op":"add","path":"/foo/-","value":["abc","def"]}])",
       R"({"foo":["bar",["abc","def"]]})"},
      {R"({"a":{"b":1}})",
       R"([{"op":"copy","from":"/a","path":"/c"},)"
       R"({"op":"replace","path":"/a/b","value":2}])",
       R"({"a":{"b":2},"c":{"b":1}})"},
      {R"({"a/b":1,"m~n":2})", R"([{"op":"remove","path":"/a~1b"},{"op":"remove","path":"/m~0n"}])",
       R"({})"},
      {R"({"a":1})", R"([{"op":"replace","path":"","value":{"b":2}}])", R"({"b":2})"},
      {R"({"a":1})", R"([{"op":"test","path":"","value":{"a":1}}])", R"({"a":1})"},
      {R"({"":{"":1}})", R"([{"op":"replace","path":"//","value":2}])", R"({"":{"":2}})"},
      {R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])", R"({"a":1})"},
      {R"({"a":1})", "[]", R"({"a":1})"},
      {R"({"a":1})", "null", R"({"a":1})"},
      {R"([1,2])", R"([{"op":"add","path":"/2","value":3}])", "[1,2,3]"},
  };
  for (const Case& c : cases) EXPECT_EQ(patched(c.document, c.patch), c.want) << c.patch;
}

TEST(JsonPatch, KeepsTheWaysOfTheServersLibrary) {
  const Case cases[] = {
      // A replace sets a member that is not there.
      {R"({"a":1})", R"([{"op":"replace","path":"/b","value":2}])", R"({"a":1,"b":2})"},
      // Negative indices count from the end; for add, from behind the end.
      {R"({"a":[1,2,3]})", R"([{"op":"remove","path":"/a/-1"}])", R"({"a":[1,2]})"},
      {R"({"a":[1,2,3]})", R"([{"op":"replace","path":"/a/-3","value":0}])", R"({"a":[0,2,3]})"},
      {R"({"a":[1]})", R"([{"op":"add","path":"/a/-1","value":2}])", R"({"a":[1,2]})"},
      {R"({"a":[1]})", R"([{"op":"add","path":"/a/+1","value":2}])", R"({"a":[1,2]})"},
      {R"({"a":[1]})", R"([{"op":"add","path":"/a/01","value":2}])", R"({"a":[1,2]})"},
      // What stands before the first slash is passed over.
      {R"({"a":1})", R"([{"op":"remove","path":"x/a"}])", R"({})"},
      // A missing value is null.
      {R"({"a":1})", R"([{"op":"add","path":"/b"}])", R"({"a":1,"b":null})"},
      {R"({"a":null})", R"([{"op":"test","path":"/a","value":null}])", R"({"a":null})"},
      {R"({"a":1})", R"([{"op":"test","path":"/b","value":null}])", R"({"a":1})"},
      {R"({"a":1})", R"([{"op":"test","path":"/b"}])", R"({"a":1})"},
      {R"({"a":1})", R"([{"op":"copy","from":"/b","path":"/c"}])", R"({"a":1,"c":null})"},
      {R"({"a~2":1})", R"([{"op":"remove","path":"/a~2"}])", R"({})"},
  };
  for (const Case& c : cases) EXPECT_EQ(patched(c.document, c.patch), c.want) << c.patch;
}

TEST(JsonPatch, SaysWhatCannotBeDone) {
  const Case cases[] = {
      {"{}", R"([{"op":"add","path":"/a/b","value":1}])",
       R"(invalid: add operation does not apply: doc is missing path: "/a/b": missing value)"},
      {"{}", R"([{"op":"add","path":"","value":1}])",
       R"(invalid: add operation does not apply: doc is missing path: "": missing value)"},
      {R"({"a":null})", R"([{"op":"add","path":"/a/b","value":1}])",
       R"(invalid: add operation does not apply: doc is missing path: "/a/b": missing value)"},
      {R"({"a":1})", R"([{"op":"add","path":"/a/b","value":1}])",
       R"(invalid: add operation does not apply: doc is missing path: "/a/b": missing value)"},
      {"{}", R"([{"op":"add","value":1}])",
       "invalid: add operation failed to decode path: missing value"},
      {R"({"a":[1]})", R"([{"op":"add","path":"/a/2","value":1}])",
       "invalid: error in add for path: '/a/2': Unable to access invalid index: 2: invalid index "
       "referenced"},
      {R"({"a":[1]})", R"([{"op":"add","path":"/a/x","value":1}])",
       R"(invalid: error in add for path: '/a/x': strconv.Atoi: parsing "x": invalid syntax)"},
      {R"({"a":[1]})", R"([{"op":"add","path":"/a/+-1","value":1}])",
       R"(invalid: error in add for path: '/a/+-1': strconv.Atoi: parsing "+-1": invalid syntax)"},
      {R"({"a":[1]})", R"([{"op":"add","path":"/a/","value":1}])",
       R"(invalid: error in add for path: '/a/': strconv.Atoi: parsing "": invalid syntax)"},
      {R"({"a":[1]})", R"([{"op":"add","path":"/a/99999999999999999999","value":1}])",
       "invalid: error in add for path: '/a/99999999999999999999': strconv.Atoi: parsing "
       "\"99999999999999999999\": value out of range"},
      {"{}", R"([{"op":"remove","path":"/a"}])",
       "invalid: error in remove for path: '/a': Unable to remove nonexistent key: a: missing "
       "value"},
      {"[]", R"([{"op":"remove","path":"/-"}])",
       R"(invalid: error in remove for path: '/-': strconv.Atoi: parsing "-": invalid syntax)"},
      {"[1]", R"([{"op":"remove","path":"/-2"}])",
       "invalid: error in remove for path: '/-2': Unable to access invalid index: -2: invalid "
       "index referenced"},
      {"[1]", R"([{"op":"replace","path":"/1","value":2}])",
       "invalid: replace operation does not apply: doc is missing key: /1: missing value"},
      {"{}", R"([{"op":"replace","path":"/a/b","value":2}])",
       "invalid: replace operation does not apply: doc is missing path: /a/b: missing value"},
      {"{}", R"([{"op":"replace","path":"","value":2}])",
       "invalid: replace operation value must be object or array"},
      {"{}", R"([{"op":"move","path":"/a"}])",
       "invalid: move operation failed to decode from: operation, missing from field: missing "
       "value"},
      {R"({"a":{}})", R"([{"op":"move","from":"/a","path":"/a/b"}])",
       "invalid: move operation does not apply: doc is missing destination path: /a/b: missing "
       "value"},
      {"{}", R"([{"op":"move","from":"/a","path":"/b"}])",
       "invalid: error in move for path: 'a': Unable to remove nonexistent key: a: missing value"},
      {"{}", R"([{"op":"copy","from":"/a/b","path":"/c"}])",
       "invalid: copy operation does not apply: doc is missing from path: /a/b: missing value"},
      {R"({"a":1})", R"([{"op":"copy","from":"/a","path":"/b/c"}])",
       "invalid: copy operation does not apply: doc is missing destination path: /b/c: missing "
       "value"},
      {R"({"a":1})", R"([{"op":"test","path":"/a","value":2}])",
       "invalid: testing value /a failed: test failed"},
      {R"({"a":1})", R"([{"op":"test","path":"/a/b/c","value":2}])",
       "invalid: test operation does not apply: is missing path: /a/b/c: missing value"},
      {R"({"a":1})", R"([{"op":"test","path":"/a"}])",
       "invalid: testing value /a failed: test failed"},
      {"{}", R"([{"op":"frobnicate","path":"/x"}])", "invalid: Unexpected kind: frobnicate"},
      {"{}", R"([{"path":"/x"}])", "invalid: Unexpected kind: unknown"},
      {"{}", "[null]", "invalid: Unexpected kind: unknown"},
      {"{}", R"({"op":"add"})",
       "bad request: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"},
      {"{}", "5",
       "bad request: json: cannot unmarshal number into Go value of type []handlers.jsonPatchOp"},
      {"{}", "[true]",
       "bad request: json: cannot unmarshal bool into Go value of type handlers.jsonPatchOp"},
      {"{}", R"([{"op":"add","path":5}])",
       "bad request: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type "
       "string"},
  };
  for (const Case& c : cases) EXPECT_EQ(patched(c.document, c.patch), c.want) << c.patch;
}

TEST(JsonPatch, TestsNumbersAsTheServerWritesThem) {
  const auto test = [](const char* ours, const char* given) {
    return patched(fmt::format(R"({{"a":{}}})", ours),
                   fmt::format(R"([{{"op":"test","path":"/a","value":{}}}])", given))
        .starts_with("{");
  };
  EXPECT_TRUE(test("1", "1"));
  EXPECT_TRUE(test("1.0", "1"));
  EXPECT_FALSE(test("1", "1.0"));
  EXPECT_TRUE(test("1.5", "1.5"));
  EXPECT_FALSE(test("1", R"("1")"));
  EXPECT_TRUE(test(R"({"x":[1,{"y":null}]})", R"({"x":[1,{"y":null}]})"));
  EXPECT_FALSE(test(R"({"x":[1,{"y":null}]})", R"({"x":[1,{"y":0}]})"));
  EXPECT_FALSE(test("[1,2]", "[2,1]"));
}

TEST(JsonPatch, LimitsOperationsAndCopies) {
  const JsonPatchLimits limits{.operations = 2, .copied_bytes = 20};
  const char* three =
      R"([{"op":"add","path":"/b"},{"op":"add","path":"/b"},{"op":"add","path":"/b"}])";
  EXPECT_EQ(patched("{}", three, limits),
            "request too large: The allowed maximum operations in a JSON patch is 2, got 3");
  EXPECT_EQ(
      patched(R"({"a":"12345678"})",
              R"([{"op":"copy","from":"/a","path":"/b"},{"op":"copy","from":"/a","path":"/c"}])",
              limits),
      R"({"a":"12345678","b":"12345678","c":"12345678"})");
  EXPECT_EQ(
      patched(R"({"a":"123456789"})",
              R"([{"op":"copy","from":"/a","path":"/b"},{"op":"copy","from":"/a","path":"/c"}])",
              limits),
      "invalid: Unable to complete the copy, the accumulated size increase of copy is 22, "
      "exceeding the limit 20");
}

TEST(JsonPatch, SharesWhatItDoesNotTouch) {
  const Document doc = read_json(R"({"a":{"deep":[1,2]},"b":{"c":1}})").value();
  const Document operations =
      read_json(
          R"([{"op":"test","path":"/a/deep/0","value":1},{"op":"add","path":"/b/d","value":2}])")
          .value();
  Arena arena;
  const auto done = apply_json_patch(doc.root(), operations.root(), arena);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->find("a")->members().data(), doc.root().find("a")->members().data());
  EXPECT_EQ(to_json(*done), R"({"a":{"deep":[1,2]},"b":{"c":1,"d":2}})");
}

TEST(JsonPatch, TakesDocumentsOfAnyDepth) {
  constexpr int kDepth = 9'000;
  std::string text;
  std::string path;
  for (int i = 0; i < kDepth; ++i) {
    text += "[";
    path += "/0";
  }
  const std::string document = text + std::string(kDepth, ']');
  const std::string inner = path.substr(2);
  const Document doc = read_json(document).value();
  const Document operations =
      read_json(fmt::format(R"([{{"op":"add","path":"{0}","value":1}},)"
                            R"({{"op":"copy","from":"/0","path":"/-"}},)"
                            R"({{"op":"test","path":"/1","value":{1}}}])",
                            path, text.substr(1) + "1" + std::string(kDepth - 1, ']')))
          .value();
  Arena arena;
  const auto done = apply_json_patch(doc.root(), operations.root(), arena);
  ASSERT_TRUE(done) << done.error().message().substr(0, 200);
  EXPECT_EQ(done->size(), 2u);
}

TEST(JsonPatch, TakesManyEditsOfOneArray) {
  const Document doc = read_json(R"({"a":[]})").value();
  std::string text = "[";
  for (int i = 0; i < 10'000; ++i)
    text += fmt::format(R"({}{{"op":"add","path":"/a/0","value":{}}})", i == 0 ? "" : ",", i);
  text += "]";
  const Document operations = read_json(text).value();
  Arena arena;
  const auto done = apply_json_patch(doc.root(), operations.root(), arena);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->find("a")->size(), 10'000u);
  EXPECT_EQ(done->find("a")->items()[0].as_int(), 9'999);
  EXPECT_LT(arena.bytes_reserved(), 2u << 20);
}

}  // namespace
}  // namespace strake::patch
