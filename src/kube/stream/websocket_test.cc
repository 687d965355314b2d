#include "kube/stream/websocket.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::kube {
namespace {

// A frame of a client, with a first byte of any kind.
std::string masked(int first_byte, std::string_view payload) {
  std::string out = masked_websocket_frame(WebSocketOpcode::kBinary, payload, 0x010203F4);
  out[0] = static_cast<char>(first_byte);
  return out;
}

// What is read when it comes in pieces of so many bytes: "2* abc", a star where a message begins.
// Parts of one message are put together, as pieces are no property of it.
std::string read(std::string_view bytes, std::size_t piece,
                 WebSocketReader::From from = WebSocketReader::From::kClient) {
  WebSocketReader reader(from);
  std::string out;
  while (!bytes.empty()) {
    std::vector<WebSocketPart> parts;
    const Result<> fed = reader.feed(bytes.substr(0, piece), parts);
    for (const WebSocketPart& part : parts) {
      if (part.first) out += fmt::format("{}*", static_cast<int>(part.opcode));
      out += part.data;
    }
    if (!fed) return fmt::format("{}|{}", out, fed.error().message());
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  return out;
}

TEST(WebSocketReader, ReadsMessagesHoweverTheyCome) {
  const std::string long_one(300, 'x');
  const std::string all = masked(0x82, "hello") + masked(0x81, "") + masked(0x02, "ab") +
                          masked(0x89, "ping") + masked(0x00, "") + masked(0x80, "cd") +
                          masked(0x82, long_one) + masked(0x88, "\x03\xE8");
  const std::string want = "2*hello1*2*ab9*pingcd2*" + long_one + "8*\x03\xE8";
  for (const std::size_t piece : {1UL, 2UL, 3UL, 7UL, 64UL, 10'000UL})
    EXPECT_EQ(read(all, piece), want) << piece;
}

TEST(WebSocketReader, ReadsWhatServersSend) {
  const std::string long_one(70'000, 'x');
  const std::string all = websocket_frame(WebSocketOpcode::kBinary, "hello") +
                          websocket_frame(WebSocketOpcode::kPing, "") +
                          websocket_frame(WebSocketOpcode::kBinary, long_one);
  for (const std::size_t piece : {1UL, 5UL, 100'000UL})
    EXPECT_EQ(read(all, piece, WebSocketReader::From::kServer), "2*hello9*2*" + long_one) << piece;
  EXPECT_EQ(read(masked(0x82, "a"), 99, WebSocketReader::From::kServer),
            "|a frame of a server is masked");
}

TEST(WebSocketWriter, MasksAsTheStandardSays) {
  // The example of RFC 6455, section 5.7.
  EXPECT_EQ(masked_websocket_frame(WebSocketOpcode::kText, "Hello", 0x37fa213d),
            "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
}

TEST(WebSocketReader, RefusesWhatNoClientSends) {
  EXPECT_EQ(read(websocket_frame(WebSocketOpcode::kBinary, "a"), 99),
            "|a frame of a client is not masked");
  EXPECT_EQ(read(masked(0xC2, "a"), 99), "|a frame has bits of no extension");
  EXPECT_EQ(read(masked(0x83, "a"), 99), "|a frame has an unknown opcode");
  EXPECT_EQ(read(masked(0x80, "a"), 99), "|a message begins or goes on where it cannot");
  EXPECT_EQ(read(masked(0x02, "a") + masked(0x82, "b"), 99),
            "2*a|a message begins or goes on where it cannot");
  EXPECT_EQ(read(masked(0x09, "a"), 99), "|a control frame is too long or in parts");
  EXPECT_EQ(read(masked(0x89, std::string(126, 'a')), 99),
            "|a control frame is too long or in parts");
  EXPECT_EQ(read(std::string("\x82\xFF\xFF\0\0\0\0\0\0\0\0\0\0\0", 14), 99),
            "|a frame is too long");
}

TEST(WebSocketWriter, ChoosesTheShortestLength) {
  EXPECT_EQ(websocket_frame(WebSocketOpcode::kBinary, "ab"),
            "\x82\x02"
            "ab");
  EXPECT_EQ(websocket_frame(WebSocketOpcode::kPong, std::string(126, 'x')).substr(0, 4),
            std::string("\x8A\x7E\0\x7E", 4));
  EXPECT_EQ(websocket_frame(WebSocketOpcode::kText, std::string(65536, 'x')).substr(0, 10),
            std::string("\x81\x7F\0\0\0\0\0\1\0\0", 10));
  EXPECT_EQ(websocket_close_frame(), "\x88\x02\x03\xE8");
}

TEST(WebSocketHandshake, ProvesThatItWasUnderstood) {
  http::Request request{.method = "GET"};
  request.headers.add("Sec-WebSocket-Version", "13");
  // The example of RFC 6455.
  request.headers.add("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
  const auto accepted = accept_websocket(request, "chat");
  ASSERT_TRUE(accepted);
  EXPECT_EQ(accepted->status, 101);
  EXPECT_EQ(accepted->headers.get("Sec-WebSocket-Accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(accepted->headers.get("Sec-WebSocket-Protocol"), "chat");
  EXPECT_FALSE(accept_websocket(request, "")->headers.has("Sec-WebSocket-Protocol"));
  http::Request other = request;
  other.method = "POST";
  EXPECT_FALSE(accept_websocket(other, ""));
  other = request;
  other.headers.set("Sec-WebSocket-Version", "8");
  EXPECT_FALSE(accept_websocket(other, ""));
  other = request;
  other.headers.set("Sec-WebSocket-Key", "c2hvcnQ=");
  EXPECT_FALSE(accept_websocket(other, ""));
}

TEST(WebSocketHandshake, ReadsTheProtocolsOfAllHeaders) {
  http::Headers headers;
  headers.add("Sec-WebSocket-Protocol", "a , b");
  headers.add("sec-websocket-protocol", "c");
  EXPECT_EQ(websocket_protocols(headers), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(websocket_protocols({}).empty());
}

}  // namespace
}  // namespace strake::kube
