// `strake validate` on a repository as people keep them: manifests among files of other tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"
#include "validate/test_crd.h"
#include "value/json_reader.h"

namespace strake::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kConfigMap =
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\ndata:\n"
    "  a: b\n";
constexpr std::string_view kBadConfigMap =
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\n"
    "dta:\n  a: b\ndata:\n  port: 80\n";

class Repository : public ::testing::Test {
 protected:
  struct Printed {
    ExitCode code;
    std::string out;
    std::string err;
  };

  Printed run(std::vector<std::string> args) {
    FakeWorld world;
    args.insert(args.begin(), {"validate", "--no-config"});
    const ExitCode code = world.run(args);
    return {code, world.out.text(), world.err.text()};
  }
  Printed run_configured(std::string_view config, std::vector<std::string> args) {
    FakeWorld world;
    const std::string file = folder_.write("strake.yaml", config);
    args.insert(args.begin(), {"validate", "--config", file});
    const ExitCode code = world.run(args);
    return {code, world.out.text(), world.err.text()};
  }

  TemporaryFolder folder_;
};

TEST_F(Repository, IsCheckedWithoutTheFilesOfOtherTools) {
  folder_.write("apps/settings.yaml", kConfigMap);
  folder_.write("apps/kustomization.yaml", "resources: [settings.yaml]\n");
  folder_.write("package.json", "{}");
  folder_.write("package-lock.json", "{}");
  folder_.write("node_modules/x/broken.json", "{");
  folder_.write(".git/config.yaml", "a: [");
  folder_.write(".github/workflows/ci.yaml", "on: push\n");
  folder_.write("docker-compose.yml", "services: {}\n");
  folder_.write("chart/Chart.yaml", "name: x\nversion: 1.0.0\n");
  folder_.write("chart/values-prod.yaml", "a: 1\n");
  folder_.write("chart/templates/web.yaml", "a: {{ .Values.a }}\n");
  folder_.write("chart/templates/plain.yaml", "a: b\n");
  folder_.write("rendered/by-hand.yaml", "{{- if .Values.a }}\na: 1\n{{- end }}\n");
  folder_.write("misc/numbers.json", "[1, 2]");
  folder_.write("misc/events.ndjson", "{\"kind\": \"Planted\", \"name\": \"tomato\"}\n");
  folder_.write("misc/kind.yaml", "apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n");
  const Printed got = run({folder_.path().string()});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_EQ(got.out,
            "skipped 1 kustomization, 3 Helm templates, 1 Helm chart file, 1 Helm values file, "
            "1 Compose file, 1 Node.js file, 1 lock file, 1 tool configuration, 2 documents "
            "without apiVersion and kind; --verbose lists them\n1 file, 1 document: all fine\n");
  EXPECT_THAT(run({"--verbose", folder_.path().string()}).out,
              HasSubstr(folder_ / "rendered/by-hand.yaml: this looks like a Helm template"));
  const auto json = value::read_json(run({"-o", "json", folder_.path().string()}).out);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->root().find("passedOver")->size(), 9u);
}

TEST_F(Repository, ReadsTheCrdsOfACharts) {
  folder_.write("chart/Chart.yaml", "name: x\nversion: 1.0.0\n");
  folder_.write("chart/crds/gardens.yaml", validate::kGardenCrd);
  EXPECT_THAT(run({folder_ / "chart"}).out, EndsWith("1 file, 1 document: all fine\n"));
}

TEST_F(Repository, SaysOfANamedFileWhyItIsNotChecked) {
  const std::string kustomization = folder_.write("kustomization.yaml", "resources: []\n");
  const Printed got = run({kustomization});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_EQ(got.out, "skipped " + kustomization +
                         ": a kustomization; check what it builds: strake build DIR | strake "
                         "validate -\n0 files, 0 documents: nothing to check\n");
  const std::string rendered = folder_.write("a.yaml", "a: 1\nb: {{ .Values.b }}\n");
  const Printed helm = run({rendered});
  EXPECT_EQ(helm.code, ExitCode::kInput);
  EXPECT_THAT(helm.out, HasSubstr("this looks like a Helm template"));
  // What lacks its apiVersion is an error wherever it is.
  folder_.write("in/c.yaml", "kind: Pod\nmetadata: {name: a}\n");
  EXPECT_THAT(run({folder_ / "in"}).out, HasSubstr("apiVersion not set"));
  // What is no object at all is an error when it is named.
  const std::string plain = folder_.write("b.yaml", "a: 1\n");
  EXPECT_EQ(run({plain}).code, ExitCode::kFindings);
  EXPECT_THAT(run({plain}).out, HasSubstr("apiVersion not set"));
}

TEST_F(Repository, IsCheckedWholeByASchemaForDocumentsOfAnyShape) {
  const std::string schema =
      folder_.write("s.json", R"({"type":"object","properties":{"name":{"type":"integer"}}})");
  folder_.write("in/package.json", R"({"name":"x"})");
  EXPECT_THAT(run({"--profile=loose", "-s", schema, folder_ / "in"}).out,
              HasSubstr("package.json:"));
}

TEST_F(Repository, KnowsTheKindsOfKubernetes) {
  const std::string file = folder_.write("a.yaml", kBadConfigMap);
  const Printed got = run({"--strict", file});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr(file + ":6:1: unknown field \"dta\" [unknown_key]"));
  EXPECT_THAT(got.out, HasSubstr(file + ":9:9: ConfigMap in version \"v1\" cannot be handled as a "
                                        "ConfigMap: json: cannot unmarshal number into Go struct "
                                        "field ConfigMap.data of type string [invalid_type]"));
  EXPECT_EQ(run({"--kubernetes-version", "1.2", file}).code, ExitCode::kInput);
  EXPECT_THAT(run({"--kubernetes-version", "1.2", file}).err, HasSubstr("1.26 to 1.36"));
}

