#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHead =
    "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";

// A folder that is the current one while the test runs, with a kustomization in it.
class KustomizeEdit : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path());
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  void start_with(std::string_view text) {
    folder_.write("kustomization.yaml", std::string(kHead) + std::string(text));
  }
  // What the file holds after its first two lines.
  std::string now() const {
    const std::string text = folder_.read("kustomization.yaml");
    return text.starts_with(kHead) ? text.substr(kHead.size()) : text;
  }
  void edit(std::vector<std::string> args) {
    args.insert(args.begin(), "edit");
    FakeWorld world;
    EXPECT_EQ(world.run(args, "kustomize"), ExitCode::kFine) << world.err.text();
    said_ = world.err.text();
    shown_ = world.out.text();
  }
  std::string refused(std::vector<std::string> args) {
    args.insert(args.begin(), "edit");
    FakeWorld world;
    EXPECT_EQ(world.run(args, "kustomize"), ExitCode::kFindings);
    return world.err.text();
  }

  TemporaryFolder folder_;
  std::string said_;
  std::string shown_;

 private:
  std::filesystem::path before_;
};

TEST_F(KustomizeEdit, AddsToAConfigMapOfTheSameNamespaceAndMakesAnotherForAnother) {
  start_with("configMapGenerator:\n- literals:\n  - a=b\n  name: c\n");
  edit({"add", "configmap", "c", "--from-literal=d=e", "--namespace", "default"});
  edit({"add", "configmap", "c", "--from-literal=x=y", "--namespace=other", "--behavior=merge"});
  EXPECT_EQ(now(),
            "configMapGenerator:\n- literals:\n  - a=b\n  - d=e\n  name: c\n- behavior: merge\n"
            "  literals:\n  - x=y\n  name: c\n  namespace: other\n");
}

TEST_F(KustomizeEdit, WritesWhatHoldsForAllGeneratorsIntoTheOneItTouches) {
  start_with("generatorOptions:\n  labels:\n    a: b\n  disableNameSuffixHash: true\n");
  edit({"add", "secret", "s", "--from-literal=a=b"});
  EXPECT_EQ(now(),
            "generatorOptions:\n  disableNameSuffixHash: true\n  labels:\n    a: b\n"
            "secretGenerator:\n- literals:\n  - a=b\n  name: s\n  options:\n"
            "    disableNameSuffixHash: true\n    labels:\n      a: b\n  type: Opaque\n");
}

TEST_F(KustomizeEdit, TakesPatternsAndKeysForFilesOfAConfigMap) {
  start_with("");
  folder_.write("d/fa1", "1");
  folder_.write("d/fa2", "2");
  folder_.write("d/other", "3");
  edit({"add", "configmap", "c", "--from-file=d/fa*", "--from-file=k=d/oth*",
        "--disableNameSuffixHash"});
  EXPECT_EQ(now(),
            "configMapGenerator:\n- files:\n  - d/fa1\n  - d/fa2\n  - k=d/other\n  name: c\n"
            "  options:\n    disableNameSuffixHash: true\n");
  EXPECT_EQ(refused({"add", "configmap", "c", "--from-file=k=d/fa*"}),
            "Error: failed to expand file source: 'pattern 'k=d/fa*' catches files [d/fa1 d/fa2], "
            "should catch only one\n");
}

TEST_F(KustomizeEdit, RefusesGeneratorsThatWouldNotWork) {
  start_with("");
  EXPECT_EQ(refused({"add", "configmap", "c"}),
            "Error: failed to validate flags: at least from-env-file, or from-file or "
            "from-literal must be set\n");
  EXPECT_EQ(refused({"add", "configmap", "c", "--from-env-file=x", "--from-literal=a=b"}),
            "Error: failed to validate flags: from-env-file cannot be combined with from-file or "
            "from-literal\n");
  EXPECT_EQ(refused({"add", "configmap", "c", "--from-literal=a=b", "--behavior=mix"}),
            "Error: failed to validate flags: invalid behavior: must be one of \"create\", "
            "\"merge\", or \"replace\"\n");
  EXPECT_EQ(refused({"add", "secret", "--from-literal=a=b"}),
            "Error: failed to validate flags: name must be specified once\n");
  EXPECT_THAT(refused({"add", "configmap", "c", "--from-env-file=none"}),
              HasSubstr("failed to create configmap: loading KV pairs: env source files: [none]"));
  EXPECT_THAT(refused({"add", "secret", "c", "--from-literal=nothing"}),
              HasSubstr("failed to create secret: "));
  EXPECT_EQ(now(), "");
}

