#include "ops/compose/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "ops/compose/check_manifest.h"
#include "ops/compose/map_files.h"
#include "ops/compose/pod_template.h"
#include "ops/compose/reader.h"
#include "ops/compose/test_app.h"
#include "support/vectors.h"
#include "value/json_reader.h"

namespace strake::ops::compose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using value::text_of;
using value::Value;

Manifest convert(const TestApp& declared, std::string_view compose, const MapFiles& files = {}) {
  const auto project = read_project(compose, "c.yml", {});
  EXPECT_TRUE(project.has_value()) << project.error().to_string();
  const auto plan = plan_component(declared.subject(), *project, &files);
  EXPECT_TRUE(plan.has_value()) << plan.error().message();
  const auto volumes = bind_volumes(*plan, test_bindings(declared.app));
  EXPECT_TRUE(volumes.has_value()) << volumes.error().message();
  auto manifest = build(*plan, *volumes);
  EXPECT_TRUE(manifest.has_value()) << manifest.error().message();
  EXPECT_EQ(manifest_faults(manifest->yaml()), "");
  return *std::move(manifest);
}

const Value& find(const Manifest& manifest, std::string_view kind, std::string_view name) {
  static const Value kNone;
  for (const value::Document& one : manifest.objects()) {
    if (text_of(one.root(), "kind") == kind && text_of(one.root().get("metadata"), "name") == name)
      return one.root();
  }
  ADD_FAILURE() << "no " << kind << " " << name;
  return kNone;
}

void expect_text_map(const Value& got, const Value& want) {
  EXPECT_TRUE(value::equal(got, want));
  EXPECT_GT(want.size(), 0U);
}

TEST(Manifest, HasTheNamesAndLabelsThatAreRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto document = value::read_json(testing::read_file(folder / "kube-names.json")).value();
  std::size_t cases = 0;
  for (const Value& one : document.root().get("cases").items()) {
    const Value& input = one.get("input");
    if (text_of(input, "component") != "app") continue;
    ++cases;
    const Value& want = one.get("expect");
    TestApp declared;
    declared.workspace.name = text_of(input, "ws");
    declared.provider.name = text_of(input, "prv");
    declared.cluster.name = text_of(input, "cls");
    declared.cluster.ingress.emplace().domain = text_of(input, "domain");
    declared.app.name = text_of(input, "app");
    std::string ports;
    for (const Value& port : input.get("ports").items()) {
      declared.app.ingress.rules.push_back({fmt::format("r{}", port.as_int()),
                                            port.as_int(),
                                            {fmt::format("h{}.test", port.as_int())}});
      ports += fmt::format("'{0}:{0}', ", port.as_int());
    }
    const Manifest manifest = convert(
        declared,
        fmt::format("services: {{web: {{image: a, ports: [{}], configs: [nginx-conf], secrets: "
                    "[api-key], env_file: a.env}}}}\nconfigs: {{nginx-conf: {{content: x}}}}\n"
                    "secrets: {{api-key: {{file: key}}}}\n",
                    ports),
        MapFiles({{"a.env", "A=1"}, {"key", "k"}}));
    const Value& name_space = find(manifest, "Namespace", text_of(want, "namespace"));
    expect_text_map(name_space.get("metadata").get("labels"), want.get("baseLabels"));
    expect_text_map(name_space.get("metadata").get("annotations"),
                    want.get("namespaceAnnotations"));
    const Value& deployment = find(manifest, "Deployment", text_of(want, "resourceName"));
    expect_text_map(deployment.get("metadata").get("labels"), want.get("componentLabels"));
    EXPECT_EQ(text_of(deployment.get("metadata"), "namespace"), text_of(want, "namespace"));
    find(manifest, "ConfigMap", text_of(want, "configMap"));
    find(manifest, "Secret", text_of(want, "secretFile"));
    find(manifest, "Secret", text_of(want, "secretBase"));
    find(manifest, "Service", text_of(want, "resourceName"));
    find(manifest, "Service", "web");
    std::vector<std::string_view> hosts;
    if (want.get("defaultHosts").size() > 0) {
      for (const Value& rule : find(manifest, "Ingress", text_of(want, "ingressDefaultName"))
                                   .get("spec")
                                   .get("rules")
                                   .items())
        hosts.push_back(text_of(rule, "host"));
      find(manifest, "Ingress", text_of(want, "ingressCustomName"));
    }
    ASSERT_EQ(hosts.size(), want.get("defaultHosts").size());
    for (std::size_t i = 0; i < hosts.size(); ++i)
      EXPECT_EQ(hosts[i], want.get("defaultHosts").items()[i].as_string());
  }
  EXPECT_GE(cases, 1U);
}

