#include "crd/explain.h"

#include <gtest/gtest.h>

#include <iostream>
#include <regex>
#include <sstream>

#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::crd {
namespace {

Crd read_crd(std::string_view yaml) {
  auto document = value::read_yaml(yaml);
  EXPECT_TRUE(document) << document.error().to_string();
  auto crd = Crd::read(std::move(*document));
  EXPECT_TRUE(crd) << crd.error().to_string();
  return *std::move(crd);
}

Crd crd_of(std::string_view properties) {
  return read_crd(fmt::format(R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: things.example.com}}
spec:
  group: example.com
  scope: Cluster
  names: {{plural: things, kind: Thing}}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {{openAPIV3Schema: {{type: object, description: A thing., properties: {}}}}}
)",
                              properties));
}

std::string explained(const Crd& crd, std::vector<std::string> path, bool recursive = false) {
  std::string out;
  const auto done = explain(crd, crd.versions()[0], path, {.recursive = recursive}, out);
  return done ? out : out + "error: " + done.error().message();
}

TEST(Explain, ShowsTheKindWithItsMetadata) {
  const std::string got = explained(crd_of("{a: {type: string, description: An a.}}"), {});
  EXPECT_TRUE(
      got.starts_with("GROUP:      example.com\nKIND:       Thing\nVERSION:    v1\n\n"
                      "DESCRIPTION:\n    A thing.\n    \nFIELDS:\n"
                      "  a\t<string>\n    An a.\n\n  apiVersion\t<string>\n"))
      << got;
  EXPECT_NE(got.find("  metadata\t<ObjectMeta>\n"), std::string::npos) << got;
}

TEST(Explain, ListsTheValuesOfAnEnum) {
  const Crd crd =
      crd_of("{m: {type: string, enum: [A, B]}, k: {type: integer, enum: [1, 2, 3, 4, 5]}}");
  EXPECT_NE(explained(crd, {"m"})
                .find("FIELD: m <string>\nENUM:\n    A\n    B\n\nDESCRIPTION:\n"
                      "    <empty>\n\n"),
            std::string::npos);
  EXPECT_NE(explained(crd, {}).find("  k\t<integer>\n  enum: 1, 2, 3, 4, ....\n"
                                    "    <no description>\n\n"),
            std::string::npos);
}

TEST(Explain, NamesTypesOfListsAndMaps) {
  const Crd crd = crd_of(
      "{l: {type: array, items: {type: array, items: {type: integer}}}, m: {type: object, "
      "additionalProperties: {type: object, properties: {x: {type: boolean}}}}}");
  EXPECT_NE(explained(crd, {}).find("  l\t<[][]integer>\n"), std::string::npos);
  EXPECT_NE(explained(crd, {}).find("  m\t<map[string]Object>\n"), std::string::npos);
  EXPECT_NE(explained(crd, {"m", "x"}).find("FIELD: x <boolean>\n"), std::string::npos);
  EXPECT_NE(explained(crd, {}, true).find("  m\t<map[string]Object>\n    x\t<boolean>\n"),
            std::string::npos);
}

TEST(Explain, ReachesIntoMetadata) {
  const std::string got = explained(crd_of("{}"), {"metadata", "ownerReferences"});
  EXPECT_NE(got.find("FIELD: ownerReferences <[]OwnerReference>\n"), std::string::npos) << got;
  EXPECT_NE(got.find("  uid\t<string> -required-\n"), std::string::npos) << got;
}

TEST(Explain, WrapsAtEightyColumns) {
  const std::string word(10, 'w');
  std::string text = word;
  for (int i = 0; i < 9; ++i) text += " " + word;
  const std::string got = explained(crd_of("{a: {type: string, description: '" + text + "'}}"), {});
  std::istringstream lines(got);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(word) != std::string::npos) longest = std::max(longest, line.size());
  }
  EXPECT_EQ(longest, 4u + 7 * 10 + 6);
}

TEST(Explain, PrefersStableThenNewVersions) {
  const auto preferred = [](const std::vector<std::string>& names) {
    std::string yaml =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        "metadata: {name: a.b}\nspec:\n  group: b\n  scope: Cluster\n  names: {plural: a, kind: "
        "A}\n"
        "  versions:\n";
    for (const std::string& name : names)
      yaml += "  - {name: " + name + ", served: true, storage: false}\n";
    const Crd crd = read_crd(yaml);
    return std::string(preferred_version(crd)->name());
  };
  EXPECT_EQ(preferred({"v1beta1", "v1", "v2alpha1"}), "v1");
  EXPECT_EQ(preferred({"v2", "v10", "v11beta2"}), "v10");
  EXPECT_EQ(preferred({"v11alpha2", "v11beta2", "v12alpha1"}), "v11beta2");
  EXPECT_EQ(preferred({"foo", "bar", "v1alpha1"}), "v1alpha1");
  EXPECT_EQ(preferred({"foo", "bar"}), "bar");
}

// What the recordings have been settled by: runs of spaces, and spaces at the ends of lines.
std::string settled(const std::string& text) {
  const std::string narrow = std::regex_replace(text, std::regex(" {2,}"), "  ");
  return std::regex_replace(narrow, std::regex("[ \t]+(?=\n|$)"), "");
}

TEST(ExplainRecordings, ArePrintedAlike) {
  STRAKE_REQUIRE_VECTORS(folder, "kubectl");
  const auto recording = value::read_json(testing::read_file(folder / "explain.json"));
  ASSERT_TRUE(recording);
  const Crd crd = read_crd(recording->root().find("files")->find("crd.yaml")->as_string());
  const std::string resource = std::string(crd.name());
  int compared = 0;
  for (const value::Value& step : recording->root().find("steps")->items()) {
    const std::string command(step.find("run")->as_string());
    const value::Value* expect = step.find("expect");
    if (!command.starts_with("explain " + resource) || expect == nullptr) continue;
    std::istringstream words(command.substr(8 + resource.size()));
    std::string fields;
    std::string flag;
    words >> fields >> flag;
    std::vector<std::string> path;
    std::istringstream steps(fields);
    for (std::string one; std::getline(steps, one, '.');) {
      if (!one.empty()) path.push_back(one);
    }
    std::string out;
    const auto done =
        explain(crd, *preferred_version(crd), path, {.recursive = flag == "--recursive"}, out);
    EXPECT_EQ(settled(out), expect->find("out")->as_string()) << command;
    EXPECT_EQ(done ? "" : "error: " + done.error().message() + "\n",
              expect->find("err")->as_string());
    ++compared;
  }
  std::cout << "explain.json: " << compared << " outputs compared\n";
  EXPECT_EQ(compared, 5);
}

}  // namespace
}  // namespace strake::crd
