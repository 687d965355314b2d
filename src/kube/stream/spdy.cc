#include "kube/stream/spdy.h"

#include <algorithm>

namespace strake::kube {
namespace {

constexpr std::size_t kHead = 8;
constexpr std::uint16_t kVersion = 3;
constexpr std::uint8_t kFin = 1;
// Of a control frame; kubelets send headers of a few bytes.
constexpr std::uint32_t kMostControlFrame = 64 * 1024;
// What is read of one: the number of a stream or of a ping.
constexpr std::size_t kKept = 4;
constexpr std::size_t kMostData = (1 << 24) - 1;

enum FrameType : std::uint16_t { kSynStream = 1, kSynReply = 2, kRstStream = 3, kPing = 6 };

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint32_t out = 0;
  for (const char c : bytes.substr(at, count)) out = (out << 8) | static_cast<unsigned char>(c);
  return out;
}

void append(std::string& out, std::uint32_t number, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(number >> (8 * i));
}

std::string control_frame(FrameType type, std::uint8_t flags, std::string_view payload) {
  std::string out;
  append(out, 0x8000U | kVersion, 2);
  append(out, type, 2);
  append(out, flags, 1);
  append(out, static_cast<std::uint32_t>(payload.size()), 3);
  out += payload;
  return out;
}

// A block of zlib's format that is stored and not compressed, and the empty one that says that
// what came so far is to be read now. The names and values of streams are a few bytes, which no
// compression makes fewer; and readers need no dictionary for what is stored.
void append_stored(std::string& out, std::string_view text) {
  const auto append_block = [&](std::string_view part) {
    const auto size = static_cast<std::uint16_t>(part.size());
    out += '\0';
    for (const std::uint16_t number : {size, static_cast<std::uint16_t>(~size)}) {
      out += static_cast<char>(number & 0xFF);
      out += static_cast<char>(number >> 8);
    }
    out += part;
  };
  append_block(text);
  append_block("");
}

}  // namespace

Result<> SpdyReader::begin_frame() {
  is_control_ = (static_cast<unsigned char>(head_[0]) & 0x80) != 0;
  flags_ = static_cast<std::uint8_t>(head_[4]);
  left_ = number_at(head_, 5, 3);
  if (!is_control_) {
    stream_ = number_at(head_, 0, 4);
    return {};
  }
  if ((number_at(head_, 0, 2) & 0x7FFF) != kVersion)
    return fail(Code::kInvalid, "a frame is none of SPDY version 3");
  type_ = static_cast<std::uint16_t>(number_at(head_, 2, 2));
  if (left_ > kMostControlFrame) return fail(Code::kInvalid, "a control frame is too long");
  const bool has_number = type_ == kSynReply || type_ == kRstStream || type_ == kPing;
  if (has_number && left_ < kKept) return fail(Code::kInvalid, "a control frame is too short");
  if (type_ == kSynStream) return fail(Code::kInvalid, "only this side opens streams");
  return {};
}

Result<> SpdyReader::end_control(std::vector<SpdyEvent>& out) {
  const std::uint32_t number =
      control_.size() == kKept ? number_at(control_, 0, kKept) & 0x7FFFFFFF : 0;
  control_.clear();
  using Kind = SpdyEvent::Kind;
  if (type_ == kSynReply)
    out.push_back({.kind = Kind::kOpened, .id = number, .last = (flags_ & kFin) != 0, .data = {}});
  if (type_ == kRstStream)
    out.push_back({.kind = Kind::kReset, .id = number, .last = true, .data = {}});
  if (type_ == kPing) out.push_back({.kind = Kind::kPing, .id = number, .last = false, .data = {}});
  return {};
}

Result<> SpdyReader::feed(std::string_view bytes, std::vector<SpdyEvent>& out) {
  while (!bytes.empty()) {
    if (!in_payload_) {
      const std::size_t more = std::min(kHead - head_.size(), bytes.size());
      head_ += bytes.substr(0, more);
      bytes.remove_prefix(more);
      if (head_.size() < kHead) break;
      STRAKE_CHECK(begin_frame());
      head_.clear();
      in_payload_ = true;
      // One without a payload is whole now.
      if (left_ > 0) continue;
    }
    const std::string_view part = bytes.substr(0, left_);
    bytes.remove_prefix(part.size());
    left_ -= static_cast<std::uint32_t>(part.size());
    if (left_ == 0) in_payload_ = false;
    if (is_control_) {
      control_ += part.substr(0, std::min(part.size(), kKept - control_.size()));
      if (left_ == 0) STRAKE_CHECK(end_control(out));
    } else {
      const bool last = left_ == 0 && (flags_ & kFin) != 0;
      if (last || !part.empty()) {
        out.push_back({.kind = SpdyEvent::Kind::kData,
                       .id = stream_,
                       .last = last,
                       .data = std::string(part)});
      }
    }
  }
  return {};
}

std::string SpdyWriter::open(std::uint32_t stream, const std::vector<Header>& headers) {
  std::string block;
  append(block, static_cast<std::uint32_t>(headers.size()), 4);
  for (const auto& [name, text] : headers) {
    for (const std::string_view one : {name, text}) {
      append(block, static_cast<std::uint32_t>(one.size()), 4);
      block += one;
    }
  }
  std::string payload;
  append(payload, stream, 4);
  append(payload, 0, 4);  // belongs to no other stream
  append(payload, 0, 2);  // priority and slot
  // One stream of zlib's runs through all headers of a connection.
  if (!std::exchange(begun_, true)) payload += "\x78\x01";
  append_stored(payload, block);
  return control_frame(kSynStream, 0, payload);
}

std::string SpdyWriter::data(std::uint32_t stream, std::string_view bytes, bool last) {
  std::string out;
  do {
    const std::string_view part = bytes.substr(0, kMostData);
    bytes.remove_prefix(part.size());
    append(out, stream, 4);
    append(out, last && bytes.empty() ? kFin : 0, 1);
    append(out, static_cast<std::uint32_t>(part.size()), 3);
    out += part;
  } while (!bytes.empty());
  return out;
}

std::string SpdyWriter::ping(std::uint32_t id) {
  std::string payload;
  append(payload, id, 4);
  return control_frame(kPing, 0, payload);
}

}  // namespace strake::kube
