// `strake validate` on a repository as people keep them: manifests among files of other tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

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

// Runs of three plain words that stand outside of what is quoted: paths, source lines, codes, text
// in quotes, and the words of others behind a Japanese sentence.
std::vector<std::string> english_in(std::string_view report) {
  std::vector<std::string> out;
  std::istringstream lines{std::string(report)};
  for (std::string line; std::getline(lines, line);) {
    // Excerpts of a file: "   3 | kind: x".
    if (line.find(" | ") < 10) continue;
    std::size_t run = 0;
    bool quoted = false;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const auto marks = std::ranges::count(word, '"');
      const bool plain = !quoted && marks == 0 &&
                         std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z'); });
      if (marks % 2 == 1) quoted = !quoted;
      run = plain ? run + 1 : 0;
      if (run == 3) out.push_back(line);
    }
  }
  return out;
}

// Each run makes the checker say sentences of its own; none of them may be left in English.
TEST_F(Repository, IsToldOfInJapaneseThroughout) {
  folder_.write("a/settings.yaml", kBadConfigMap);
  folder_.write("a/kustomization.yaml", "resources: [settings.yaml]\n");
  folder_.write("a/package.json", "{}");
  folder_.write("a/package-lock.json", "{}");
  folder_.write("a/compose.yaml", "services: {}\n");
  folder_.write("a/azure-pipelines.yml", "a: b\n");
  folder_.write("a/mkdocs.yml", "a: b\n");
  folder_.write("a/data.yaml", "a: b\n");
  folder_.write("a/chart/Chart.yaml", "name: x\nversion: 1.0.0\n");
  folder_.write("a/chart/values.yaml", "a: 1\n");
  folder_.write("a/chart/templates/web.yaml", "a: {{ .Values.a }}\n");
  folder_.write("a/old.yaml",
                "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata:\n  name: x\n");
  folder_.write("a/place.yaml", "apiVersion: v1\nkind: Deployment\nmetadata:\n  name: x\n");
  folder_.write("a/near.yaml", "apiVersion: v1\nkind: ConfigMp\nmetadata:\n  name: x\n");
  folder_.write("a/types.yaml",
                "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: x\n  finalizers: [a]\n"
                "spec:\n  replicas: 'three' # strake:ignore no-such-rule\n  paused: 'yes'\n"
                "  template:\n    spec:\n      containers: x\n      nodeSelector: y\n");
  folder_.write("a/endpoints.yaml", "apiVersion: v1\nkind: Endpoints\nmetadata:\n  name: x\n");
  const std::string tmpl = folder_.write("web.yaml", "a: {{ .Values.a }}\nb: [\n");
  const std::string crd = folder_.write(
      "crd.yaml",
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
      "metadata:\n  name: things.example.com\nspec:\n  group: example.com\n  scope: Cluster\n"
      "  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}\n"
      "  versions:\n  - name: v1\n    served: true\n    storage: true\n    deprecated: true\n"
      "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n"
      "          a: {type: string, format: colour}\n");
  const std::string thing = folder_.write(
      "thing.yaml",
      "apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: x\n  finalizers: [a, b.c]\n");
  const std::string plain = folder_.write("plain.yaml", "a: b\n");
  const std::string fine = folder_.write("fine.yaml", kConfigMap);
  const std::string gz = folder_.write("cut.json.gz", "\x1f\x8b\x08\x00");
  const std::string empty = folder_.write("empty/readme.md", "x");
  const std::string many =
      folder_.write("many.json", R"({"openapi":"3.0.0","components":{"schemas":{"A":{},"B":{}}}})");
  const std::string none = folder_.write("none.json", R"({"openapi":"3.0.0","components":{}})");
  const std::string beta =
      folder_.write("beta.yaml",
                    "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n"
                    "metadata: {name: a.b}\nspec: {group: b, names: {kind: A}}\n");
  const std::string bare = folder_.write("bare.json", R"({"type":"array"})");
  const std::string folder = (folder_.path() / "a").string();
  const std::string known = (folder_.path() / "known.yaml").string();
  const std::string stale = folder_.write(
      "stale.yaml", "version: 1\nfindings:\n- {file: gone.yaml, code: required, path: /a}\n");
  const std::string two_stale =
      folder_.write("two.yaml",
                    "version: 1\nfindings:\n- {file: gone.yaml, code: required, path: /a}\n"
                    "- {file: gone.yaml, code: required, path: /b}\n");
  const std::string wrong = folder_.write("wrong.yaml", "version: 2\n");
  const std::string no_list = folder_.write("nolist.yaml", "version: 1\nfindings: x\n");
  const std::string no_count =
      folder_.write("nocount.yaml", "version: 1\nfindings:\n- {file: a, count: 0}\n");
  const std::string typo = folder_.write("typo.yaml", "version: 1\nfindngs: []\n");
  const std::string odd = folder_.write("odd.yaml", "version: 1\nqqqqqqqqqqqq: []\n");
  std::vector<std::vector<std::string>> runs = {
      {folder},
      {folder, "--verbose"},
      {folder, "--skip", "ConfigMap", "--verbose"},
      {folder, "--kubernetes-version", "1.20"},
      {folder, "-o", "github"},
      {folder, "-o", "junit"},
      {folder, "-o", "sarif"},
      {folder, "--baseline", known, "--write-baseline"},
      {fine, "--baseline", stale},
      {fine, "--baseline", two_stale},
      {fine, "--baseline", wrong},
      {fine, "--baseline", no_list},
      {fine, "--baseline", no_count},
      {fine, "--baseline", typo},
      {fine, "--baseline", odd},
      {tmpl},
      {gz},
      {plain},
      {(folder_.path() / "missing.yaml").string()},
      {(folder_.path() / "no*such").string()},
      {(folder_.path() / "empty").string()},
      {"-s", crd, thing, crd},
      {"-s", fine, thing},
      {"-s", many, thing},
      {"--profile=loose", "-s", many, thing},
      {"--profile=loose", "-s", none, thing},
      {"-s", none, thing},
      {"-s", beta, thing},
      {"--profile=loose", "-s", bare, "-s", bare, thing},
      {fine, "--exclude", "fine.yaml"},
  };
  for (std::vector<std::string>& args : runs) {
    const std::string shown = ::testing::PrintToString(args);
    args.push_back("--locale=ja");
    const Printed got = run(args);
    EXPECT_THAT(english_in(got.out + got.err), ::testing::IsEmpty()) << shown;
    const bool japanese =
        std::ranges::any_of(got.out + got.err, [](char c) { return (c & 0x80) != 0; });
    EXPECT_TRUE(japanese || args[1] == "-o") << shown << got.out << got.err;
  }
  constexpr std::string_view kConfigs[] = {
      "validate: []\n",
      "validate:\n  exclde: []\n",
      "validate:\n  exclude: x\n",
      "validate:\n  strict: x\n",
      "validate:\n  baseline: []\n",
      "validate:\n  kubernetesVersion: 1.30\n",
      "validate:\n  kubernetesVersion: 'x'\n",
      "validate:\n  kubernetesVersion: '1.3'\n",
      "validate:\n  unknown: x\n",
      "validate:\n  skip: [a/b/c]\n",
  };
  // What a server would say of the schema is quoted.
  EXPECT_THAT(
      run({"--locale=ja", "-s", bare, thing}).err,
      EndsWith("bare.json: 構造的なスキーマではありません: schema.items: Required value: must "
               "be specified\n"));
  for (const std::string_view config : kConfigs) {
    const Printed got = run_configured(config, {"--locale=ja", fine});
    EXPECT_EQ(got.code, ExitCode::kInput) << config;
    EXPECT_THAT(english_in(got.out + got.err), ::testing::IsEmpty()) << config;
    EXPECT_THAT(got.err, ::testing::StartsWith("エラー: ")) << config;
  }
}

