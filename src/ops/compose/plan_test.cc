#include "ops/compose/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/compose/check_manifest.h"
#include "ops/compose/components.h"
#include "ops/compose/manifest.h"
#include "ops/compose/map_files.h"
#include "ops/compose/reader.h"
#include "ops/compose/test_app.h"

namespace strake::ops::compose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// An app that the tests change, with its Compose document and the files beside it.
struct PlanCase {
  TestApp declared;
  MapFiles files;
  bool may_read = true;

  PlanCase() {
    declared.cluster.ingress.emplace();
    declared.cluster.ingress->domain = "example.test";
    declared.app.volumes = {volume("data"), volume("more")};
  }
  static provider::AppVolume volume(std::string name) {
    return {.name = std::move(name),
            .size = std::int64_t{1} << 30,
            .type = provider::VolumeType::kDisk,
            .options = {}};
  }
  void add_rule(std::string name, std::int64_t port, std::vector<std::string> hosts = {}) {
    declared.app.ingress.rules.push_back({std::move(name), port, std::move(hosts)});
  }
  provider::Outcome<Plan> plan(std::string_view compose, std::string_view component = "app") const {
    auto project = read_project(compose, "c.yml", {});
    EXPECT_TRUE(project.has_value()) << project.error().to_string();
    return plan_component(declared.subject(), *project, may_read ? &files : nullptr, component);
  }
  std::string fault(std::string_view compose, std::string_view component = "app") const {
    const auto got = plan(compose, component);
    return got ? "none" : got.error().message();
  }
};

std::string web(std::string_view more) {
  return fmt::format("services:\n  web:\n    image: nginx\n    {}\n", more);
}

TEST(Plan, ContainersAreSortedAndKeepTheirPorts) {
  const auto plan = PlanCase().plan(
      "services:\n"
      "  web: {image: w, ports: ['8080:80', '8081:80', '9000:90']}\n"
      "  api: {image: a, ports: ['7000:70']}\n");
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  ASSERT_EQ(plan->containers.size(), 2U);
  EXPECT_EQ(plan->containers[0].name, "api");
  EXPECT_THAT(plan->containers[1].ports, ElementsAre(80, 90));
  EXPECT_THAT(plan->containers[1].env_secrets,
              ElementsAre("app1-app-web-base", "app1-app-web-override"));
  EXPECT_THAT(plan->headless_services, ElementsAre("api", "web"));
  std::vector<std::string> ports;
  for (const ServicePortPlan& port : plan->service_ports)
    ports.push_back(fmt::format("{} {} {}", port.name, port.port, port.target));
  EXPECT_THAT(ports,
              ElementsAre("p7000 7000 70", "p8080 8080 80", "p8081 8081 80", "p9000 9000 90"));
}

TEST(Plan, PortsThatMeetAreRefused) {
  const PlanCase one;
  EXPECT_EQ(one.fault("services:\n"
                      "  a: {image: a, ports: ['1:80']}\n"
                      "  b: {image: b, ports: ['2:80']}\n"),
            "c.yml:3:25: container port 80 is used by several services (a, b)");
  EXPECT_EQ(one.fault("services:\n"
                      "  a: {image: a, ports: ['1:80']}\n"
                      "  b: {image: b, ports: ['1:81']}\n"),
            "c.yml:3:25: host port 1 leads to several container ports (80 of a, 81 of b)");
  EXPECT_EQ(one.fault(web("ports: ['1:80', '1:81']")),
            "c.yml:4:21: host port 1 leads to several container ports (80 of web, 81 of web)");
  EXPECT_EQ(one.fault(web("ports: ['1:80', '1:80']")), "none");
}

