#include "cli/schema/openapi_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cluster/cluster_schemas.h"
#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(OpenApiInfo, TellsWhatIsBuiltIn) {
  FakeWorld world;
  EXPECT_EQ(world.run({"openapi", "info"}), ExitCode::kFine);
  EXPECT_THAT(world.out.text(), HasSubstr("built in, Kubernetes v1.21.2: "));
  EXPECT_THAT(world.out.text(), ContainsRegex(" [1-9][0-9]+ kinds, [1-9][0-9]+ lists with merge"));
}

TEST(OpenApiInfo, TellsWhatAFileDescribes) {
  const TemporaryFolder folder;
  const std::string v2 = folder.write(
      "v2.json", R"({"swagger":"2.0","info":{"title":"Marina","version":"v1"},"definitions":{
        "Boat":{"x-kubernetes-group-version-kind":[{"group":"m","version":"v1","kind":"Boat"}],
          "properties":{"sails":{"type":"array","x-kubernetes-patch-merge-key":"name"}}},
        "Sail":{}}})");
  const std::string v3 = folder.write("v3.yaml",
                                      "openapi: 3.0.0\ninfo: {title: A, version: b}\n"
                                      "components: {schemas: {X: {type: object}}}\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"openapi", "info", v2, v3}), ExitCode::kFine);
  EXPECT_EQ(world.out.text(),
            v2 + ": OpenAPI v2, Marina v1: 2 definitions, 1 kinds, 1 lists with merge keys\n" + v3 +
                ": OpenAPI v3, A b: 1 definitions, 0 kinds, 0 lists with merge keys\n");
  const std::string other = folder.write("other.yaml", "kind: Pod\n");
  FakeWorld wrong;
  EXPECT_EQ(wrong.run({"openapi", "info", other}), ExitCode::kInput);
  EXPECT_THAT(wrong.err.text(), HasSubstr("other.yaml: neither an OpenAPI document"));
}

TEST(OpenApiInfo, TakesWhateverABuildTakesForASchema) {
  struct Case {
    std::string_view name, text, wanted;
  };
  constexpr std::string_view kCrd =
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
      "metadata: {name: boats.marina.dev}\n"
      "spec:\n  group: marina.dev\n  names: {kind: Boat, plural: boats}\n  versions:\n"
      "  - name: v1\n    schema: {openAPIV3Schema: {type: object, properties: {sails: {type: array,"
      " x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name]}}}}\n  - name: v2\n";
  const std::string two_crds = std::string(kCrd) + "---\n" + std::string(kCrd);
  const Case cases[] = {
      {"nothing.json", "{}", "OpenAPI v2: 0 definitions, 0 kinds, 0 lists with merge keys"},
      {"definitions.yaml",
       "definitions:\n  any.name:\n    x-kubernetes-group-version-kind: [{group: a, kind: B, "
       "version: v1}]\n",
       "OpenAPI v2: 1 definitions, 1 kinds, 0 lists with merge keys"},
      {"v3.json", R"({"components":{"schemas":{"A":{}}}})",
       "OpenAPI v3: 1 definitions, 0 kinds, 0 lists with merge keys"},
      {"crds.yaml", two_crds, "CRDs: 2 definitions, 4 kinds, 2 lists with merge keys"},
  };
  for (const Case& one : cases) {
    const TemporaryFolder folder;
    const std::string name = folder.write(one.name, one.text);
    FakeWorld world;
    EXPECT_EQ(world.run({"openapi", "info", name}), ExitCode::kFine) << world.err.text();
    EXPECT_EQ(world.out.text(), name + ": " + std::string(one.wanted) + "\n");
    // The same file in a build.
    const bool crds = one.text.find("CustomResourceDefinition") != std::string_view::npos;
    folder.write("kustomization.yaml",
                 crds ? "openapi: {strake: {schemas: [crds.yaml]}}\nresources: [a.yaml]\n"
                      : "openapi: {path: " + std::string(one.name) + "}\nresources: [a.yaml]\n");
    folder.write("a.yaml", "apiVersion: a/v1\nkind: B\nmetadata: {name: c}\n");
    FakeWorld build;
    EXPECT_EQ(build.run({"build", folder.path().string()}), ExitCode::kFine) << build.err.text();
  }
}

TEST(OpenApiFetch, TakesItsFileOnce) {
  FakeWorld world;
  EXPECT_EQ(world.run({"openapi", "fetch", "-o", "a.json", "b.json"}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(), HasSubstr("name the file once"));
}

TEST(OpenApiFetch, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  FakeWorld nothing;
  nothing.environment["HOME"] = folder.path().string();
  EXPECT_NE(nothing.run({"openapi", "fetch"}), ExitCode::kFine);
  EXPECT_THAT(nothing.err.text(), HasSubstr("there is no kubeconfig at "));
  EXPECT_THAT(nothing.err.text(), HasSubstr("/.kube/config; set KUBECONFIG or give --kubeconfig"));
  FakeWorld away;
  away.environment["KUBECONFIG"] = folder.write(
      "config",
      "current-context: a\nclusters: [{name: a, cluster: {server: 'http://127.0.0.1:1'}}]\n"
      "contexts: [{name: a, context: {cluster: a}}]\n");
  EXPECT_EQ(away.run({"openapi", "fetch"}), ExitCode::kRemoteFailed);
  EXPECT_THAT(away.err.text(), HasSubstr("context \"a\": GET http://127.0.0.1:1/openapi/v2: "));
  EXPECT_EQ(away.out.text(), "");
}

TEST(KustomizeOpenApi, SpeaksAsTheToolDoes) {
  FakeWorld format;
  EXPECT_EQ(format.run({"openapi", "fetch", "--format", "xml"}, "kustomize"), ExitCode::kFindings);
  EXPECT_EQ(format.err.text(), "Error: format must be either 'json' or 'yaml'\n");
  FakeWorld nothing;
  EXPECT_EQ(nothing.run({"openapi", "fetch"}, "kustomize"), ExitCode::kFindings);
  EXPECT_THAT(nothing.err.text(), StartsWith("Error: there is no kubeconfig"));
  EXPECT_THAT(nothing.err.text(),
              EndsWith("Error fetching schema from cluster.\n"
                       "Please make sure kubectl is installed, its context is set correctly, and "
                       "your cluster is up.\n"
                       "Installation and setup instructions: "
                       "https://kubernetes.io/docs/tasks/tools/install-kubectl/\n"));
}

TEST(KustomizeOpenApi, SaysBeforeItFetchesIntoAFile) {
  const TemporaryFolder folder;
  FakeWorld nothing;
  EXPECT_EQ(nothing.run({"openapi", "fetch", folder / "schema.json"}, "kustomize"),
            ExitCode::kFindings);
  EXPECT_EQ(nothing.out.text(),
            "Fetching OpenAPI document using the current context in kubeconfig\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "schema.json"));
}

TEST(ClusterSchemas, AreAskedForByTheVersionsThatTheInputsName) {
  std::set<std::string> found;
  add_api_versions("apiVersion: apps/v1 # here\nkind: X\n---\n\"apiVersion\": \"v1\",\n", found);
  add_api_versions(R"({"apiVersion":"a.b/v1beta1"})", found);
  add_api_versions("apiVersion", found);
  add_api_versions("apiVersion:", found);
  EXPECT_THAT(found, ElementsAre("a.b/v1beta1", "apps/v1", "v1"));
}

}  // namespace
}  // namespace strake::cli
