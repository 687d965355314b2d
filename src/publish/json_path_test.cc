#include "publish/json_path.h"

#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::publish {
namespace {

constexpr const char* kObject = R"json({
  "metadata": {"name": "web", "labels": {"app.kubernetes.io/name": "shop", "tier": "front"},
               "annotations": {}},
  "spec": {"replicas": 3, "ratio": 1.5, "big": 1e21, "on": true, "off": false, "none": null,
           "name": "s", "empty": "", "html": "<a&b>",
           "ports": [{"name": "http", "port": 80}, {"name": "https", "port": 443}, {"port": 9090}],
           "words": ["a", "b", "c", "d"], "no": [], "nested": [[1, 2], [3, 4]],
           "mixed": [{"v": 1}, {"v": "1"}, {"v": 1.0}, {"v": true}, {"v": null}, {"w": 1}],
           "quote": [{"k": "it's", "v": 1}, {"k": "say \"hi\"", "v": 2}, {"k": "a)b", "v": 3}]},
  "status": {"conditions": [{"type": "Ready", "status": "True", "n": 1},
                            {"type": "Synced", "status": "False", "n": 2},
                            {"type": "Ready", "status": "Unknown", "n": 3}]},
  "": "unnamed"
})json";

// What a string column shows; "-" when the cell is null.
std::string shown(std::string_view path) {
  static const value::Document document = value::read_json(kObject).value();
  const auto compiled = JsonPath::compile(path);
  if (!compiled) return "error: " + compiled.error().message();
  const auto match = compiled->first(document.root());
  if (!match) return "-";
  std::string out;
  append_printed(out, *match);
  return out;
}

struct Case {
  std::string_view path;
  std::string_view want;
};

void expect_all(std::initializer_list<Case> cases) {
  for (const Case& one : cases) EXPECT_EQ(shown(one.path), one.want) << one.path;
}

TEST(JsonPath, FollowsNames) {
  expect_all({
      {".metadata.name", "web"},
      {"$.metadata.name", "web"},
      {"@.metadata.name", "web"},
      {".metadata .name", "web"},
      {".metadata['name']", "web"},
      {"['metadata']['name']", "web"},
      {"['metadata.name']", "web"},
      {R"(.metadata.labels.app\.kubernetes\.io/name)", "shop"},
      {R"(.metadata.labels['app\.kubernetes\.io/name'])", "shop"},
      {".metadata.labels['app.kubernetes.io/name']", "-"},
      {".metadata.missing", "-"},
      {".metadata.missing.deeper", "-"},
      {".metadata.name.deeper", "-"},
      {".spec.words.a", "-"},
      {".", "unnamed"},
      {".spec.none.deeper", "-"},
  });
}

TEST(JsonPath, PrintsAsTheReferenceDoes) {
  expect_all({
      {".spec.replicas", "3"},
      {".spec.ratio", "1.5"},
      {".spec.big", "1e+21"},
      {".spec.on", "true"},
      {".spec.off", "false"},
      {".spec.none", "<no value>"},
      {".spec.empty", ""},
      {".spec.html", "<a&b>"},
      {".metadata.annotations", "{}"},
      {".spec.no", "[]"},
      {".metadata.labels", R"({"app.kubernetes.io/name":"shop","tier":"front"})"},
      {".spec.words", R"(["a","b","c","d"])"},
  });
}

TEST(JsonPath, TakesItemsAndSlices) {
  expect_all({
      {".spec.words[0]", "a"},
      {".spec.words[]", "a"},
      {".spec.words[3]", "d"},
      {".spec.words[-1]", "d"},
      {".spec.words[-4]", "a"},
      {".spec.words[4]", "-"},
      {".spec.words[-5]", "-"},
      {".spec.words[99999999999999999999]", "-"},
      {".spec.words[1:3]", "b"},
      {".spec.words[2:]", "c"},
      {".spec.words[-2:]", "c"},
      {".spec.words[:2]", "a"},
      {".spec.words[::2]", "a"},
      {".spec.words[1::2]", "b"},
      {".spec.words[:-1]", "a"},
      {".spec.words[0:9]", "-"},
      {".spec.words[2:1]", "-"},
      {".spec.words[2:2]", "-"},
      {".spec.words[0:2:0]", "-"},
      {".spec.words[*]", "a"},
      {".spec.ports[*].name", "http"},
      {".spec.ports[1].port", "443"},
      {".spec.no[0]", "-"},
      {".spec.no[*]", "-"},
      {".spec.name[0]", "-"},
      {".spec.none[0]", "-"},
      {".spec.nested[*][1]", "2"},
      {".spec.nested[1][0]", "3"},
      {".spec.ports[*].missing", "-"},
      {".spec.words[x]", "error: invalid array index x"},
      {".spec.words[-]", "error: array index - is not a number"},
      {".spec.words[1:2:3:4]", "error: invalid array index 1:2:3:4"},
      {".spec.words[0", "error: unterminated array"},
      {".spec.words[\"a\"]", "error: invalid array index \"a\""},
  });
}

TEST(JsonPath, TakesAllOfAnObjectInOrderOfItsKeys) {
  expect_all({
      {".metadata.labels.*", "shop"},
      {".metadata.*", "{}"},
      {".spec.words.*", "a"},
      {".spec.name.*", "115"},  // the bytes of a string are its children
      {".spec.replicas.*", "-"},
  });
}