TEST(Plan, IngressRulesBecomePortsAndHosts) {
  PlanCase one;
  one.add_rule("main", 8080, {"www.shop.test", " shop.test ", "*.shop.test"});
  one.add_rule("admin", 8081);
  one.declared.cluster.ingress->cert_resolver = "staging";
  const auto plan = one.plan(web("ports: ['8081:80', '8080:80', '9:9']"));
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  ASSERT_EQ(plan->service_ports.size(), 2U);
  EXPECT_EQ(plan->service_ports[0].name, "main");
  EXPECT_EQ(plan->service_ports[1].port, 8081);
  std::vector<std::string> hosts;
  for (const IngressHostPlan& host : plan->default_hosts) hosts.push_back(host.host);
  EXPECT_THAT(hosts, ElementsAre("app1-k9x84f-8080.example.test", "app1-k9x84f-8081.example.test"));
  hosts.clear();
  for (const IngressHostPlan& host : plan->custom_hosts) hosts.push_back(host.host);
  EXPECT_THAT(hosts, ElementsAre("www.shop.test", "shop.test", "*.shop.test"));
  EXPECT_EQ(plan->cert_resolver, "staging");
  one.declared.app.ingress.cert_resolver = "production";
  EXPECT_EQ(one.plan(web("ports: ['8081:80', '8080:80']"))->cert_resolver, "production");
  one.declared.cluster.ingress->domain.clear();
  EXPECT_THAT(one.plan(web("ports: ['8081:80', '8080:80']"))->default_hosts, IsEmpty());
}

TEST(Plan, IngressRulesThatCannotBeAreRefused) {
  struct Case {
    std::vector<provider::IngressRule> rules;
    std::string_view want;
  };
  const Case cases[] = {
      {{{"Main", 8080, {}}}, "invalid ingress name \"Main\""},
      {{{"", 8080, {}}}, "invalid ingress name \"\""},
      {{{"a-", 8080, {}}}, "invalid ingress name \"a-\""},
      {{{"a--b", 8080, {}}}, "invalid ingress name \"a--b\""},
      {{{"abcdefghijklmnop", 8080, {}}}, "invalid ingress name \"abcdefghijklmnop\""},
      {{{"main", 80, {}}}, "ingress port 80 is not published by any service"},
      {{{"a", 8080, {}}, {"b", 8080, {}}}, "duplicate ingress port 8080"},
      {{{"a", 8080, {}}, {"a", 8081, {}}}, "duplicate ingress name \"a\""},
      {{{"a", 8080, {"Shop.test"}}}, "ingress host \"Shop.test\" is no host name"},
      {{{"a", 8080, {""}}}, "ingress host \"\" is no host name"},
      {{{"a", 8080, {"x.example.test"}}},
       "ingress host x.example.test must not be under cluster ingress domain example.test"},
      {{{"a", 8080, {"example.test"}}},
       "ingress host example.test must not be under cluster ingress domain example.test"},
      {{{"a", 8080, {"s.test", "s.test"}}}, "host s.test duplicated across ingress entries (a, a)"},
      {{{"a", 8080, {"s.test"}}, {"b", 8081, {"s.test"}}},
       "host s.test duplicated across ingress entries (a, b)"},
  };
  for (const Case& one : cases) {
    PlanCase with;
    with.declared.app.ingress.rules = one.rules;
    EXPECT_THAT(with.fault(web("ports: ['8080:80', '8081:81']")),
                ::testing::StartsWith(std::string(one.want)));
  }
  PlanCase near;
  near.add_rule("a", 8080, {"notexample.test"});
  EXPECT_EQ(near.fault(web("ports: ['8080:80']")), "none");
}

TEST(Plan, VolumesComeFromTheApp) {
  PlanCase one;
  const auto plan = one.plan(web("volumes: ['data:/a', 'more/x/./y/:/b', './c/d:/c', '.:/d']"));
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  const auto& mounts = plan->containers[0].mounts;
  ASSERT_EQ(mounts.size(), 4U);
  EXPECT_EQ(mounts[0].sub_path, "");
  EXPECT_EQ(mounts[1].volume, "more");
  EXPECT_EQ(mounts[1].sub_path, "x/y");
  EXPECT_EQ(mounts[2].volume, "data");
  EXPECT_EQ(mounts[2].sub_path, "c/d");
  EXPECT_EQ(mounts[3].sub_path, "");
  EXPECT_EQ(plan->sub_paths,
            (std::map<std::string, std::set<std::string>>{{"data", {"c/d"}}, {"more", {"x/y"}}}));
  EXPECT_THAT(plan->volumes, ElementsAre("data", "more"));
}

