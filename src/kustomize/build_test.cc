#include "kustomize/build.h"

#include <gtest/gtest.h>

#include "kustomize/file/map_tree.h"
#include "kustomize/read_back.h"

namespace strake::kustomize {
namespace {

using Files = std::map<std::string, std::string>;

struct Built {
  std::optional<BuildResult> result;
  std::string error;
  std::vector<std::string> warnings;
  std::string yaml() const { return result ? result->yaml() : "error: " + error; }
};

Built build_tree(const MapTree& tree, const std::string& target = "/app", bool root_only = true) {
  BuildOptions options;
  options.target = target;
  options.working_folder = "/";
  options.files = &tree;
  options.root_only = root_only;
  Built out;
  auto result = build(options, out.warnings);
  if (result) {
    out.result.emplace(*std::move(result));
  } else {
    out.error = result.error().message();
  }
  return out;
}

Built build_files(Files files, const std::string& target = "/app") {
  return build_tree(MapTree(std::move(files)), target);
}

constexpr std::string_view kRollout =
    "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web}\nspec:\n  template:\n"
    "    spec:\n      containers:\n      - {name: main, image: 'main:1'}\n"
    "      - {name: side, image: 'side:1'}\n";
constexpr std::string_view kRolloutPatch =
    "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web}\nspec:\n  template:\n"
    "    spec:\n      containers:\n      - {name: side, image: 'side:2'}\n";

// The story of the proposal that brought the field `openapi`: a custom resource with a list of
// containers, and an overlay that changes one of them.
TEST(OpenApiStory, ReplacesTheContainersOfACustomResourceWithoutASchema) {
  const Built built =
      build_files({{"/app/kustomization.yaml", "resources: [r.yaml]\npatches: [{path: p.yaml}]\n"},
                   {"/app/r.yaml", std::string(kRollout)},
                   {"/app/p.yaml", std::string(kRolloutPatch)}});
  EXPECT_EQ(
      built.yaml(),
      "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata:\n  name: web\nspec:\n"
      "  template:\n    spec:\n      containers:\n      - image: side:2\n        name: side\n");
}

TEST(OpenApiStory, MergesTheContainersWithTheSchemaOfTheUser) {
  const Built built = build_files(
      {{"/app/kustomization.yaml",
        "openapi: {path: schema.json}\nresources: [r.yaml]\npatches: [{path: p.yaml}]\n"},
       {"/app/schema.json",
        R"({"definitions":{"Rollout":{"properties":{"spec":{"properties":{"template":{"properties":
        {"spec":{"properties":{"containers":{"type":"array","items":{"type":"object"},
        "x-kubernetes-patch-strategy":"merge","x-kubernetes-patch-merge-key":"name"}}}}}}}},
        "x-kubernetes-group-version-kind":[{"group":"argoproj.io","version":"v1alpha1",
        "kind":"Rollout"}]}}})"},
       {"/app/r.yaml", std::string(kRollout)},
       {"/app/p.yaml", std::string(kRolloutPatch)}});
  EXPECT_EQ(built.yaml(),
            "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata:\n  name: web\nspec:\n"
            "  template:\n    spec:\n      containers:\n      - image: side:2\n        name: side\n"
            "      - image: main:1\n        name: main\n");
}

constexpr std::string_view kBoat =
    "apiVersion: marina.dev/v1\nkind: Boat\nmetadata: {name: b}\nspec:\n  sails:\n"
    "  - {name: main, area: 30}\n  - {name: jib, area: 12}\n";
constexpr std::string_view kBoatPatch =
    "apiVersion: marina.dev/v1\nkind: Boat\nmetadata: {name: b}\nspec:\n  sails:\n"
    "  - {name: jib, area: 15}\n  - {name: spinnaker, area: 60}\n";
