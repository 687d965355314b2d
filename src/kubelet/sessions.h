#pragma once
// What the server does in the middle of a stream whose client speaks WebSocket while its kubelet
// speaks SPDY, as kube-apiserver 1.36 does for kubelets that do not say that they know WebSocket.
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "http/client.h"
#include "http/message.h"

namespace strake::kubelet {

// The name of the protocol of exec and attach in which a client can end its input.
inline constexpr std::string_view kExecProtocol = "v5.channel.k8s.io";
// What stands before the name of a protocol of SPDY whose bytes are messages of WebSocket.
inline constexpr std::string_view kTunnelPrefix = "SPDY/3.1+";
inline constexpr std::string_view kSpdy = "SPDY/3.1";

// Which streams the client wants of a command.
struct ExecStreams {
  bool input = false;
  bool output = false;
  bool error = false;
  bool tty = false;
};

// Asks the kubelet to speak SPDY. A failure says why not, for the client. The token is cancelled
// when nobody waits any more.
struct Dialled {
  std::unique_ptr<http::RawStream> stream;
  std::string protocol;  // of those that were offered; may be empty
};
using DialKubelet =
    std::function<boost::asio::awaitable<std::expected<Dialled, std::string>>(CancelToken)>;

// The protocols of exec and attach that a kubelet is offered, the best first.
std::vector<std::string> exec_protocols();

// For the connection of a client that was told that it speaks kExecProtocol: its channels become
// streams of SPDY, and at the end it is told how the command ended.
http::Upgrade exec_session(ExecStreams streams, DialKubelet dial);

// For the connection of a client whose messages are the bytes of the kubelet's connection.
http::Upgrade tunnel_session(std::unique_ptr<http::RawStream> kubelet);

// The protocol of a log whose messages are text.
inline constexpr std::string_view kTextLogProtocol = "base64.binary.k8s.io";

// For the connection of a client that reads a log in messages: an empty one, then a message for
// each part, in base64 when they are text. `gone` is cancelled when the client leaves.
http::Upgrade log_session(std::unique_ptr<http::BodyReader> log, bool as_text,
                          std::shared_ptr<CancelSource> gone);

}  // namespace strake::kubelet