TEST(Plan, VolumesThatCannotBeAreRefused) {
  PlanCase one;
  one.files = MapFiles({{"file.txt", "x"}, {"folder/x", "x"}});
  one.files.add_link("link");
  EXPECT_EQ(one.fault(web("volumes: ['gone:/a']")),
            "c.yml:4:15: volume \"gone\" is not defined in the app");
  EXPECT_EQ(one.fault(web("volumes: ['/abs:/a']")),
            "c.yml:4:15: the path in a volume must be relative, got /abs");
  EXPECT_EQ(one.fault(web("volumes: ['~/x:/a']")),
            "c.yml:4:15: the path in a volume must not start with ~, got ~/x");
  EXPECT_EQ(one.fault(web("volumes: ['./../x:/a']")),
            "c.yml:4:15: the path in a volume must not lead through .., got ./../x");
  EXPECT_EQ(one.fault(web("volumes: ['data/../x:/a']")),
            "c.yml:4:15: the path in a volume must not lead through .., got ../x");
  EXPECT_EQ(one.fault(web("volumes: ['data:/a', 'more:/a/']")),
            "c.yml:4:26: /a is the target of volume data already");
  for (const char* path : {"file.txt", "link"})
    EXPECT_EQ(one.fault(web(fmt::format("volumes: ['./{}:/a']", path))),
              fmt::format("c.yml:4:15: ./{} is no folder: single files are mounted by configs and "
                          "secrets",
                          path));
  EXPECT_EQ(one.fault(web("volumes: ['./folder:/a', './new:/b']")), "none");
  one.declared.app.volumes.clear();
  EXPECT_EQ(
      one.fault(web("volumes: ['./folder:/a']")),
      "c.yml:4:15: ./folder: a relative folder is kept in the first volume of the app, and it "
      "has none");
}

TEST(Plan, FilesAreReadOnlyWhereTheAppMay) {
  PlanCase one;
  one.may_read = false;
  EXPECT_EQ(
      one.fault(web("env_file: a.env")),
      "c.yml:4:15: a.env: this app may not refer to files: it is not declared in the app file");
  EXPECT_THAT(one.fault(web("configs: [c]") + "configs: {c: {file: c.txt}}"),
              HasSubstr("c.txt: this app may not refer to files"));
  EXPECT_THAT(one.fault(web("secrets: [c]") + "secrets: {c: {file: c.txt}}"),
              HasSubstr("c.txt: this app may not refer to files"));
  EXPECT_THAT(one.fault(web("volumes: ['./x:/x']")), HasSubstr("this app may not bind folders"));
  EXPECT_EQ(one.fault(web("configs: [c]") + "configs: {c: {content: x}}"), "none");
}

