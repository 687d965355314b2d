#include "kinds/service_addresses.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "kinds/service_ranges.h"
#include "value/document.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::Value;

// Gives 10.0.0.1, 10.0.0.2 and so on, fd00::1 and so on, and ports from 30000 on.
class CountingPool final : public ServicePool {
 public:
  explicit CountingPool(std::vector<std::string_view> families = {"IPv4"})
      : families_(std::move(families)) {}

  std::span<const std::string_view> families() const override { return families_; }
  std::optional<std::string> take_ip(const IpAddress& ip) override {
    if (!ips.insert(ip.to_string()).second) return std::string(kIpIsTaken);
    return std::nullopt;
  }
  std::optional<std::string> take_port(std::int64_t port) override {
    if (!ports.insert(port).second) return std::string(kPortIsTaken);
    return std::nullopt;
  }
  std::optional<IpAddress> next_ip(std::string_view family) override {
    for (int i = 1; i < most; ++i) {
      const std::string ip =
          family == "IPv4" ? fmt::format("10.0.0.{}", i) : fmt::format("fd00::{:x}", i);
      if (ips.insert(ip).second) return parse_ip_address(ip)->address;
    }
    return std::nullopt;
  }
  std::optional<int> next_port() override {
    for (int port = 30'000; port < 30'000 + most; ++port) {
      if (ports.insert(port).second) return port;
    }
    return std::nullopt;
  }

  std::set<std::string> ips;
  std::set<std::int64_t> ports;
  int most = 100;

 private:
  std::vector<std::string_view> families_;
};

// The spec as it becomes, or why not.
std::string pick(CountingPool& pool, std::string_view spec, std::string_view old = "") {
  Document document =
      *value::read_json(fmt::format(R"({{"metadata":{{"name":"s"}},"spec":{}}})", spec));
  Document stored;
  if (!old.empty()) stored = *value::read_json(fmt::format(R"({{"spec":{}}})", old));
  const auto picked = pick_addresses(document.root(), old.empty() ? nullptr : &stored.root(),
                                     document.arena(), pool);
  if (picked) return value::to_json(document.root().get("spec"));
  if (!picked.error().failure.empty()) return picked.error().failure;
  return value::aggregate(picked.error().errors);
}

TEST(ServiceAddresses, ComeInThePreferredFamilyUnlessBothAreWanted) {
  CountingPool pool({"IPv4", "IPv6"});
  EXPECT_EQ(
      pick(pool, R"({"type":"ClusterIP"})"),
      R"({"clusterIP":"10.0.0.1","clusterIPs":["10.0.0.1"],"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","type":"ClusterIP"})");
  EXPECT_EQ(
      pick(pool, R"({"ipFamilyPolicy":"PreferDualStack","type":"ClusterIP"})"),
      R"({"clusterIP":"10.0.0.2","clusterIPs":["10.0.0.2","fd00::1"],"ipFamilies":["IPv4","IPv6"],"ipFamilyPolicy":"PreferDualStack","type":"ClusterIP"})");
  EXPECT_EQ(
      pick(pool, R"({"ipFamilies":["IPv6"],"type":"ClusterIP"})"),
      R"({"clusterIP":"fd00::2","clusterIPs":["fd00::2"],"ipFamilies":["IPv6"],"ipFamilyPolicy":"SingleStack","type":"ClusterIP"})");
  EXPECT_EQ(
      pick(pool,
           R"({"clusterIP":"fd00::9","ipFamilyPolicy":"RequireDualStack","type":"ClusterIP"})"),
      R"({"clusterIP":"fd00::9","clusterIPs":["fd00::9","10.0.0.3"],"ipFamilies":["IPv6","IPv4"],"ipFamilyPolicy":"RequireDualStack","type":"ClusterIP"})");
}

TEST(ServiceAddresses, AreNotNeededByAHeadlessServiceOrAName) {
  CountingPool pool;
  EXPECT_EQ(
      pick(pool, R"({"clusterIP":"None","selector":{"a":"b"},"type":"ClusterIP"})"),
      R"({"clusterIP":"None","clusterIPs":["None"],"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","selector":{"a":"b"},"type":"ClusterIP"})");
  EXPECT_EQ(
      pick(pool, R"({"clusterIP":"None","type":"ClusterIP"})"),
      R"({"clusterIP":"None","clusterIPs":["None"],"ipFamilies":["IPv4","IPv6"],"ipFamilyPolicy":"RequireDualStack","type":"ClusterIP"})");
  EXPECT_EQ(pick(pool, R"({"type":"ExternalName"})"), R"({"type":"ExternalName"})");
  EXPECT_TRUE(pool.ips.empty());
}

TEST(ServiceAddresses, SayWhenThereAreNone) {
  CountingPool pool;
  pool.most = 1;
  EXPECT_EQ(pick(pool, R"({"type":"ClusterIP"})"),
            R"(failed to allocate a serviceIP for Service "s": range is full)");
  pool.most = 0;
  EXPECT_EQ(pick(pool, R"({"clusterIP":"10.0.0.9","ports":[{"port":80}],"type":"NodePort"})"),
            "failed to allocate a nodePort: range is full");
  EXPECT_EQ(
      pick(pool, R"({"clusterIP":"10.0.0.9","type":"ClusterIP"})"),
      R"(spec.clusterIPs: Invalid value: ["10.0.0.9"]: failed to allocate IP 10.0.0.9: provided IP is already allocated)");
}

