#include "ops/compose/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/compose/service_keys.h"

namespace strake::ops::compose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Environment kEnvironment = {{"TAG", "1.2"}, {"PORT", "8080"}, {"FROM_HOST", "h"}};

Result<Project> read(std::string_view text) { return read_project(text, "c.yml", kEnvironment); }

std::string fault(std::string_view text) {
  const auto project = read(text);
  return project ? "none" : project.error().to_string();
}

// A document with one service that has these lines.
std::string web(std::string_view lines) {
  std::string out = "services:\n  web:\n    image: nginx\n";
  std::string_view rest = lines;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    out += fmt::format("    {}\n", rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return out;
}

ComposeService service_of(std::string_view lines) {
  auto project = read(web(lines));
  EXPECT_TRUE(project.has_value()) << project.error().to_string();
  return project ? project->services.at(0) : ComposeService();
}

TEST(ComposeReader, ReadsCommandsInBothForms) {
  EXPECT_EQ(service_of("command: a 'b c' d").command, (std::vector<std::string>{"a", "b c", "d"}));
  EXPECT_EQ(service_of("command: [a, 'b c', '']").command,
            (std::vector<std::string>{"a", "b c", ""}));
  EXPECT_EQ(service_of("entrypoint: /bin/sh -c 'echo $$HOME; date'").entrypoint,
            (std::vector<std::string>{"/bin/sh", "-c", "echo $HOME; date"}));
  EXPECT_EQ(service_of("command: []").command, std::vector<std::string>());
  EXPECT_FALSE(service_of("command:").command.has_value());
  EXPECT_FALSE(service_of("restart: always").entrypoint.has_value());
}

TEST(ComposeReader, ReadsEnvironmentsInBothForms) {
  using Map = std::map<std::string, std::string, std::less<>>;
  EXPECT_EQ(
      service_of("environment: {A: x, B: 1, C: true, D: 1.5, E: yes, F: '', FROM_HOST: , GONE: }")
          .environment,
      (Map{{"A", "x"},
           {"B", "1"},
           {"C", "true"},
           {"D", "1.5"},
           {"E", "yes"},
           {"F", ""},
           {"FROM_HOST", "h"}}));
  EXPECT_EQ(service_of("environment: [A=x=y, B=, FROM_HOST, GONE, A=z]").environment,
            (Map{{"A", "z"}, {"B", ""}, {"FROM_HOST", "h"}}));
}

TEST(ComposeReader, ReadsPortsInBothForms) {
  const ComposeService service = service_of(
      "ports:\n- 8080:80\n- '443:8443/tcp'\n- {target: 9000, published: 9001}\n"
      "- {target: '22', published: '${PORT}', protocol: tcp, mode: host, name: ssh}");
  std::vector<std::pair<std::int64_t, std::int64_t>> got;
  for (const PublishedPort& port : service.ports) got.emplace_back(port.host, port.container);
  EXPECT_THAT(got, ElementsAre(std::pair(8080, 80), std::pair(443, 8443), std::pair(9001, 9000),
                               std::pair(8080, 22)));
}

TEST(ComposeReader, ReadsVolumesInBothForms) {
  using Kind = VolumeUse::Kind;
  const ComposeService service = service_of(
      "volumes:\n- data:/var/lib//x/\n- data/a/b:/b:ro\n- ./c:/c:rw,z\n"
      "- {type: volume, source: data, target: /d, read_only: true, volume: {subpath: e}}\n"
      "- {type: bind, source: ./f, target: /f}");
  struct Want {
    Kind kind;
    std::string_view source, sub_path, target;
    bool read_only;
  };
  const std::vector<Want> want = {{Kind::kVolume, "data", "", "/var/lib/x", false},
                                  {Kind::kVolume, "data/a/b", "", "/b", true},
                                  {Kind::kBind, "./c", "", "/c", false},
                                  {Kind::kVolume, "data", "e", "/d", true},
                                  {Kind::kBind, "./f", "", "/f", false}};
  ASSERT_EQ(service.volumes.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(service.volumes[i].kind, want[i].kind);
    EXPECT_EQ(service.volumes[i].source, want[i].source);
    EXPECT_EQ(service.volumes[i].sub_path, want[i].sub_path);
    EXPECT_EQ(service.volumes[i].target, want[i].target);
    EXPECT_EQ(service.volumes[i].read_only, want[i].read_only);
  }
}

TEST(ComposeReader, ReadsConfigsAndSecretsWithTheirDefaults) {
  const auto project = read(
      "services:\n"
      "  web:\n"
      "    image: nginx\n"
      "    configs: [a, {source: b, target: /etc/b, mode: 0440}]\n"
      "    secrets:\n"
      "    - s\n"
      "    - {source: s, target: other, mode: '0400', uid: '1'}\n"
      "    - {source: t, target: /t, mode: 292}\n"
      "configs: {a: {content: x}, b: {file: ./b}}\n"
      "secrets: {s: {file: s.txt}, t: {environment: FROM_HOST}}\n");
  ASSERT_TRUE(project.has_value()) << project.error().to_string();
  const ComposeService& service = project->services[0];
  ASSERT_EQ(service.configs.size(), 2U);
  EXPECT_EQ(service.configs[0].target, "/a");
  EXPECT_EQ(service.configs[0].mode, std::nullopt);
  EXPECT_EQ(service.configs[1].target, "/etc/b");
  EXPECT_EQ(service.configs[1].mode, 0440);
  ASSERT_EQ(service.secrets.size(), 3U);
  EXPECT_EQ(service.secrets[0].target, "/run/secrets/s");
  EXPECT_EQ(service.secrets[1].target, "/run/secrets/other");
  EXPECT_EQ(service.secrets[1].mode, 0400);
  EXPECT_EQ(service.secrets[2].mode, 0444);
  EXPECT_EQ(project->configs.at("a").content, "x");
  EXPECT_EQ(project->configs.at("b").file, "./b");
  EXPECT_EQ(project->secrets.at("t").content, "h");
}

TEST(ComposeReader, ReadsEnvFilesInEachForm) {
  EXPECT_EQ(service_of("env_file: a.env").env_files.at(0).path, "a.env");
  const auto files =
      service_of("env_file: [a.env, {path: b.env, required: false, format: raw}]").env_files;
  ASSERT_EQ(files.size(), 2U);
  EXPECT_TRUE(files[0].required);
  EXPECT_FALSE(files[0].raw);
  EXPECT_FALSE(files[1].required);
  EXPECT_TRUE(files[1].raw);
}

TEST(ComposeReader, ReadsResources) {
  const ComposeService service = service_of(
      "x-kompox: {resources: {cpu: 0.5, memory: 256Mi}, limits: {cpu: 1, memory: 1.5Gi}}");
  EXPECT_EQ(service.requests.cpu->to_string(), "500m");
  EXPECT_EQ(service.requests.memory->to_string(), "256Mi");
  EXPECT_EQ(service.limits.cpu->to_string(), "1");
  EXPECT_EQ(service.limits.memory->to_string(), "1536Mi");
}

TEST(ComposeReader, ExpandsAnchorsMergeKeysAndVariables) {
  const auto project = read(
      "x-common: &common\n"
      "  restart: unless-stopped\n"
      "  environment: &env {LEVEL: info, TAG: '${TAG}'}\n"
      "services:\n"
      "  a:\n"
      "    <<: *common\n"
      "    image: app:${TAG:-latest}\n"
      "  b:\n"
      "    <<: *common\n"
      "    image: app:${NONE:-latest}\n"
      "    environment: {<<: *env, LEVEL: debug}\n");
  ASSERT_TRUE(project.has_value()) << project.error().to_string();
  ASSERT_EQ(project->services.size(), 2U);
  EXPECT_EQ(project->services[0].image, "app:1.2");
  EXPECT_EQ(project->services[0].environment.at("TAG"), "1.2");
  EXPECT_EQ(project->services[1].image, "app:latest");
  EXPECT_EQ(project->services[1].environment.at("LEVEL"), "debug");
  EXPECT_EQ(project->services[1].environment.at("TAG"), "1.2");
  EXPECT_THAT(project->warnings, IsEmpty());
}

TEST(ComposeReader, WarnsOfWhatHasNoEffect) {
  const auto warnings = [](std::string_view text) {
    const auto project = read(text);
    EXPECT_TRUE(project.has_value()) << project.error().to_string();
    return project ? project->warnings : std::vector<std::string>();
  };
  EXPECT_THAT(warnings(web("healthcheck: {test: [CMD, true]}")),
              ElementsAre("c.yml:4:5: service web: healthcheck has no effect"));
  EXPECT_THAT(warnings(web("mem_limit: 1g")),
              ElementsAre("c.yml:4:5: service web: mem_limit has no effect: use "
                          "x-kompox.limits.memory"));
  EXPECT_THAT(warnings(web("restart: 'no'")),
              ElementsAre("c.yml:4:14: service web: restart has no effect: containers are always "
                          "restarted"));
  EXPECT_THAT(
      warnings(web("x-kompos: {limits: {cpu: 1}}")),
      ElementsAre("c.yml:4:5: service web: x-kompos has no effect: did you mean x-kompox?"));
  EXPECT_THAT(warnings(web("command: []\nentrypoint: ''")),
              ElementsAre("c.yml:5:17: service web: an empty entrypoint has no effect: the image's "
                          "is used",
                          "c.yml:4:14: service web: an empty command has no effect: the image's is "
                          "used"));
  EXPECT_THAT(warnings("version: '3'\n" + web("")),
              ElementsAre("c.yml:1:10: version is obsolete and has no effect"));
  EXPECT_THAT(warnings(web("environment: {A: $NOWHERE}")),
              ElementsAre("c.yml: variable NOWHERE is not set: it became empty"));
  EXPECT_THAT(warnings(web("") + "  tool:\n    image: busybox\n    profiles: [debug]\n"),
              ElementsAre("c.yml:6:15: service tool is left out: it belongs to profiles, and none "
                          "is active"));
  EXPECT_THAT(warnings(web("depends_on: [db]\nrestart: always\ncontainer_name: x\nlabels: [a=b]\n"
                           "expose: [80]\nnetworks: [a]\nlogging: {driver: none}\nx-mine: 1\n"
                           "network_mode: bridge\nprofiles: []\nworking_dir:")),
              IsEmpty());
}

TEST(ComposeReader, RefusesTheRestWhereItStands) {
  struct Case {
    std::string text;
    std::string_view want;
  };
  const Case cases[] = {
      {"", "c.yml:1:1: the document is empty"},
      {"a: [", "c.yml:2:1: yaml: line 1: did not find expected node content"},
      {"services: {web: {image: a}}\n---\nservices: {}\n",
       "c.yml:3:1: only one document is wanted"},
      {"[]", "c.yml:1:1: must be a mapping, got a list"},
      {"name: a\n", "c.yml:1:1: services is missing"},
      {"services: {}\n", "c.yml:1:11: .services: there is no service"},
      {"services: []\n", "c.yml:1:11: .services: must be a mapping, got a list"},
      {"service: {}\n", "c.yml:1:1: unknown key \"service\": did you mean \"services\"?"},
      {"services: {web: }\n", "c.yml:1:17: .services.web: must be a mapping, got nothing"},
      {"services:\n  Web: {image: a}\n",
       "c.yml:2:3: .services.Web: a service cannot be named \"Web\": "},
      {"services:\n  1st: {image: a}\n",
       "c.yml:2:3: .services.1st: a service cannot be named \"1st\": "},
      {"services:\n  web: {}\n", "c.yml:2:8: .services.web: service \"web\" has no image"},
      {"services:\n  web: {build: .}\n",
       "c.yml:2:8: .services.web: service \"web\" has no image: images are not built here"},
      {"services:\n  web: {image: ' a'}\n",
       "c.yml:2:16: .services.web.image: an image must not start or end with white space"},
      {web("imge: b"), "c.yml:4:5: .services.web: unknown key \"imge\": did you mean \"image\"?"},
      {web("enviroment: {}"),
       "c.yml:4:5: .services.web: unknown key \"enviroment\": did you mean \"environment\"?"},
      {web("zzz: 1"), "c.yml:4:5: .services.web: unknown key \"zzz\""},
      {web("extends: {service: a}"),
       "c.yml:4:5: .services.web: extends is not supported: write the keys out, or share them by a "
       "YAML anchor and <<"},
      {web("volumes_from: [a]"),
       "c.yml:4:5: .services.web: volumes_from is not supported: name the volumes in each service"},
      {"include: [a.yml]\n" + web(""),
       "c.yml:1:10: .include: include is not supported: write its services out"},
      {web("command: a && b"),
       "c.yml:4:14: .services.web.command: '&' has no meaning without a shell: write a list, or "
       "run "
       "it by sh -c '...'"},
      {web("command: [a, 1]"),
       "c.yml:4:18: .services.web.command[1]: must be a string: put it in quotes"},
      {web("command: {a: b}"),
       "c.yml:4:14: .services.web.command: must be a string or a list of strings, got a mapping"},
      {web("environment: x"),
       "c.yml:4:18: .services.web.environment: must be a mapping or a list of NAME=value, got a "
       "string"},
      {web("environment: {A: [x]}"),
       "c.yml:4:22: .services.web.environment.A: must be a string, a number or a boolean, got a "
       "list"},
      {web("environment: [=x]"),
       "c.yml:4:19: .services.web.environment[0]: the name of a variable has printable ASCII "
       "characters other than =, and at least one"},
      {web("environment: {A: $}"),
       "c.yml:4:22: .services.web.environment.A: a dollar sign must start a variable: write $$ for "
       "the sign itself"},
      {web("environment: {A: '${B:?set B}'}"),
       "c.yml:4:22: .services.web.environment.A: required variable B is missing a value: set B"},
      {web("environment: {A: 1, A: 2}"), "c.yml:4:25: "},
      {web("env_file: [{required: true}]"),
       "c.yml:4:16: .services.web.env_file[0]: the path of a file is missing"},
      {web("env_file: [{path: a, format: dotenv}]"),
       "c.yml:4:34: .services.web.env_file[0].format: must be raw, or left out, got dotenv"},
      {web("ports: [80]"),
       "c.yml:4:13: .services.web.ports[0]: a port is written \"host:container\", got \"80\" "
       "without "
       "a host port"},
      {web("ports: ['127.0.0.1:8080:80']"),
       "c.yml:4:13: .services.web.ports[0]: a port is written \"host:container\", got "
       "\"127.0.0.1:8080:80\" with an address"},
      {web("ports: ['3000-3001:80']"),
       "c.yml:4:13: .services.web.ports[0]: the host port must be one number, got \"3000-3001\""},
      {web("ports: ['0:80']"),
       "c.yml:4:13: .services.web.ports[0]: the host port must be 1 to 65535, got 0"},
      {web("ports: ['80:65536']"),
       "c.yml:4:13: .services.web.ports[0]: the container port must be 1 to 65535, got 65536"},
      {web("ports: ['53:53/udp']"),
       "c.yml:4:13: .services.web.ports[0]: only TCP ports are published, got \"53:53/udp\""},
      {web("ports: [{target: 80}]"),
       "c.yml:4:13: .services.web.ports[0]: a port is written \"host:container\": target and "
       "published are both wanted"},
      {web("ports: [{target: 80, published: 80, host_ip: 1.2.3.4}]"),
       "c.yml:4:50: .services.web.ports[0].host_ip: a port cannot be bound to an address of the "
       "host"},
      {web("volumes: [/data]"),
       "c.yml:4:15: .services.web.volumes[0]: a volume without a source is not kept: write "
       "\"<volume>:/data\""},
      {web("volumes: ['a:b']"),
       "c.yml:4:15: .services.web.volumes[0]: the target in the container must be absolute, got "
       "\"b\""},
      {web("volumes: ['a:/']"),
       "c.yml:4:15: .services.web.volumes[0]: the target must not be the root of the container"},
      {web("volumes: ['a:/b/../c']"),
       "c.yml:4:15: .services.web.volumes[0]: the target must not lead through .., got "
       "\"/b/../c\""},
      {web("volumes: ['a:/b:rx']"), "c.yml:4:15: .services.web.volumes[0]: unknown option \"rx\""},
      {web("volumes: [{type: tmpfs, target: /t}]"),
       "c.yml:4:22: .services.web.volumes[0].type: unsupported volume type \"tmpfs\": volume or "
       "bind"},
      {web("volumes: [{typ: bind}]"),
       "c.yml:4:16: .services.web.volumes[0]: unknown key \"typ\": did you mean \"type\"?"},
      {web("configs: [nginx]") + "configs: {nginy: {file: x}}",
       "c.yml:4:15: .services.web.configs[0]: config \"nginx\" is not defined at the top level: "
       "did "
       "you mean \"nginy\"?"},
      {web("secrets: [{source: key, mode: 999}]") + "secrets: {key: {file: x}}",
       "c.yml:4:35: .services.web.secrets[0].mode: a mode is 0 to 0777, got 999 (octal 01747)"},
      {web("secrets: [{source: key, mode: '8'}]") + "secrets: {key: {file: x}}",
       "c.yml:4:35: .services.web.secrets[0].mode: a mode is an octal number such as 0444, got "
       "\"8\""},
      {web("") + "configs: {a: {}}",
       "c.yml:4:14: .configs.a: exactly one of file, content, environment is wanted"},
      {web("") + "secrets: {a: {file: x, environment: TAG}}",
       "c.yml:4:14: .secrets.a: exactly one of file, environment is wanted"},
      {web("") + "secrets: {a: {external: true}}",
       "c.yml:4:25: .secrets.a.external: what is kept elsewhere cannot be mounted: give a file"},
      {web("") + "secrets: {a: {environment: NOWHERE}}",
       "c.yml:4:28: .secrets.a.environment: there is no variable NOWHERE in the environment"},
      {web("") + "secrets: {a: {content: x}}", "c.yml:4:15: .secrets.a: unknown key \"content\""},
      {web("x-kompox: {limit: {cpu: 1}}"),
       "c.yml:4:16: .services.web.x-kompox: unknown key \"limit\": did you mean \"limits\"?"},
      {web("x-kompox: {limits: {cpu: lots}}"),
       "c.yml:4:30: .services.web.x-kompox.limits.cpu: quantities must match"},
      {web("x-kompox: {limits: {cpu: -1}}"),
       "c.yml:4:30: .services.web.x-kompox.limits.cpu: must not be negative, got -1"},
      {web("x-kompox: {limits: {cpu: 1}, resources: {cpu: 1001m}}"),
       "c.yml:4:15: .services.web.x-kompox: resources.cpu is more than limits.cpu"},
      {web("network_mode: host"),
       "c.yml:4:19: .services.web.network_mode: unsupported network_mode \"host\": service:<name>, "
       "or "
       "leave it out"},
      {web("network_mode: service:db"),
       "c.yml:2:3: .services.web: network_mode: there is no service \"db\""},
      {web("network_mode: service:web"),
       "c.yml:2:3: .services.web: network_mode: the services share their network in a circle"},
      {web("restart: never"),
       "c.yml:4:14: .services.web.restart: must be always, unless-stopped, on-failure or \"no\", "
       "got "
       "\"never\""},
  };
  for (const Case& one : cases)
    EXPECT_THAT(fault(one.text), ::testing::StartsWith(std::string(one.want))) << one.text;
}

TEST(ComposeReader, KnowsEachKeyOnce) {
  std::set<std::string_view> names;
  for (const ServiceKey& key : service_keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_EQ(find_service_key(key.name), &key);
  }
  EXPECT_EQ(names.size(), service_key_names().size());
  EXPECT_EQ(find_service_key("imag"), nullptr);
}

TEST(ComposeReader, HasLimits) {
  std::string many = "services:\n";
  for (std::size_t i = 0; i <= kMaxServices; ++i) many += fmt::format("  s{}: {{image: a}}\n", i);
  const auto services = read(many);
  ASSERT_FALSE(services.has_value());
  EXPECT_EQ(services.error().code(), Code::kLimit);
  EXPECT_TRUE(read(many.substr(0, many.rfind("  s"))).has_value());

  std::string deep = "x-a: ";
  deep += std::string(63, '[') + std::string(63, ']');
  EXPECT_TRUE(read(deep + "\n" + web("")).has_value());
  deep = "x-a: ";
  deep += std::string(64, '[') + std::string(64, ']');
  EXPECT_EQ(read(deep + "\n" + web("")).error().code(), Code::kLimit);

  const std::string large = web("") + "#" + std::string(kMaxComposeBytes, 'x');
  EXPECT_EQ(read(large).error().code(), Code::kLimit);

  std::string laughs = "x-a: &a [" + std::string(2000, 'x') + "]\n";
  std::string_view last = "a";
  for (const std::string_view next : {"b", "c", "d", "e", "f", "g"}) {
    laughs += fmt::format("x-{0}: &{0} [*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1}]\n", next,
                          last);
    last = next;
  }
  EXPECT_EQ(read(laughs + web("")).error().code(), Code::kLimit);
}

TEST(NormalizedCompose, WritesLongFormsAndReadsAsTheSame) {
  const auto project = read(
      "version: '3'\n"
      "name: shop\n"
      "services:\n"
      "  web:\n"
      "    image: nginx:${TAG}\n"
      "    command: echo '$$HOME' ${NOWHERE}\n"
      "    environment: [A=$$x, FROM_HOST, GONE]\n"
      "    env_file: a.env\n"
      "    ports: ['8080:80']\n"
      "    volumes: ['data/x:/x:ro', './b:/b']\n"
      "    configs: [{source: c, mode: 0444}]\n"
      "    depends_on: [db]\n"
      "  tool: {image: t, profiles: [p]}\n"
      "configs: {c: {content: 'cost $$5'}}\n");
  ASSERT_TRUE(project.has_value()) << project.error().to_string();
  EXPECT_EQ(normalized_compose(*project),
            "configs:\n"
            "  c:\n"
            "    content: cost $$5\n"
            "name: shop\n"
            "services:\n"
            "  web:\n"
            "    command:\n"
            "    - echo\n"
            "    - $$HOME\n"
            "    configs:\n"
            "    - mode: \"0444\"\n"
            "      source: c\n"
            "      target: /c\n"
            "    depends_on:\n"
            "    - db\n"
            "    env_file:\n"
            "    - path: a.env\n"
            "      required: true\n"
            "    environment:\n"
            "      A: $$x\n"
            "      FROM_HOST: h\n"
            "    image: nginx:1.2\n"
            "    ports:\n"
            "    - protocol: tcp\n"
            "      published: \"8080\"\n"
            "      target: 80\n"
            "    volumes:\n"
            "    - read_only: true\n"
            "      source: data/x\n"
            "      target: /x\n"
            "      type: volume\n"
            "    - source: ./b\n"
            "      target: /b\n"
            "      type: bind\n");
  const auto again = read_project(normalized_compose(*project), "again.yml", {});
  ASSERT_TRUE(again.has_value()) << again.error().to_string();
  EXPECT_EQ(normalized_compose(*again), normalized_compose(*project));
  EXPECT_THAT(again->warnings, IsEmpty());
}

}  // namespace
}  // namespace strake::ops::compose
