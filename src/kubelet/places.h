#pragma once
// Where the streams of a pod are found: which of its containers is meant, how the kubelet of its
// node is reached, and which address of the pod itself is proxied to.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/answer.h"
#include "base/ip_address.h"
#include "value/value.h"

namespace strake::kubelet {

// As kube-apiserver 1.36 prefers the addresses of nodes unless it is told otherwise.
std::vector<std::string> default_address_types();

// The container that is asked for, or the only one of the pod. Refuses any other name, and none
// where there are several.
api::Answer<std::string> choose_container(const value::Value& pod, std::string_view asked);

struct NodePlace {
  std::string host;  // a name or an address
  std::uint16_t port = 0;
  // The kubelet takes what WebSocket clients say as it is; others speak SPDY.
  bool takes_websockets = false;
};
// By the first of the types that the node has an address of. Refuses a node that has none.
api::Answer<NodePlace> place_of_node(const value::Value& node,
                                     std::span<const std::string> address_types);

// Where the pod listens: `port` if it is given, else the first that a container names, else 0.
struct PodPlace {
  std::string ip;
  std::uint16_t port = 0;
};
api::Answer<PodPlace> place_of_pod(const value::Value& pod, std::string_view port);

// Refuses addresses that mean something else to each machine: loopback, link-local and the like.
api::Answer<> check_may_be_proxied(const std::optional<IpAddress>& address);

// 1 to 65535.
std::optional<std::uint16_t> parse_port(std::string_view text);

}  // namespace strake::kubelet