constexpr std::string_view kBoatCrd =
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
    "metadata: {name: boats.marina.dev}\nspec:\n  group: marina.dev\n  scope: Cluster\n"
    "  names: {kind: Boat, plural: boats}\n  versions:\n  - name: v1\n    schema:\n"
    "      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n"
    "            type: object\n            properties:\n              sails:\n"
    "                type: array\n                x-kubernetes-list-type: map\n"
    "                x-kubernetes-list-map-keys: [name]\n                items: {type: object}\n";

std::string boat_with(const std::string& sails) {
  return "apiVersion: marina.dev/v1\nkind: Boat\nmetadata:\n  name: b\nspec:\n  sails:\n" + sails;
}

Built build_boat(const std::string& block, const std::string& patch = std::string(kBoatPatch)) {
  return build_files(
      {{"/app/kustomization.yaml",
        "resources: [b.yaml]\npatches: [{path: p.yaml}]\nopenapi:\n  strake:\n" + block},
       {"/app/crd.yaml", std::string(kBoatCrd)},
       {"/app/b.yaml", std::string(kBoat)},
       {"/app/p.yaml", patch}});
}

TEST(OpenApiExtras, MergesListsByTheKeysOfACrd) {
  EXPECT_EQ(build_boat("    schemas: [crd.yaml]\n").yaml(),
            boat_with("  - area: 15\n    name: jib\n  - area: 60\n    name: spinnaker\n"
                      "  - area: 30\n    name: main\n"));
}

TEST(OpenApiExtras, MergesListsByKeysGivenByHand) {
  EXPECT_EQ(build_boat("    mergeKeys: [{kind: Boat, path: spec/sails, keys: [name]}]\n").yaml(),
            boat_with("  - area: 15\n    name: jib\n  - area: 60\n    name: spinnaker\n"
                      "  - area: 30\n    name: main\n"));
}

TEST(OpenApiExtras, KeepsTheOrderOfTheBaseWhenAsked) {
  EXPECT_EQ(build_boat("    schemas: [crd.yaml]\n    keepOrder: true\n").yaml(),
            boat_with("  - area: 30\n    name: main\n  - area: 15\n    name: jib\n"
                      "  - area: 60\n    name: spinnaker\n"));
}

TEST(OpenApiExtras, ReplacesItemsWhenAsked) {
  const std::string patch =
      "apiVersion: marina.dev/v1\nkind: Boat\nmetadata: {name: b}\nspec:\n  sails:\n"
      "  - {name: jib, $patch: replace, reefed: true}\n";
  EXPECT_EQ(build_boat("    schemas: [crd.yaml]\n    replaceItems: true\n", patch).yaml(),
            boat_with("  - name: jib\n    reefed: true\n  - area: 30\n    name: main\n"));
}

TEST(OpenApiExtras, LeavesBuiltInKindsMerging) {
  const Built built = build_files(
      {{"/app/kustomization.yaml",
        "resources: [d.yaml]\npatches: [{path: p.yaml}]\nopenapi: {strake: {schemas: [crd.yaml]}}"},
       {"/app/crd.yaml", std::string(kBoatCrd)},
       {"/app/d.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: "
        "x}]}"},
       {"/app/p.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, tty: "
        "true}]}"}});
  EXPECT_EQ(built.yaml(),
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - image: x\n"
            "    name: a\n    tty: true\n");
}

TEST(OpenApiExtras, HoldForTheLayersAbove) {
  const Built built =
      build_files({{"/app/kustomization.yaml", "resources: [base]\npatches: [{path: p.yaml}]\n"},
                   {"/app/p.yaml", std::string(kBoatPatch)},
                   {"/app/base/kustomization.yaml",
                    "resources: [b.yaml]\nopenapi: {strake: {schemas: [crd.yaml]}}\n"},
                   {"/app/base/crd.yaml", std::string(kBoatCrd)},
                   {"/app/base/b.yaml", std::string(kBoat)}});
  EXPECT_EQ(built.yaml(),
            boat_with("  - area: 15\n    name: jib\n  - area: 60\n    name: spinnaker\n"
                      "  - area: 30\n    name: main\n"));
}

