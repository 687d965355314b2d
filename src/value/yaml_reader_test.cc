#include "value/yaml_reader.h"

#include <gtest/gtest.h>

#include "value/builder.h"
#include "value/json_writer.h"

namespace strake::value {
namespace {

ReadOptions lenient() {
  ReadOptions options;
  options.duplicates = DuplicatePolicy::kLastWins;
  return options;
}

// The document as JSON, or the error.
std::string yaml_as_json(std::string_view text, const ReadOptions& options = {}) {
  const Result<Document> document = read_yaml(text, options);
  return document ? to_json(document->root(), {.escape_html = false})
                  : document.error().to_string();
}

std::vector<std::string> all_documents(std::string_view text, const ReadOptions& options = {}) {
  std::vector<std::string> out;
  YamlReader reader(text, options);
  for (;;) {
    const auto document = reader.next();
    if (!document) {
      out.push_back(document.error().to_string());
      EXPECT_FALSE(reader.next()->has_value()) << "the reader goes on after an error";
      return out;
    }
    if (!*document) return out;
    out.push_back(fmt::format("{}:{}", (*document)->index(), to_json((*document)->root())));
  }
}

struct YamlCase {
  std::string_view yaml;
  std::string_view want;
};

TEST(YamlReader, ReadsBlocksAndFlows) {
  const YamlCase cases[] = {
      {"", "null"},
      {"\n\n", "null"},
      {"# nothing", "null"},
      {"---", "null"},
      {"--- a", R"("a")"},
      {"a: 1", R"({"a":1})"},
      {"a:\n  b:\n    c: d\n", R"({"a":{"b":{"c":"d"}}})"},
      {"- a\n- - b\n  - c\n- d: e\n  f: g\n", R"(["a",["b","c"],{"d":"e","f":"g"}])"},
      {"a:\n- b\n- c\nd: e\n", R"({"a":["b","c"],"d":"e"})"},
      {"a:\n  - b\n  - c\n", R"({"a":["b","c"]})"},
      {"-\n  - a\n-\n", R"([["a"],null])"},
      {"{a: [b, {c: d}], e: }", R"({"a":["b",{"c":"d"}],"e":null})"},
      {"[a: 1, b]", R"([{"a":1},"b"])"},
      {"[a, b, ]", R"(["a","b"])"},
      {"{a, b: c}", R"({"a":null,"b":"c"})"},
      {"{\"a\":1,\"b\":[true,null]}", R"({"a":1,"b":[true,null]})"},
      {"{\n  \"a\": {\n    \"b\": \"c\\/d\"\n  }\n}\n", R"({"a":{"b":"c/d"}})"},
      {"? a\n: b\n? c\n", R"({"a":"b","c":null})"},
      {"? |\n  key\n: v\n", R"({"key\n":"v"})"},
      {"a: b # c\nd: e#f\n", R"({"a":"b","d":"e#f"})"},
      {"a: http://x:80/y?z\n", R"({"a":"http://x:80/y?z"})"},
      {"a: -b\nc: ?d\ne: :f\n", R"({"a":"-b","c":"?d","e":":f"})"},
      {"a: b\n   c\n\n   d\n", R"({"a":"b c\nd"})"},
      {"a: 'b''c\n\n  d'\n", R"({"a":"b'c\nd"})"},
      {"a: \"b\\\n  c\\\n  \\ d\\te\"\n", R"({"a":"bc d\te"})"},
      {"a: \"\\0\\a\\b\\e\\f\\n\\r\\t\\v\\\"\\/\\\\\\N\\_\\L\\P\\x41\\u00e9\\U0001F600\"\n",
       "{\"a\":\"\\u0000\\u0007\\b\\u001b\\f\\n\\r\\t\\u000b\\\"/"
       "\\\\\xc2\x85\xc2\xa0\\u2028\\u2029Aé😀\"}"},
      {"%YAML 1.1\n%TAG !e! tag:example.com,2000:\n--- !e!x\na: !e!y 1\n", R"({"a":"1"})"},
  };
  for (const YamlCase& c : cases) EXPECT_EQ(yaml_as_json(c.yaml), c.want) << c.yaml;
}

TEST(YamlReader, ReadsBlockScalars) {
  const YamlCase cases[] = {
      {"a: |\n  b\n  c\n", R"({"a":"b\nc\n"})"},
      {"a: |-\n  b\n\n\n", R"({"a":"b"})"},
      {"a: |+\n  b\n\n\n", R"({"a":"b\n\n\n"})"},
      {"a: |\n  b\n\n\nc: d\n", R"({"a":"b\n","c":"d"})"},
      {"a: |2\n    b\n", R"({"a":"  b\n"})"},
      {"a: |2-\n    b\n   c\n", R"({"a":"  b\n c"})"},
      {"a: |+2\n  b\n\n", R"({"a":"b\n\n"})"},
      {"a: |\n\n\n  b\n", R"({"a":"\n\nb\n"})"},
      {"a: |\n  b\n   c\n\n  d", R"({"a":"b\n c\n\nd"})"},
      {"a: | # comment\n  b # text\n", R"({"a":"b # text\n"})"},
      {"a: |\n", R"({"a":""})"},
      {"a: |\n  \n", R"({"a":""})"},
      {"a: >\n  b\n  c\n\n  d\n", R"({"a":"b c\nd\n"})"},
      {"a: >-\n  b\n   c\n  d\n", R"({"a":"b\n c\nd"})"},
      {"a: >+\n  b\n\n", R"({"a":"b\n\n"})"},
      {"- |\n  a\n- >\n  b\n", R"(["a\n","b\n"])"},
      {"|\n a\n b\n", R"("a\nb\n")"},
      {"--- |\n  a\n", R"("a\n")"},
      {"a:\n- |\n  b\n- c\n", R"({"a":["b\n","c"]})"},
      {"a: |\n  b\r\n  c\r\n", R"({"a":"b\nc\n"})"},
  };
  for (const YamlCase& c : cases) EXPECT_EQ(yaml_as_json(c.yaml), c.want) << c.yaml;
}

TEST(YamlReader, ResolvesTags) {
  const YamlCase cases[] = {
      {"!!str 1", R"("1")"},
      {"!!str", R"("")"},
      {"!!str ~", R"("~")"},
      {"!!int \"0x10\"", "16"},
      {"!!int 1_0", "10"},
      {"!!float 1", "1"},
      {"!!float \"1.5\"", "1.5"},
      {"!!bool \"on\"", "true"},
      {"!!null \"\"", "null"},
      {"!!null ~", "null"},
      {"!!timestamp 2024-01-01", R"("2024-01-01")"},
      {"!!binary aGVsbG8=", R"("hello")"},
      {"!!binary |\n  aGVs\n  bG8=\n", R"("hello")"},
      {"!custom 12", R"("12")"},
      {"!<tag:yaml.org,2002:int> \"3\"", "3"},
      {"!!unknown 5", R"("5")"},
      {"! 12", R"("12")"},
      {"! \"12\"", R"("12")"},
      {"!!seq [1]", "[1]"},
      {"!!map {a: 1}", R"({"a":1})"},
      {"!!set {a}", R"({"a":null})"},
      {"!foo [1, !bar {a: !!str 2}]", R"([1,{"a":"2"}])"},
      {"!!int 1.5", "line 1 column 1: yaml: cannot decode !!float `1.5` as a !!int"},
      {"!!int abc", "line 1 column 1: yaml: cannot decode !!str `abc` as a !!int"},
      {"!!float 12345678901234567890",
       "line 1 column 1: yaml: cannot decode !!int `12345678901234567890` as a !!float"},
      {"!!bool 1", "line 1 column 1: yaml: cannot decode !!int `1` as a !!bool"},
      {"!!null x", "line 1 column 1: yaml: cannot decode !!str `x` as a !!null"},
      {"!!timestamp x", "line 1 column 1: yaml: cannot decode !!str `x` as a !!timestamp"},
      {"!!binary a", "line 1 column 1: yaml: !!binary value contains invalid base64 data"},
      {"!!binary /w==", "line 1 column 1: yaml: !!binary value is not valid UTF-8"},
  };
  for (const YamlCase& c : cases) EXPECT_EQ(yaml_as_json(c.yaml), c.want) << c.yaml;
  ReadOptions replacing;
  replacing.text = TextPolicy::kReplace;
  EXPECT_EQ(yaml_as_json("!!binary Yf9i", replacing),
            "\"a\xef\xbf\xbd"
            "b\"");
}

TEST(YamlReader, MakesKeysStrings) {
  const YamlCase cases[] = {
      {"1: a", R"({"1":"a"})"},
      {"0x10: a", R"({"16":"a"})"},
      {"yes: a", R"({"true":"a"})"},
      {"1.50: a", R"({"1.5":"a"})"},
      {"1.23456789: a", R"({"1.2345679":"a"})"},
      {"1e10: a", R"({"1e+10":"a"})"},
      {".inf: a", R"({".inf":"a"})"},
      {"2024-01-01: a", R"({"2024-01-01":"a"})"},
      {"!!str 1: a", R"({"1":"a"})"},
      {"\"\": a", R"({"":"a"})"},
      {"&k key: &v 1\nother: *k\n*v : x\n", R"({"1":"x","key":1,"other":"key"})"},
      {"null: x",
       "line 1 column 1: unsupported map key of type: %!s(<nil>), key: <nil>, value: \"x\""},
      {"?\n: x",
       "line 1 column 2: unsupported map key of type: %!s(<nil>), key: <nil>, value: \"x\""},
      {"~: [a, 1]",
       "line 1 column 1: unsupported map key of type: %!s(<nil>), key: <nil>, value: []interface "
       "{}{\"a\", 1}"},
      {"12345678901234567890: x",
       "line 1 column 1: unsupported map key of type: uint64, key: 0xab54a98ceb1f0ad2, value: "
       "\"x\""},
      {"[a]: x", "line 1 column 1: yaml: invalid map key: []interface {}{\"a\"}"},
      {"a: {{ .Values.x }}",
       "line 1 column 5: yaml: invalid map key: map[interface {}]interface "
       "{}{\".Values.x\":interface {}(nil)}"},
      {"? - a\n  - {b: c, d: [e]}\n: x",
       "line 1 column 3: yaml: invalid map key: []interface {}{\"a\", map[interface {}]interface "
       "{}{\"b\":\"c\", "
       "\"d\":[]interface {}{\"e\"}}}"},
      {"a: &a [1]\n*a : x", "line 2 column 1: yaml: invalid map key: []interface {}{...}"},
  };
  for (const YamlCase& c : cases) EXPECT_EQ(yaml_as_json(c.yaml), c.want) << c.yaml;
}

TEST(YamlReader, ShowsOnlyTheStartOfAHugeKey) {
  std::string text = "? [";
  for (int i = 0; i < 10'000; ++i) text += "word, ";
  const Result<Document> document = read_yaml(text + "]\n: x\n");
  ASSERT_FALSE(document);
  EXPECT_LT(document.error().message().size(), 300u);
}

TEST(YamlReader, KeepsNumbersByPolicy) {
  const std::string_view text =
      "[1, 12345678901234567890, 1.5, 1.0, 1e19, 0x10, 1_0.5, 08, -0.0, 1e21]";
  ReadOptions options;
  EXPECT_EQ(yaml_as_json(text),
            "[1,12345678901234567000,1.5,1,10000000000000000000,16,10.5,8,0,1e+21]");
  EXPECT_EQ(read_yaml("1.0")->root().type(), Type::kInt);
  EXPECT_EQ(read_yaml("12345678901234567890")->root().type(), Type::kDouble);
  options.numbers = NumberPolicy::kWide;
  EXPECT_EQ(yaml_as_json(text, options),
            "[1,12345678901234567890,1.5,1,10000000000000000000,16,10.5,8,0,1e+21]");
  EXPECT_EQ(read_yaml("12345678901234567890", options)->root().type(), Type::kUint);
  options.numbers = NumberPolicy::kDouble;
  EXPECT_EQ(read_yaml("1", options)->root().type(), Type::kDouble);
  EXPECT_EQ(read_yaml("1.0", options)->root().type(), Type::kDouble);
  options.numbers = NumberPolicy::kLiteral;
  EXPECT_EQ(yaml_as_json("[1, 1.50, 12345678901234567890, 0x10, +1, .5, 1_0, 18446744073709551615]",
                         options),
            "[1,1.50,12345678901234567890,16,1,0.5,10,18446744073709551615]");
  options.yaml = YamlSchema::kCore;
  EXPECT_EQ(yaml_as_json("[yes, 017, 0o17, 1_0, true, ~, 0x1F, on]", options),
            R"(["yes",17,15,"1_0",true,null,31,"on"])");
}

TEST(YamlReader, AcceptsVersion12OnlyInTheCoreSchema) {
  ReadOptions core;
  core.yaml = YamlSchema::kCore;
  EXPECT_EQ(yaml_as_json("%YAML 1.2\n---\na: yes\n", core), R"({"a":"yes"})");
  EXPECT_EQ(yaml_as_json("%YAML 1.2\n---\na: yes\n"),
            "line 1 column 1: yaml: found incompatible YAML document");
}

TEST(YamlReader, ExpandsAliases) {
  const YamlCase cases[] = {
      {"a: &x [1, {b: 2}]\nc: *x\n", R"({"a":[1,{"b":2}],"c":[1,{"b":2}]})"},
      {"- &a 1\n- &a 2\n- *a\n", "[1,2,2]"},
      {"a: &x\n  b: &y {c: 1}\n  d: *y\ne: *x\n",
       R"({"a":{"b":{"c":1},"d":{"c":1}},"e":{"b":{"c":1},"d":{"c":1}}})"},
      {"a: &x\nb: *x\n", R"({"a":null,"b":null})"},
      {"a: &x !!str 1\nb: *x\n", R"({"a":"1","b":"1"})"},
      {"a: *x\n", "line 1 column 4: yaml: unknown anchor 'x' referenced"},
      {"b: &y 1\na: *x\n", "line 2 column 4: yaml: unknown anchor 'x' referenced"},
      {"a: &x [*x]\n", "line 1 column 8: yaml: anchor 'x' value contains itself"},
      {"a: &x {b: {c: *x}}\n", "line 1 column 15: yaml: anchor 'x' value contains itself"},
  };
  for (const YamlCase& c : cases) EXPECT_EQ(yaml_as_json(c.yaml), c.want) << c.yaml;
  EXPECT_EQ(all_documents("a: &x 1\n---\nb: *x\n"),
            (std::vector<std::string>{R"(0:{"a":1})",
                                      "line 3 column 4: yaml: unknown anchor 'x' referenced"}));
}

TEST(YamlReader, MergesMappingsWhereTheMergeKeyStands) {
  const YamlCase cases[] = {
      {"b: &b {x: 1, z: 2}\nd: {<<: *b, z: 3}\n", R"({"b":{"x":1,"z":2},"d":{"x":1,"z":3}})"},
      {"b: &b {x: 1, z: 2}\nd: {z: 3, <<: *b}\n", R"({"b":{"x":1,"z":2},"d":{"x":1,"z":2}})"},
      {"<<: {a: 1}\nb: 2\n", R"({"a":1,"b":2})"},
      {"<<: [{a: 1}, {a: 2, b: 3}]\nc: 4\n", R"({"a":1,"b":3,"c":4})"},
      {"a: &a {k: 1}\nb: &b {<<: *a, l: 2}\nc: {<<: *b, m: 3}\n",
       R"({"a":{"k":1},"b":{"k":1,"l":2},"c":{"k":1,"l":2,"m":3}})"},
      {"a: &a {k: 1, l: 1}\nb: {<<: [*a, {l: 2, m: 2}]}\n",
       R"({"a":{"k":1,"l":1},"b":{"k":1,"l":1,"m":2}})"},
      {"<<: {<<: {<<: {a: 1}, b: 2}, a: 3}\nc: 4\n", R"({"a":3,"b":2,"c":4})"},
      {"a: {<<: {b: [1, {c: d}]}}\n", R"({"a":{"b":[1,{"c":"d"}]}})"},
      {"<<: {}\na: 1\n", R"({"a":1})"},
      {"<<: []\na: 1\n", R"({"a":1})"},
      {"a: {<<: {1: x}, \"1\": z}\n", R"({"a":{"1":"z"}})"},
      {"\"<<\": {a: 1}\n", R"({"<<":{"a":1}})"},
      {"'<<': 1\n", R"({"<<":1})"},
      {"!!merge <<: {a: 1}\n", R"({"a":1})"},
      {"a: <<\n", R"({"a":"<<"})"},
      {"- <<\n", R"(["<<"])"},
      {"<<: 1\n", "line 1 column 5: yaml: map merge requires map or sequence of maps as the value"},
      {"<<: [1]\n",
       "line 1 column 6: yaml: map merge requires map or sequence of maps as the value"},
      {"<<: [[{a: 1}]]\n",
       "line 1 column 6: yaml: map merge requires map or sequence of maps as the value"},
      {"a: &a [1]\n<<: *a\n",
       "line 2 column 5: yaml: map merge requires map or sequence of maps as the value"},
      {"a: &a {<<: *a}\n", "line 1 column 12: yaml: anchor 'a' value contains itself"},
      {"<<: {~: 1}\n",
       "line 1 column 6: unsupported map key of type: %!s(<nil>), key: <nil>, value: 1"},
      {"<<: {[a]: 1}\n", "line 1 column 6: yaml: invalid map key: []interface {}{\"a\"}"},
  };
  for (const YamlCase& c : cases) EXPECT_EQ(yaml_as_json(c.yaml), c.want) << c.yaml;
}

TEST(YamlReader, NamesBothPlacesOfADuplicateKey) {
  const Result<Document> refused = read_yaml("x:\n  a: 1\n  b: 2\n  a: 3\n");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kParse);
  EXPECT_EQ(refused.error().message(), "key \"a\" already set in map, first at 2:3");
  EXPECT_EQ(*refused.error().position(), (Position{.offset = 19, .line = 4, .column = 3}));
  EXPECT_EQ(refused.error().path().to_dotted(), ".x.a");

  const Result<Document> last = read_yaml("a: 1\nyes: 2\na: 3\ntrue: 4\n", lenient());
  ASSERT_TRUE(last);
  EXPECT_EQ(to_json(last->root()), R"({"a":3,"true":4})");
  EXPECT_EQ(last->duplicates().size(), 2u);
  ReadOptions first = lenient();
  first.duplicates = DuplicatePolicy::kFirstWins;
  EXPECT_EQ(yaml_as_json("a: 1\na: 3\n", first), R"({"a":1})");
}

TEST(YamlReader, NeverCallsAMergedKeyADuplicate) {
  EXPECT_EQ(
      yaml_as_json("b: &b {x: 1}\nd: {<<: *b, x: 2}\ne: {x: 2, <<: *b}\nf: {<<: *b, <<: *b}\n"),
      R"({"b":{"x":1},"d":{"x":2},"e":{"x":1},"f":{"x":1}})");
  const Result<Document> document = read_yaml("b: &b {x: 1}\nd: {<<: *b, x: 2}\n", lenient());
  EXPECT_TRUE(document->duplicates().empty());
  EXPECT_EQ(yaml_as_json("d: {<<: {x: 1}, a: 2, a: 3}\n"),
            "line 1 column 23: .d.a: key \"a\" already set in map, first at 1:17");
}

TEST(YamlReader, TellsDocumentsApart) {
  EXPECT_EQ(all_documents("a: 1\n---\nb: 2\n...\n---\nc: 3\n"),
            (std::vector<std::string>{R"(0:{"a":1})", R"(1:{"b":2})", R"(2:{"c":3})"}));
  EXPECT_EQ(all_documents(""), (std::vector<std::string>{}));
  EXPECT_EQ(all_documents("# a\n"), (std::vector<std::string>{}));
  EXPECT_EQ(all_documents("---\n---\n# x\n---\n"), (std::vector<std::string>{}));
  EXPECT_EQ(all_documents("# head\n---\na: 1\n---\n# none\n---\n~\n---\nb: 2\n---\n"),
            (std::vector<std::string>{R"(0:{"a":1})", R"(3:{"b":2})"}));
  EXPECT_EQ(all_documents("--- 1\n--- 'x'\n--- []\n"),
            (std::vector<std::string>{"0:1", "1:\"x\"", "2:[]"}));
  EXPECT_EQ(
      all_documents("a: 1\n---\nb: [\n---\nc: 1\n"),
      (std::vector<std::string>{
          R"(0:{"a":1})", "line 4 column 1: yaml: line 3: did not find expected node content"}));
  EXPECT_EQ(all_documents("a: 1\n---\nb: 1\nb: 2\n---\nc: 1\n").size(), 2u);
  EXPECT_EQ(yaml_as_json("a: 1\n---\nb: [\n"), R"({"a":1})")
      << "only the first document is looked at";
}

TEST(YamlReader, GivesDocumentsThatOutliveTheText) {
  std::optional<Document> kept;
  {
    std::string text = "key: a long enough value to live on the heap\n";
    kept = read_yaml(text).value();
    text.assign(text.size(), 'x');
  }
  EXPECT_EQ(to_json(kept->root()), R"({"key":"a long enough value to live on the heap"})");
}

TEST(YamlReader, KnowsWhereEverythingStands) {
  ReadOptions options;
  options.positions = true;
  const std::string_view text = "a: é\r\n日本:\r\n  - x\r\n  - {😀: \"y\"}\r\n";
  const Document document = read_yaml(text, options).value();
  const auto at = [&](std::string_view needle) { return text.find(needle); };
  EXPECT_EQ(document.start(), (Position{.offset = 0, .line = 1, .column = 1}));
  EXPECT_EQ(document.position(FieldPath() / "a"), (Position{.offset = 3, .line = 1, .column = 4}));
  EXPECT_EQ(document.key_position(FieldPath() / "日本"),
            (Position{.offset = at("日本"), .line = 2, .column = 1}));
  EXPECT_EQ(document.position(FieldPath() / "日本" / 0),
            (Position{.offset = at("x"), .line = 3, .column = 5}));
  EXPECT_EQ(document.position(FieldPath() / "日本" / 1),
            (Position{.offset = at("{"), .line = 4, .column = 5}));
  EXPECT_EQ(document.key_position(FieldPath() / "日本" / 1 / "😀"),
            (Position{.offset = at("😀"), .line = 4, .column = 6}));
  EXPECT_EQ(document.position(FieldPath() / "日本" / 1 / "😀"),
            (Position{.offset = at("\"y"), .line = 4, .column = 9}));
}

TEST(YamlReader, PlacesAnAliasWhereItIsUsed) {
  ReadOptions options;
  options.positions = true;
  const Document document = read_yaml("a: &x {b: 1}\nc: *x\n", options).value();
  EXPECT_EQ(document.position(FieldPath() / "c"), (Position{.offset = 16, .line = 2, .column = 4}));
  EXPECT_EQ(document.position(FieldPath() / "c" / "b"),
            (Position{.offset = 10, .line = 1, .column = 11}));
}

std::string utf16(std::u16string_view text, bool big) {
  std::string out;
  for (const char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8);
    const char low = static_cast<char>(unit & 0xff);
    out += big ? high : low;
    out += big ? low : high;
  }
  return out;
}

TEST(YamlReader, ReadsByteOrderMarksAndUtf16) {
  EXPECT_EQ(yaml_as_json("\xef\xbb\xbf"
                         "a: 1\n"),
            R"({"a":1})");
  ReadOptions options;
  options.positions = true;
  EXPECT_EQ(read_yaml("\xef\xbb\xbf"
                      "a: 1\n",
                      options)
                ->position(FieldPath() / "a")
                .offset,
            6u);
  for (const bool big : {false, true}) {
    const std::string text = utf16(u"\ufeffé: &a 😀\nb: *a\n", big);
    const Result<Document> document = read_yaml(text, options);
    ASSERT_TRUE(document) << document.error().to_string();
    EXPECT_EQ(to_json(document->root()), R"({"b":"😀","é":"😀"})");
    EXPECT_EQ(document->key_position(FieldPath() / "b"),
              (Position{.offset = 20, .line = 2, .column = 1}));
  }
}

TEST(YamlReader, SaysWhereTextIsNotText) {
  const auto refused = [](std::string_view text) { return read_yaml(text).error(); };
  EXPECT_EQ(refused("a: b\nc: \xff\n").to_string(),
            "line 2 column 4: yaml: invalid leading UTF-8 octet");
  EXPECT_EQ(refused("a: é\x01\n").to_string(),
            "line 1 column 5: yaml: control characters are not allowed");
  EXPECT_EQ(refused("a: é\x01\n").position()->offset, 5u);
  EXPECT_EQ(refused(std::string_view("a: \0", 4)).message(),
            "yaml: control characters are not allowed");
  EXPECT_EQ(refused("a: \xed\xa0\x80").message(), "yaml: invalid Unicode character");
  EXPECT_EQ(refused("a: \xc3").message(), "yaml: incomplete UTF-8 octet sequence");
  EXPECT_EQ(refused("a: \"\\ud83d\"").message(),
            "yaml: found invalid Unicode character escape code");
}

TEST(YamlReader, NamesTheSource) {
  ReadOptions options;
  options.source_name = "x.yaml";
  EXPECT_EQ(yaml_as_json("a: [", options),
            "x.yaml:2:1: yaml: line 1: did not find expected node content");
  options.limits.bytes = 3;
  EXPECT_EQ(yaml_as_json("a: b", options), "x.yaml: input is longer than 3 bytes");
}

TEST(YamlReader, PutsTheErrorWhereItIs) {
  const YamlCase cases[] = {
      {"a:\n  b: 1\n c: 2\n", "line 3 column 2: yaml: line 2: did not find expected key"},
      {"a: b: c\n", "line 1 column 5: yaml: mapping values are not allowed in this context"},
      {"a: \"x\n", "line 2 column 1: yaml: line 2: found unexpected end of stream"},
      {"a:\n\t- b\n", "line 2 column 1: yaml: line 2: found character that cannot start any token"},
      {"- a\nb: 1\n", "line 2 column 1: yaml: line 1: did not find expected '-' indicator"},
      {"a\nb: 1\n",
       "line 2 column 2: yaml: line 2: mapping values are not allowed in this context"},
      {"a: 1\nb\nc: 2\n", "line 3 column 1: yaml: line 3: could not find expected ':'"},
      {"k: .inf", "line 1 column 4: json: unsupported value: +Inf"},
      {"k: [-.inf]", "line 1 column 5: json: unsupported value: -Inf"},
      {"k: {a: .nan}", "line 1 column 8: json: unsupported value: NaN"},
  };
  for (const YamlCase& c : cases) EXPECT_EQ(yaml_as_json(c.yaml), c.want) << c.yaml;
}

Code refusal(std::string_view text, const ReadOptions& options) {
  const Result<Document> document = read_yaml(text, options);
  EXPECT_FALSE(document);
  return document ? Code::kInternal : document.error().code();
}

std::string repeat(std::string_view piece, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += piece;
  return out;
}

TEST(YamlReader, KeepsItsLimitsAtTheEdge) {
  ReadOptions options;
  options.limits.depth = 3;
  EXPECT_EQ(yaml_as_json("[[[1]]]", options), "[[[1]]]");
  EXPECT_EQ(refusal("[[[[1]]]]", options), Code::kLimit);
  EXPECT_EQ(refusal("a:\n  b:\n    c:\n      d: 1\n", options), Code::kLimit);
  EXPECT_EQ(refusal("x: &a [[1]]\ny: [*a]\n", options), Code::kLimit) << "aliases nest, too";

  options = {};
  options.limits.bytes = 4;
  EXPECT_EQ(yaml_as_json("a: 1", options), R"({"a":1})");
  EXPECT_EQ(refusal("a: 12", options), Code::kLimit);

  options = {};
  options.limits.nodes = 3;
  EXPECT_EQ(yaml_as_json("[1, 2]", options), "[1,2]");
  EXPECT_EQ(refusal("[1, 2, 3]", options), Code::kLimit);
  EXPECT_EQ(refusal("&a [1, 2, 3, 4, 5, 6]", options), Code::kLimit);

  options = {};
  options.limits.string_bytes = 3;
  EXPECT_EQ(yaml_as_json("abc: def", options), R"({"abc":"def"})");
  EXPECT_EQ(refusal("abc: defg", options), Code::kLimit);
  EXPECT_EQ(refusal("abcd: def", options), Code::kLimit);

  options = {};
  options.limits.alias_nodes = 4;
  EXPECT_EQ(yaml_as_json("x: &a [1]\nz: [*a, *a]\n", options), R"({"x":[1],"z":[[1],[1]]})");
  EXPECT_EQ(refusal("x: &a [1]\ny: [*a, *a, *a]\n", options), Code::kLimit);
  EXPECT_EQ(refusal("x: &a {a: 1, b: 2, c: 3, d: 4, e: 5}\ny: {<<: *a}\n", options), Code::kLimit);
}

TEST(YamlReader, StopsTheBillionLaughs) {
  std::string text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
  for (int i = 1; i < 30; ++i) {
    text += fmt::format(
        "a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  }
  EXPECT_EQ(refusal(text, {}), Code::kLimit);
  text = "a0: &a0 {k: v}\n";
  for (int i = 1; i < 60; ++i)
    text += fmt::format("a{0}: &a{0} {{<<: [*a{1}, *a{1}]}}\n", i, i - 1);
  EXPECT_EQ(refusal(text, {}), Code::kLimit);
}

// Each of these once took a parser down by its stack or by quadratic time; the test only ends when
// they do not.
TEST(YamlReader, WithstandsTextsMadeToHurt) {
  constexpr std::size_t kMany = 100'000;
  const ReadOptions options;
  EXPECT_EQ(refusal(repeat("[", kMany), options), Code::kLimit);
  EXPECT_EQ(refusal(repeat("{a: ", kMany), options), Code::kLimit);
  EXPECT_EQ(refusal(repeat("{? ", kMany), options), Code::kLimit);
  EXPECT_EQ(refusal(repeat("- ", kMany), options), Code::kLimit);
  EXPECT_EQ(refusal(repeat("? ", kMany), options), Code::kLimit);
  EXPECT_EQ(refusal(repeat("&a [", kMany), options), Code::kLimit);
  EXPECT_EQ(refusal("a: " + repeat("b: ", kMany), options), Code::kParse);
  EXPECT_EQ(refusal(repeat("[\n", kMany), options), Code::kLimit);
  EXPECT_EQ(refusal(repeat("%TAG !a! b\n", kMany), options), Code::kLimit);
  // Wide text inside deep brackets: each token would look at every open bracket.
  EXPECT_EQ(refusal(repeat("[", 9'990) + repeat("a, ", 1'000'000), options), Code::kLimit);
  std::string nested;
  for (std::size_t i = 0; i < 1'000; ++i) nested += std::string(i, ' ') + "a:\n";
  EXPECT_TRUE(read_yaml(nested));
  EXPECT_TRUE(read_yaml(repeat("[", 9'999) + repeat("]", 9'999)));
  EXPECT_TRUE(read_yaml("[" + repeat("a: b, ", kMany) + "]"));
  EXPECT_TRUE(read_yaml("[" + repeat("&a b, ", kMany) + "]"));
  EXPECT_TRUE(read_yaml("[" + repeat("&a b, *a, ", 40'000) + "]"));
  EXPECT_TRUE(read_yaml("a: " + repeat("word ", kMany)));
  EXPECT_TRUE(read_yaml("a: |\n" + repeat("  line\n", kMany)));
  EXPECT_TRUE(read_yaml("a: \"" + repeat("\\n", kMany) + "\""));
  EXPECT_TRUE(read_yaml(repeat("#\n", kMany) + "a: 1"));
  EXPECT_TRUE(read_yaml("[" + repeat("é: 日本, ", kMany) + "]"));
  std::string anchors;
  for (std::size_t i = 0; i < kMany; ++i) anchors += fmt::format("- &anchor{} x\n", i);
  EXPECT_TRUE(read_yaml(anchors));
  std::string documents = repeat("---\na: 1\n", 20'000);
  EXPECT_EQ(all_documents(documents).size(), 20'000u);
}

// Notes every event.
struct Recorder final : EventSink {
  std::string log;
  std::size_t stop_after = SIZE_MAX;
  bool note(std::string_view what, const Position& at) {
    log += fmt::format("{}@{} ", what, at.offset);
    return --stop_after != 0;
  }
  bool begin_object(const Position& at) override { return note("{", at); }
  bool key(std::string_view name, const Position& at) override {
    return note(fmt::format("{}:", name), at);
  }
  bool end_object(const Position& at) override { return note("}", at); }
  bool begin_array(const Position& at) override { return note("[", at); }
  bool end_array(const Position& at) override { return note("]", at); }
  bool scalar(const Value& v, const Position& at) override { return note(to_json(v), at); }
  bool end_document(const Position&) override { return log += ".", --stop_after != 0; }
};

TEST(YamlEvents, FlowInTheOrderOfTheText) {
  Recorder recorder;
  ASSERT_TRUE(read_yaml_events("b: [1, x]\na: {c: ~}\nb: 2\n", recorder));
  EXPECT_EQ(recorder.log,
            "{@0 b:@0 [@3 1@4 \"x\"@7 ]@8 a:@10 {@13 c:@14 null@17 }@18 b:@20 2@23 }@25 .");
}

TEST(YamlEvents, AreWholeWhenThereAreAnchorsAndMerges) {
  Recorder recorder;
  ASSERT_TRUE(read_yaml_events("a: &x {k: 1}\nb: {<<: *x, l: 2}\n", recorder));
  EXPECT_EQ(recorder.log,
            "{@0 a:@0 {@3 k:@7 1@10 }@11 b:@13 {@16 k:@7 1@10 l:@25 2@28 }@29 }@31 .");
}

TEST(YamlEvents, AreANullForAnEmptyText) {
  Recorder recorder;
  ASSERT_TRUE(read_yaml_events("# nothing\n", recorder));
  EXPECT_EQ(recorder.log, "null@0 .");
}

TEST(YamlEvents, StopWhenTheSinkSaysSo) {
  for (const std::string_view text :
       {"a: [1, {b: c}]\nd: e\n", "a: &x [1, {b: c}]\nd: *x\n", "a: {<<: {b: c}, d: [1]}\n", ""}) {
    Recorder all;
    ASSERT_TRUE(read_yaml_events(text, all));
    const auto events =
        static_cast<std::size_t>(std::count(all.log.begin(), all.log.end(), '@')) + 1;
    for (std::size_t stop = 1; stop <= events; ++stop) {
      Recorder recorder;
      recorder.stop_after = stop;
      const Result<> read = read_yaml_events(text, recorder);
      ASSERT_FALSE(read) << text << " after " << stop;
      EXPECT_EQ(read.error().code(), Code::kCancelled);
    }
  }
}

TEST(YamlEvents, BuildTheSameDocument) {
  for (const std::string_view text :
       {"a: [1, {b: c}]\nd: e\n", "a: &x [1, {b: c}]\nd: *x\n", "a: {<<: {b: c}, d: [1]}\n"}) {
    DocumentBuilder builder(ReadOptions{});
    ASSERT_TRUE(read_yaml_events(text, builder));
    EXPECT_TRUE(identical(builder.take().root(), read_yaml(text)->root())) << text;
  }
}

}  // namespace
}  // namespace strake::value
