// Any bytes of a client, a server and a kubelet: what is read does not depend on the pieces in
// which they come, and no part is longer than what came.
//
// The first byte says how long the pieces are.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "kube/stream/spdy.h"
#include "kube/stream/websocket.h"

using namespace strake;

namespace {

struct Read {
  std::string text;
  bool fine = true;
};

std::string shown(const kube::WebSocketPart& part) {
  return (part.first ? "\n" + std::to_string(static_cast<int>(part.opcode)) + " " : "") + part.data;
}

// Pieces of the data of one stream are no property of it, so their borders are not shown.
std::string shown(const kube::SpdyEvent& event) {
  if (event.kind == kube::SpdyEvent::Kind::kData)
    return std::to_string(event.id) + (event.last ? "!" : "") + ":" +
           std::to_string(event.data.size());
  return "\n" + std::to_string(static_cast<int>(event.kind)) + " " + std::to_string(event.id);
}

template <typename Reader, typename Part>
Read read_in_pieces(std::string_view bytes, std::size_t piece, std::uint64_t& data,
                    Reader reader = Reader()) {
  Read out;
  while (!bytes.empty() && out.fine) {
    const std::string_view now = bytes.substr(0, piece);
    std::vector<Part> parts;
    out.fine = reader.feed(now, parts).has_value();
    std::size_t came = 0;
    for (const Part& part : parts) {
      out.text += shown(part);
      data += part.data.size();
      came = std::max(came, part.data.size());
    }
    STRAKE_ASSERT(came <= now.size() + 125);
    bytes.remove_prefix(now.size());
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0] % 64;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  using namespace kube;
  std::uint64_t of_whole = 0;
  std::uint64_t of_pieces = 0;
  const Read whole = read_in_pieces<WebSocketReader, WebSocketPart>(bytes, size, of_whole);
  const Read pieces = read_in_pieces<WebSocketReader, WebSocketPart>(bytes, piece, of_pieces);
  STRAKE_ASSERT(whole.fine == pieces.fine && whole.text == pieces.text);
  using enum WebSocketReader::From;
  const Read server_whole = read_in_pieces<WebSocketReader, WebSocketPart>(
      bytes, size, of_whole, WebSocketReader(kServer));
  const Read server_pieces = read_in_pieces<WebSocketReader, WebSocketPart>(
      bytes, piece, of_pieces, WebSocketReader(kServer));
  STRAKE_ASSERT(server_whole.fine == server_pieces.fine && server_whole.text == server_pieces.text);
  of_whole = of_pieces = 0;
  const Read all = read_in_pieces<SpdyReader, SpdyEvent>(bytes, size, of_whole);
  const Read parts = read_in_pieces<SpdyReader, SpdyEvent>(bytes, piece, of_pieces);
  STRAKE_ASSERT(all.fine == parts.fine && of_whole == of_pieces);
  return 0;
}