TEST(ServiceAddresses, GiveANodePortToEachPortNumber) {
  CountingPool pool;
  EXPECT_TRUE(
      pick(
          pool,
          R"({"ports":[{"port":53,"protocol":"UDP"},{"port":53,"protocol":"TCP"},{"port":80}],"type":"NodePort"})")
          .contains(
              R"("ports":[{"nodePort":30000,"port":53,"protocol":"UDP"},{"nodePort":30000,"port":53,"protocol":"TCP"},{"nodePort":30001,"port":80}])"));
  // The one that the client chose is used for the other too.
  EXPECT_TRUE(
      pick(
          pool,
          R"({"ports":[{"port":53,"protocol":"UDP"},{"nodePort":30050,"port":53,"protocol":"TCP"}],"type":"NodePort"})")
          .contains(R"([{"nodePort":30050,"port":53,"protocol":"UDP"},{"nodePort":30050,)"));
  EXPECT_EQ(pick(pool, R"({"ports":[{"port":1},{"nodePort":30050,"port":53}],"type":"NodePort"})"),
            "spec.ports[1].nodePort: Invalid value: 30050: provided port is already allocated");
  // A load balancer may do without.
  EXPECT_FALSE(
      pick(pool,
           R"({"allocateLoadBalancerNodePorts":false,"ports":[{"port":80}],"type":"LoadBalancer"})")
          .contains("nodePort"));
}

TEST(ServiceAddresses, OfAStoredServiceAreKept) {
  CountingPool pool;
  constexpr std::string_view kOld =
      R"({"clusterIP":"10.0.0.9","clusterIPs":["10.0.0.9"],"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","ports":[{"name":"a","nodePort":30001,"port":80},{"name":"b","nodePort":30002,"port":81}],"type":"NodePort"})";
  EXPECT_EQ(
      pick(pool, R"({"ports":[{"name":"b","port":82},{"name":"c","port":83}],"type":"NodePort"})",
           kOld),
      R"({"clusterIP":"10.0.0.9","clusterIPs":["10.0.0.9"],"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","ports":[{"name":"b","nodePort":30002,"port":82},{"name":"c","nodePort":30000,"port":83}],"type":"NodePort"})");
  EXPECT_EQ(pool.ports, (std::set<std::int64_t>{30000}));
  EXPECT_TRUE(pool.ips.empty());
  // A node port that moved to another port is no other port's.
  CountingPool other;
  other.ports = {30001, 30002};
  EXPECT_TRUE(
      pick(
          other,
          R"({"ports":[{"name":"a","port":80},{"name":"c","nodePort":30001,"port":83}],"type":"NodePort"})",
          kOld)
          .contains(R"([{"name":"a","nodePort":30000,"port":80},{"name":"c","nodePort":30001,)"));
}

TEST(ServiceAddresses, OfAnOldClientFollowTheOneThatItKnows) {
  CountingPool pool;
  constexpr std::string_view kOld =
      R"({"clusterIP":"10.0.0.9","clusterIPs":["10.0.0.9"],"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","type":"ClusterIP"})";
  EXPECT_TRUE(
      pick(pool, R"({"clusterIP":"10.0.0.8","clusterIPs":["10.0.0.9"],"type":"ClusterIP"})", kOld)
          .contains(R"("clusterIPs":["10.0.0.8"])"));
}

TEST(ServiceAddresses, OfASecondFamilyComeAndGo) {
  CountingPool pool({"IPv4", "IPv6"});
  constexpr std::string_view kOne =
      R"({"clusterIP":"10.0.0.9","clusterIPs":["10.0.0.9"],"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","type":"ClusterIP"})";
  constexpr std::string_view kTwo =
      R"({"clusterIP":"10.0.0.9","clusterIPs":["10.0.0.9","fd00::1"],"ipFamilies":["IPv4","IPv6"],"ipFamilyPolicy":"RequireDualStack","type":"ClusterIP"})";
  const auto with_policy = [](std::string_view spec, std::string_view from, std::string_view to) {
    std::string out(spec);
    return out.replace(out.find(from), from.size(), to);
  };
  EXPECT_EQ(pick(pool, with_policy(kOne, "SingleStack", "RequireDualStack"), kOne), kTwo);
  EXPECT_EQ(pick(pool, with_policy(kTwo, "RequireDualStack", "SingleStack"), kTwo), kOne);
  EXPECT_EQ(
      pick(pool, with_policy(with_policy(kTwo, R"(,"fd00::1")", ""), R"(,"IPv6")", ""), kTwo),
      R"([spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be 'SingleStack' to release the secondary cluster IP, )"
      R"(spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be 'SingleStack' to release the secondary IP family])");
}

TEST(ServiceAddresses, IncludeAPortForHealthChecks) {
  CountingPool pool;
  const auto balanced = [](std::string_view more) {
    return fmt::format(
        R"({{"allocateLoadBalancerNodePorts":false,"clusterIP":"None","clusterIPs":["None"],"externalTrafficPolicy":"Local"{},"selector":{{"a":"b"}},"type":"LoadBalancer"}})",
        more);
  };
  EXPECT_TRUE(pick(pool, balanced("")).contains(R"("healthCheckNodePort":30000)"));
  EXPECT_TRUE(pick(pool, balanced(R"(,"healthCheckNodePort":30007)")).contains("30007"));
  EXPECT_EQ(pick(pool, balanced(R"(,"healthCheckNodePort":30007)")),
            "failed to allocate requested HealthCheck NodePort 30007: provided port is already "
            "allocated");
  EXPECT_TRUE(
      pick(pool, balanced(""), balanced(R"(,"healthCheckNodePort":30007)")).contains("30007"));
}

}  // namespace
}  // namespace strake::kinds
