#include "ops/kom/schemas.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crd/check.h"
#include "crd/crd.h"
#include "ops/kom/definitions.h"
#include "provider/names/name_checks.h"
#include "rules/crd_rules.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::ops {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using value::Value;

std::vector<std::string> faults_of(std::string_view kind, std::string_view text) {
  const auto document = value::read_yaml(text);
  EXPECT_TRUE(document) << document.error().to_string();
  std::vector<std::string> out;
  for (const KomFault& one : KomSchemas::get().check(kind, document->root()))
    out.push_back(one.to_string());
  return out;
}

std::string document_of(std::string_view kind, std::string_view spec) {
  return fmt::format(
      "apiVersion: ops.kompox.dev/v1alpha1\nkind: {}\nmetadata: {{name: one}}\nspec: {}\n", kind,
      spec);
}

std::vector<std::string> faults_of_app(std::string_view spec) {
  return faults_of("App", document_of("App", spec));
}

TEST(KomDefinitions, AreTakenByTheServerWithTheirRules) {
  EXPECT_EQ(kom_definitions().size(), 9U);
  rules::CrdRules compiler;
  for (const auto& [name, text] : kom_definitions()) {
    auto document = value::read_yaml(text);
    ASSERT_TRUE(document) << name << document.error().to_string();
    std::vector<std::string> unknown;
    auto definition = crd::Crd::read(*std::move(document), &unknown);
    ASSERT_TRUE(definition) << name << definition.error().to_string();
    EXPECT_THAT(unknown, IsEmpty()) << name;
    definition->prepare_for_create();
    for (const value::FieldError& error : crd::check_create(*definition, &compiler))
      ADD_FAILURE() << name << ": " << error.to_string();
    EXPECT_EQ(definition->group(), kKomGroup) << name;
    EXPECT_TRUE(definition->namespaced()) << name;
  }
}

TEST(KomDefinitions, HaveAStatusWhereControllersWriteOne) {
  std::vector<std::string> with_status;
  for (const auto& [name, text] : kom_definitions()) {
    auto definition = crd::Crd::read(*value::read_yaml(text));
    ASSERT_TRUE(definition);
    if (definition->version(kKomVersion)->has_status()) with_status.emplace_back(name);
  }
  EXPECT_THAT(with_status, ElementsAre("apps.yaml", "clusters.yaml", "disks.yaml", "nodepools.yaml",
                                       "snapshots.yaml"));
}

TEST(KomSchemas, FindNothingInDocumentsThatAreRight) {
  EXPECT_THAT(faults_of("Workspace", document_of("Workspace", "{settings: {a: b, c: 1, d: true}}")),
              IsEmpty());
  EXPECT_THAT(faults_of("Workspace",
                        "apiVersion: ops.kompox.dev/v1alpha1\nkind: Workspace\n"
                        "metadata: {name: one}\n"),
              IsEmpty());
  EXPECT_THAT(faults_of("Provider", document_of("Provider", "{driver: local, settings: {A: 1.5}}")),
              IsEmpty());
  EXPECT_THAT(
      faults_of("Cluster",
                document_of("Cluster",
                            "{existing: true, ingress: {namespace: traefik, controller: traefik, "
                            "serviceAccount: sa, domain: a.example, certResolver: staging, "
                            "certEmail: a@b.example, certificates: [{name: a, source: 'x:y'}]}, "
                            "protection: {provisioning: readOnly, installation: none}, "
                            "settings: {A: true}}")),
      IsEmpty());
  EXPECT_THAT(
      faults_of_app(
          "{compose: 'file:compose.yml', ingress: {certResolver: production, rules: [{name: main, "
          "port: 8080, hosts: [www.example.test]}]}, volumes: [{name: data, size: 32Gi, options: "
          "{sku: PremiumV2_LRS, iops: 3000}}, {name: shared, type: files, size: 1073741824}, "
          "{name: half, size: 1.5Gi}], deployment: {pools: [user], zone: '1'}, networkPolicy: "
          "{ingressRules: [{from: [{namespaceSelector: {matchLabels: {a: b}, matchExpressions: "
          "[{key: k, operator: In, values: [v]}]}}], ports: [{port: 80}, {protocol: UDP, port: "
          "53}]}]}, resources: {cpu: 1}, settings: {A: b}}"),
      IsEmpty());
  EXPECT_THAT(faults_of_app("{compose: {services: {web: {image: nginx}}}}"), IsEmpty());
  EXPECT_THAT(faults_of("Box", document_of("Box",
                                           "{component: one, image: debian, command: [sh], "
                                           "args: [-c, ls]}")),
              IsEmpty());
  EXPECT_THAT(faults_of("Defaults",
                        "apiVersion: ops.kompox.dev/v1alpha1\nkind: Defaults\n"
                        "spec: {komPath: [kom], appId: /ws/a}\n"),
              IsEmpty());
}

struct Case {
  std::string_view kind;
  std::string_view spec;
  std::string_view want;
};