TEST(Plan, EnvFilesBecomeOneSecret) {
  PlanCase one;
  one.files = MapFiles({{"a.env", "A=1\nB=1\n"},
                        {"b.json", R"({"B": 2})"},
                        {"bad.env", "A"},
                        {"c.env", "C=\x01"},
                        {"large.env", "A=" + std::string(600'000, 'x')},
                        {"large2.env", "B=" + std::string(600'000, 'x')}});
  const auto plan = one.plan(web("env_file: [a.env, b.json, {path: none.env, required: false}]"));
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  ASSERT_EQ(plan->env_secrets.size(), 1U);
  EXPECT_EQ(plan->env_secrets[0].object, "app1-app-web-base");
  EXPECT_EQ(plan->env_secrets[0].variables,
            (std::map<std::string, std::string>{{"A", "1"}, {"B", "2"}}));
  EXPECT_EQ(one.fault(web("env_file: none.env")), "c.yml:4:15: none.env: there is no such file");
  EXPECT_EQ(one.fault(web("env_file: ../x.env")),
            "c.yml:4:15: the path of a file must not lead through .., got ../x.env");
  EXPECT_EQ(one.fault(web("env_file: /x.env")),
            "c.yml:4:15: the path of a file must be relative, got /x.env");
  EXPECT_EQ(one.fault(web("env_file: bad.env")),
            "c.yml:4:15: bad.env:1:1: there is no = on the line");
  EXPECT_EQ(one.fault(web("env_file: c.env")),
            "c.yml:4:15: env_file: the value of C has a control character");
  EXPECT_EQ(one.fault(web("env_file: [large.env, large2.env]")),
            "c.yml:4:16: env_file: the variables take 1200002 bytes, more than 1000000");
}

TEST(Plan, ConfigsAndSecretsAreChecked) {
  PlanCase one;
  one.files = MapFiles({{"dir/nginx.conf", "x"},
                        {"bom", "\xef\xbb\xbfx"},
                        {"nul", std::string("a\0b", 3)},
                        {"bad", "\xff"},
                        {"full", std::string(kMaxFileBytes, 'x')},
                        {"over", std::string(kMaxFileBytes + 1, 'x')},
                        {"a b", "x"},
                        {"folder/x", "x"}});
  one.files.add_link("link");
  const auto config = [](std::string_view file) {
    return web("configs: [c]") + fmt::format("configs: {{c: {{file: '{}'}}}}", file);
  };
  const auto secret = [](std::string_view file) {
    return web("secrets: [c]") + fmt::format("secrets: {{c: {{file: '{}'}}}}", file);
  };
  const auto plan = one.plan(config("./dir/nginx.conf"));
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  ASSERT_EQ(plan->configs.size(), 1U);
  EXPECT_EQ(plan->configs[0].object, "app1-app--cfg-c");
  EXPECT_EQ(plan->configs[0].volume, "cfg-c");
  EXPECT_EQ(plan->configs[0].key, "nginx.conf");
  EXPECT_EQ(plan->containers[0].mounts.at(0).path, "/c");
  EXPECT_EQ(plan->containers[0].mounts.at(0).sub_path, "nginx.conf");
  EXPECT_TRUE(plan->containers[0].mounts.at(0).read_only);

  constexpr std::string_view kText =
      "config \"c\" must be UTF-8 without a byte order mark and NUL characters";
  for (const char* file : {"bom", "nul", "bad"}) {
    EXPECT_THAT(one.fault(config(file)), HasSubstr(kText)) << file;
    EXPECT_EQ(one.fault(secret(file)), "none") << file;
  }
  for (const auto& text : {config("over"), secret("over")})
    EXPECT_THAT(one.fault(text), HasSubstr("more than 1048576 bytes"));
  EXPECT_EQ(one.fault(config("full")), "none");
  EXPECT_THAT(one.fault(config("a b")), HasSubstr("the name of the file \"a b\" may have letters"));
  EXPECT_THAT(one.fault(config("folder")), HasSubstr("folder: only regular files are read"));
  EXPECT_THAT(one.fault(config("link")), HasSubstr("link: only regular files are read"));
  EXPECT_THAT(one.fault(config("gone")), HasSubstr("gone: there is no such file"));
  EXPECT_EQ(one.fault(web("configs: [a, {source: b, target: /a}]") +
                      "configs: {a: {content: x}, b: {content: y}}"),
            "c.yml:4:18: /a is the target of config a already");
  EXPECT_EQ(one.fault(web("configs: [a, {source: a, target: /b, mode: 0400}]") +
                      "configs: {a: {content: x}}"),
            "c.yml:4:18: config \"a\" is mounted with different modes");
  EXPECT_THAT(one.fault(web("configs: [A_b]") + "configs: {A_b: {content: x}}"),
              HasSubstr("config \"A_b\" cannot be named so"));
  one.declared.app.volumes.push_back(PlanCase::volume("cfg-a"));
  EXPECT_THAT(one.fault(web("configs: [a]") + "configs: {a: {content: x}}"),
              HasSubstr("config \"a\" and the volume \"cfg-a\" of the app clash"));
}

TEST(Plan, FilesOfAComponentHaveALimitTogether) {
  PlanCase one;
  one.files = MapFiles({{"full", std::string(kMaxFileBytes, 'x')}});
  const auto compose = [](std::size_t count) {
    std::string uses = "services: {web: {image: a, secrets: [";
    std::string definitions = "secrets: {";
    for (std::size_t i = 0; i < count; ++i) {
      uses += fmt::format("s{}, ", i);
      definitions += fmt::format("s{}: {{file: full}}, ", i);
    }
    return uses + "]}}\n" + definitions + "}\n";
  };
  EXPECT_EQ(one.fault(compose(32)), "none");
  EXPECT_THAT(one.fault(compose(33)), HasSubstr("more than 33554432 bytes"));
}

TEST(Plan, ConfigsGoBeforeVolumesOfTheSameTarget) {
  const auto plan = PlanCase().plan(
      "services:\n  web:\n    image: a\n    volumes: ['data:/etc/a', 'more:/b']\n"
      "    configs: [{source: a, target: /etc/a}]\nconfigs: {a: {content: x}}\n");
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  ASSERT_EQ(plan->containers[0].mounts.size(), 2U);
  EXPECT_EQ(plan->containers[0].mounts[0].volume, "more");
  EXPECT_THAT(plan->warnings, ElementsAre("c.yml:4:15: service web: volume data is not mounted: "
                                          "config a has the target /etc/a"));
}

TEST(Plan, NamesThatServicesOfTheAppHaveAreRefused) {
  const PlanCase one;
  for (const char* name : {"app1-app", "app1-appx", "app1-box", "app1-boxes"})
    EXPECT_THAT(one.fault(fmt::format("services: {{{}: {{image: a}}}}", name)),
                HasSubstr("has a name that is kept for the Services of the app"));
  EXPECT_EQ(one.fault("services: {app1-web: {image: a}}"), "none");
  PlanCase boxed;
  provider::Box& box = boxed.declared.boxes.emplace_back();
  box.name = "shell";
  box.image = "debian";
  EXPECT_THAT(boxed.fault("services: {app1-shell: {image: a}}"), HasSubstr("is kept for"));
}

TEST(Plan, ServicesGoToTheirBoxes) {
  PlanCase one;
  provider::Box& box = one.declared.boxes.emplace_back();
  box.name = "jobs";
  constexpr std::string_view kServices =
      "services:\n"
      "  jobs: {image: j, ports: ['9000:80']}\n"
      "  side: {image: s, network_mode: 'service:jobs'}\n"
      "  web: {image: w, ports: ['8080:80']}\n";
  one.add_rule("main", 8080);
  const auto app = one.plan(kServices);
  ASSERT_TRUE(app.has_value()) << app.error().message();
  EXPECT_THAT(app->headless_services, ElementsAre("web"));
  ASSERT_EQ(app->service_ports.size(), 1U);
  EXPECT_EQ(app->service_ports[0].name, "main");
  const auto jobs = one.plan(kServices, "jobs");
  ASSERT_TRUE(jobs.has_value()) << jobs.error().message();
  EXPECT_THAT(jobs->headless_services, ElementsAre("jobs", "side"));
  EXPECT_EQ(jobs->names.resource_name(), "app1-jobs");
  EXPECT_THAT(jobs->volumes, IsEmpty());
  EXPECT_THAT(app->volumes, ElementsAre("data", "more"));
  ASSERT_EQ(jobs->service_ports.size(), 1U);
  EXPECT_EQ(jobs->service_ports[0].name, "p9000");
  EXPECT_THAT(one.fault(kServices, "web"), HasSubstr("the app has no box \"web\""));
}

TEST(Plan, VolumesGoWhereTheyAreMounted) {
  PlanCase one;
  one.declared.app.volumes.push_back(PlanCase::volume("spare"));
  one.declared.boxes.emplace_back().name = "jobs";
  const auto volumes = [&](std::string_view of_web, std::string_view component) {
    const auto plan = one.plan(fmt::format("services:\n"
                                           "  jobs: {{image: j, volumes: ['more/x:/x']}}\n"
                                           "  web: {{image: w, volumes: [{}]}}\n",
                                           of_web),
                               component);
    EXPECT_TRUE(plan.has_value()) << plan.error().message();
    return plan->volumes;
  };
  EXPECT_THAT(volumes("'data:/d'", "app"), ElementsAre("data", "spare"));
  EXPECT_THAT(volumes("'more:/d'", "app"), ElementsAre("data", "more", "spare"));
  EXPECT_THAT(volumes("'data:/d'", "jobs"), ElementsAre("more"));
}

TEST(Plan, BoxesThatCannotBeAreRefused) {
  const auto fault = [](std::vector<std::pair<std::string, std::string>> boxes,
                        std::string_view compose) {
    PlanCase one;
    for (auto& [name, image] : boxes) {
      provider::Box& box = one.declared.boxes.emplace_back();
      box.name = name;
      box.image = image;
    }
    return one.fault(compose);
  };
  constexpr std::string_view kServices =
      "services:\n  a: {image: a}\n  b: {image: b, network_mode: 'service:a'}\n";
  EXPECT_EQ(fault({{"gone", ""}}, kServices),
            "box \"gone\" has no image, and there is no service of that name");
  EXPECT_EQ(fault({{"b", ""}}, kServices),
            "box \"b\" cannot be a service that shares the network of \"a\"");
  EXPECT_EQ(fault({{"a", "debian"}}, kServices),
            "box \"a\" has an image of its own, and there is a service of that name");
  EXPECT_EQ(fault({{"a", ""}, {"a", ""}}, kServices), "there are two boxes named \"a\"");
  EXPECT_EQ(fault({{"app", ""}}, kServices), "a box cannot be named \"app\"");
  EXPECT_EQ(fault({{"a", ""}}, kServices), "no service is left for the component \"app\"");
  EXPECT_EQ(fault({{"shell", "debian"}}, kServices), "none");
}

TEST(Plan, StandaloneBoxesHaveAnImageAndAName) {
  PlanCase one;
  const auto fault = [&](std::string name, std::string image) {
    provider::Box box;
    box.name = std::move(name);
    box.image = std::move(image);
    const auto plan = plan_standalone_box(one.declared.subject(), box);
    return plan ? std::string("none") : plan.error().message();
  };
  EXPECT_EQ(fault("box", "debian"), "none");
  EXPECT_EQ(fault("app", "debian"), "a box cannot be named \"app\"");
  EXPECT_EQ(fault("box", " "), "box \"box\" has no image: it does not stand alone");
  EXPECT_THAT(fault("Box", "debian"), HasSubstr("a box cannot be named \"Box\""));
}

TEST(Plan, PoliciesThatLetInAllAreRefused) {
  PlanCase one;
  one.declared.app.network_policy.ingress_rules.push_back({.from = {}, .ports = {{"TCP", 80}}});
  EXPECT_EQ(one.fault(web("")), "a network policy rule without from lets in all");
  one.declared.app.network_policy.ingress_rules[0].from.emplace_back();
  EXPECT_EQ(one.fault(web("")),
            "a network policy rule has an empty namespaceSelector, which lets in all");
}

TEST(Plan, NamesOfAppsAndVolumesAreChecked) {
  PlanCase longer;
  longer.declared.app.name = std::string(46, 'a');
  EXPECT_NE(longer.fault(web("")), "none");
  PlanCase digit;
  digit.declared.app.name = "1app";
  EXPECT_EQ(digit.fault(web("")), "none");
  EXPECT_THAT(digit.fault(web("ports: ['80:80']")),
              HasSubstr("\"1app-app\" cannot name a Service"));
  PlanCase volume;
  volume.declared.app.volumes.push_back(PlanCase::volume("data"));
  EXPECT_EQ(volume.fault(web("")), "duplicate volume name \"data\"");
  volume.declared.app.volumes.back().name = std::string(17, 'v');
  EXPECT_THAT(volume.fault(web("")), HasSubstr("exceeds 16 characters"));
}

TEST(BindVolumes, WantsOneGoodBindingForEachVolume) {
  PlanCase one;
  const auto plan = one.plan(web("volumes: ['data:/a']"));
  ASSERT_TRUE(plan.has_value());
  const auto fault = [&](const std::vector<VolumeBinding>& bindings) {
    const auto bound = bind_volumes(*plan, bindings);
    return bound ? std::string("none") : bound.error().message();
  };
  const std::vector<VolumeBinding> good = test_bindings(one.declared.app);
  EXPECT_EQ(fault(good), "none");
  EXPECT_EQ(fault({good[0]}), "volume bindings count 1 does not match app volumes 2");
  EXPECT_EQ(fault({good[1], good[0]}), "volume binding at index 0 is for more; expected data");
  const auto changed = [&](auto change) {
    std::vector<VolumeBinding> bindings = good;
    change(bindings[0]);
    return fault(bindings);
  };
  EXPECT_EQ(changed([](VolumeBinding& b) { b.disk.handle = " "; }),
            "volume data has no handle in its binding");
  EXPECT_EQ(changed([](VolumeBinding& b) { b.volume_class.csi_driver = ""; }),
            "no CSI driver for volume data");
  EXPECT_EQ(changed([](VolumeBinding& b) { b.volume_class.access_modes = {"All"}; }),
            "the class of volume data has the unknown access mode \"All\"");
  EXPECT_EQ(changed([](VolumeBinding& b) { b.volume_class.reclaim_policy = "Recycle"; }),
            "the class of volume data has the unknown reclaim policy \"Recycle\"");
  EXPECT_EQ(changed([](VolumeBinding& b) { b.disk.size = 0; }), "none");  // that of the volume
  EXPECT_THAT(build(*plan, {}).error().message(), HasSubstr("no claim name bound for volume data"));
}

TEST(BindVolumes, LeavesOutWhatTheClassHasNoOpinionOn) {
  PlanCase one;
  const auto plan = one.plan(web(""));
  std::vector<VolumeBinding> bindings = test_bindings(one.declared.app);
  for (VolumeBinding& binding : bindings) {
    binding.volume_class = {};
    binding.volume_class.csi_driver = "csi.example.test";
    binding.volume_class.attributes = {{"kept", "x"}, {"empty", ""}};
    binding.disk.size = (std::int64_t{1} << 30) + 1;
  }
  const auto bound = bind_volumes(*plan, bindings);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ((*bound)[0].quantity, "1025Mi");
  const std::string yaml = build(*plan, *bound)->yaml();
  EXPECT_THAT(yaml, HasSubstr("persistentVolumeReclaimPolicy: Retain"));
  EXPECT_THAT(yaml, HasSubstr("accessModes:\n  - ReadWriteOnce\n"));
  EXPECT_THAT(yaml, Not(HasSubstr("storageClassName")));
  EXPECT_THAT(yaml, Not(HasSubstr("volumeMode")));
  EXPECT_THAT(yaml, Not(HasSubstr("empty")));
  EXPECT_EQ(manifest_faults(yaml), "");
}

}  // namespace
}  // namespace strake::ops::compose
