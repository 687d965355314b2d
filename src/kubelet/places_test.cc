#include "kubelet/places.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::kubelet {
namespace {

value::Document json(std::string_view text) { return value::read_json(text).value(); }

std::string chosen(const char* spec, const char* asked) {
  const value::Document pod = json(fmt::format(R"({{"metadata":{{"name":"a"}},"spec":{}}})", spec));
  const auto out = choose_container(pod.root(), asked);
  return out ? *out : out.error().message;
}

TEST(PodContainer, IsTheOneThatIsNamedOrTheOnlyOne) {
  constexpr const char* kOne = R"({"containers":[{"name":"c"}],"initContainers":[{"name":"i"}]})";
  constexpr const char* kMany =
      R"({"containers":[{"name":"x"},{"name":"y"}],"initContainers":[{"name":"i"}],"ephemeralContainers":[{"name":"e"}]})";
  EXPECT_EQ(chosen(kOne, ""), "c");
  EXPECT_EQ(chosen(kOne, "i"), "i");
  EXPECT_EQ(chosen(kOne, "zz"), "container zz is not valid for pod a");
  EXPECT_EQ(chosen(kMany, "e"), "e");
  EXPECT_EQ(chosen(kMany, ""),
            "a container name must be specified for pod a, choose one of: [i x y e]");
  EXPECT_EQ(chosen("{}", ""), "a container name must be specified for pod a");
}

TEST(NodePlace, IsTheAddressOfTheTypeThatIsPreferred) {
  const value::Document node = json(
      R"({"status":{"addresses":[{"type":"InternalIP","address":"10.0.0.1"},{"type":"InternalIP","address":"10.0.0.2"},{"type":"ExternalIP","address":"192.0.2.1"},{"type":"Hostname","address":"n1"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":1234}},"declaredFeatures":["A","ExtendWebSocketsToKubelet"]}})");
  const auto at = [&](std::vector<std::string> types) {
    const auto out = place_of_node(node.root(), types);
    return out ? fmt::format("{}:{}", out->host, out->port) : out.error().message;
  };
  EXPECT_EQ(at(default_address_types()), "n1:1234");
  EXPECT_EQ(at({"ExternalDNS", "InternalIP"}), "10.0.0.1:1234");
  EXPECT_EQ(at({"ExternalDNS"}),
            "no preferred addresses found; known addresses: [{InternalIP 10.0.0.1} {InternalIP "
            "10.0.0.2} {ExternalIP 192.0.2.1} {Hostname n1}]");
  EXPECT_TRUE(place_of_node(node.root(), default_address_types())->takes_websockets);
  const value::Document plain =
      json(R"({"status":{"addresses":[{"type":"Hostname","address":"n"}]}})");
  const auto place = place_of_node(plain.root(), default_address_types());
  EXPECT_EQ(place->port, 10250);
  EXPECT_FALSE(place->takes_websockets);
}

TEST(PodPlace, IsItsAddressAndThePortThatIsAskedFor) {
  const auto at = [](const char* status, const char* port) {
    const value::Document pod = json(fmt::format(
        R"({{"spec":{{"containers":[{{"name":"a"}},{{"name":"b","ports":[{{"containerPort":8080}},{{"containerPort":1}}]}}]}},"status":{}}})",
        status));
    const auto out = place_of_pod(pod.root(), port);
    return out ? fmt::format("{}:{}", out->ip, out->port) : out.error().message;
  };
  EXPECT_EQ(at(R"({"podIPs":[{"ip":"10.1.0.1"},{"ip":"fd00::1"}]})", ""), "10.1.0.1:8080");
  EXPECT_EQ(at(R"({"podIP":"10.1.0.2"})", "99"), "10.1.0.2:99");
  EXPECT_EQ(at(R"({"podIP":"10.1.0.2"})", "http"), "\"http\" is not a port number");
  EXPECT_EQ(at(R"({"podIP":"10.1.0.2"})", "0"), "\"0\" is not a port number");
  for (const char* ip : {"127.0.0.1", "169.254.169.254", "0.0.0.0", "::1", "fe80::1", "224.0.0.1",
                         "255.255.255.255", "::ffff:127.0.0.1", "x", ""}) {
    EXPECT_EQ(at(fmt::format(R"({{"podIPs":[{{"ip":"{}"}}]}})", ip).c_str(), ""),
              "address not allowed")
        << ip;
  }
  EXPECT_EQ(at("{}", ""), "address not allowed");
}

}  // namespace
}  // namespace strake::kubelet