TEST(OpenApiExtras, RefusesFieldsItDoesNotKnow) {
  EXPECT_EQ(build_boat("    schema: crd.yaml\n").error,
            "invalid Kustomization: json: unknown field \"schema\"");
}

constexpr std::string_view kMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";

TEST(RootRestriction, RefusesALinkThatLeadsOut) {
  MapTree tree({{"/app/kustomization.yaml", "resources: [c.yaml]\n"},
                {"/elsewhere/c.yaml", std::string(kMap)}});
  tree.add_link("/app/c.yaml", "../elsewhere/c.yaml");
  EXPECT_NE(build_tree(tree).error.find("security; file '/app/c.yaml' is not in or below '/app'"),
            std::string::npos);
  EXPECT_TRUE(build_tree(tree, "/app", false).result.has_value());
}

TEST(RootRestriction, RefusesAFileBehindALinkedFolder) {
  MapTree tree({{"/app/kustomization.yaml", "configMapGenerator: [{name: a, files: [d/secret]}]\n"},
                {"/etc/secret", "s"}});
  tree.add_link("/app/d", "/etc");
  EXPECT_NE(build_tree(tree).error.find("security; file '/app/d/secret' is not in or below '/app'"),
            std::string::npos);
}

TEST(RootRestriction, AllowsALinkThatStaysInside) {
  MapTree tree({{"/app/kustomization.yaml", "resources: [c.yaml]\n"},
                {"/app/real/c.yaml", std::string(kMap)}});
  tree.add_link("/app/c.yaml", "real/c.yaml");
  EXPECT_TRUE(build_tree(tree).result.has_value());
}

TEST(RootRestriction, IsNotFooledByAFolderWhoseNameBeginsAlike) {
  MapTree tree({{"/app/kustomization.yaml", "resources: [../app-secrets/c.yaml]\n"},
                {"/app-secrets/c.yaml", std::string(kMap)}});
  EXPECT_NE(build_tree(tree).error.find("is not in or below '/app'"), std::string::npos);
}

TEST(RootRestriction, HoldsForEveryFileThatAKustomizationNames) {
  for (const std::string field :
       {"resources: [/etc/c.yaml]", "patches: [{path: /etc/c.yaml, target: {kind: A}}]",
        "patchesStrategicMerge: [/etc/c.yaml]", "openapi: {path: /etc/c.yaml}",
        "patchesJson6902: [{path: /etc/c.yaml, target: {name: a}}]",
        "configurations: [/etc/c.yaml]", "crds: [/etc/c.yaml]",
        "configMapGenerator: [{name: a, envs: [/etc/c.yaml]}]",
        "secretGenerator: [{name: a, files: [/etc/c.yaml]}]", "transformers: [/etc/c.yaml]",
        "replacements: [{path: /etc/c.yaml}]", "openapi: {strake: {schemas: [/etc/c.yaml]}}"}) {
    const Built built = build_files(
        {{"/app/kustomization.yaml", field + "\n"}, {"/etc/c.yaml", std::string(kMap)}});
    EXPECT_NE(built.error.find("security; file '/etc/c.yaml' is not in or below '/app'"),
              std::string::npos)
        << field << ": " << built.yaml();
  }
}

TEST(RootRestriction, KeepsGitsOwnFilesOutOfABuild) {
  for (const bool root_only : {true, false}) {
    for (const std::string file : {".git/config", "sub/.git/config", ".git"}) {
      MapTree tree({{"/app/kustomization.yaml",
                     fmt::format("configMapGenerator: [{{name: a, files: [x={}]}}]\n", file)},
                    {"/app/" + file, "url = https://me:hush@example.com"}});
      const Built built = build_tree(tree, "/app", root_only);
      EXPECT_NE(built.error.find("a build reads nothing in '.git'"), std::string::npos)
          << file << ": " << built.error;
      EXPECT_EQ(built.error.find("hush"), std::string::npos);
    }
  }
  const Built built = build_files(
      {{"/app/kustomization.yaml", "configMapGenerator: [{name: a, files: [.gitignore]}]\n"},
       {"/app/.gitignore", "build"}});
  EXPECT_TRUE(built.result.has_value()) << built.error;
}