TEST(KomSchemas, SayWhatIsWrongAndWhere) {
  constexpr Case kCases[] = {
      {"App", "{deployment: {pool: a, pools: [b]}}",
       "deployment.pool and deployment.pools cannot be specified together"},
      {"App", "{deployment: {zone: a, zones: [b]}}",
       "deployment.zone and deployment.zones cannot be specified together"},
      {"App", "{deployment: {selectors: {a: b}}}",
       "deployment.selectors is reserved and not supported yet"},
      {"App", "{deployment: {pool: 'a b'}}",
       R"(spec.deployment.pool: Invalid value: "a b": spec.deployment.pool in body should match '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$')"},
      {"App", "{volumes: [{name: '', size: 1}]}",
       "spec.volumes[0].name: volume name must not be empty"},
      {"App", "{volumes: [{name: aaaaaaaaaaaaaaaaa, size: 1}]}",
       "spec.volumes[0].name: volume name exceeds 16 characters"},
      {"App", "{volumes: [{name: a, size: 1}, {name: a, size: 1}]}",
       R"(spec.volumes[1].name: duplicate volume name "a")"},
      {"App", "{volumes: [{name: a, size: 1, type: nfs}]}",
       R"(spec.volumes[0].type: invalid type "nfs", must be "disk" or "files")"},
      {"App", "{volumes: [{name: a}]}", "spec.volumes[0].size: size is required"},
      {"App", "{volumes: [{name: a, size: 0}]}",
       "spec.volumes[0].size: Invalid value: 0: spec.volumes[0].size in body should be greater "
       "than or equal to 1"},
      {"App", "{settings: {a: {b: c}}}", "spec.settings.a: must be a text, a number or a boolean"},
      {"App", "{settings: {a: [b]}}", "spec.settings.a: must be a text, a number or a boolean"},
      {"App", "{compose: [a]}", "spec.compose: must be a text or a mapping"},
      {"App", "{ingres: {}}", R"(unknown field "spec.ingres", did you mean "ingress"?)"},
      {"App", "{networkPolicy: {ingressRules: [{}]}}",
       "spec.networkPolicy.ingressRules[0]: a rule needs from or ports"},
      {"App", "{networkPolicy: {ingressRules: [{ports: [{port: 1}]}]}}",
       "spec.networkPolicy.ingressRules[0]: a rule with ports needs from"},
      {"App", "{networkPolicy: {ingressRules: [{from: [{namespaceSelector: {}}]}]}}",
       "spec.networkPolicy.ingressRules[0].from[0].namespaceSelector: must not be empty"},
      {"App", "{networkPolicy: {ingressRules: [{from: [{}]}]}}",
       "spec.networkPolicy.ingressRules[0].from[0].namespaceSelector: Required value"},
      {"App",
       "{networkPolicy: {ingressRules: [{from: [{namespaceSelector: {matchExpressions: [{key: a, "
       "operator: In}]}}]}]}}",
       "spec.networkPolicy.ingressRules[0].from[0].namespaceSelector.matchExpressions[0]: values "
       "must not be empty when operator is In or NotIn"},
      {"App",
       "{networkPolicy: {ingressRules: [{from: [{namespaceSelector: {matchExpressions: [{key: a, "
       "operator: Exists, values: [x]}]}}]}]}}",
       "spec.networkPolicy.ingressRules[0].from[0].namespaceSelector.matchExpressions[0]: values "
       "must be empty when operator is Exists or DoesNotExist"},
      {"App",
       "{networkPolicy: {ingressRules: [{from: [{namespaceSelector: {matchLabels: {a: b}}}], "
       "ports: [{port: 65536}]}]}}",
       "spec.networkPolicy.ingressRules[0].ports[0].port: Invalid value: 65536: "
       "spec.networkPolicy.ingressRules[0].ports[0].port in body should be less than or equal to "
       "65535"},
      {"App",
       "{networkPolicy: {ingressRules: [{from: [{namespaceSelector: {matchLabels: {a: b}}}], "
       "ports: [{port: 1, protocol: ICMP}]}]}}",
       R"(spec.networkPolicy.ingressRules[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "", "TCP", "UDP", "SCTP")"},
      {"Cluster", "{protection: {provisioning: readonly}}",
       R"(spec.protection.provisioning: Unsupported value: "readonly": supported values: "", "none", "cannotDelete", "readOnly")"},
      {"Provider", "{}", "spec.driver: Required value"},
      {"Box", "{component: two}", R"(spec.component "two" must match metadata.name "one")"},
      {"Box", "{command: [a]}", "Compose Box must not specify spec.command"},
      {"Box", "{args: [a]}", "Compose Box must not specify spec.args"},
      {"Box", "{ingress: {}}", "Compose Box must not specify spec.ingress"},
      {"Box", "{image: a, ingress: {}}",
       "Standalone Box must not specify spec.ingress (reserved for future use)"},
      {"NodePool", "{clusterRef: {name: c}, autoscaling: {enabled: true, min: 2, max: 1}}",
       "spec.autoscaling: enabled needs min and max with 0 <= min <= max and max >= 1"},
      {"Disk", "{appRef: {name: a}}", "spec.volumeName: Required value"},
  };
  for (const Case& one : kCases)
    EXPECT_THAT(faults_of(one.kind, document_of(one.kind, one.spec)),
                ElementsAre(std::string(one.want)))
        << one.kind << " " << one.spec;
}

