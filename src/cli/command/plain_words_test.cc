#include "cli/command/plain_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::cli {
namespace {

TEST(PlainWords, SayWhatKustomizeSaysWithoutGo) {
  struct Case {
    std::string_view from, to;
  };
  constexpr Case kCases[] = {
      {"must build at directory: not a valid directory: evalsymlink failure on 'x' : lstat /a/x: "
       "no "
       "such file or directory",
       "no such folder: x"},
      {"accumulating resources from 'a.yaml': evalsymlink failure on 'b/a.yaml' : lstat b/a.yaml: "
       "no "
       "such file or directory",
       "no such file or folder: b/a.yaml"},
      {"evalsymlink failure on 'a/b' : lstat /x/a/b: not a directory", "/x/a/b: not a directory"},
      {"invalid Kustomization: json: cannot unmarshal number into Go struct field "
       "Label.labels.pairs of type string",
       "invalid kustomization: labels.pairs must be a string, got a number"},
      {"invalid Kustomization: json: cannot unmarshal string into Go struct field "
       "Kustomization.openapi of type map[string]string",
       "invalid kustomization: openapi must be a map of strings, got a string"},
      {"json: cannot unmarshal object into Go struct field Kustomization.resources of type "
       "[]string",
       "resources must be a list of strings, got a map"},
      {"json: cannot unmarshal array into Go value of type map[string]interface {}",
       "it must be a map, got a list"},
      {"json: unsupported type: map[interface {}]interface {}", "a key that is a map or a list"},
      {"missing metadata.name in object {{v1 ConfigMap} {{ } map[] map[]}}",
       "a resource without metadata.name: v1 ConfigMap"},
      {"missing metadata.name in object {{ B} {{ } map[] map[a:b]}}",
       "a resource without metadata.name: B"},
      {"Deployment web: wrong node kind: expected ScalarNode but got MappingNode: node contents:\n"
       "a: 1\n",
       "Deployment web: expected a scalar, got a map:\na: 1\n"},
      {"yaml: unmarshal errors:\n  line 3: mapping key \"a\" already defined at line 2",
       "duplicate key \"a\", at lines 2 and 3"},
      {"no matches for Id ConfigMap.v1.[noGrp]/nope.[noNs]", "no matches for Id ConfigMap.v1/nope"},
      {"what nobody translates: stays", "what nobody translates: stays"},
  };
  for (const Case& one : kCases) EXPECT_EQ(plain_words(one.from, false), one.to);
}

TEST(PlainWords, NameTheLineOnlyWhenThePlaceDoesNot) {
  constexpr std::string_view kFault = "MalformedYAMLError: yaml: line 3: did not find a value";
  EXPECT_EQ(plain_words(kFault, true), "malformed YAML: did not find a value");
  EXPECT_EQ(plain_words(kFault, false), "malformed YAML: line 3: did not find a value");
}

TEST(HelmTemplates, AreKnownByTheirActions) {
  for (const std::string_view text :
       {"a: {{ .Values.a }}\n", "{{- if .Values.a }}\na: 1\n{{- end }}\n", "{{/* why */}}\n",
        "x: {{ include \"a.b\" . | nindent 4 }}\n", "a: {{$x}}\n"}) {
    EXPECT_TRUE(looks_like_helm_template(text)) << text;
  }
  for (const std::string_view text :
       {"a: 1\n", "a: {{b: 1}: 2}\n", "a: '{{'\n", "message: object {{v1 A}}\n", ""}) {
    EXPECT_FALSE(looks_like_helm_template(text)) << text;
  }
}

}  // namespace
}  // namespace strake::cli