TEST(Manifest, ContentHashesAreAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto document = value::read_json(testing::read_file(folder / "content-hash.json")).value();
  std::size_t cases = 0;
  for (const Value& one : document.root().get("content").items()) {
    std::string lines;
    bool variables = true;
    for (const value::Member& m : one.get("data").members()) {
      lines += fmt::format("{}='{}'\n", m.key, m.value.as_string());
      variables = variables && m.key.find('.') == std::string_view::npos;
    }
    if (!variables) continue;  // no names of variables
    const Manifest manifest = convert(TestApp(), "services: {web: {image: a, env_file: a.env}}",
                                      MapFiles({{"a.env", lines}}));
    const Value& secret = find(manifest, "Secret", "app1-app-web-base");
    EXPECT_EQ(text_of(secret.get("metadata").get("annotations"), "kompox.dev/compose-content-hash"),
              text_of(one, "hash"));
    ++cases;
  }
  EXPECT_GE(cases, 3U);
}

TEST(Manifest, ObjectsComeInTheOrderOfTheirApply) {
  TestApp declared;
  declared.cluster.ingress.emplace().domain = "example.test";
  declared.app.volumes = {{.name = "b", .size = 1, .options = {}},
                          {.name = "a", .size = 1, .options = {}}};
  declared.app.ingress.rules = {{"main", 80, {"shop.test"}}};
  const Manifest manifest = convert(
      declared,
      "services:\n"
      "  z: {image: z, ports: ['80:80'], env_file: z.env, configs: [d, c], secrets: [t, s]}\n"
      "  y: {image: y, env_file: y.env, volumes: ['a:/a']}\n"
      "configs: {c: {content: x}, d: {content: x}}\n"
      "secrets: {s: {file: s}, t: {file: s}}\n",
      MapFiles({{"z.env", "A=1"}, {"y.env", "A=1"}, {"s", "s"}}));
  std::vector<std::string> got;
  for (const value::Document& one : manifest.objects())
    got.push_back(fmt::format("{} {}", text_of(one.root(), "kind"),
                              text_of(one.root().get("metadata"), "name")));
  const provider::Hashes hashes = provider::hashes_of("ws1", "prv1", "cls1", "app1");
  const std::string a = provider::volume_claim_name(hashes, "a", "/disks/a");
  const std::string b = provider::volume_claim_name(hashes, "b", "/disks/b");
  EXPECT_THAT(
      got,
      ElementsAre("Namespace " + provider::app_namespace(hashes, "app1"), "ServiceAccount app1",
                  "Role app1-access", "RoleBinding app1-access", "NetworkPolicy app1",
                  "PersistentVolume " + b, "PersistentVolume " + a, "PersistentVolumeClaim " + b,
                  "PersistentVolumeClaim " + a, "ConfigMap app1-app--cfg-c",
                  "ConfigMap app1-app--cfg-d", "Secret app1-app--sec-s", "Secret app1-app--sec-t",
                  "Secret app1-app-y-base", "Secret app1-app-z-base", "Deployment app1-app",
                  "Service app1-app", "Service y", "Service z", "Ingress app1-app-default",
                  "Ingress app1-app-custom"));
}

TEST(Manifest, TextsMeanToContainersWhatTheyMeanInCompose) {
  const Manifest manifest = convert(
      TestApp(),
      "services:\n  web:\n    image: a\n    command: [sh, -c, 'echo $$HOME $$(date) $$$$']\n"
      "    entrypoint: ['$$(X)']\n    environment: {A: 'pa$$$$word', B: 'pa$$word', C: '$$(A)'}\n");
  const Value& container = find(manifest, "Deployment", "app1-app")
                               .get("spec")
                               .get("template")
                               .get("spec")
                               .get("containers")
                               .items()[0];
  EXPECT_EQ(container.get("args").items()[2].as_string(), "echo $$HOME $$(date) $$$$");
  EXPECT_EQ(container.get("command").items()[0].as_string(), "$$(X)");
  EXPECT_EQ(text_of(container.get("env").items()[0], "value"), "pa$$$$word");
  EXPECT_EQ(text_of(container.get("env").items()[1], "value"), "pa$word");
  EXPECT_EQ(text_of(container.get("env").items()[2], "value"), "$$(A)");
}

// A kubelet replaces $$ by $ and $(NAME) by a variable; nothing else.
std::string as_kubelet_reads(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      out += text[i];
    } else if (text[i + 1] == '$') {
      out += '$';
      ++i;
    } else if (text[i + 1] == '(' && text.find(')', i) != std::string_view::npos) {
      out += "<variable>";
      i = text.find(')', i);
    } else {
      out += text[i];
      out += text[++i];
    }
  }
  return out;
}

