#include "ops/kom/documents.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/kom/definitions.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::ops {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using value::text_of;
using value::Value;

struct Read {
  std::vector<KomDocument> documents;
  std::vector<std::string> problems;
};

Read read_text(std::string_view text, bool with_defaults = false, bool across = false) {
  Read out;
  KomProblems problems;
  read_kom_text("/kom/a.yml", std::string(text), with_defaults, out.documents, problems);
  if (across) check_across(out.documents, problems);
  for (const Error& one : problems.errors()) out.problems.push_back(one.to_string());
  return out;
}

std::string document_of(std::string_view kind, std::string_view id, std::string_view spec = "{}") {
  return fmt::format(
      "---\napiVersion: ops.kompox.dev/v1alpha1\nkind: {}\nmetadata:\n  name: {}\n  annotations:\n"
      "    ops.kompox.dev/id: {}\nspec: {}\n",
      kind, id.substr(id.rfind('/') + 1), id, spec);
}

constexpr std::string_view kWorkspaceId = "/ws/w";
constexpr std::string_view kProviderId = "/ws/w/prv/p";
constexpr std::string_view kClusterId = "/ws/w/prv/p/cls/c";
constexpr std::string_view kAppId = "/ws/w/prv/p/cls/c/app/a";
constexpr std::string_view kBoxId = "/ws/w/prv/p/cls/c/app/a/box/b";

template <typename Model>
Model only(std::string_view kind, std::string_view id, std::string_view spec) {
  Read read = read_text(document_of(kind, id, spec));
  EXPECT_THAT(read.problems, IsEmpty());
  if (read.documents.size() != 1 || !std::holds_alternative<Model>(read.documents[0].model)) {
    ADD_FAILURE() << "no " << kind;
    return {};
  }
  return std::get<Model>(read.documents[0].model);
}

TEST(KomDocuments, BecomeModelsWithEveryField) {
  const auto workspace = only<provider::Workspace>("Workspace", kWorkspaceId, "{settings: {a: 1}}");
  EXPECT_EQ(workspace.id, kWorkspaceId);
  EXPECT_EQ(workspace.name, "w");

  const auto entity = only<provider::ProviderEntity>(
      "Provider", kProviderId, "{driver: aks, settings: {A: text, B: 12, C: true, D: 0.5, E: }}");
  EXPECT_EQ(entity.id, kProviderId);
  EXPECT_EQ(entity.workspace_id, kWorkspaceId);
  EXPECT_EQ(entity.driver, "aks");
  EXPECT_THAT(entity.settings, ElementsAre(Pair("A", "text"), Pair("B", "12"), Pair("C", "true"),
                                           Pair("D", "0.5"), Pair("E", "")));

  const auto cluster = only<provider::Cluster>(
      "Cluster", kClusterId,
      "{existing: true, ingress: {namespace: ns, controller: traefik, serviceAccount: s, domain: "
      "d, "
      "certResolver: staging, certEmail: e, certificates: [{name: a, source: b}]}, protection: "
      "{provisioning: readOnly, installation: cannotDelete}, settings: {K: v}}");
  EXPECT_EQ(cluster.provider_id, kProviderId);
  EXPECT_TRUE(cluster.existing);
  ASSERT_TRUE(cluster.ingress);
  EXPECT_EQ(cluster.ingress->namespace_name, "ns");
  EXPECT_EQ(cluster.ingress->controller, "traefik");
  EXPECT_EQ(cluster.ingress->service_account, "s");
  EXPECT_EQ(cluster.ingress->domain, "d");
  EXPECT_EQ(cluster.ingress->cert_resolver, "staging");
  EXPECT_EQ(cluster.ingress->cert_email, "e");
  ASSERT_EQ(cluster.ingress->certificates.size(), 1U);
  EXPECT_EQ(cluster.ingress->certificates[0].name, "a");
  EXPECT_EQ(cluster.ingress->certificates[0].source, "b");
  EXPECT_EQ(cluster.protection.provisioning, provider::Protection::kReadOnly);
  EXPECT_EQ(cluster.protection.installation, provider::Protection::kCannotDelete);
  EXPECT_THAT(cluster.settings, ElementsAre(Pair("K", "v")));
  EXPECT_FALSE(only<provider::Cluster>("Cluster", kClusterId, "{}").ingress);

  const auto box = only<provider::Box>("Box", kBoxId,
                                       "{image: debian, command: [sh, -c], args: [ls], "
                                       "networkPolicy: {ingressRules: [{from: [{namespaceSelector: "
                                       "{matchLabels: {a: b}}}]}]}}");
  EXPECT_EQ(box.app_id, kAppId);
  EXPECT_EQ(box.component, "b");
  EXPECT_EQ(box.image, "debian");
  EXPECT_THAT(box.command, ElementsAre("sh", "-c"));
  EXPECT_THAT(box.args, ElementsAre("ls"));
  EXPECT_EQ(box.network_policy.ingress_rules.size(), 1U);
}