TEST_F(KustomizeEdit, SetsLiteralsThatAreThereAndNamespaces) {
  start_with("secretGenerator:\n- literals:\n  - a=1\n  - b=2\n  name: s\n");
  edit({"set", "secret", "s", "--from-literal=b=3", "--new-namespace=ns"});
  EXPECT_EQ(now(), "secretGenerator:\n- literals:\n  - a=1\n  - b=3\n  name: s\n  namespace: ns\n");
  EXPECT_EQ(refused({"set", "secret", "s", "--from-literal=b=3"}),
            "Error: failed to create secret: could not set new Secret value: unable to find "
            "Secret with name \"s\"\n");
  EXPECT_EQ(refused({"set", "secret", "s", "--namespace=ns", "--from-literal=c=3"}),
            "Error: failed to create secret: failed to update literal sources: key 'c' not found "
            "in resource\n");
  EXPECT_EQ(refused({"set", "configmap", "s"}),
            "Error: failed to validate flags: at least one of [--from-literal, --new-namespace] "
            "must be specified\n");
}

TEST_F(KustomizeEdit, RemovesGeneratorsByNameAndNamespace) {
  start_with(
      "configMapGenerator:\n- literals:\n  - a=1\n  name: c\n- literals:\n  - a=1\n  name: c\n"
      "  namespace: ns\n- literals:\n  - a=1\n  name: d\n");
  edit({"remove", "configmap", "c,none"});
  EXPECT_EQ(said_, "configmap none doesn't exist in kustomization file\n");
  EXPECT_EQ(now(),
            "configMapGenerator:\n- literals:\n  - a=1\n  name: c\n  namespace: ns\n- literals:\n"
            "  - a=1\n  name: d\n");
  EXPECT_EQ(refused({"remove", "configmap", "c"}),
            "Error: no specified configmap(s) were found in the kustomization.yaml file\n");
  EXPECT_EQ(refused({"remove", "secret", "a", "b"}),
            "Error: too many arguments: [a b]; to provide multiple secrets to remove, please "
            "separate secret names by commas\n");
}

TEST_F(KustomizeEdit, AddsAndRemovesPatchesThatAreExactlyTheSame) {
  start_with("");
  edit({"add", "patch", "--path", "p.yaml", "--kind", "Deployment"});
  edit({"add", "patch", "--path", "p.yaml"});
  edit({"add", "patch", "--path", "p.yaml"});
  EXPECT_EQ(said_, "patch p.yaml already in kustomization file\n");
  EXPECT_EQ(now(), "patches:\n- path: p.yaml\n  target:\n    kind: Deployment\n- path: p.yaml\n");
  edit({"remove", "patch", "--path", "p.yaml"});
  EXPECT_EQ(now(), "patches:\n- path: p.yaml\n  target:\n    kind: Deployment\n");
  edit({"remove", "patch", "--path", "p.yaml", "--kind", "Service"});
  EXPECT_EQ(said_, "patch p.yaml doesn't exist in kustomization file\n");
  EXPECT_EQ(refused({"add", "patch"}), "Error: must provide either patch or path\n");
  EXPECT_EQ(refused({"add", "patch", "--path=a", "--patch=b"}),
            "Error: patch and path can't be set at the same time\n");
}

TEST_F(KustomizeEdit, RemovesResourcesByPattern) {
  start_with("resources:\n- a/1.yaml\n- a/2.yaml\n- a/b/3.yaml\n- c.yaml\n");
  edit({"remove", "resource", "a/*.yaml", "none"});
  EXPECT_EQ(now(), "resources:\n- a/b/3.yaml\n- c.yaml\n");
  EXPECT_EQ(refused({"remove", "transformer"}), "Error: must specify a transformer file\n");
}

