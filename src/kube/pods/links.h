#pragma once
// The two ways to speak on a connection after its upgrade, frames put in and taken out: messages of
// WebSocket, and streams of SPDY. Pings are answered. Of one loop; one read at a time, writes take
// turns. Internal to kube/pods.
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "http/byte_stream.h"
#include "kube/stream/spdy.h"
#include "kube/stream/turns.h"
#include "kube/stream/websocket.h"

namespace strake::kube {

class WebSocketLink {
 public:
  WebSocketLink(std::unique_ptr<http::RawStream> stream, const async::Executor& executor);
  // A part of a message; nothing at the end, when the server has said good-bye or closed.
  async::Task<std::optional<WebSocketPart>> next();
  // A whole message.
  async::Task<> send(std::string_view payload);
  // The end, which the server may wait for.
  boost::asio::awaitable<void> say_good_bye();
  http::RawStream& stream() { return *stream_; }

 private:
  const std::unique_ptr<http::RawStream> stream_;
  Turns writer_;
  WebSocketReader reader_{WebSocketReader::From::kServer};
  std::vector<WebSocketPart> parts_;  // that were read
  std::size_t at_ = 0;                // the next of them
  std::optional<Error> fault_;        // why nothing is read any more
  std::random_device random_;
};

// The bytes of messages as one stream of bytes.
std::unique_ptr<http::RawStream> websocket_bytes(std::unique_ptr<WebSocketLink> link);

class SpdyLink {
 public:
  SpdyLink(std::unique_ptr<http::RawStream> stream, const async::Executor& executor);
  // What happens next; nothing when the server has closed.
  async::Task<std::optional<SpdyEvent>> next();
  async::Task<> open(std::uint32_t id, const std::vector<SpdyWriter::Header>& headers);
  async::Task<> send(std::uint32_t id, std::string_view bytes, bool last);
  http::RawStream& stream() { return *stream_; }

 private:
  async::Task<> write(std::string bytes);

  const std::unique_ptr<http::RawStream> stream_;
  Turns writer_;
  SpdyReader reader_;
  SpdyWriter spdy_;
  std::vector<SpdyEvent> events_;
  std::size_t at_ = 0;
  std::optional<Error> fault_;
};

}  // namespace strake::kube