TEST(KomDocuments, BecomeAppsWithEveryField) {
  const auto app = only<provider::App>(
      "App", kAppId,
      "{compose: 'file:compose.yml', ingress: {certResolver: production, rules: [{name: main, "
      "port: 8080, hosts: [www.example.test, b.example]}]}, volumes: [{name: data, size: 32Gi, "
      "options: {sku: P, iops: 3000, fast: true, part: 0.5}}, {name: shared, type: files, size: "
      "1024}, {name: none, type: files}], deployment: {pools: [p, q], zone: '1'}, networkPolicy: "
      "{ingressRules: [{from: [{namespaceSelector: {matchLabels: {a: b}, matchExpressions: [{key: "
      "k, operator: NotIn, values: [v]}]}}], ports: [{port: 80}, {protocol: UDP, port: 53}]}]}, "
      "resources: {cpu: 1}, settings: {A: b}}");
  EXPECT_EQ(app.id, kAppId);
  EXPECT_EQ(app.name, "a");
  EXPECT_EQ(app.cluster_id, kClusterId);
  EXPECT_EQ(app.compose, "file:compose.yml");
  EXPECT_EQ(app.ingress.cert_resolver, "production");
  ASSERT_EQ(app.ingress.rules.size(), 1U);
  EXPECT_EQ(app.ingress.rules[0].name, "main");
  EXPECT_EQ(app.ingress.rules[0].port, 8080);
  EXPECT_THAT(app.ingress.rules[0].hosts, ElementsAre("www.example.test", "b.example"));
  ASSERT_EQ(app.volumes.size(), 3U);
  EXPECT_EQ(app.volumes[0].name, "data");
  EXPECT_EQ(app.volumes[0].size, 34359738368);
  EXPECT_EQ(app.volumes[0].type, provider::VolumeType::kDisk);
  EXPECT_THAT(app.volumes[0].options,
              ElementsAre(Pair("fast", provider::OptionValue(true)),
                          Pair("iops", provider::OptionValue(std::int64_t{3000})),
                          Pair("part", provider::OptionValue(0.5)),
                          Pair("sku", provider::OptionValue(std::string("P")))));
  EXPECT_EQ(app.volumes[1].type, provider::VolumeType::kFiles);
  EXPECT_EQ(app.volumes[1].size, 1024);
  EXPECT_EQ(app.volumes[2].size, 0);
  EXPECT_THAT(app.deployment.pools, ElementsAre("p", "q"));
  EXPECT_EQ(app.deployment.pool, "");
  EXPECT_EQ(app.deployment.zone, "1");
  ASSERT_EQ(app.network_policy.ingress_rules.size(), 1U);
  const provider::PolicyRule& rule = app.network_policy.ingress_rules[0];
  ASSERT_EQ(rule.from.size(), 1U);
  EXPECT_THAT(rule.from[0].match_labels, ElementsAre(Pair("a", "b")));
  ASSERT_EQ(rule.from[0].match_expressions.size(), 1U);
  EXPECT_EQ(rule.from[0].match_expressions[0].key, "k");
  EXPECT_EQ(rule.from[0].match_expressions[0].op, "NotIn");
  EXPECT_THAT(rule.from[0].match_expressions[0].values, ElementsAre("v"));
  ASSERT_EQ(rule.ports.size(), 2U);
  EXPECT_EQ(rule.ports[0].protocol, "TCP");
  EXPECT_EQ(rule.ports[0].port, 80);
  EXPECT_EQ(rule.ports[1].protocol, "UDP");
  EXPECT_THAT(app.resources, ElementsAre(Pair("cpu", "1")));
  EXPECT_THAT(app.settings, ElementsAre(Pair("A", "b")));
  EXPECT_EQ(app.ref_base, "");
}

