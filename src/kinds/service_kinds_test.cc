// Services, Endpoints and EndpointSlices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/test_requests.h"
#include "support/vectors.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::create;
using testing::row;
using testing::update;
using testing::update_status;

constexpr std::string_view kNow = "2024-01-02T00:00:00Z";

const Resource& services() { return builtin("", "services"); }
const Resource& endpoints() { return builtin("", "endpoints"); }
const Resource& slices() { return builtin("discovery.k8s.io", "endpointslices"); }

std::string service(std::string_view spec, std::string_view status = R"({"loadBalancer":{}})") {
  return fmt::format(R"({{"metadata":{{"name":"s"}},"spec":{},"status":{}}})", spec, status);
}

// A stored service of the cluster IP 10.0.0.5, with more of its spec, without the closing brace.
std::string stored(std::string_view more) {
  return service(fmt::format(
      R"({{"clusterIP":"10.0.0.5","clusterIPs":["10.0.0.5"],"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack",{}}})",
      more));
}

TEST(ServiceKinds, AreAcceptedAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  testing::expect_recorded_verdicts(folder, "core.service", services(), 150);
  testing::expect_recorded_verdicts(folder, "core.endpoints", endpoints(), 40);
  testing::expect_recorded_verdicts(folder, "discovery.k8s.io.endpointslice", slices(), 45);
}

TEST(Service, GetsWhatItsTypeNeeds) {
  EXPECT_EQ(
      create(services(), service(R"({"ports":[{"port":80}]})")),
      R"({"metadata":{"name":"s","namespace":"ns"},"spec":{"clusterIP":"10.0.0.0","clusterIPs":["10.0.0.0"],)"
      R"("internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack",)"
      R"("ports":[{"port":80,"protocol":"TCP","targetPort":80}],"sessionAffinity":"None","type":"ClusterIP"},)"
      R"("status":{"loadBalancer":{}}})");
  EXPECT_EQ(
      create(
          services(),
          service(
              R"({"type":"ExternalName","externalName":"db.example.com.","internalTrafficPolicy":"Local"})")),
      R"({"metadata":{"name":"s","namespace":"ns"},"spec":{"externalName":"db.example.com.","sessionAffinity":"None","type":"ExternalName"},"status":{"loadBalancer":{}}})");
  // A status cannot be created.
  EXPECT_FALSE(create(services(), service(R"({"type":"LoadBalancer","ports":[{"port":80}]})",
                                          R"({"loadBalancer":{"ingress":[{"ip":"1.2.3.4"}]}})"))
                   .contains("1.2.3.4"));
}