// The parser's words for such a key name the types of another language.
TEST_F(Repository, IsToldOfKeysThatAreMapsInPlainWords) {
  const std::string tmpl = folder_.write("web.yaml", "a: {{ .Values.a }}\n");
  const std::string list = folder_.write("list.yaml", "x:\n  [a]: b\n");
  const std::string out = run({tmpl, list}).out;
  EXPECT_THAT(out, HasSubstr("= a key must be a single value, not a map or a list\n"));
  EXPECT_THAT(out, HasSubstr("list.yaml:2:3: a key must be a single value, not a map or a list"));
  EXPECT_THAT(out, Not(HasSubstr("interface {}")));
  FakeWorld world;
  EXPECT_EQ(world.run({"fmt", tmpl}), ExitCode::kInput);
  EXPECT_THAT(world.out.text() + world.err.text(), Not(HasSubstr("interface {}")));
}

TEST_F(Repository, NamesInJapaneseWhatItSkips) {
  folder_.write("a/fine.yaml", kConfigMap);
  folder_.write("a/kustomization.yaml", "resources: [fine.yaml]\n");
  folder_.write("a/package.json", "{}");
  const std::string folder = (folder_.path() / "a").string();
  EXPECT_EQ(run({folder, "--locale=ja"}).out,
            "対象外: kustomization 1 件、Node.js のファイル 1 件。--verbose で一覧を表示します\n"
            "1 ファイル、1 文書: 問題ありません\n");
  EXPECT_THAT(run({folder, "--locale=ja", "--verbose"}).out,
              HasSubstr("package.json: Node.js パッケージのファイルです\n"));
  EXPECT_THAT(run({folder, "--locale=ja", "-o", "json"}).out,
              HasSubstr("\"reason\": \"Node.js パッケージのファイルです\""));
}

}  // namespace
}  // namespace strake::cli
