#include "kube/stream/websocket.h"

#include <algorithm>
#include <bit>

#include "base/base64.h"
#include "base/trim.h"

namespace strake::kube {
namespace {

constexpr std::size_t kMostControl = 125;

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t out = 0;
  for (const char c : bytes) out = (out << 8) | static_cast<unsigned char>(c);
  return out;
}

void append_big_endian(std::string& out, std::uint64_t number, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(number >> (8 * i));
}

bool is_control(WebSocketOpcode opcode) { return static_cast<std::uint8_t>(opcode) >= 8; }

bool is_known(std::uint8_t opcode) { return opcode <= 2 || (opcode >= 8 && opcode <= 10); }

// SHA-1 (RFC 3174), which the handshake proves with that the server speaks WebSocket, and nothing
// else.
std::string sha1(std::string_view text) {
  std::array<std::uint32_t, 5> state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  std::string padded(text);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  append_big_endian(padded, text.size() * 8, 8);
  for (std::size_t at = 0; at < padded.size(); at += 64) {
    std::array<std::uint32_t, 80> words{};
    for (std::size_t i = 0; i < 16; ++i)
      words[i] =
          static_cast<std::uint32_t>(big_endian(std::string_view(padded).substr(at + 4 * i, 4)));
    for (std::size_t i = 16; i < 80; ++i)
      words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < 80; ++i) {
      std::uint32_t mixed = 0;
      std::uint32_t constant = 0;
      if (i < 20) {
        mixed = (b & c) | (~b & d);
        constant = 0x5A827999;
      } else if (i < 40) {
        mixed = b ^ c ^ d;
        constant = 0x6ED9EBA1;
      } else if (i < 60) {
        mixed = (b & c) | (b & d) | (c & d);
        constant = 0x8F1BBCDC;
      } else {
        mixed = b ^ c ^ d;
        constant = 0xCA62C1D6;
      }
      const std::uint32_t next = std::rotl(a, 5) + mixed + e + constant + words[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    const std::array<std::uint32_t, 5> added = {a, b, c, d, e};
    for (std::size_t i = 0; i < 5; ++i) state[i] += added[i];
  }
  std::string out;
  for (const std::uint32_t word : state) append_big_endian(out, word, 4);
  return out;
}

}  // namespace

// True once the head is whole.
Result<bool> WebSocketReader::read_head() {
  if (head_.size() < 2) return false;
  const auto first = static_cast<unsigned char>(head_[0]);
  const auto second = static_cast<unsigned char>(head_[1]);
  const std::size_t short_length = second & 0x7F;
  const std::size_t length_bytes = short_length == 127 ? 8 : short_length == 126 ? 2 : 0;
  if ((first & 0x70) != 0) return fail(Code::kInvalid, "a frame has bits of no extension");
  if (!is_known(first & 0x0F)) return fail(Code::kInvalid, "a frame has an unknown opcode");
  const bool masked = (second & 0x80) != 0;
  if (from_ == From::kClient && !masked)
    return fail(Code::kInvalid, "a frame of a client is not masked");
  if (from_ == From::kServer && masked)
    return fail(Code::kInvalid, "a frame of a server is masked");
  const std::size_t mask_bytes = masked ? mask_.size() : 0;
  if (head_.size() < 2 + length_bytes + mask_bytes) return false;
  frame_ = static_cast<WebSocketOpcode>(first & 0x0F);
  final_ = (first & 0x80) != 0;
  left_ = length_bytes == 0 ? short_length
                            : big_endian(std::string_view(head_).substr(2, length_bytes));
  std::copy_n(head_.begin() + static_cast<std::ptrdiff_t>(2 + length_bytes), mask_bytes,
              mask_.begin());
  if (left_ >> 63 != 0) return fail(Code::kInvalid, "a frame is too long");
  if (is_control(frame_)) {
    if (left_ > kMostControl || !final_)
      return fail(Code::kInvalid, "a control frame is too long or in parts");
    return true;
  }
  const bool in_message = message_ != WebSocketOpcode::kContinuation;
  if ((frame_ == WebSocketOpcode::kContinuation) != in_message)
    return fail(Code::kInvalid, "a message begins or goes on where it cannot");
  if (!in_message) {
    message_ = frame_;
    begins_ = true;
  }
  return true;
}

void WebSocketReader::read_data(std::string_view& bytes, std::vector<WebSocketPart>& out) {
  std::string data(bytes.substr(0, std::min<std::uint64_t>(left_, bytes.size())));
  bytes.remove_prefix(data.size());
  left_ -= data.size();
  for (char& c : data) {
    c = static_cast<char>(c ^ mask_[mask_at_]);
    mask_at_ = (mask_at_ + 1) % mask_.size();
  }
  if (is_control(frame_)) {
    control_ += data;
    if (left_ == 0)
      out.push_back({.opcode = frame_, .first = true, .data = std::exchange(control_, {})});
  } else if (!data.empty() || (begins_ && final_ && left_ == 0)) {
    out.push_back({.opcode = message_, .first = begins_, .data = std::move(data)});
    begins_ = false;
  }
  if (left_ > 0) return;
  in_payload_ = false;
  if (!is_control(frame_) && final_) message_ = WebSocketOpcode::kContinuation;
}

Result<> WebSocketReader::feed(std::string_view bytes, std::vector<WebSocketPart>& out) {
  while (!bytes.empty()) {
    if (!in_payload_) {
      head_ += bytes.front();
      bytes.remove_prefix(1);
      STRAKE_TRY(in_payload_, read_head());
      if (!in_payload_) continue;
      head_.clear();
      mask_at_ = 0;
      // A frame without a payload is whole now.
      if (left_ > 0) continue;
    }
    read_data(bytes, out);
  }
  return {};
}

namespace {

std::string frame_head(WebSocketOpcode opcode, std::size_t size, std::uint8_t mask_bit) {
  std::string out;
  out += static_cast<char>(0x80 | static_cast<std::uint8_t>(opcode));
  if (size <= kMostControl) {
    out += static_cast<char>(mask_bit | size);
  } else if (size <= UINT16_MAX) {
    out += static_cast<char>(mask_bit | 126);
    append_big_endian(out, size, 2);
  } else {
    out += static_cast<char>(mask_bit | 127);
    append_big_endian(out, size, 8);
  }
  return out;
}

}  // namespace

std::string websocket_frame(WebSocketOpcode opcode, std::string_view payload) {
  return frame_head(opcode, payload.size(), 0).append(payload);
}

std::string masked_websocket_frame(WebSocketOpcode opcode, std::string_view payload,
                                   std::uint32_t mask) {
  std::string out = frame_head(opcode, payload.size(), 0x80);
  append_big_endian(out, mask, 4);
  int shift = 24;
  for (const char c : payload) {
    out += static_cast<char>(static_cast<std::uint32_t>(static_cast<unsigned char>(c)) ^
                             (mask >> shift));
    shift = (shift + 24) % 32;
  }
  return out;
}

std::string websocket_close_frame() {
  constexpr int kNormal = 1000;
  std::string code;
  append_big_endian(code, kNormal, 2);
  return websocket_frame(WebSocketOpcode::kClose, code);
}

std::vector<std::string> websocket_protocols(const http::Headers& headers) {
  std::vector<std::string> out;
  for (std::string_view rest : headers.get_all("Sec-WebSocket-Protocol")) {
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      out.emplace_back(trim(rest.substr(0, comma)));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return out;
}

std::string websocket_accept(std::string_view key) {
  constexpr std::string_view kSalt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  return base64_encode(sha1(std::string(key).append(kSalt)));
}

Result<http::Response> accept_websocket(const http::Request& request, std::string_view protocol) {
  if (request.method != "GET") return fail(Code::kInvalid, "a WebSocket is opened with GET");
  if (request.headers.get("Sec-WebSocket-Version") != "13")
    return fail(Code::kInvalid, "only version 13 of WebSocket is spoken here");
  const std::string_view key = request.headers.get("Sec-WebSocket-Key");
  const auto nonce = base64_decode(key);
  if (!nonce || nonce->size() != 16)
    return fail(Code::kInvalid, "Sec-WebSocket-Key must hold 16 bytes in base64");
  http::Response out;
  out.status = 101;
  out.headers.add("Upgrade", "websocket");
  out.headers.add("Sec-WebSocket-Accept", websocket_accept(key));
  if (!protocol.empty()) out.headers.add("Sec-WebSocket-Protocol", protocol);
  return out;
}

}  // namespace strake::kube
