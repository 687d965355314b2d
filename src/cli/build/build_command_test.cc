#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/build/build_why.h"
#include "cli/fake_io.h"
#include "support/vectors.h"
#include "validate/document_stream.h"
#include "validate/test_crd.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kDeployment =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n";

// A base and an overlay that changes it.
struct Overlay {
  Overlay() {
    folder.write("base/kustomization.yaml", "resources: [d.yaml]\n");
    folder.write("base/d.yaml", kDeployment);
    folder.write("prod/kustomization.yaml",
                 "resources: [../base]\nnamespace: prod\npatches: [{path: p.yaml}]\n");
    folder.write("prod/p.yaml",
                 "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
                 "spec: {replicas: 3}\n");
  }
  TemporaryFolder folder;
};

TEST(BuildCommand, PrintsTheResourcesOfAnOverlay) {
  const Overlay overlay;
  FakeWorld world;
  EXPECT_EQ(world.run({"build", overlay.folder / "prod"}), ExitCode::kFine);
  EXPECT_EQ(world.out.text(),
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: prod\n"
            "spec:\n  replicas: 3\n");
  EXPECT_EQ(world.err.text(), "");
}

TEST(BuildCommand, TellsWhoSetAField) {
  const Overlay overlay;
  FakeWorld world;
  EXPECT_EQ(
      world.run({"build", "--why", ".spec.replicas", "deployment/web", overlay.folder / "prod"}),
      ExitCode::kFine);
  EXPECT_THAT(world.out.text(), HasSubstr(".spec.replicas: 3"));
  EXPECT_THAT(world.out.text(), HasSubstr("prod/p.yaml:4"));
}

TEST(BuildCommand, TellsWhoSetAFieldOfAResourceByTheNameItHadBefore) {
  const TemporaryFolder folder;
  folder.write("kustomization.yaml",
               "namePrefix: p-\nconfigMapGenerator: [{name: made, literals: [a=b]}]\n"
               "patches:\n- target: {kind: ConfigMap}\n"
               "  patch: '[{\"op\": \"add\", \"path\": \"/data/c\", \"value\": \"d\"}]'\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"build", "--why", ".data.c", "configmap/made", folder / "."}),
            ExitCode::kFine);
  EXPECT_THAT(world.out.text(), HasSubstr("kustomization.yaml:5 (patches)"));
}

TEST(BuildCommand, TellsWhichResourcesThereAreWhenAskedForAnother) {
  const Overlay overlay;
  FakeWorld world;
  EXPECT_EQ(world.run({"build", "--why", ".spec", "pod/x", overlay.folder / "prod"}),
            ExitCode::kInput);
  EXPECT_THAT(world.err.text(), HasSubstr("deployment/web in prod"));
}

TEST(BuildCommand, ShowsTheOriginOfEveryField) {
  const Overlay overlay;
  FakeWorld world;
  EXPECT_EQ(world.run({"build", "--provenance", overlay.folder / "prod"}), ExitCode::kFine);
  EXPECT_THAT(world.out.text(), HasSubstr("base/d.yaml:2"));
  EXPECT_THAT(world.out.text(), HasSubstr("prod/kustomization.yaml (namespace)"));
}