TEST_F(KustomizeEdit, AddsResourcesThatAreThere) {
  start_with("# kept\nresources:\n- a.yaml\n");
  folder_.write("a.yaml", "");
  folder_.write("b.yaml", "");
  edit({"add", "resource", "*.yaml"});
  EXPECT_EQ(said_, "resource a.yaml already in kustomization file\n");
  EXPECT_EQ(now(), "# kept\nresources:\n- a.yaml\n- b.yaml\n");
  EXPECT_THAT(refused({"add", "resource", "none.yaml"}),
              HasSubstr("none.yaml has no match: must build at directory: not a valid directory: "
                        "evalsymlink failure on '"));
  edit({"add", "resource", "none.yaml", "--no-verify"});
  edit({"add", "transformer", "none.yaml"});
  EXPECT_EQ(said_, "none.yaml has no match\n");
  EXPECT_EQ(now(), "# kept\nresources:\n- a.yaml\n- b.yaml\n- none.yaml\n");
  EXPECT_EQ(refused({"add", "base", "nowhere"}), "Error: nowhere does not exist\n");
}

TEST_F(KustomizeEdit, AddsLabelsWithAndWithoutSelectors) {
  start_with("");
  edit({"add", "label", "a:b", "c:\"d\""});
  edit({"add", "label", "e:f", "--without-selector", "--include-templates"});
  EXPECT_EQ(now(),
            "commonLabels:\n  a: b\n  c: d\nlabels:\n- includeTemplates: true\n  pairs:\n    e: "
            "f\n");
  EXPECT_EQ(refused({"add", "label", "a:x"}), "Error: label a already in kustomization file\n");
  edit({"add", "label", "a:x", "-f"});
  EXPECT_EQ(refused({"add", "label", "x:y", "--include-templates"}),
            "Error: --without-selector flag must be specified for --include-templates to work\n");
  EXPECT_EQ(refused({"add", "annotation", ":v"}),
            "Error: invalid annotation: ':v' (need k:v pair where v may be quoted)\n");
  edit({"remove", "label", "a,c"});
  EXPECT_THAT(now(), Not(HasSubstr("commonLabels")));
}

TEST_F(KustomizeEdit, RemovesOnlyLabelsThatAreThereUnlessToldToIgnoreThat) {
  start_with("commonAnnotations:\n  a: b\n");
  EXPECT_EQ(refused({"remove", "annotation", "x"}),
            "Error: annotation x is not defined in kustomization file\n");
  EXPECT_EQ(refused({"remove", "label", "x"}),
            "Error: commonLabels is not defined in kustomization file\n");
  EXPECT_EQ(refused({"remove", "label", "a", "b"}),
            "Error: labels must be comma-separated, with no spaces\n");
  edit({"remove", "annotation", "a,x", "-i"});
  EXPECT_EQ(now(), "");
}

TEST_F(KustomizeEdit, SetsAnnotationsWithKeysThatAreValid) {
  start_with("");
  edit({"set", "annotation", "a:1", "example.com/b_c:x"});
  EXPECT_EQ(now(), "commonAnnotations:\n  a: \"1\"\n  example.com/b_c: x\n");
  for (const char* bad : {"_a:b", "1.com/a:b", "a b:c", "/a:b"})
    EXPECT_THAT(refused({"set", "annotation", bad}), HasSubstr("invalid annotation key: ")) << bad;
}

TEST_F(KustomizeEdit, KeepsBuildMetadataToTheWordsThereAre) {
  start_with("");
  edit({"add", "buildmetadata", "originAnnotations,managedByLabel"});
  EXPECT_EQ(refused({"add", "buildmetadata", "managedByLabel"}),
            "Error: buildMetadata option managedByLabel already in kustomization file\n");
  EXPECT_EQ(refused({"add", "buildmetadata", "other"}),
            "Error: invalid buildMetadata option: other\n");
  EXPECT_EQ(refused({"set", "buildmetadata"}), "Error: must specify a buildMetadata option\n");
  edit({"set", "buildmetadata", "transformerAnnotations"});
  EXPECT_EQ(now(), "buildMetadata:\n- transformerAnnotations\n");
  edit({"remove", "buildmetadata", "transformerAnnotations"});
  EXPECT_EQ(now(), "");
}