TEST_F(Repository, LeavesOutWhatIsExcluded) {
  folder_.write("a/settings.yaml", kConfigMap);
  folder_.write("gen/bad.yaml", kBadConfigMap);
  folder_.write("a/x.gen.yaml", kBadConfigMap);
  const Printed got = run({"--exclude", "gen", "--exclude", "*.gen.yaml", folder_.path().string()});
  EXPECT_EQ(got.out, "1 file, 1 document: all fine\n");
  // A file that is named is checked all the same.
  EXPECT_THAT(run({"--exclude", "gen", folder_ / "gen/bad.yaml"}).out, HasSubstr("1 error"));
}

TEST_F(Repository, SkipsKinds) {
  const std::string file = folder_.write(
      "a.yaml", std::string(kBadConfigMap) + "---\n" + "apiVersion: ex.io/v1\nkind: Thing\n");
  const Printed got = run({"--skip", "ConfigMap", "--skip", "ex.io/Thing", file});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_THAT(got.out, HasSubstr("its kind is skipped"));
  EXPECT_THAT(run({"--skip", "other.io/Thing", file}).out,
              HasSubstr("no schema for kind \"Thing\""));
  EXPECT_THAT(run({"--skip", "a/b/c", file}).err, HasSubstr("write Kind or group/Kind"));
}

TEST_F(Repository, IsConfiguredByAFileThatFlagsOverride) {
  folder_.write("a/settings.yaml", kConfigMap);
  folder_.write("gen/bad.yaml", kBadConfigMap);
  constexpr std::string_view kConfig = "validate:\n  exclude: [gen/*]\n  strict: true\n";
  EXPECT_THAT(run_configured(kConfig, {folder_.path().string()}).out,
              EndsWith("1 file, 1 document: all fine\n"));
  EXPECT_THAT(run_configured(kConfig, {"--exclude", "nothing", folder_.path().string()}).out,
              HasSubstr("2 errors"));
  EXPECT_THAT(
      run_configured(kConfig, {"--exclude", "nothing", "--strict=false", folder_.path().string()})
          .out,
      HasSubstr("1 error, 1 warning"));
  const Printed wrong = run_configured("validate:\n  exlude: []\n", {folder_.path().string()});
  EXPECT_EQ(wrong.code, ExitCode::kInput);
  EXPECT_THAT(wrong.err, HasSubstr("strake.yaml:2:3: unknown key \"exlude\""));
  EXPECT_THAT(run_configured("validate: {unknown: never}\n", {folder_.path().string()}).err,
              HasSubstr("unknown: \"never\" is none of warn, prune, strict, preserve"));
}

TEST_F(Repository, IgnoresWhatCommentsSay) {
  const std::string file = folder_.write(
      "a.yaml",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n# strake:ignore unknown_key\n"
      "dta: {}\ndata:\n  port: 80 # strake:ignore\n");
  const Printed got = run({"--strict", file});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_EQ(got.out, "1 file, 1 document: all fine, 2 ignored\n");
}

TEST_F(Repository, ReportsWhatIsNotInTheBaseline) {
  const std::string file = folder_.write("a.yaml", kBadConfigMap);
  const std::string baseline = folder_ / "known.yaml";
  EXPECT_THAT(run({"--baseline", baseline, file}).err, HasSubstr("known.yaml"));
  EXPECT_THAT(run({"--write-baseline", file}).err, HasSubstr("--write-baseline needs --baseline"));
  const Printed written = run({"--strict", "--baseline", baseline, "--write-baseline", file});
  EXPECT_EQ(written.code, ExitCode::kFine);
  EXPECT_EQ(written.err, baseline + ": 2 findings written\n");
  EXPECT_THAT(folder_.read("known.yaml"), HasSubstr("file: a.yaml"));

  EXPECT_EQ(run({"--strict", "--baseline", baseline, file}).out,
            "1 file, 1 document: all fine, 2 ignored\n");
  // Lines may move; another finding is reported.
  folder_.write("a.yaml", "# a comment\n" + std::string(kBadConfigMap) + "bnaryData: {}\n");
  const Printed more = run({"--strict", "--baseline", baseline, file});
  EXPECT_EQ(more.code, ExitCode::kFindings);
  EXPECT_THAT(more.out, HasSubstr("unknown field \"bnaryData\""));
  EXPECT_THAT(more.out, Not(HasSubstr("\"dta\"")));
  EXPECT_EQ(more.err, "");
  // What was mended is stale.
  folder_.write("a.yaml", kConfigMap);
  const Printed mended = run({"--strict", "--baseline", baseline, file});
  EXPECT_EQ(mended.code, ExitCode::kFine);
  EXPECT_THAT(mended.err, HasSubstr("2 entries of " + baseline + " are stale"));
}

TEST_F(Repository, IsATestCaseAResourceForJunit) {
  const std::string file =
      folder_.write("a.yaml", std::string(kConfigMap) + "---\n" + std::string(kBadConfigMap) +
                                  "---\napiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n");
  const std::string out = run({"--strict", "-o", "junit", file}).out;
  EXPECT_THAT(out, HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(
      out, HasSubstr("<testcase classname=\"" + file + "\" name=\"ConfigMap/shop/settings\"/>\n"));
  EXPECT_THAT(out, HasSubstr("name=\"ConfigMap/shop/settings\">\n      <failure"));
  EXPECT_THAT(out, HasSubstr("name=\"Cluster/document 3\">\n      <skipped message=\"the "
                             "configuration of another tool\"/>"));
}

}  // namespace
}  // namespace strake::cli
