#include "kubelet/places.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/quote.h"
#include "kinds/fields.h"
#include "value/fields.h"

namespace strake::kubelet {
namespace {

using meta::Status;
using value::Value;

constexpr std::uint16_t kKubeletPort = 10250;
// What kubelets say of themselves in status.declaredFeatures.
constexpr std::string_view kTakesWebSockets = "ExtendWebSocketsToKubelet";

std::vector<std::string_view> container_names(const Value& spec) {
  std::vector<std::string_view> out;
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const Value& one : kinds::items(spec, list)) out.push_back(value::text_of(one, "name"));
  }
  return out;
}

}  // namespace

std::vector<std::string> default_address_types() {
  return {"Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"};
}

api::Answer<std::string> choose_container(const Value& pod, std::string_view asked) {
  const Value& spec = pod.get("spec");
  const std::string_view name = value::text_of(pod.get("metadata"), "name");
  const std::vector<std::string_view> known = container_names(spec);
  if (!asked.empty()) {
    if (std::ranges::find(known, asked) != known.end()) return std::string(asked);
    return api::refuse(
        Status::bad_request(fmt::format("container {} is not valid for pod {}", asked, name)));
  }
  const auto containers = kinds::items(spec, "containers");
  if (containers.size() == 1) return std::string(value::text_of(containers[0], "name"));
  std::string why = fmt::format("a container name must be specified for pod {}", name);
  if (!containers.empty()) why += fmt::format(", choose one of: [{}]", fmt::join(known, " "));
  return api::refuse(Status::bad_request(std::move(why)));
}

api::Answer<NodePlace> place_of_node(const Value& node,
                                     std::span<const std::string> address_types) {
  const Value& status = node.get("status");
  const auto addresses = kinds::items(status, "addresses");
  NodePlace out{.port = kKubeletPort};
  const std::int64_t port =
      kinds::integer(status.get("daemonEndpoints").get("kubeletEndpoint"), "Port");
  if (port > 0 && port <= UINT16_MAX) out.port = static_cast<std::uint16_t>(port);
  for (const Value& feature : kinds::items(status, "declaredFeatures"))
    out.takes_websockets |= value::text_of(feature) == kTakesWebSockets;
  for (const std::string& type : address_types) {
    for (const Value& address : addresses) {
      if (value::text_of(address, "type") != type) continue;
      out.host = value::text_of(address, "address");
      return out;
    }
  }
  std::string known;
  for (const Value& one : addresses) {
    known += fmt::format("{}{{{} {}}}", known.empty() ? "" : " ", value::text_of(one, "type"),
                         value::text_of(one, "address"));
  }
  return api::refuse(
      Status::raw_error(fmt::format("no preferred addresses found; known addresses: [{}]", known)));
}

api::Answer<PodPlace> place_of_pod(const Value& pod, std::string_view port) {
  PodPlace out;
  if (!port.empty()) {
    const auto number = parse_port(port);
    if (!number)
      return api::refuse(Status::bad_request(fmt::format("{} is not a port number", quote(port))));
    out.port = *number;
  } else {
    for (const Value& container : kinds::items(pod.get("spec"), "containers")) {
      const auto ports = kinds::items(container, "ports");
      if (ports.empty()) continue;
      out.port = static_cast<std::uint16_t>(kinds::integer(ports[0], "containerPort"));
      break;
    }
  }
  const Value& status = pod.get("status");
  const auto ips = kinds::items(status, "podIPs");
  out.ip = ips.empty() ? value::text_of(status, "podIP") : value::text_of(ips[0], "ip");
  STRAKE_CHECK(check_may_be_proxied(parse_ip_address_sloppily(out.ip)));
  return out;
}

api::Answer<> check_may_be_proxied(const std::optional<IpAddress>& address) {
  if (address && address->unmapped().is_global_unicast()) return {};
  return api::refuse(Status::bad_request("address not allowed"));
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || out == 0) return std::nullopt;
  return out;
}

}  // namespace strake::kubelet