TEST(KomDocuments, TakeComposeAsAMappingToo) {
  const auto app =
      only<provider::App>("App", kAppId, "{compose: {services: {web: {image: nginx}}}}");
  EXPECT_EQ(app.compose, "services:\n  web:\n    image: nginx\n");
}

TEST(KomDocuments, ReadSizesAsTheRecordingDoes) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "sizes.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  const auto spec = [](std::string_view text) {
    return fmt::format("{{volumes: [{{name: a, size: '{}'}}]}}", text);
  };
  std::size_t cases = 0;
  for (const Value& one : data->root().get("parse").items()) {
    const auto app = only<provider::App>("App", kAppId, spec(text_of(one, "text")));
    ASSERT_EQ(app.volumes.size(), 1U);
    EXPECT_EQ(app.volumes[0].size, one.get("bytes").as_int()) << text_of(one, "text");
    ++cases;
  }
  for (const Value& one : data->root().get("parseErrors").items()) {
    EXPECT_THAT(read_text(document_of("App", kAppId, spec(one.as_string()))).problems,
                ElementsAre(HasSubstr("app \"a\": spec.volumes[0].size: invalid size")))
        << one.as_string();
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 13U, 2U));
  // What a schema cannot see.
  EXPECT_THAT(read_text(document_of("App", kAppId, spec("10000Pi"))).problems,
              ElementsAre(HasSubstr("too large")));
  EXPECT_THAT(read_text(document_of("App", kAppId, spec("0Gi"))).problems,
              ElementsAre(HasSubstr("must be greater than 0")));
  EXPECT_EQ(only<provider::App>("App", kAppId, spec("1.5Gi")).volumes.at(0).size, 1610612736);
}

TEST(KomDocuments, OfOtherVersionsAndEmptyOnesArePassedOver) {
  const Read read = read_text("# nothing\n---\n{}\n---\napiVersion: v1\nkind: ConfigMap\n---\n" +
                              document_of("Workspace", kWorkspaceId) +
                              "---\nnull\n---\napiVersion: ops.kompox.dev/v1\nkind: X\n");
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_EQ(read.documents.size(), 1U);
  EXPECT_EQ(read.documents[0].kind, "Workspace");
}

TEST(KomDocuments, TellWhereTheyComeFrom) {
  const Read read = read_text(document_of("Workspace", kWorkspaceId) +
                              document_of("Provider", kProviderId, "{driver: local}"));
  ASSERT_EQ(read.documents.size(), 2U);
  EXPECT_EQ(read.documents[1].index, 2U);
  EXPECT_EQ(read.documents[1].path, "/kom/a.yml");
  EXPECT_EQ(read.documents[1].at.line, 15U);
  const Value& annotations = read.documents[1].object.root().get("metadata").get("annotations");
  EXPECT_EQ(text_of(annotations, kDocPathAnnotation), "/kom/a.yml");
  EXPECT_EQ(text_of(annotations, kDocIndexAnnotation), "2");
  EXPECT_EQ(text_of(annotations, kIdAnnotation), kProviderId);
}

TEST(KomDocuments, AreReadFromJsonToo) {
  const Read read = read_text(
      R"({"apiVersion":"ops.kompox.dev/v1alpha1","kind":"Workspace","metadata":{"name":"w","annotations":{"ops.kompox.dev/id":"/ws/w"}},"spec":{"settings":{"a":true}}})");
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_EQ(read.documents.size(), 1U);
  EXPECT_EQ(read.documents[0].id->text(), "/ws/w");
}

struct Refused {
  std::string text;
  std::string want;
};

