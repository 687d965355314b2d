// Ingresses and their classes, network policies, addresses and ranges of services.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/networking/default_ingress_class.h"
#include "kinds/test_requests.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::create;
using testing::row;
using testing::update;
using testing::update_status;
using value::Document;

constexpr std::string_view kGroup = "networking.k8s.io";
constexpr std::string_view kNow = "2024-01-02T00:00:00Z";
constexpr std::string_view kBackend = R"({"service":{"name":"web","port":{"number":80}}})";

const Resource& ingresses() { return builtin(kGroup, "ingresses"); }
const Resource& classes() { return builtin(kGroup, "ingressclasses"); }
const Resource& policies() { return builtin(kGroup, "networkpolicies"); }
const Resource& addresses() { return builtin(kGroup, "ipaddresses"); }
const Resource& ranges() { return builtin(kGroup, "servicecidrs"); }

std::string object(std::string_view spec, std::string_view status = "{}") {
  return fmt::format(R"({{"metadata":{{"name":"a"}},"spec":{},"status":{}}})", spec, status);
}
// A rule with one path.
std::string rule(std::string_view host, std::string_view path) {
  return fmt::format(R"({{"host":"{}","http":{{"paths":[{}]}}}})", host, path);
}
std::string path(std::string_view text, std::string_view type = "Prefix",
                 std::string_view backend = kBackend) {
  return fmt::format(R"({{"path":"{}","pathType":"{}","backend":{}}})", text, type, backend);
}
std::string shown(const Resource& resource, std::string_view spec, std::string_view status = "{}") {
  return row(
      resource,
      fmt::format(
          R"({{"metadata":{{"name":"a","creationTimestamp":"2024-01-01T00:00:00Z"}},"spec":{},"status":{}}})",
          spec, status),
      kNow);
}

TEST(NetworkingKinds, AreAcceptedAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  testing::expect_recorded_verdicts(folder, "networking.k8s.io.ingress", ingresses(), 99);
  testing::expect_recorded_verdicts(folder, "networking.k8s.io.ingressclass", classes(), 43);
  testing::expect_recorded_verdicts(folder, "networking.k8s.io.networkpolicy", policies(), 96);
}

TEST(NetworkingKinds, AreServedAsTheyAreDiscovered) {
  EXPECT_EQ(ingresses().storage_prefix, "/registry/ingress/");
  EXPECT_EQ(ingresses().short_names, std::vector<std::string>{"ing"});
  EXPECT_TRUE(ingresses().namespaced);
  EXPECT_TRUE(ingresses().keeps_generation);
  EXPECT_TRUE(ingresses().versions.front().has_status());
  EXPECT_FALSE(classes().namespaced);
  EXPECT_TRUE(policies().namespaced);
  EXPECT_FALSE(policies().versions.front().has_status());
  EXPECT_EQ(addresses().short_names, std::vector<std::string>{"ip"});
  EXPECT_FALSE(addresses().keeps_generation);
  EXPECT_TRUE(ranges().versions.front().has_status());
  for (const Resource* one : {&ingresses(), &classes(), &policies(), &addresses(), &ranges()}) {
    EXPECT_TRUE(one->unconditional_update);
    EXPECT_FALSE(one->create_on_update);
    EXPECT_FALSE(one->returns_deleted);
  }
}

// "Name Age": all are plain text that every table has.
std::string columns(const Resource& resource) {
  std::string out;
  for (const Column& one : resource.strategy->columns()) {
    EXPECT_EQ(one.type, "string") << one.name;
    EXPECT_EQ(one.priority, 0) << one.name;
    out += (out.empty() ? "" : " ") + one.name;
  }
  return out;
}

TEST(NetworkingKinds, HaveTheColumnsOfTheirTables) {
  EXPECT_EQ(columns(ingresses()), "Name Class Hosts Address Ports Age");
  EXPECT_EQ(columns(classes()), "Name Controller Parameters Age");
  EXPECT_EQ(columns(policies()), "Name Pod-Selector Age");
  EXPECT_EQ(columns(addresses()), "Name ParentRef");
  EXPECT_EQ(columns(ranges()), "Name CIDRs Age");
}