TEST(Remote, IsRefusedWithAClearMessageUnlessItIsAllowed) {
  for (const std::string url :
       {"https://example.com/a.yaml", "github.com/org/repo//base?ref=v1", "git@host.dev:o/r"}) {
    const Built built = build_files({{"/app/kustomization.yaml", "resources: ['" + url + "']\n"}});
    EXPECT_NE(built.error.find("this build is offline"), std::string::npos) << built.error;
  }
}

TEST(Loading, FindsCirclesThroughLinks) {
  MapTree tree({{"/app/kustomization.yaml", "resources: [again]\n"}});
  tree.add_link("/app/again", "/app");
  EXPECT_NE(build_tree(tree).error.find("cycle detected"), std::string::npos);
}

TEST(Loading, BuildsABaseAnewForEachThatUsesIt) {
  const Built built =
      build_files({{"/app/kustomization.yaml", "resources: [a, b]\n"},
                   {"/app/a/kustomization.yaml", "resources: [../base]\nnamePrefix: a-\n"},
                   {"/app/b/kustomization.yaml", "resources: [../base]\nnamePrefix: b-\n"},
                   {"/app/base/kustomization.yaml", "resources: [c.yaml]\n"},
                   {"/app/base/c.yaml", std::string(kMap)}});
  EXPECT_EQ(built.yaml(),
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a-c\n---\n"
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b-c\n");
}

TEST(JsonPatch, FindsAnnotationsOnEveryResourceAsTheReferenceDoes) {
  const Built built =
      build_files({{"/app/kustomization.yaml",
                    "resources: [c.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |-\n"
                    "    - {op: add, path: /metadata/annotations/a, value: b}\n"},
                   {"/app/c.yaml", std::string(kMap)}});
  EXPECT_EQ(built.yaml(),
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    a: b\n  name: c\n");
}

std::string setter_text(const Built& built, const std::string& path) {
  for (const BuildResult::Setter& setter : built.result->setters(0)) {
    if (setter.path != path) continue;
    return fmt::format("{} {}:{} {}", setter.value, setter.file, setter.line, setter.step);
  }
  return "none";
}

TEST(Provenance, NamesTheFileAndLineOrTheStepThatSetAField) {
  const Built built = build_files(
      {{"/app/kustomization.yaml",
        "resources: [base]\nnamePrefix: p-\nlabels: [{pairs: {l: v}}]\npatches: [{path: p.yaml}]\n"
        "images: [{name: x, newTag: '2'}]\n"},
       {"/app/p.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d\nspec:\n  replicas: 3\n"},
       {"/app/base/kustomization.yaml", "resources: [d.yaml]\n"},
       {"/app/base/d.yaml",
        "# a comment\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d\nspec:\n"
        "  replicas: 1\n  paused: true\n  template:\n    spec:\n      containers:\n"
        "      - name: c\n        image: x:1\n"}});
  ASSERT_TRUE(built.result) << built.error;
  EXPECT_EQ(setter_text(built, ".spec.replicas"), "3 /app/p.yaml:6 ");
  EXPECT_EQ(setter_text(built, ".spec.paused"), "true /app/base/d.yaml:8 ");
  EXPECT_EQ(setter_text(built, ".metadata.name"), "\"p-d\" /app/kustomization.yaml:0 namePrefix");
  EXPECT_EQ(setter_text(built, ".metadata.labels.l"), "\"v\" /app/kustomization.yaml:0 labels");
  EXPECT_EQ(setter_text(built, ".spec.template.spec.containers[0].image"),
            "\"x:2\" /app/kustomization.yaml:0 images");
  EXPECT_EQ(setter_text(built, ".spec.template.spec.containers[0].name"),
            "\"c\" /app/base/d.yaml:12 ");
}

TEST(BuildResult, GivesObjectsAsAServerReadsTheirText) {
  const Built built = build_files(
      {{"/app/kustomization.yaml", "resources: [c.yaml]\n"},
       {"/app/c.yaml",
        "apiVersion: v1\nkind: Other\nmetadata: {name: c}\n"
        "numbers: [1, 1.0, 1e3, 0.5, -0.0, 9223372036854775807, 18446744073709551615, 1e300]\n"
        "texts: ['yes', '0777', '1:20', \"a\\tb\", \"a\\u0085b\", \"\", 2031-05-06, ~]\n"
        "block: |\n  a\n\n   b\n"}});
  ASSERT_TRUE(built.result) << built.error;
  expect_objects_as_printed(*built.result);
  const auto object = built.result->object(0);
  ASSERT_TRUE(object.has_value());
  EXPECT_EQ(object->root().get("numbers").items()[6].type(), value::Type::kDouble);
}

TEST(Provenance, CountsTheLinesOfInlinePatchesInTheKustomization) {
  const Built built =
      build_files({{"/app/kustomization.yaml",
                    "resources: [c.yaml]\n"
                    "patches:\n"
                    "- target: {kind: ConfigMap}\n"
                    "  patch: |-\n"
                    "    - op: add\n"
                    "      path: /data\n"
                    "      value: {}\n"
                    "    - {op: add, path: /data/y, value: '2'}\n"
                    "- target: {kind: ConfigMap}\n"
                    "  patch: '[{\"op\": \"add\", \"path\": \"/data/x\", \"value\": \"1\"}]'\n"
                    "- patch: |\n"
                    "\n"
                    "    apiVersion: v1\n"
                    "    kind: ConfigMap\n"
                    "    metadata: {name: c}\n"
                    "    data:\n"
                    "      z: '3'\n"
                    "- {target: {kind: ConfigMap}, path: j.yaml}\n"},
                   {"/app/j.yaml", "# one\n- {op: add, path: /data/w, value: '4'}\n"},
                   {"/app/c.yaml", std::string(kMap)}});
  ASSERT_TRUE(built.result) << built.error;
  EXPECT_EQ(setter_text(built, ".data.y"), "\"2\" /app/kustomization.yaml:8 patches");
  EXPECT_EQ(setter_text(built, ".data.x"), "\"1\" /app/kustomization.yaml:10 patches");
  EXPECT_EQ(setter_text(built, ".data.z"), "\"3\" /app/kustomization.yaml:17 ");
  EXPECT_EQ(setter_text(built, ".data.w"), "\"4\" /app/j.yaml:2 patches");
}

TEST(Provenance, KeepsTheLinesOfItemsOfAList) {
  const Built built = build_files({{"/app/kustomization.yaml", "resources: [l.yaml]\n"},
                                   {"/app/l.yaml",
                                    "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n"
                                    "  kind: ConfigMap\n  metadata:\n    name: c\n  data:\n"
                                    "    a: b\n---\n"
                                    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\n"}});
  ASSERT_TRUE(built.result) << built.error;
  bool found = false;
  for (std::size_t i = 0; i < built.result->items().size(); ++i) {
    for (const BuildResult::Setter& setter : built.result->setters(i)) {
      if (setter.path != ".data.a") continue;
      found = true;
      EXPECT_EQ(setter.line, 9U);
    }
  }
  EXPECT_TRUE(found);
}

TEST(Provenance, CreditsTheGeneratorOfTheBaseForWhatAMergeKeeps) {
  const Built built = build_files({{"/app/kustomization.yaml",
                                    "resources: [base]\nconfigMapGenerator:\n"
                                    "- {name: c, behavior: merge, literals: [b=2]}\n"},
                                   {"/app/base/kustomization.yaml",
                                    "namePrefix: p-\nconfigMapGenerator:\n"
                                    "- {name: c, literals: [a=1], options: {labels: {l: v}, "
                                    "disableNameSuffixHash: true}}\n"}});
  ASSERT_TRUE(built.result) << built.error;
  EXPECT_EQ(setter_text(built, ".data.a"),
            "\"1\" /app/base/kustomization.yaml:0 configMapGenerator");
  EXPECT_EQ(setter_text(built, ".data.b"), "\"2\" /app/kustomization.yaml:0 configMapGenerator");
  EXPECT_EQ(setter_text(built, ".metadata.labels.l"),
            "\"v\" /app/base/kustomization.yaml:0 configMapGenerator");
  EXPECT_EQ(setter_text(built, ".metadata.name"),
            "\"p-c\" /app/base/kustomization.yaml:0 namePrefix");
}

TEST(Provenance, RemembersTheNamesThatAResourceHad) {
  const Built built =
      build_files({{"/app/kustomization.yaml",
                    "namePrefix: p-\nconfigMapGenerator:\n- {name: c, literals: [a=1]}\n"}});
  ASSERT_TRUE(built.result) << built.error;
  EXPECT_EQ(built.result->items()[0].earlier_names, (std::vector<std::string>{"c", "p-c"}));
}

// What is told first beside kustomize's words: the place, and the resource it is about.
std::string first_cause(Files files) {
  const MapTree tree(std::move(files));
  BuildOptions options;
  options.target = "/app";
  options.working_folder = "/";
  options.files = &tree;
  std::vector<std::string> warnings;
  const auto result = build(options, warnings);
  if (result || result.error().causes().empty()) return "none";
  const Error& first = result.error().causes().front();
  return fmt::format("{}:{}: {}", first.source(), first.position() ? first.position()->line : 0,
                     first.message());
}

TEST(Failures, NameTheLineAndTheResourceOfWhatHasNoJsonForm) {
  EXPECT_EQ(first_cause({{"/app/kustomization.yaml", "resources: [r.yaml]\n"},
                         {"/app/r.yaml",
                          "apiVersion: x.io/v1\nkind: Foo\nmetadata:\n  name: f\n"
                          "  namespace: n\nspec:\n  ok: 1\n  bad: .inf\n"}}),
            "/app/r.yaml:8: Foo n/f: json: unsupported value: +Inf");
}

TEST(Failures, NameTheLineOfAnOperationWithinTheKustomization) {
  EXPECT_EQ(first_cause({{"/app/kustomization.yaml",
                          "resources: [c.yaml]\npatches:\n- target: {kind: ConfigMap}\n"
                          "  patch: |-\n    - {op: add, path: /data, value: {}}\n"
                          "    - {op: remove, path: /spec/x}\n"},
                         {"/app/c.yaml", std::string(kMap)}}),
            "/app/kustomization.yaml:6: ConfigMap c: remove operation does not apply: doc is "
            "missing path: \"/spec/x\": missing value");
}

TEST(Failures, NameTheLineOfAnInlinePatchThatDoesNotFit) {
  EXPECT_EQ(first_cause({{"/app/kustomization.yaml",
                          "resources: [r.yaml]\npatches:\n- patch: |-\n    apiVersion: x.io/v1\n"
                          "    kind: Foo\n    metadata: {name: f}\n    spec: text\n"},
                         {"/app/r.yaml",
                          "apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: f}\nspec: {a: b}\n"}}),
            "/app/kustomization.yaml:7: Foo f: wrong node kind: expected MappingNode but got "
            "ScalarNode: node contents:\ntext\n");
}

TEST(Limits, StopATreeOfKustomizationsThatGrowsWithoutEnd) {
  Files files;
  std::string folder = "/app";
  for (int i = 0; i < 300; ++i) {
    files[folder + "/kustomization.yaml"] = "resources: [deep]\n";
    folder += "/deep";
  }
  files[folder + "/kustomization.yaml"] = "namePrefix: a-\n";
  EXPECT_NE(build_files(files).error.find("nested deeper than"), std::string::npos);
}

}  // namespace
}  // namespace strake::kustomize