TEST_F(KustomizeEdit, WarnsWhenAFixChangesWhatIsBuilt) {
  folder_.write("d.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n");
  start_with("resources:\n- d.yaml\ncommonLabels:\n  a: b\n");
  edit({"fix"});
  EXPECT_THAT(shown_, HasSubstr("\nFixed fields:\n  patchesJson6902 -> patches\n"));
  EXPECT_THAT(shown_, HasSubstr("run the command `kustomize edit fix --vars`\n"));
  EXPECT_THAT(shown_, Not(HasSubstr("different output")));
  EXPECT_EQ(now(), "resources:\n- d.yaml\nlabels:\n- includeSelectors: true\n  pairs:\n    a: b\n");
  start_with("resources:\n- none.yaml\n");
  edit({"fix"});
  EXPECT_THAT(shown_, HasSubstr("now produces the error when running `kustomize build`: "));
}

TEST_F(KustomizeEdit, TurnsVarsIntoReplacements) {
  folder_.write("base/kustomization.yaml", "resources: [s.yaml]\n");
  folder_.write("base/s.yaml", "apiVersion: v1\nkind: Service\nmetadata:\n  name: svc\n");
  folder_.write("p.yaml",
                "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n"
                "  - name: c\n    args:\n    - $(SVC)\n    - x/$(SVC)/y\n    - http:$(SVC)\n");
  start_with(
      "resources:\n- base\n- p.yaml\nvars:\n- name: SVC\n  objref:\n    apiVersion: v1\n"
      "    kind: Service\n    name: svc\n");
  edit({"fix", "--vars"});
  EXPECT_THAT(shown_, HasSubstr("  vars -> replacements\n"));
  EXPECT_THAT(shown_, Not(HasSubstr("Warning")));
  EXPECT_EQ(now(),
            "resources:\n- base\n- p.yaml\nreplacements:\n- source:\n    kind: Service\n"
            "    name: svc\n    version: v1\n  targets:\n"
            "  - fieldPaths:\n    - spec.containers.0.args.0\n    select:\n      kind: Pod\n"
            "      name: p\n      version: v1\n"
            "  - fieldPaths:\n    - spec.containers.0.args.1\n    options:\n"
            "      delimiter: /\n      index: 1\n    select:\n      kind: Pod\n      name: p\n"
            "      version: v1\n"
            "  - fieldPaths:\n    - spec.containers.0.args.2\n    options:\n"
            "      delimiter: ':'\n      index: 1\n    select:\n      kind: Pod\n      name: p\n"
            "      version: v1\n");
  EXPECT_THAT(folder_.read("p.yaml"), HasSubstr("- x/SVC_PLACEHOLDER/y\n"));
}

TEST_F(KustomizeEdit, LeavesAllFilesAloneWhenAVarHasNoDelimiter) {
  folder_.write("p.yaml",
                "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    a: x-$(V)/y\n");
  start_with("resources:\n- p.yaml\nvars:\n- name: V\n  objref:\n    kind: Pod\n    name: p\n");
  const std::string before = now();
  EXPECT_EQ(refused({"fix", "--vars"}),
            "# Warning: 'vars' is deprecated. Please use 'replacements' instead. [EXPERIMENTAL] "
            "Run 'kustomize edit fix' to update your Kustomization automatically.\n"
            "Error: error with p.yaml: cannot convert all vars to replacements; $(V) is not "
            "delimited\n");
  EXPECT_EQ(now(), before);
  EXPECT_THAT(folder_.read("p.yaml"), HasSubstr("x-$(V)/y"));
}

TEST_F(KustomizeEdit, ListsWhatIsBuiltIn) {
  start_with("");
  edit({"alpha-list-builtin-plugin"});
  EXPECT_THAT(shown_, HasSubstr("Builtin plugins:\n\n * AnnotationsTransformer\n"));
  edit({"set"});
  EXPECT_THAT(shown_, HasSubstr("Available Commands:\n  annotation "));
  EXPECT_EQ(refused({"set", "nothing"}),
            "Error: unknown command \"nothing\" for \"kustomize edit set\"\n");
}

}  // namespace
}  // namespace strake::cli