TEST(Service, IsRefusedForWhatItsTypeHasNot) {
  struct Case {
    std::string_view spec;
    std::string_view want;
  };
  const Case cases[] = {
      {R"({"type":"NodePort","clusterIP":"None","ports":[{"port":80}]})",
       R"(422: spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services)"},
      {R"({"type":"ExternalName","externalName":"x.y","clusterIP":"10.0.0.9","ipFamilyPolicy":"SingleStack"})",
       R"(422: spec.clusterIPs: Forbidden: may not be set for ExternalName services; spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services)"},
      {R"({"clusterIP":"::ffff:10.0.0.9","ports":[{"port":80}]})",
       R"(422: spec.clusterIPs[0]: Invalid value: "::ffff:10.0.0.9": must not be an IPv4-mapped IPv6 address)"},
      {R"({"clusterIP":"None","clusterIPs":["None","10.0.0.1"],"ports":[{"port":80}]})",
       R"(422: spec.clusterIPs: Invalid value: ["None","10.0.0.1"]: 'None' must be the first and only value)"},
      {R"({"clusterIP":"fd00::1","ports":[{"port":80}]})",
       R"(422: spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster)"},
      {R"({"clusterIP":"10.0.0.9","ipFamilies":["IPv6"],"ports":[{"port":80}]})",
       R"(422: spec.clusterIPs[0]: Invalid value: "10.0.0.9": expected an IPv6 value as indicated by `ipFamilies[0]`)"},
      {R"({"clusterIP":"10.0.0.9","clusterIPs":["10.0.0.9","fd00::1"],"ports":[{"port":80}]})",
       R"(422: spec.clusterIPs[1]: Invalid value: ["10.0.0.9","fd00::1"]: IPv6 is not configured on this cluster; )"
       R"(spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified)"},
      {R"({"clusterIP":"10.0.0.255","ports":[{"port":80}]})",
       R"(422: spec.clusterIPs: Invalid value: ["10.0.0.255"]: failed to allocate IP 10.0.0.255: the provided IP (10.0.0.255) is not in the valid range. The range of valid IPs is 10.0.0.0/24)"},
      {R"({"type":"LoadBalancer","loadBalancerSourceRanges":[" 10.0.0.0/8 ","010.0.0.0/8","::ffff:1.2.3.0/120"],"ports":[{"port":80}]})",
       R"(422: spec.LoadBalancerSourceRanges[1]: Invalid value: "010.0.0.0/8": must not have leading 0s in IP or prefix length; )"
       R"(spec.LoadBalancerSourceRanges[2]: Invalid value: "::ffff:1.2.3.0/120": must not have an IPv4-mapped IPv6 address)"},
      {R"({"ports":[{"port":80,"targetPort":"a--b-"}]})",
       R"(422: spec.ports[0].targetPort: Invalid value: "a--b-": must not begin or end with a hyphen; spec.ports[0].targetPort: Invalid value: "a--b-": must not contain consecutive hyphens)"},
      {R"({"type":"LoadBalancer","externalTrafficPolicy":"Local","healthCheckNodePort":70000,"ports":[{"port":80}]})",
       R"(422: spec.healthCheckNodePort: Invalid value: 70000: must be between 1 and 65535, inclusive)"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(create(services(), service(one.spec)), one.want) << one.spec;
  EXPECT_EQ(
      create(
          services(),
          R"({"metadata":{"name":"s","annotations":{"service.kubernetes.io/topology-mode":"a","service.kubernetes.io/topology-aware-hints":"b","service.beta.kubernetes.io/load-balancer-source-ranges":"10.0.0.0/8, x"}},"spec":{"ports":[{"port":80}]}})"),
      R"(422: metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Forbidden: may only be used when `type` is 'LoadBalancer'; )"
      R"(metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64); )"
      R"(metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "a": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified)");
}

TEST(Service, KeepsItsAddressesAndItsClass) {
  const std::string old = stored(R"("ports":[{"port":80}])");
  EXPECT_EQ(
      update(
          services(), old,
          service(R"({"clusterIP":"10.0.0.6","clusterIPs":["10.0.0.6"],"ports":[{"port":80}]})")),
      R"(422: spec.clusterIPs[0]: Invalid value: ["10.0.0.6"]: may not change once set)");
  // A client that knows nothing of addresses keeps those that were picked.
  EXPECT_TRUE(update(services(), old, service(R"({"ports":[{"port":81}]})"))
                  .contains(R"("clusterIP":"10.0.0.5","clusterIPs":["10.0.0.5"])"));
  const std::string balanced = stored(
      R"("type":"LoadBalancer","loadBalancerClass":"a/b","ports":[{"port":80,"nodePort":30001}])");
  EXPECT_EQ(update(services(), balanced,
                   service(R"({"type":"LoadBalancer","ports":[{"port":80,"nodePort":30001}]})")),
            "422: spec.loadBalancerClass: Invalid value: null: may not change once set");
  const std::string checked = stored(
      R"("type":"LoadBalancer","externalTrafficPolicy":"Local","healthCheckNodePort":30009,"ports":[{"port":80,"nodePort":30001}])");
  EXPECT_EQ(
      update(
          services(), checked,
          service(
              R"({"type":"LoadBalancer","externalTrafficPolicy":"Local","healthCheckNodePort":30010,"ports":[{"port":80}]})")),
      "422: spec.healthCheckNodePort: Forbidden: field is immutable");
}

TEST(Service, LosesWhatOnlyItsOldTypeHad) {
  const std::string balanced = stored(
      R"("type":"LoadBalancer","externalTrafficPolicy":"Local","healthCheckNodePort":30009,"loadBalancerClass":"a/b","allocateLoadBalancerNodePorts":true,"ports":[{"port":80,"nodePort":30001}])");
  const std::string became = update(services(), balanced, [&] {
    std::string text = balanced;
    text.replace(text.find("LoadBalancer\""), 13, "ClusterIP\"");
    return text;
  }());
  EXPECT_EQ(
      became,
      R"({"metadata":{"name":"s","namespace":"ns"},"spec":{"clusterIP":"10.0.0.5","clusterIPs":["10.0.0.5"],)"
      R"("internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack",)"
      R"("ports":[{"port":80,"protocol":"TCP","targetPort":80}],"sessionAffinity":"None","type":"ClusterIP"},)"
      R"("status":{"loadBalancer":{}}})");
  // What the client changed as well is its mistake.
  EXPECT_EQ(
      update(services(), balanced,
             stored(R"("type":"ClusterIP","loadBalancerClass":"c/d","ports":[{"port":80}])")),
      "422: spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'");
}

TEST(Service, HasIngressOnlyAsALoadBalancer) {
  const auto status = [](std::string_view type, std::string_view ingress) {
    const std::string spec = fmt::format(
        R"({{"clusterIP":"10.0.0.5","clusterIPs":["10.0.0.5"],"type":"{}","ports":[{{"port":80}}]}})",
        type);
    return update_status(
        services(), "status", service(spec),
        service("{}", fmt::format(R"({{"loadBalancer":{{"ingress":[{}]}}}})", ingress)));
  };
  EXPECT_EQ(status("ClusterIP", R"({"ip":"1.2.3.4","ipMode":"VIP"})"),
            "422: status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is "
            "'LoadBalancer'");
  EXPECT_EQ(
      status("LoadBalancer",
             R"({"ip":"1.2.3.4"},{"ipMode":"VIP"},{"ip":"x","ipMode":"Z"},{"hostname":"1.2.3.4"})"),
      R"(422: status.loadBalancer.ingress[0].ipMode: Required value: must be specified when `ip` is set; )"
      R"(status.loadBalancer.ingress[1].ipMode: Forbidden: may not be specified when `ip` is not set; )"
      R"(status.loadBalancer.ingress[2].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff); )"
      R"(status.loadBalancer.ingress[2].ipMode: Unsupported value: "Z": supported values: "Proxy", "VIP"; )"
      R"(status.loadBalancer.ingress[3].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address)");
}

TEST(Service, ShowsWhereItIsReached) {
  const auto shown = [](std::string_view spec, std::string_view status = "{}") {
    return row(
        services(),
        fmt::format(
            R"({{"metadata":{{"name":"s","creationTimestamp":"2024-01-01T00:00:00Z"}},"spec":{},"status":{}}})",
            spec, status),
        kNow);
  };
  EXPECT_EQ(
      shown(
          R"({"clusterIPs":["10.0.0.5"],"selector":{"a":"b","c":"d"},"ports":[{"port":80},{"port":53,"protocol":"UDP","nodePort":30053}]})"),
      R"(["s","ClusterIP","10.0.0.5","\u003cnone\u003e","80/TCP,53:30053/UDP","24h","a=b,c=d"])");
  EXPECT_EQ(
      shown(R"({"type":"ExternalName","externalName":"x.y"})"),
      R"(["s","ExternalName","\u003cnone\u003e","x.y","\u003cnone\u003e","24h","\u003cnone\u003e"])");
  EXPECT_EQ(
      shown(R"({"type":"LoadBalancer"})"),
      R"(["s","LoadBalancer","\u003cnone\u003e","\u003cpending\u003e","\u003cnone\u003e","24h","\u003cnone\u003e"])");
  EXPECT_EQ(
      shown(R"({"type":"LoadBalancer","externalIPs":["9.9.9.9"]})",
            R"({"loadBalancer":{"ingress":[{"hostname":"z"},{"ip":"1.2.3.4"},{"ip":"1.2.3.4"}]}})"),
      R"(["s","LoadBalancer","\u003cnone\u003e","1.2.3.4,z,9.9.9.9","\u003cnone\u003e","24h","\u003cnone\u003e"])");
}

TEST(Service, IsFoundByItsAddressAndType) {
  const BuiltinStrategy& strategy = *services().strategy;
  EXPECT_TRUE(strategy.offers_field("spec.clusterIP", services().versions[0]));
  EXPECT_FALSE(strategy.offers_field("spec.sessionAffinity", services().versions[0]));
}

TEST(Endpoints, AreNamedAsDeprecated) {
  EXPECT_EQ(endpoints().versions[0].deprecation_warning,
            "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
  EXPECT_EQ(services().versions[0].deprecation_warning, "");
}

TEST(Endpoints, StayGoodWhenTheyDoNotChange) {
  constexpr std::string_view kBad =
      R"({"metadata":{"name":"e"},"subsets":[{"addresses":[{"ip":"127.0.0.1"}]}]})";
  EXPECT_TRUE(create(endpoints(), kBad).starts_with("422: "));
  EXPECT_TRUE(update(endpoints(), kBad, kBad).starts_with("{"));
}

TEST(Endpoints, ShowTheFirstThree) {
  const auto shown = [](std::string_view subsets) {
    return row(
        endpoints(),
        fmt::format(
            R"({{"metadata":{{"name":"e","creationTimestamp":"2024-01-01T00:00:00Z"}},"subsets":{}}})",
            subsets),
        kNow);
  };
  EXPECT_EQ(shown("[]"), R"(["e","\u003cnone\u003e","24h"])");
  EXPECT_EQ(
      shown(
          R"([{"addresses":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}],"ports":[{"port":80},{"port":81}]},{"addresses":[{"ip":"10.0.0.9"}]}])"),
      R"(["e","10.0.0.1:80,[fd00::1]:80,10.0.0.1:81 + 2 more...","24h"])");
}

TEST(EndpointSlice, TakesAddressesOfItsType) {
  const auto made = [](std::string_view type, std::string_view address) {
    return create(
        slices(),
        fmt::format(
            R"({{"metadata":{{"name":"e"}},"addressType":"{}","endpoints":[{{"addresses":["{}"]}}]}})",
            type, address));
  };
  EXPECT_EQ(
      made("IPv6", "2001:0db8::1"),
      R"(422: endpoints[0].addresses[0]: Invalid value: "2001:0db8::1": must be in canonical form ("2001:db8::1"))");
  EXPECT_EQ(
      made("IPv6", "fe80::1"),
      R"(422: endpoints[0].addresses[0]: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10))");
  EXPECT_EQ(
      made("FQDN", "one"),
      R"(422: endpoints[0].addresses[0]: Invalid value: "one": should be a domain with at least two segments separated by dots)");
  EXPECT_TRUE(made("FQDN", "a.example.com.").starts_with("{"));
  EXPECT_TRUE(made("IPv4", "10.1.2.3").starts_with("{"));
}

TEST(EndpointSlice, TakesTheNodeThatItsTopologyNamedBefore) {
  constexpr std::string_view kOld =
      R"({"metadata":{"name":"e"},"addressType":"IPv4","endpoints":[{"addresses":["10.1.1.1"],"deprecatedTopology":{"kubernetes.io/hostname":"n1"}}]})";
  // Left alone, it stays as it is.
  EXPECT_TRUE(update(slices(), kOld, kOld).contains("deprecatedTopology"));
  EXPECT_EQ(
      update(
          slices(), kOld,
          R"({"metadata":{"name":"e"},"addressType":"IPv4","endpoints":[{"addresses":["10.1.1.2"],"deprecatedTopology":{"kubernetes.io/hostname":"n1"}}]})"),
      R"({"addressType":"IPv4","endpoints":[{"addresses":["10.1.1.2"],"conditions":{},"nodeName":"n1"}],"metadata":{"name":"e","namespace":"ns"},"ports":null})");
  EXPECT_FALSE(create(slices(), kOld).contains("n1"));
}

TEST(EndpointSlice, CountsLabelsAsAChange) {
  const auto slice = [](std::string_view labels, std::string_view address) {
    return fmt::format(
        R"({{"metadata":{{"name":"e","generation":4,"labels":{}}},"addressType":"IPv4","endpoints":[{{"addresses":["{}"]}}]}})",
        labels, address);
  };
  const std::string old = slice(R"({"a":"b"})", "10.1.1.1");
  EXPECT_TRUE(
      update(slices(), old, slice(R"({"a":"c"})", "10.1.1.1")).contains(R"("generation":5)"));
  EXPECT_TRUE(update(slices(), old, old).contains(R"("generation":4)"));
}

TEST(EndpointSlice, ShowsPortsAndAddresses) {
  const auto shown = [](std::string_view more) {
    return row(
        slices(),
        fmt::format(
            R"({{"metadata":{{"name":"e","creationTimestamp":"2024-01-01T00:00:00Z"}},"addressType":"IPv4",{}}})",
            more),
        kNow);
  };
  EXPECT_EQ(shown(R"("endpoints":null,"ports":null)"),
            R"(["e","IPv4","\u003cunset\u003e","\u003cunset\u003e","24h"])");
  EXPECT_EQ(
      shown(
          R"("endpoints":[{"addresses":["10.1.1.1","10.1.1.2"]},{"addresses":["10.1.1.3"]},{"addresses":["10.1.1.4"]}],"ports":[{"port":80},{"name":"x"}])"),
      R"(["e","IPv4","80,x","10.1.1.1,10.1.1.2,10.1.1.3 + 1 more...","24h"])");
}

}  // namespace
}  // namespace strake::kinds