TEST(BuildCommand, ChecksTheResultAndPlacesFindingsInTheSource) {
  const TemporaryFolder folder;
  folder.write("crd.yaml",
               "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
               "metadata: {name: boats.marina.dev}\nspec:\n  group: marina.dev\n"
               "  scope: Namespaced\n  names: {kind: Boat, plural: boats, singular: boat, "
               "listKind: BoatList}\n  versions:\n  - name: v1\n    served: true\n"
               "    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n"
               "        properties:\n          spec:\n            type: object\n"
               "            properties:\n              sails: {type: integer}\n");
  folder.write("k/kustomization.yaml", "resources: [b.yaml]\n");
  folder.write("k/b.yaml",
               "apiVersion: marina.dev/v1\nkind: Boat\nmetadata:\n  name: b\nspec:\n"
               "  sails: many\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"build", folder / "k", "-s", folder / "crd.yaml"}), ExitCode::kFindings);
  EXPECT_THAT(world.err.text(), HasSubstr("k/b.yaml:6"));
  EXPECT_THAT(world.err.text(), HasSubstr("spec.sails"));
  EXPECT_EQ(world.out.text(), "");
}

TEST(BuildCommand, NamesTheFileAndLineOfAMalformedResource) {
  const TemporaryFolder folder;
  folder.write("kustomization.yaml", "resources: [a.yaml]\n");
  folder.write("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\nx: [1\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"build", folder.path().string()}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(), HasSubstr("a.yaml:6"));
}

TEST(BuildCommand, RefusesRemoteBasesUnlessTheyAreAllowed) {
  const TemporaryFolder folder;
  folder.write("kustomization.yaml", "resources: ['https://example.com/a.yaml']\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"build", folder.path().string()}), ExitCode::kUnsupported);
  EXPECT_THAT(world.err.text(), HasSubstr("--allow-remote"));
}

TEST(BuildCommand, WritesOneFileAResourceIntoAFolder) {
  const Overlay overlay;
  overlay.folder.write("out/keep", "");
  FakeWorld world;
  EXPECT_EQ(world.run({"build", overlay.folder / "prod", "-o", overlay.folder / "out"}),
            ExitCode::kFine);
  EXPECT_THAT(overlay.folder.read("out/apps_v1_deployment_web.yaml"),
              StartsWith("apiVersion: apps/v1\n"));
}

TEST(BuildCommand, SaysWhichRestrictorsThereAre) {
  FakeWorld world;
  EXPECT_EQ(world.run({"build", "--load-restrictor", "x", "."}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(), HasSubstr("illegal flag value --load-restrictor x; legal values: "
                                          "[LoadRestrictionsRootOnly LoadRestrictionsNone]"));
}

TEST(KustomizeAlias, BuildsWithTheToolsOwnMessagesAndCodes) {
  const Overlay overlay;
  FakeWorld fine;
  EXPECT_EQ(fine.run({"build", overlay.folder / "prod"}, "/usr/bin/kustomize"), ExitCode::kFine);
  EXPECT_THAT(fine.out.text(), HasSubstr("replicas: 3\n"));
  FakeWorld wrong;
  EXPECT_EQ(static_cast<int>(wrong.run({"build", overlay.folder / "none"}, "kustomize")), 1);
  EXPECT_THAT(wrong.err.text(), StartsWith("Error: must build at directory: not a valid"));
  FakeWorld two;
  EXPECT_EQ(static_cast<int>(two.run({"build", "a", "b"}, "kustomize")), 1);
  EXPECT_EQ(two.err.text(), "Error: specify one path to kustomization.yaml\n");
}

TEST(KustomizeAlias, TellsItsVersionAndSchema) {
  FakeWorld world;
  EXPECT_EQ(world.run({"version"}, "kustomize"), ExitCode::kFine);
  EXPECT_EQ(world.run({"openapi", "info"}, "kustomize"), ExitCode::kFine);
  EXPECT_EQ(world.out.text(), "v5.5.0\n{title:Kubernetes,version:v1.21.2}\n");
}

// Runs in a folder, and goes back.
class InFolder {
 public:
  explicit InFolder(const std::filesystem::path& folder)
      : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~InFolder() { std::filesystem::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  std::filesystem::path before_;
};

// Three kustomizations, each the base of the one before; what the innermost is made of is given.
std::string failure_below(const std::map<std::string, std::string>& base,
                          std::string_view program = "strake") {
  const TemporaryFolder folder;
  folder.write("top/kustomization.yaml", "resources: [../mid]\n");
  folder.write("mid/kustomization.yaml", "namePrefix: m-\nresources:\n- ../base\n");
  folder.write("base/c.yaml", kDeployment);
  for (const auto& [name, text] : base) folder.write("base/" + name, text);
  const InFolder inside(folder.path());
  FakeWorld world;
  EXPECT_NE(world.run({"build", "top"}, program), ExitCode::kFine);
  std::string said = world.err.text();
  const std::string root = std::filesystem::canonical(folder.path()).string() + "/";
  for (std::size_t at = said.find(root); at != std::string::npos; at = said.find(root))
    said.erase(at, root.size());
  return said;
}

TEST(BuildCommand, NamesTheFileTheLineAndTheKustomizationsThatLedToAFault) {
  const std::string mid_and_top =
      "  used by mid/kustomization.yaml\n  used by top/kustomization.yaml\n";
  const std::string all = "  used by base/kustomization.yaml\n" + mid_and_top;
  EXPECT_EQ(
      failure_below({{"kustomization.yaml", "resources: [c.yaml]\npatches: [{path: p.yaml}]\n"},
                     {"p.yaml", "kind: A\nspec:\n  a: [\n"}}),
      "error: base/p.yaml:4: neither a strategic merge patch nor a JSON patch (path: "
      "\"p.yaml\"): malformed YAML: did not find expected node content\n" +
          all);
  EXPECT_EQ(failure_below({{"kustomization.yaml", "resources: [c.yaml]\npatchez: []\n"}}),
            "error: base/kustomization.yaml:2: invalid kustomization: unknown field "
            "\"patchez\"\n" +
                mid_and_top);
  EXPECT_EQ(failure_below({{"kustomization.yaml", "labels:\n- pairs: {x: z}\n- pairs: {a: 1}\n"}}),
            "error: base/kustomization.yaml:3: invalid kustomization: labels.pairs must be a "
            "string, got a number\n" +
                mid_and_top);
  EXPECT_EQ(
      failure_below({{"kustomization.yaml", "resources:\n- c.yaml\n- none.yaml\n"}}),
      "error: base/kustomization.yaml:3: no such file or folder: base/none.yaml\n" + mid_and_top);
  EXPECT_EQ(
      failure_below({{"kustomization.yaml", "resources:\n- ../top\n"}}),
      "error: base/kustomization.yaml:2: a cycle: building top leads back to top\n" + mid_and_top);
  EXPECT_EQ(failure_below({{"other.yaml", ""}}),
            "error: mid/kustomization.yaml:3: no kustomization.yaml, kustomization.yml or "
            "Kustomization in base\n  used by top/kustomization.yaml\n");
  EXPECT_EQ(failure_below({{"kustomization.yaml", "resources: [c.yaml, d.yaml]\n"},
                           {"d.yaml", "---\nkind: A\nmetadata: {name: x}\n---\nkind: B\n"}}),
            "error: base/d.yaml:5: a resource without metadata.name: B\n" + all);
  EXPECT_EQ(
      failure_below({{"kustomization.yaml", "resources: [c.yaml]\npatches: [{path: p.yaml}]\n"},
                     {"p.yaml",
                      "kind: Deployment\napiVersion: apps/v1\nmetadata:\n  name: web\n"
                      "spec:\n  replicas: {a: 1}\n"}}),
      "error: base/p.yaml:6: Deployment web: expected a scalar, got a map:\n    a: 1\n" + all);
  EXPECT_EQ(failure_below({{"kustomization.yaml",
                            "configMapGenerator:\n- name: fine\n- name: bad\n  files: [none]\n"}}),
            "error: base/kustomization.yaml:3: file sources: [none]: no such file or folder: "
            "base/none\n" +
                mid_and_top);
}

TEST(BuildCommand, SaysThatAFolderOrAFileIsMissing) {
  const TemporaryFolder folder;
  folder.write("app/kustomization.yaml", "resources: [a.yaml]\n");
  folder.write("app/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
  const InFolder inside(folder.path());
  FakeWorld target;
  EXPECT_EQ(target.run({"build", "nothing"}), ExitCode::kInput);
  EXPECT_THAT(target.err.text(), HasSubstr("error: no such folder: "));
  EXPECT_THAT(target.err.text(), Not(HasSubstr("lstat")));
  for (const std::string output : {"missing/x.yaml", "missing/"}) {
    FakeWorld world;
    EXPECT_EQ(world.run({"build", "app", "-o", output}), ExitCode::kOutputFailed);
    EXPECT_EQ(world.err.text(), "error: " + output +
                                    ": cannot write: there is no folder missing; create it first, "
                                    "for example with mkdir -p missing\n");
    EXPECT_FALSE(std::filesystem::exists("missing"));
  }
}

TEST(BuildCommand, KnowsAHelmTemplateThatWasNotRendered) {
  for (const std::string_view text :
       {"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\n",
        "{{- if .Values.on }}\napiVersion: v1\n{{- end }}\n"}) {
    const std::string said = failure_below(
        {{"kustomization.yaml", "resources: [t.yaml]\n"}, {"t.yaml", std::string(text)}});
    EXPECT_THAT(said, StartsWith("error: base/t.yaml:"));
    EXPECT_THAT(said, HasSubstr("\n  this looks like a Helm template: render it first"));
    EXPECT_THAT(said, Not(HasSubstr("map[interface")));
  }
}

TEST(BuildCommand, FailsInPlainWordsWhereverKustomizeSpeaksOfGo) {
  STRAKE_REQUIRE_VECTORS(vectors, "kustomize");
  std::size_t failures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(vectors)) {
    if (!std::filesystem::exists(entry.path() / "expected.err")) continue;
    std::filesystem::path target = entry.path() / "input";
    std::string below;
    std::ifstream(entry.path() / "target") >> below;
    FakeWorld world;
    EXPECT_NE(world.run({"build", (target / below).string()}), ExitCode::kFine) << entry.path();
    for (const std::string_view word :
         {"lstat", "evalsymlink", "unmarshal", "map[", "interface {}", "Go struct", "Go value",
          "accumulat", "MalformedYAMLError", "json: ", " yaml: ", "ScalarNode", "MappingNode",
          "[noGrp]", "[noNs]", "%!"}) {
      EXPECT_THAT(world.err.text(), Not(HasSubstr(std::string(word)))) << entry.path();
    }
    ++failures;
  }
  EXPECT_GE(failures, testing::count_in<std::size_t>(vectors, 20, 2));
}

TEST(KustomizeAlias, FailsWithTheWordsOfTheReferenceAlone) {
  EXPECT_EQ(failure_below({{"kustomization.yaml", "patchez: []\n"}}, "kustomize"),
            "Error: accumulating resources: accumulation err='accumulating resources from "
            "'../mid': 'mid' must resolve to a file': recursed accumulation of path 'mid': "
            "accumulating resources: accumulation err='accumulating resources from '../base': "
            "'base' must resolve to a file': couldn't make target for path 'base': invalid "
            "Kustomization: json: unknown field \"patchez\"\n");
}

TEST(KustomizeAlias, EditsTheFileOfTheCurrentFolder) {
  const TemporaryFolder folder;
  folder.write("a.yaml", kDeployment);
  const InFolder inside(folder.path());
  const auto run = [](std::vector<std::string> args) {
    FakeWorld world;
    const ExitCode code = world.run(args, "kustomize");
    EXPECT_EQ(world.err.text(), "");
    return code;
  };
  EXPECT_EQ(run({"create", "--autodetect", "--nameprefix", "p-"}), ExitCode::kFine);
  EXPECT_EQ(run({"edit", "set", "image", "nginx=example.com/nginx:1.25"}), ExitCode::kFine);
  EXPECT_EQ(run({"edit", "set", "namespace", "prod"}), ExitCode::kFine);
  EXPECT_EQ(run({"edit", "set", "replicas", "web=5"}), ExitCode::kFine);
  EXPECT_EQ(run({"edit", "add", "label", "team:tide", "--without-selector"}), ExitCode::kFine);
  EXPECT_EQ(run({"edit", "add", "configmap", "c", "--from-literal=a=b"}), ExitCode::kFine);
  EXPECT_EQ(folder.read("kustomization.yaml"),
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n"
            "- a.yaml\nnamePrefix: p-\nimages:\n- name: nginx\n  newName: example.com/nginx\n"
            "  newTag: \"1.25\"\nnamespace: prod\nreplicas:\n- count: 5\n  name: web\nlabels:\n"
            "- pairs:\n    team: tide\nconfigMapGenerator:\n- literals:\n  - a=b\n  name: c\n");
  FakeWorld build;
  EXPECT_EQ(build.run({"build"}, "kustomize"), ExitCode::kFine);
  EXPECT_THAT(build.out.text(), HasSubstr("replicas: 5\n"));
}

TEST(KustomizeAlias, KeepsCommentsAndMovesDeprecatedFieldsWhenItFixes) {
  const TemporaryFolder folder;
  folder.write(
      "kustomization.yaml",
      "# who\nbases: [b]\n# labels\ncommonLabels: {a: b}\npatchesStrategicMerge: [p.yaml]\n");
  folder.write("p.yaml", kDeployment);
  const InFolder inside(folder.path());
  FakeWorld world;
  EXPECT_EQ(world.run({"edit", "fix"}, "kustomize"), ExitCode::kFine) << world.err.text();
  EXPECT_EQ(folder.read("kustomization.yaml"),
            "# who\n# labels\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
            "resources:\n- b\nlabels:\n- includeSelectors: true\n  pairs:\n    a: b\npatches:\n"
            "- path: p.yaml\n");
}

// The same manifests checked by themselves and as the result of a build.
class BuildCheck : public ::testing::Test {
 protected:
  BuildCheck() : crd_(folder_.write("crds/gardens.yaml", validate::kGardenCrd)) {}

  std::string manifest(std::string_view name, std::string_view text) {
    listed_ += fmt::format("- {}.yaml\n", name);
    folder_.write("app/kustomization.yaml", "resources:\n" + listed_);
    return shown_file(folder_.write(fmt::format("app/{}.yaml", name), text));
  }

  static std::string garden(std::string_view name, std::string_view spec) {
    return fmt::format("apiVersion: example.dev/v1\nkind: Garden\nmetadata:\n  name: {}\nspec:\n{}",
                       name, spec);
  }

  void expect_the_same(std::vector<std::string> files, std::vector<std::string> flags = {}) {
    std::vector<std::string> check{"validate", "-s", crd_, "--ignore-missing-schemas"};
    check.insert(check.end(), flags.begin(), flags.end());
    check.insert(check.end(), files.begin(), files.end());
    FakeWorld alone;
    const ExitCode code = alone.run(check);
    std::vector<std::string> build{"build", "-s", crd_};
    build.insert(build.end(), flags.begin(), flags.end());
    build.push_back(folder_ / "app");
    FakeWorld built;
    EXPECT_EQ(built.run(build), code);
    EXPECT_EQ(built.err.text(), alone.out.text());
    EXPECT_EQ(built.out.text().empty(), code != ExitCode::kFine);
    said_ = alone.out.text();
  }

  TemporaryFolder folder_;
  std::string crd_;
  std::string listed_;
  std::string said_;
};

TEST_F(BuildCheck, SaysWhatAValidationOfTheSameFilesSays) {
  const std::string a = manifest(
      "a", garden("a", "  bedz: 2\n  beds: many\n  plants:\n  - name: x\n    water: plentty\n") +
               "---\n" + garden("b", "  beds: 1\n  plants:\n  - water: little\n"));
  const std::string c = manifest(
      "c",
      "# two of a name\n" +
          garden("c", "  beds: 1\n  plants:\n  - {name: x}\n  - {name: x, junk: {deep: 1}}\n") +
          "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\n");
  expect_the_same({a, c});
  EXPECT_THAT(said_, HasSubstr("warning: unknown field \"spec.bedz\""));
  EXPECT_THAT(said_, HasSubstr(" errors"));
  expect_the_same({a, c}, {"--locale=ja"});
  EXPECT_THAT(said_, HasSubstr("警告: 項目「spec.bedz」はスキーマにありません"));
  expect_the_same({a, c}, {"--strict"});
  EXPECT_THAT(said_, ::testing::Not(HasSubstr("warning")));
}

TEST_F(BuildCheck, AsksAdmissionPolicies) {
  const std::string policies = folder_.write("policies/beds.yaml", R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: beds}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  validations:
  - expression: object.spec.beds <= 5
)y");
  expect_the_same({manifest("a", garden("a", "  beds: 7\n"))}, {"--policies", policies});
  EXPECT_THAT(said_, HasSubstr("ValidatingAdmissionPolicy 'beds' denied request: failed "
                               "expression: object.spec.beds <= 5"));
}

TEST_F(BuildCheck, ShowsPoliciesTheResultAsOthersWouldChangeIt) {
  const std::string policies = folder_.write("policies/beds.yaml", R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: tidy}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{spec: Object.spec{beds: 5000}}"}
)y");
  expect_the_same({manifest("a", garden("a", "  beds: 7\n"))}, {"--policies", policies});
  EXPECT_THAT(said_, HasSubstr("(as MutatingAdmissionPolicy 'tidy' leaves it)"));
}

TEST_F(BuildCheck, PrintsTheResultBehindWarningsOnly) {
  expect_the_same({manifest("a", garden("a", "  beds: 1\n  bedz: 2\n"))});
  EXPECT_THAT(said_, HasSubstr("1 file, 1 document: 1 warning"));
}

TEST_F(BuildCheck, SaysThatAllIsWell) {
  expect_the_same({manifest("a", garden("a", "  beds: 1\n"))});
  EXPECT_EQ(said_, "1 file, 1 document: all fine\n");
}

TEST_F(BuildCheck, ParsesNothingOfWhatIsPrinted) {
  manifest("crd", validate::kGardenCrd);
  manifest("a", garden("a", "  beds: 1\n"));
  FakeWorld fine;
  std::uint64_t parses = validate::parses_begun();
  EXPECT_EQ(fine.run({"build", "--validate", folder_ / "app"}), ExitCode::kFine);
  EXPECT_EQ(validate::parses_begun(), parses);
  EXPECT_EQ(fine.err.text(), "2 files, 2 documents: all fine\n");
  const std::string b = manifest("b", garden("b", "  beds: 101\n"));
  FakeWorld world;
  parses = validate::parses_begun();
  EXPECT_EQ(world.run({"build", "--validate", folder_ / "app"}), ExitCode::kFindings);
  EXPECT_EQ(validate::parses_begun() - parses, 1U) << "the file that the finding is shown in";
  EXPECT_THAT(world.err.text(), HasSubstr(b + ":6:9: spec.beds: Invalid value: 101"));
}

TEST_F(BuildCheck, PlacesAFaultInThePatchThatMadeIt) {
  manifest("a", garden("a", "  beds: 1\n"));
  folder_.write("app/p.yaml",
                "apiVersion: example.dev/v1\nkind: Garden\nmetadata: {name: a}\n"
                "spec: {beds: many}\n");
  folder_.write("app/kustomization.yaml",
                "resources: [a.yaml]\nnamePrefix: p-\npatches: [{path: p.yaml}]\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"build", "-s", crd_, folder_ / "app"}), ExitCode::kFindings);
  EXPECT_THAT(world.err.text(),
              StartsWith(shown_file(folder_ / "app/p.yaml") + ":4:14: spec.beds: Invalid value: "));
  EXPECT_THAT(world.err.text(), HasSubstr("1 file, 1 document: 1 error"));
}

}  // namespace
}  // namespace strake::cli