TEST(Ingress, StartsWithoutAStatus) {
  EXPECT_EQ(
      create(ingresses(), object(fmt::format(R"({{"defaultBackend":{}}})", kBackend),
                                 R"({"loadBalancer":{"ingress":[{"ip":"1.2.3.4"}]}})")),
      R"({"metadata":{"name":"a","namespace":"ns"},"spec":{"defaultBackend":{"service":{"name":"web","port":{"number":80}}}},"status":{"loadBalancer":{}}})");
}

TEST(Ingress, IsRefusedForRulesThatMakeNoSense) {
  struct Case {
    std::string spec;
    std::string_view want;
  };
  const auto rules = [](std::string_view one) { return fmt::format(R"({{"rules":[{}]}})", one); };
  const Case cases[] = {
      {"{}",
       "422: spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"},
      {rules(R"({"host":"1.2.3.4"})"),
       R"(422: spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address)"},
      {rules(R"({"host":"a.*.com"})"),
       R"(422: spec.rules[0].host: Invalid value: "a.*.com": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))"},
      {rules(rule("a.b", path("/a/.."))),
       R"(422: spec.rules[0].http.paths[0].path: Invalid value: "/a/..": cannot end with '/..')"},
      {rules(rule("a.b", path("x", "ImplementationSpecific"))),
       R"(422: spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path)"},
      {rules(rule("a.b", path("/", "Exact", "{}"))),
       R"(422: spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required)"},
      {rules(
           rule("a.b", path("/", "Exact", R"({"service":{"name":"1a","port":{"name":"a--b"}}})"))),
       R"(422: spec.rules[0].http.paths[0].backend.service.port.name: Invalid value: "a--b": must not contain consecutive hyphens)"},
      {rules(
           rule("a.b", path("/", "Exact", R"({"service":{"name":"a","port":{"number":70000}}})"))),
       R"(422: spec.rules[0].http.paths[0].backend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive)"},
      {rules(rule("a.b",
                  path("/", "Exact", R"({"resource":{"apiGroup":"A","kind":"a/b","name":""}})"))),
       R"(422: spec.rules[0].http.paths[0].backend.resource.apiGroup: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); )"
       R"(spec.rules[0].http.paths[0].backend.resource.kind: Invalid value: "a/b": may not contain '/'; )"
       R"(spec.rules[0].http.paths[0].backend.resource.name: Required value)"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(create(ingresses(), object(one.spec)), one.want) << one.spec;
}

TEST(Ingress, NamesItsClassOnce) {
  const auto with = [](std::string_view annotation, std::string_view spec) {
    return fmt::format(
        R"({{"metadata":{{"name":"a","annotations":{{"kubernetes.io/ingress.class":"{}"}}}},"spec":{}}})",
        annotation, spec);
  };
  const std::string both =
      with("old", fmt::format(R"({{"defaultBackend":{},"ingressClassName":"new"}})", kBackend));
  EXPECT_EQ(
      create(ingresses(), both),
      R"(422: annotations.kubernetes.io/ingress.class: Invalid value: "old": must match `ingressClassName` when both are specified)");
  // An update may say so all the same.
  const std::string plain = fmt::format(R"({{"defaultBackend":{}}})", kBackend);
  EXPECT_TRUE(update(ingresses(), object(plain), both).starts_with("{"));
  const Document document = *value::read_json(with("old", plain));
  EXPECT_EQ(ingresses().strategy->warnings(document.root(), nullptr),
            std::vector<std::string>{"annotation \"kubernetes.io/ingress.class\" is deprecated, "
                                     "please use 'spec.ingressClassName' instead"});
  EXPECT_TRUE(ingresses().strategy->warnings(document.root(), &document.root()).empty());
}

TEST(Ingress, KeepsWhatOlderServersTook) {
  const auto spec = [](std::string_view secret, std::string_view wildcard_path) {
    return object(fmt::format(R"({{"rules":[{}],"tls":[{{"secretName":"{}"}}]}})",
                              rule("*.a.b", path(wildcard_path)), secret));
  };
  EXPECT_TRUE(update(ingresses(), spec("Bad_", "x"), spec("Bad_2", "y")).starts_with("{"));
  // Only rules of wildcards may go on as they were.
  EXPECT_EQ(
      update(ingresses(), spec("good", "x"),
             object(fmt::format(R"({{"rules":[{}]}})", rule("a.b", path("y"))))),
      R"(422: spec.rules[0].http.paths[0].path: Invalid value: "y": must be an absolute path)");
  EXPECT_EQ(
      update(ingresses(), spec("good", "x"), spec("Bad_", "y")),
      "422: spec.tls[0].secretName: Invalid value: \"Bad_\": a lowercase RFC 1123 subdomain "
      "must consist of lower case alphanumeric characters, '-' or '.', and must start and end "
      "with an alphanumeric character (e.g. 'example.com', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
  EXPECT_EQ(
      update(ingresses(), spec("good", "/x"), spec("good", "y")),
      R"(422: spec.rules[0].http.paths[0].path: Invalid value: "y": must be an absolute path)");
}

TEST(Ingress, HasAStatusOfAddressesAndNames) {
  const std::string spec = fmt::format(R"({{"defaultBackend":{}}})", kBackend);
  const auto status = [&](std::string_view before, std::string_view now) {
    return update_status(
        ingresses(), "status",
        object(spec, fmt::format(R"({{"loadBalancer":{{"ingress":[{}]}}}})", before)),
        object("{}", fmt::format(R"({{"loadBalancer":{{"ingress":[{}]}}}})", now)));
  };
  EXPECT_EQ(
      status("", R"({"ip":"x"})"),
      R"(422: status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff))");
  EXPECT_EQ(
      status("", R"({"hostname":"1.2.3.4"})"),
      R"(422: status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address)");
  const std::string kept = status(R"({"ip":"010.0.0.1"})", R"({"ip":"010.0.0.1"})");
  EXPECT_TRUE(kept.contains(R"("ip":"010.0.0.1")")) << kept;
  EXPECT_TRUE(kept.contains("defaultBackend")) << kept;
  const Document warned =
      *value::read_json(R"({"status":{"loadBalancer":{"ingress":[{"ip":"010.0.0.1"}]}}})");
  EXPECT_EQ(
      ingresses().strategy->status_warnings(warned.root(), warned.root()),
      std::vector<std::string>{
          R"(status.loadBalancer.ingress[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1")"});
}

TEST(Ingress, ShowsWhereItIsServed) {
  EXPECT_EQ(shown(ingresses(), "{}"), R"(["a","\u003cnone\u003e","*","","80","24h"])");
  EXPECT_EQ(
      shown(ingresses(),
            R"({"ingressClassName":"x","rules":[{"host":"a"},{"host":"b"}],"tls":[{}]})",
            R"({"loadBalancer":{"ingress":[{"hostname":"z"},{"ip":"1.2.3.4"},{"hostname":"z"}]}})"),
      R"(["a","x","a,b","1.2.3.4,z","80, 443","24h"])");
  EXPECT_EQ(
      shown(ingresses(),
            R"({"rules":[{"host":"a"},{},{"host":"b"},{"host":"c"},{"host":"d"},{"host":"e"}]})"),
      R"(["a","\u003cnone\u003e","a,b,c + 3 more...","","80","24h"])");
}

TEST(IngressClass, KeepsItsController) {
  const std::string stored = object(R"({"controller":"example.com/ic"})");
  EXPECT_EQ(update(classes(), stored, object(R"({"controller":"example.com/other"})")),
            R"(422: spec.controller: Invalid value: "example.com/other": field is immutable)");
  EXPECT_EQ(
      update(classes(), stored,
             object(R"({"controller":"example.com/ic","parameters":{"kind":"K","name":"n"}})")),
      R"({"metadata":{"name":"a"},"spec":{"controller":"example.com/ic","parameters":{"kind":"K","name":"n","scope":"Cluster"}}})");
}

TEST(IngressClass, IsRefusedWithoutAController) {
  EXPECT_EQ(create(classes(), object("{}")), "422: spec.controller: Required value");
  EXPECT_EQ(
      create(classes(), object(R"({"controller":"a.b/c d"})")),
      R"(422: spec.controller: Invalid value: "c d": Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+'))");
  EXPECT_TRUE(
      create(classes(), object(fmt::format(R"({{"controller":"a.b/{}"}})", std::string(250, 'x'))))
          .starts_with("422: spec.controller: Too long: may not be more than 250 bytes"));
  EXPECT_EQ(
      create(
          classes(),
          object(
              R"({"controller":"a.b/c","parameters":{"kind":"K","name":"n","scope":"Namespace","namespace":"A"}})")),
      R"(422: spec.parameters.namespace: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'))");
}

TEST(IngressClass, ShowsWhetherItIsTheDefault) {
  EXPECT_EQ(
      row(classes(),
          R"({"metadata":{"name":"c","annotations":{"ingressclass.kubernetes.io/is-default-class":"true"},"creationTimestamp":"2024-01-01T00:00:00Z"},"spec":{"controller":"a.b/c","parameters":{"apiGroup":"g.h","kind":"K","name":"n"}}})",
          kNow),
      R"j(["c (default)","a.b/c","K.g.h/n","24h"])j");
  EXPECT_EQ(shown(classes(), R"({"controller":"a.b/c","parameters":{"kind":"K","name":"n"}})"),
            R"(["a","a.b/c","K/n","24h"])");
  EXPECT_EQ(shown(classes(), R"({"controller":"a.b/c"})"),
            R"(["a","a.b/c","\u003cnone\u003e","24h"])");
}

std::string defaulted(std::string_view json, std::span<const DefaultIngressClass> defaults) {
  Document document = *value::read_json(json);
  set_default_ingress_class(document.root(), defaults, document.arena());
  return value::to_json(document.root());
}

TEST(DefaultIngressClass, IsTheNewestOfThem) {
  const DefaultIngressClass all[] = {{.name = "old", .created = "2024-01-01T00:00:00Z"},
                                     {.name = "y", .created = "2024-01-03T00:00:00Z"},
                                     {.name = "x", .created = "2024-01-03T00:00:00Z"}};
  EXPECT_EQ(defaulted(R"({"spec":{}})", all), R"({"spec":{"ingressClassName":"x"}})");
  EXPECT_EQ(defaulted(R"({"spec":{}})", {}), R"({"spec":{}})");
  EXPECT_EQ(defaulted(R"({"spec":{"ingressClassName":"mine"}})", all),
            R"({"spec":{"ingressClassName":"mine"}})");
  constexpr std::string_view kAnnotated =
      R"({"metadata":{"annotations":{"kubernetes.io/ingress.class":""}},"spec":{}})";
  EXPECT_EQ(defaulted(kAnnotated, all), kAnnotated);
}

TEST(NetworkPolicy, IsAboutWhatItHasRulesFor) {
  struct Case {
    std::string_view spec;
    std::string_view want;
  };
  const Case cases[] = {
      {"{}", R"({"podSelector":{},"policyTypes":["Ingress"]})"},
      {R"({"egress":[{}]})",
       R"({"egress":[{}],"podSelector":{},"policyTypes":["Ingress","Egress"]})"},
      {R"({"ingress":[{"ports":[{"port":80},{"port":"dns","protocol":"UDP"}]}],"policyTypes":["Egress"]})",
       R"({"ingress":[{"ports":[{"port":80,"protocol":"TCP"},{"port":"dns","protocol":"UDP"}]}],"podSelector":{},"policyTypes":["Egress"]})"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(create(policies(), object(one.spec)),
              fmt::format(R"({{"metadata":{{"name":"a","namespace":"ns"}},"spec":{}}})", one.want))
        << one.spec;
  }
  EXPECT_TRUE(create(policies(), R"({"metadata":{"name":"a"}})")
                  .contains(R"("spec":{"podSelector":{},"policyTypes":["Ingress"]})"));
}

TEST(NetworkPolicy, IsRefusedForPeersAndPortsThatMakeNoSense) {
  EXPECT_EQ(
      create(
          policies(),
          object(
              R"({"ingress":[{"from":[{},{"ipBlock":{"cidr":"x"},"podSelector":{}}],"ports":[{"port":5,"endPort":4},{"port":"x","endPort":9},{"protocol":"ICMP"},{"port":5,"endPort":70000}]}],"policyTypes":["Ingress","X"]})")),
      R"(422: spec.ingress[0].from[0]: Required value: must specify a peer; )"
      R"(spec.ingress[0].from[1].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64); )"
      R"(spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock and another peer; )"
      R"(spec.ingress[0].ports[0].endPort: Invalid value: 5: must be greater than or equal to `port`; )"
      R"(spec.ingress[0].ports[1].endPort: Invalid value: 9: may not be specified when `port` is non-numeric; )"
      R"(spec.ingress[0].ports[2].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"; )"
      R"(spec.ingress[0].ports[3].endPort: Invalid value: 70000: must be between 1 and 65535, inclusive; )"
      R"(spec.policyTypes[1]: Unsupported value: "X": supported values: "Ingress", "Egress")");
}

TEST(NetworkPolicy, KeepsNetworksAndSelectorsThatItHad) {
  const auto spec = [](std::string_view network, std::string_view label) {
    return object(fmt::format(
        R"({{"podSelector":{{"matchExpressions":[{{"key":"a","operator":"In","values":["{}"]}}]}},"egress":[{{"to":[{{"ipBlock":{{"cidr":"{}"}}}}]}}]}})",
        label, network));
  };
  EXPECT_TRUE(
      update(policies(), spec("010.0.0.0/8", "-x"), spec("010.0.0.0/8", "-y")).starts_with("{"));
  EXPECT_EQ(
      update(policies(), spec("10.0.0.0/8", "x"), spec("010.0.0.0/8", "x")),
      R"(422: spec.egress[0].to[0].ipBlock.cidr: Invalid value: "010.0.0.0/8": must not have leading 0s in IP or prefix length)");
  EXPECT_TRUE(
      update(policies(), spec("10.0.0.0/8", "x"), spec("10.0.0.0/8", "-y"))
          .starts_with("422: spec.podSelector.matchExpressions[0].values[0]: Invalid value"));
}

TEST(NetworkPolicy, WarnsOfNetworksInAnotherForm) {
  const Document document = *value::read_json(
      R"({"spec":{"egress":[{"to":[{},{"ipBlock":{"cidr":"fd00::1/8","except":["fd00:0::/16"]}}]}]}})");
  EXPECT_EQ(
      policies().strategy->warnings(document.root(), nullptr),
      (std::vector<std::string>{
          R"(spec.egress[0].to[1].ipBlock.cidr: CIDR value "fd00::1/8" is ambiguous in this context (should be "fd00::/8" or "fd00::1/128"?))",
          R"(spec.egress[0].to[1].ipBlock.except[0]: IPv6 CIDR value "fd00:0::/16" should be in RFC 5952 canonical format ("fd00::/16"))"}));
}

TEST(NetworkPolicy, ShowsItsSelector) {
  EXPECT_EQ(shown(policies(), R"({"podSelector":{"matchLabels":{"b":"c","app":"a"}}})"),
            R"(["a","app=a,b=c","24h"])");
  EXPECT_EQ(shown(policies(), "{}"), R"(["a","\u003cnone\u003e","24h"])");
}

TEST(IpAddress, IsNamedAsItIs) {
  const auto named = [](std::string_view name) {
    return create(
        addresses(),
        fmt::format(
            R"({{"metadata":{{"name":"{}"}},"spec":{{"parentRef":{{"resource":"services","namespace":"ns","name":"s"}}}}}})",
            name));
  };
  EXPECT_TRUE(named("10.0.0.1").starts_with("{"));
  EXPECT_TRUE(named("fd00::1").starts_with("{"));
  EXPECT_EQ(
      named("fd00:0::1"),
      R"(422: metadata.name: Invalid value: "fd00:0::1": must be in canonical form ("fd00::1"))");
  EXPECT_EQ(
      named("x"),
      R"(422: metadata.name: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff))");
}

TEST(IpAddress, BelongsToOneObjectForGood) {
  const auto with = [](std::string_view spec) {
    return fmt::format(
        R"({{"metadata":{{"name":"10.0.0.1","creationTimestamp":"2024-01-01T00:00:00Z"}},"spec":{}}})",
        spec);
  };
  EXPECT_EQ(create(addresses(), with("{}")), "422: spec.parentRef: Required value");
  EXPECT_EQ(create(addresses(), with(R"({"parentRef":{"namespace":"a/b"}})")),
            R"(422: spec.parentRef.name: Required value; )"
            R"(spec.parentRef.namespace: Invalid value: "a/b": may not contain '/'; )"
            R"(spec.parentRef.resource: Required value)");
  const std::string stored = with(R"({"parentRef":{"resource":"services","name":"s"}})");
  EXPECT_EQ(
      update(addresses(), stored, with(R"({"parentRef":{"resource":"services","name":"t"}})")),
      R"(422: spec.parentRef: Invalid value: {"Group":"","Resource":"services","Namespace":"","Name":"t"}: field is immutable)");
  EXPECT_EQ(
      row(addresses(),
          with(R"({"parentRef":{"group":"G.h","resource":"Things","namespace":"ns","name":"S"}})"),
          kNow),
      R"(["10.0.0.1","things.g.h/ns/S","24h"])");
}

TEST(ServiceCidr, HasAtMostOneNetworkOfEachFamily) {
  struct Case {
    std::string_view networks;
    std::string_view want;
  };
  const Case cases[] = {
      {"[]", "422: spec.cidrs: Required value: at least one CIDR required"},
      {R"(["10.0.0.0/24","fd00::/64","10.1.0.0/24"])",
       R"(422: spec.cidrs: Invalid value: {"CIDRs":["10.0.0.0/24","fd00::/64","10.1.0.0/24"]}: may only hold up to 2 values)"},
      {R"(["10.0.0.0/24","10.1.0.0/24"])",
       R"(422: spec.cidrs: Invalid value: ["10.0.0.0/24","10.1.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64)"},
      {R"(["fd00::0/64"])",
       R"(422: spec.cidrs[0]: Invalid value: "fd00::0/64": must be in canonical form ("fd00::/64"))"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(create(ranges(), object(fmt::format(R"({{"cidrs":{}}})", one.networks))), one.want);
  EXPECT_EQ(create(ranges(), object(R"({"cidrs":["10.0.0.0/24"]})",
                                    R"({"conditions":[{"type":"Ready","status":"True"}]})")),
            R"({"metadata":{"name":"a"},"spec":{"cidrs":["10.0.0.0/24"]},"status":{}})");
}

TEST(ServiceCidr, MayOnlyGrowByTheOtherFamily) {
  const auto change = [](std::string_view before, std::string_view now) {
    return update(ranges(), object(fmt::format(R"({{"cidrs":{}}})", before)),
                  object(fmt::format(R"({{"cidrs":{}}})", now)));
  };
  EXPECT_TRUE(change(R"(["10.0.0.0/24"])", R"(["10.0.0.0/24","fd00::/64"])").starts_with("{"));
  EXPECT_EQ(change(R"(["10.0.0.0/24"])", R"(["10.1.0.0/24"])"),
            R"(422: spec.cidrs[0]: Invalid value: "10.1.0.0/24": field is immutable)");
  EXPECT_EQ(change(R"(["10.0.0.0/24"])", R"(["10.1.0.0/24","fd00::/64"])"),
            R"(422: spec.cidrs[0]: Invalid value: "10.1.0.0/24": field is immutable)");
  EXPECT_EQ(change(R"(["10.0.0.0/24","fd00::/64"])", R"(["10.0.0.0/24"])"),
            R"(422: spec.cidrs: Invalid value: ["10.0.0.0/24"]: field is immutable)");
  EXPECT_EQ(shown(ranges(), R"({"cidrs":["10.0.0.0/24","fd00::/64"]})"),
            R"(["a","10.0.0.0/24,fd00::/64","24h"])");
}

}  // namespace
}  // namespace strake::kinds