TEST(KomDocuments, TellFaultsWithFileLineAndColumn) {
  const std::string front = "apiVersion: ops.kompox.dev/v1alpha1\n";
  const Refused cases[] = {
      {"services: {}\n",
       R"(/kom/a.yml:1:1: document 1 in "/kom/a.yml": missing or invalid apiVersion)"},
      {"---\na: b\n---\napiVersion: 1\n",
       R"(/kom/a.yml:2:1: document 1 in "/kom/a.yml": missing or invalid apiVersion)"},
      {front, R"(/kom/a.yml:1:1: document 1 in "/kom/a.yml": missing or invalid kind)"},
      {"apiVersion: v1\n",
       R"(/kom/a.yml:1:1: document 1 in "/kom/a.yml": missing or invalid kind)"},
      {front + "kind: Disk\n",
       R"(/kom/a.yml:2:7: document 1 in "/kom/a.yml": unsupported kind: Disk)"},
      {"- a\n", R"(/kom/a.yml:1:1: document 1 in "/kom/a.yml": must be a mapping)"},
      {front + "kind: Workspace\nmetadata: {name: w}\n",
       R"(/kom/a.yml:3:11: document 1 in "/kom/a.yml": annotation "ops.kompox.dev/id" is required)"},
      {document_of("App", kAppId, "{deployment: {pool: a, pools: [b]}}"),
       R"(/kom/a.yml:8:20: app "a": deployment.pool and deployment.pools cannot be specified together)"},
      {document_of("App", kAppId, "{settings: {a: {}}}"),
       R"(/kom/a.yml:8:22: app "a": spec.settings[a]: must be a text, a number or a boolean)"},
      {document_of("Box", kBoxId, "{args: [a]}"),
       "/kom/a.yml:8:7: box \"/ws/w/prv/p/cls/c/app/a/box/b\" validation error: Compose Box must "
       "not specify spec.args from /kom/a.yml (document 1)"},
  };
  for (const Refused& one : cases)
    EXPECT_THAT(read_text(one.text).problems, ::testing::Contains(one.want)) << one.text;
}

TEST(KomDocuments, CheckIdsAsTheRecordingDoes) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "resource-ids.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("cases").items()) {
    const std::string_view kind = text_of(one, "declaredKind");
    if (kind.empty()) continue;
    const Read read = read_text(fmt::format(
        "apiVersion: ops.kompox.dev/v1alpha1\nkind: {}\nmetadata: {{name: {}, annotations: "
        "{{ops.kompox.dev/id: {}}}}}\nspec: {}\n",
        kind, text_of(one, "declaredName"), text_of(one, "id"),
        kind == "Provider" ? "{driver: local}" : "{}"));
    const std::string_view error = text_of(one, "errorContains");
    if (error.empty()) {
      EXPECT_THAT(read.problems, IsEmpty()) << text_of(one, "id");
      ASSERT_EQ(read.documents.size(), 1U);
      EXPECT_EQ(read.documents[0].id->parent(), text_of(one, "parent"));
    } else {
      EXPECT_THAT(read.problems, ElementsAre(HasSubstr(std::string(error)))) << text_of(one, "id");
      EXPECT_THAT(read.problems[0], HasSubstr("/kom/a.yml:3:"));
    }
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 10U, 2U));
}

TEST(KomDocuments, AreReadToTheEndAfterAFault) {
  const Read read = read_text("a: b\n" + document_of("Workspace", kWorkspaceId, "{x: 1}") +
                              document_of("Provider", kProviderId, "{driver: local}"));
  EXPECT_EQ(read.problems.size(), 2U);
  EXPECT_EQ(read.documents.size(), 2U);
}

TEST(KomDocuments, WithKeysTwiceOrBrokenTextAreRefused) {
  EXPECT_THAT(read_text("a: 1\na: 2\n").problems, ElementsAre(HasSubstr("/kom/a.yml:2:1")));
  EXPECT_THAT(read_text("a: [\n").problems, ElementsAre(HasSubstr("/kom/a.yml:")));
  std::string deep = "a: ";
  for (int i = 0; i < 200; ++i) deep += "[";
  EXPECT_THAT(read_text(deep + "\n").problems,
              ElementsAre(HasSubstr("nesting is deeper than 100")));
}