TEST(JsonPath, DescendsToAnyDepth) {
  expect_all({
      {"..port", "80"},
      {"..tier", "front"},
      {".spec..port", "80"},
      {"..missing", "-"},
      {".spec.ports..port", "80"},
      {"...tier", "front"},
      {"....tier", "error: invalid multiple recursive descent"},
      {"..*", "error: unrecognized character in action: U+002A '*'"},
      {"..['tier']", "front"},
  });
}

TEST(JsonPath, FiltersItems) {
  expect_all({
      {R"(.status.conditions[?(@.type=="Ready")].status)", "True"},
      {R"(.status.conditions[?(@.type=='Synced')].status)", "False"},
      {R"(.status.conditions[?(@.type == "Synced")].status)", "False"},
      {R"(.status.conditions[?(@.type!="Ready")].status)", "False"},
      {R"(.status.conditions[?(@.type=="None")].status)", "-"},
      {R"(.status.conditions[?(@.n>1)].status)", "False"},
      {R"(.status.conditions[?(@.n>=3)].status)", "Unknown"},
      {R"(.status.conditions[?(@.n<2)].status)", "True"},
      {R"(.status.conditions[?(@.n<=1)].status)", "True"},
      {R"(.status.conditions[?(@.type<"S")].status)", "True"},
      {R"(.status.conditions[?("Synced"==@.type)].status)", "False"},
      {R"(.status.conditions[?(@.type==@.type)].status)", "True"},
      {R"(.status.conditions[?(@.n=>1)].status)", "-"},
      {R"(.status.conditions[?(@.n==1.0)].status)", "-"},
      {R"(.status.conditions[?(@.type==1)].status)", "-"},
      {R"(.status.conditions[?(@.type==true)].status)", "-"},
      {R"(.status.conditions[?(@.type==ready)].status)", "-"},
      {R"(.spec.ports[?(@.name)].port)", "80"},
      {R"(.spec.ports[?(@.name=="https")].port)", "443"},
      {R"(.spec.ports[?(@.port==9090)])", R"({"port":9090})"},
      {R"(.spec.ports[?(@.name[0])].port)", "80"},  // a failure counts as there
      {R"(.spec.quote[?(@.k=="it's")].v)", "1"},
      {R"(.spec.quote[?(@.k=='it\'s')].v)", "1"},
      {R"(.spec.quote[?(@.k=="say \"hi\"")].v)", "2"},
      {R"(.spec.quote[?(@.k=="a)b")].v)", "3"},
      {R"(.spec.words[?(@=="c")])", "c"},
      {R"(.spec.mixed[?(@.w==1)].w)", "1"},  // what has none is passed over
      {R"(.spec.mixed[?(@.v==1)].v)", "-"},  // one of another type ends it all
      {R"(.spec.mixed[?(@.w)].w)", "1"},
      {R"(.spec.name[?(@=="s")])", "-"},
      {R"(.spec.none[?(@=="s")])", "-"},
      {R"(.spec.words[?(@=="c")", "error: unterminated filter"},
      {R"(.spec.words[?(@=="c")x])", "error: unclosed array expect ]"},
      {R"(.spec.words[?(@==)])", "error: unrecognized character in action: U+003D '='"},
      {R"(.spec.words[?(@=='c\q')])", R"(error: unquote string 'c\q' error invalid syntax)"},
  });
}

TEST(JsonPath, JoinsAlternatives) {
  expect_all({
      {".metadata['missing', 'name']", "web"},
      {".metadata['name','labels']", "web"},
      {".spec.words[2,0]", "c"},
      {".spec.words[0:2,3]", "a"},
      {".spec.words[0,9]", "-"},
      {".spec.ports[0,?(@.name==\"https\")].port", "80"},
  });
}

TEST(JsonPath, ReadsTextAndNumbersOfTheirOwn) {
  expect_all({
      {R"("text")", "text"},
      {R"('it\'s \u00e9\x41\101')", "it's éAA"},
      {R"(.missing "text")", "text"},
      {"12", "12"},
      {"+12", "12"},
      {"-1.50", "-1.5"},
      {"99999999999999999999", "1e+20"},
      {"true", "true"},
      {"1.2.3", "error: cannot parse number 1.2.3"},
      {R"("text)", "error: unterminated quoted string"},
      {R"("\xg1")", R"(error: unquote string "\xg1" error invalid syntax)"},
  });
}

TEST(JsonPath, RefusesWhatTheReferenceRefuses) {
  expect_all({
      {"@", shown("")},  // a path without steps gives the object itself
      {".spec.name#x", "-"},
      {"#", "error: unrecognized character in action: U+0023 '#'"},
      {".a\n.b", "error: unclosed action"},
      {".a{", "error: unrecognized character in action: U+007B '{'"},
      {".spec.name}{.missing", "s"},
      {".spec.name}{.spec.words[9]", "-"},
      {".spec.name} and text", "s"},
      {"range .spec.words[*]", "-"},
      {"end", "-"},
      {"unknown", "-"},
  });
}

TEST(JsonPath, HoldsItsLimits) {
  const std::string at_limit = "." + std::string(JsonPath::kMaxBytes - 1, 'a');
  EXPECT_TRUE(JsonPath::compile(at_limit));
  const auto over = JsonPath::compile(at_limit + "a");
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code(), Code::kLimit);

  std::string many = "{\"l\":[";
  for (std::size_t i = 0; i < JsonPath::kMaxVisits; ++i) many += "{},";
  many += "{}]}";
  const auto document = value::read_json(many);
  ASSERT_TRUE(document);
  EXPECT_FALSE(JsonPath::compile(".l[*]")->first(document->root()));
  EXPECT_TRUE(JsonPath::compile(".l[0:1000]")->first(document->root()));
}

}  // namespace
}  // namespace strake::publish