TEST(KomSchemas, TellThePlaceOfAFault) {
  const auto document = value::read_yaml(
      "apiVersion: ops.kompox.dev/v1alpha1\nkind: App\nmetadata: {name: one}\n"
      "spec:\n  volumes:\n  - name: a\n    size: 1\n  - name: a\n    size: 10gi\n  x: 1\n",
      {.positions = true});
  ASSERT_TRUE(document);
  std::vector<std::string> lines;
  for (const KomFault& one : KomSchemas::get().check("App", document->root())) {
    const Position at =
        one.at_key ? document->key_position(one.path) : document->position(one.path);
    lines.push_back(fmt::format("{}:{} {}", at.line, at.column, one.to_string()));
  }
  EXPECT_THAT(lines,
              ::testing::UnorderedElementsAre(
                  "8:11 spec.volumes[1].name: duplicate volume name \"a\"",
                  ::testing::StartsWith("9:11 spec.volumes[1].size: invalid size \"10gi\": "),
                  "10:3 unknown field \"spec.x\""));
}

TEST(KomSchemas, LimitTheNameOfAnAppByTheNamespaceThatIsMadeOfIt) {
  const auto named = [](std::size_t size) {
    return faults_of("App", fmt::format("apiVersion: ops.kompox.dev/v1alpha1\nkind: App\n"
                                        "metadata: {{name: {}}}\n",
                                        std::string(size, 'a')));
  };
  EXPECT_THAT(named(45), IsEmpty());
  EXPECT_THAT(named(46), ElementsAre(HasSubstr("must be at most 45 characters")));
}

TEST(KomSchemas, DefaultsNeedNoNameAndOthersDo) {
  EXPECT_THAT(faults_of("Defaults", "apiVersion: ops.kompox.dev/v1alpha1\nkind: Defaults\n"),
              IsEmpty());
  EXPECT_THAT(faults_of("Workspace", "apiVersion: ops.kompox.dev/v1alpha1\nkind: Workspace\n"),
              Not(IsEmpty()));
  EXPECT_THAT(
      faults_of("Defaults", "apiVersion: ops.kompox.dev/v1alpha1\nkind: Defaults\nmetadata: 5\n"),
      Not(IsEmpty()));
}

// The rule for names of volumes stands in the schema, for documents, and in provider/names, for
// what people type: they must say the same in the same words.
TEST(KomSchemas, JudgeNamesOfVolumesAsTheNameCheckDoes) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "names.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("cases").items()) {
    if (value::text_of(one, "kind") != "volume") continue;
    const std::string name(value::text_of(one, "value"));
    const auto checked = provider::check_volume_name(name);
    const auto faults = faults_of_app(fmt::format("{{volumes: [{{name: '{}', size: 1}}]}}", name));
    if (checked) {
      EXPECT_THAT(faults, IsEmpty()) << name;
    } else {
      EXPECT_THAT(faults, ElementsAre("spec.volumes[0].name: " + checked.error().message()))
          << name;
    }
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 13U, 1U));
}

TEST(KomSchemas, RefuseTheCombinationsOfTheSchedulingRecording) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "scheduling.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  const auto check = [](const Value& deployment) {
    value::Document scratch;
    Value spec = Value::object({});
    spec.set("deployment", deployment, scratch.arena());
    Value metadata = Value::object({});
    metadata.set("name", Value::string("one"), scratch.arena());
    Value app = Value::object({});
    app.set("apiVersion", Value::string(kKomApiVersion), scratch.arena());
    app.set("kind", Value::string("App"), scratch.arena());
    app.set("metadata", metadata, scratch.arena());
    app.set("spec", spec, scratch.arena());
    return KomSchemas::get().check("App", app);
  };
  for (const Value& one : data->root().get("cases").items())
    EXPECT_TRUE(check(one.get("deployment")).empty());
  std::size_t errors = 0;
  for (const Value& one : data->root().get("errors").items()) {
    const auto faults = check(one.get("deployment"));
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].to_string(), value::text_of(one, "contains"));
    ++errors;
  }
  EXPECT_GE(errors, 1U);
}

TEST(ScalarText, IsWhatJsonWrites) {
  const auto read = value::read_yaml("[a, 1, 1.5, true, null, 1e3, '0x1', [], {}]");
  ASSERT_TRUE(read);
  std::vector<std::string> texts;
  for (const Value& one : read->root().items()) texts.push_back(scalar_text(one));
  EXPECT_THAT(texts, ElementsAre("a", "1", "1.5", "true", "", "1000", "0x1", "", ""));
  EXPECT_FALSE(is_scalar(read->root().items()[7]));
}

}  // namespace
}  // namespace strake::ops
