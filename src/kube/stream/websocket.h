#pragma once
// Frames of WebSocket (RFC 6455), as servers and clients read and write them. Messages are not put
// together: their parts are given as they come, so that a long one needs no memory.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/message.h"

namespace strake::kube {

enum class WebSocketOpcode : std::uint8_t {
  kContinuation = 0,
  kText = 1,
  kBinary = 2,
  kClose = 8,
  kPing = 9,
  kPong = 10,
};

// A part of a message, or a whole close, ping or pong.
struct WebSocketPart {
  WebSocketOpcode opcode = WebSocketOpcode::kBinary;  // of its message; no kContinuation
  bool first = true;                                  // the message begins with it
  std::string data;
};

class WebSocketReader {
 public:
  // Whose frames are read: those of clients are masked, those of servers are not.
  enum class From : std::uint8_t { kClient, kServer };
  explicit WebSocketReader(From from = From::kClient) : from_(from) {}

  // Appends what has come. Fails with kInvalid when the other side does not keep to the protocol;
  // then nothing more may be fed.
  Result<> feed(std::string_view bytes, std::vector<WebSocketPart>& out);

 private:
  Result<bool> read_head();
  void read_data(std::string_view& bytes, std::vector<WebSocketPart>& out);

  From from_;
  std::string head_;         // of the frame that is coming, as far as it is there
  bool in_payload_ = false;  // the head is whole
  std::uint64_t left_ = 0;   // of the payload
  std::array<char, 4> mask_{};
  std::size_t mask_at_ = 0;
  WebSocketOpcode frame_ = WebSocketOpcode::kBinary;
  bool final_ = true;
  WebSocketOpcode message_ = WebSocketOpcode::kContinuation;  // kContinuation between messages
  bool begins_ = false;  // nothing of the message has been given
  std::string control_;  // the payload of a close, ping or pong
};

// A whole message of a server.
std::string websocket_frame(WebSocketOpcode opcode, std::string_view payload);
// A good-bye without a complaint.
std::string websocket_close_frame();
// A whole message of a client. A mask is a new random number for each.
std::string masked_websocket_frame(WebSocketOpcode opcode, std::string_view payload,
                                   std::uint32_t mask);

// The names of Sec-WebSocket-Protocol.
std::vector<std::string> websocket_protocols(const http::Headers& headers);

// The answer that agrees to the client's request, with the protocol that was chosen; without what
// to do then. Fails with kInvalid when the request is not one that can be agreed to.
Result<http::Response> accept_websocket(const http::Request& request, std::string_view protocol);

// What a server that speaks WebSocket answers to this Sec-WebSocket-Key (in Sec-WebSocket-Accept).
std::string websocket_accept(std::string_view key);

}  // namespace strake::kube