TEST(EscapeForKubelet, KeepsEveryText) {
  constexpr std::string_view kLetters = "$()a";
  std::size_t cases = 0;
  for (std::size_t length = 0; length <= 6; ++length) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < length; ++i) count *= kLetters.size();
    for (std::size_t n = 0; n < count; ++n, ++cases) {
      std::string text;
      for (std::size_t i = 0, rest = n; i < length; ++i, rest /= kLetters.size())
        text += kLetters[rest % kLetters.size()];
      ASSERT_EQ(as_kubelet_reads(escape_for_kubelet(text)), text);
    }
  }
  EXPECT_EQ(cases, 5461U);
  EXPECT_EQ(escape_for_kubelet("echo $HOME"), "echo $HOME");
}

TEST(Manifest, SubPathsAreMadeBeforeTheyAreMounted) {
  TestApp declared;
  declared.app.volumes = {{.name = "b", .size = 1, .options = {}},
                          {.name = "a", .size = 1, .options = {}}};
  const Manifest manifest = convert(
      declared,
      "services:\n  web:\n    image: a\n    volumes: ['b/y:/1', 'b/x/z:/2', 'a/it''s $$(x); "
      "rm -rf:/3', 'a:/4']\n");
  const Value& init = find(manifest, "Deployment", "app1-app")
                          .get("spec")
                          .get("template")
                          .get("spec")
                          .get("initContainers")
                          .items()[0];
  EXPECT_EQ(text_of(init, "name"), "init-volume-subpaths");
  EXPECT_EQ(text_of(init, "image"), "busybox:1.36");
  ASSERT_EQ(init.get("command").size(), 3U);
  EXPECT_EQ(init.get("command").items()[2].as_string(),
            "mkdir -m 1777 -p '/work/a/it'\\''s $$(x); rm -rf'\n"
            "mkdir -m 1777 -p /work/b/x/z\n"
            "mkdir -m 1777 -p /work/b/y");
  std::vector<std::string_view> paths;
  for (const Value& mount : init.get("volumeMounts").items())
    paths.push_back(text_of(mount, "mountPath"));
  EXPECT_THAT(paths, ElementsAre("/work/a", "/work/b"));
}

TEST(Manifest, SecretsOfAnyBytesComeBack) {
  const std::string bytes("\0\xff\x80$\n", 5);
  const Manifest manifest = convert(
      TestApp(), "services: {web: {image: a, secrets: [s]}}\nsecrets: {s: {file: dir/s.bin}}\n",
      MapFiles({{"dir/s.bin", bytes}}));
  const Value& secret = find(manifest, "Secret", "app1-app--sec-s");
  EXPECT_EQ(base64_decode(text_of(secret.get("data"), "s.bin")).value(), bytes);
  EXPECT_EQ(text_of(secret, "type"), "Opaque");
}

TEST(PodHash, IsAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto document = value::read_json(testing::read_file(folder / "content-hash.json")).value();
  std::size_t cases = 0;
  for (const Value& one : document.root().get("pod").items()) {
    // A pod that mounts one config for each segment.
    std::string volumes;
    std::map<std::string, std::string> hashes;
    const auto segments = one.get("segments").items();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      volumes += fmt::format(R"({}{{"configMap": {{"name": "c{}"}}}})", i > 0 ? "," : "", i);
      hashes.emplace(fmt::format("c{}", i), segments[i].as_string());
    }
    const auto pod = value::read_json(
        fmt::format(R"({{"spec": {{"template": {{"spec": {{"volumes": [{}]}}}}}}}})", volumes));
    EXPECT_EQ(pod_hash(pod->root(),
                       [&](const PodReference& of) {
                         EXPECT_EQ(of.kind, "ConfigMap");
                         return hashes.at(of.name);
                       }),
              text_of(one, "hash"));
    ++cases;
  }
  EXPECT_GE(cases, 3U);
}

TEST(PodHash, GoesThroughReferencesInTheirOrder) {
  const auto deployment = value::read_json(R"({"spec": {"template": {"spec": {
    "imagePullSecrets": [{"name": "pull2"}, {"name": "pull1"}],
    "containers": [
      {"name": "b", "envFrom": [{"secretRef": {"name": "b-base"}}, {"secretRef": {"name": "b-over"}}]},
      {"name": "a", "envFrom": [{"secretRef": {"name": "a-base"}}, {"configMapRef": {"name": "a-map"}}]}],
    "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "x"}},
      {"name": "v2", "secret": {"secretName": "s"}}, {"name": "v1", "configMap": {"name": "c"}}]}}}})");
  std::vector<std::string> got;
  for (const PodReference& one : pod_references(deployment->root()))
    got.push_back(fmt::format("{} {}", one.kind, one.name));
  EXPECT_THAT(got, ElementsAre("Secret pull2", "Secret pull1", "Secret a-base", "ConfigMap a-map",
                               "Secret b-base", "Secret b-over", "Secret s", "ConfigMap c"));
  EXPECT_EQ(pod_hash(Value(), [](const PodReference&) { return std::string("x"); }), "");
}

}  // namespace
}  // namespace strake::ops::compose
