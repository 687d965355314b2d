#include "pulumi/crd_yaml.h"

#include <gtest/gtest.h>

#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::pulumi {
namespace {

std::string yaml(const char* json) {
  const auto document = value::read_json(json);
  std::string out;
  write_crd_yaml(document->root(), out);
  // Whatever is written reads back as the same.
  const auto again = value::read_yaml(out);
  EXPECT_TRUE(again && value::equal(again->root(), document->root())) << out;
  return out;
}

TEST(CrdYaml, KeepsStructuralWordsPlainAndQuotesTexts) {
  EXPECT_EQ(yaml(R"({"kind":"Thing","metadata":{"name":"a.b"},"versions":[{"name":"v1",
                     "served":true}],"default":"x","enum":["y",1.5,null],"required":["z"],
                     "type":"object","description":"line\nnext","properties":{}})"),
            "default: \"x\"\n"
            "description: \"line\\nnext\"\n"
            "enum:\n- \"y\"\n- 1.5\n- null\n"
            "kind: Thing\n"
            "metadata:\n  name: \"a.b\"\n"
            "properties: {}\n"
            "required:\n- \"z\"\n"
            "type: object\n"
            "versions:\n- name: v1\n  served: true\n");
}

TEST(CrdYaml, QuotesKeysThatSomeReaderTakesForSomethingElse) {
  EXPECT_EQ(yaml(R"({"y":1,"on":2,"123":3,"No":4,"a b":5,"x-y_1":6,"":7,"-a":8,"é":9})"),
            "\"\": 7\n\"-a\": 8\n\"123\": 3\n\"No\": 4\n\"a b\": 5\n\"on\": 2\nx-y_1: 6\n"
            "\"y\": 1\n\"é\": 9\n");
}

TEST(CrdYaml, QuotesNamesThatAreNoWords) {
  EXPECT_EQ(yaml(R"({"kind":"True","group":"1.5","plural":"null","singular":"on"})"),
            "group: \"1.5\"\nkind: \"True\"\nplural: \"null\"\nsingular: \"on\"\n");
}

TEST(CrdYaml, KeepsPropertiesApartFromKeywords) {
  EXPECT_EQ(yaml(R"({"properties":{"type":{"type":"string"},"default":{"default":"a b",
                     "type":"string"}},"default":{"type":"x","kind":"y"}})"),
            "default:\n  kind: \"y\"\n  type: \"x\"\n"
            "properties:\n  default:\n    default: \"a b\"\n    type: string\n"
            "  type:\n    type: string\n");
}

TEST(CrdYaml, WritesNumbersThatEveryReaderTakesForNumbers) {
  EXPECT_EQ(yaml(R"({"a":1e-7,"b":1e21,"c":-0.5,"d":9007199254740993,"e":1e20})"),
            "a: 1.0e-7\nb: 1.0e+21\nc: -0.5\nd: 9007199254740993\ne: 100000000000000000000\n");
}

TEST(CrdYaml, NestsLists) {
  EXPECT_EQ(yaml(R"({"default":[[1,[]],[{"a":[2]}]]})"),
            "default:\n-\n  - 1\n  - []\n-\n  - a:\n    - 2\n");
}

TEST(CrdYaml, EscapesWhatYamlDoesNotPrint) {
  std::string out;
  append_yaml_quoted(out, "\"\\\t\x01\x7f\xc2\x85\xe2\x80\xa8\xef\xbb\xbf\xf0\x9f\x98\x80");
  EXPECT_EQ(out, "\"\\\"\\\\\\t\\u0001\\u007f\\u0085\\u2028\\ufeff\xf0\x9f\x98\x80\"");
}

}  // namespace
}  // namespace strake::pulumi
