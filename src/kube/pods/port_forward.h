#pragma once
// Ports of a pod on this machine. Each connection that is made to a local port becomes one to the
// pod of its own: what is read slowly holds up nobody else, and what breaks breaks alone.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kube/client.h"

namespace strake::kube {

struct ForwardedPort {
  std::uint16_t local = 0;  // 0: any that is free
  std::uint16_t pod = 0;
};

class ForwardEvents {
 public:
  virtual ~ForwardEvents() = default;
  // All are open, and connections are taken: "127.0.0.1", and the ports as they are, in order.
  virtual void on_listening(const std::string& address,
                            const std::vector<ForwardedPort>& ports) = 0;
  // A connection that did not work; others go on.
  virtual void on_failure(const ForwardedPort& port, const Error& why) = 0;
};

struct PortForwardRequest {
  std::string namespace_name;
  std::string pod;
  std::vector<ForwardedPort> ports;
  std::string address = "127.0.0.1";  // to listen at; an IP address
  std::size_t max_connections = 256;  // to each port at a time; more wait to be taken
};

// Goes on until the client's work should stop, and fails as that does. Before it listens it asks
// the pod for a connection, and fails with what the server said; so it does when the pod has gone
// later (kNotFound). Fails with kIo when it cannot listen, with kUsage when there is nothing to
// forward. The events are told on this thread.
Result<> forward_ports(const Client& cluster, const PortForwardRequest& request,
                       ForwardEvents& events);

}  // namespace strake::kube