TEST(KomDocuments, MayUseAliasesUpToALimit) {
  const auto with_aliases = [](int count) {
    std::string text = "apiVersion: v1\nkind: A\na: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\nb:\n";
    for (int i = 0; i < count; ++i) text += "- *a\n";
    return read_text(text).problems;
  };
  EXPECT_THAT(with_aliases(200), IsEmpty());
  EXPECT_THAT(with_aliases(201), ElementsAre(HasSubstr("/kom/a.yml:")));
}

TEST(KomDocuments, AreNotRepeatedAtLengthInMessages) {
  const std::string name(100'000, 'a');
  const std::string key(1000, 'k');  // YAML has none that are longer
  const Read read =
      read_text(fmt::format("apiVersion: ops.kompox.dev/v1alpha1\nkind: {0}\n---\n"
                            "apiVersion: ops.kompox.dev/v1alpha1\nkind: Workspace\n"
                            "metadata: {{name: {0}, annotations: {{ops.kompox.dev/id: /ws/{0}}}}}\n"
                            "spec: {{settings: {{{1}: [1]}}, {1}: 1}}\n",
                            name, key));
  EXPECT_GE(read.problems.size(), 5U);
  for (const std::string& problem : read.problems) EXPECT_LT(problem.size(), 1500U);
}

TEST(KomDocuments, OfKindDefaultsCountInTheAppFileAlone) {
  const std::string text =
      "apiVersion: ops.kompox.dev/v1alpha1\nkind: Defaults\n"
      "spec: {komPath: [kom, more.yml], appId: /ws/w/prv/p/cls/c/app/a}\n";
  EXPECT_THAT(read_text(text).documents, IsEmpty());
  EXPECT_THAT(read_text("apiVersion: ops.kompox.dev/v1alpha1\nkind: Defaults\nspec: 5\n").problems,
              IsEmpty());
  const Read read = read_text(text, true);
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_EQ(read.documents.size(), 1U);
  const auto& defaults = std::get<KomDefaults>(read.documents[0].model);
  EXPECT_THAT(defaults.kom_path, ElementsAre("kom", "more.yml"));
  EXPECT_EQ(defaults.app_id, "/ws/w/prv/p/cls/c/app/a");
}

TEST(KomDocuments, AreSortedParentsFirst) {
  const Read read = read_text(
      document_of("Box", kBoxId) + document_of("App", kAppId) + document_of("Workspace", "/ws/x") +
          document_of("Cluster", kClusterId) + document_of("Provider", kProviderId, "{driver: a}") +
          document_of("Workspace", kWorkspaceId),
      false, true);
  EXPECT_THAT(read.problems, IsEmpty());
  std::vector<std::string> ids;
  for (const KomDocument& one : read.documents) ids.push_back(one.id->text());
  EXPECT_THAT(ids, ElementsAre(kWorkspaceId, "/ws/x", kProviderId, kClusterId, kAppId, kBoxId));
}

TEST(KomDocuments, AreThereOnceWithTheirParents) {
  const Read twice = read_text(
      document_of("Workspace", kWorkspaceId) + document_of("Workspace", kWorkspaceId), false, true);
  EXPECT_THAT(
      twice.problems,
      ElementsAre("/kom/a.yml:15:24: workspace \"/ws/w\" validation error: duplicate "
                  "Resource ID, already defined at document 1 from /kom/a.yml (document 2)"));
  const Read orphan = read_text(document_of("Workspace", kWorkspaceId) +
                                    document_of("Cluster", kClusterId) + document_of("App", kAppId),
                                false, true);
  // Only the cluster lacks its parent: the app has its own.
  EXPECT_THAT(
      orphan.problems,
      ElementsAre("/kom/a.yml:15:24: cluster \"/ws/w/prv/p/cls/c\" validation error: parent "
                  "\"/ws/w/prv/p\" does not exist from /kom/a.yml (document 2)"));
}

TEST(KomDocuments, ThatAreFaultyAreParentsAllTheSame) {
  const Read read = read_text(document_of("Workspace", kWorkspaceId, "{x: 1}") +
                                  document_of("Provider", kProviderId, "{driver: a}"),
                              false, true);
  EXPECT_EQ(read.problems.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(read.documents[0].model));
}

}  // namespace
}  // namespace strake::ops
