#pragma once
// Frames of SPDY/3.1, as a client of a kubelet reads and writes them. Neither side keeps to flow
// control: as in kube-apiserver 1.36, whose peers do not know it, TCP alone slows a sender down.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace strake::kube {

struct SpdyEvent {
  enum class Kind : std::uint8_t {
    kOpened,  // the other side takes the stream
    kData,    // a part of what it sends on it
    kReset,   // it gives the stream up
    kPing,    // wants an answer with the same number
  };
  Kind kind = Kind::kData;
  std::uint32_t id = 0;  // of the stream, or of the ping
  bool last = false;     // the other side sends nothing more on the stream
  std::string data;
};

class SpdyReader {
 public:
  // Appends what has come; frames that need nothing done are left out. Fails with kInvalid when the
  // other side does not keep to the protocol; then nothing more may be fed.
  Result<> feed(std::string_view bytes, std::vector<SpdyEvent>& out);

 private:
  Result<> begin_frame();
  Result<> end_control(std::vector<SpdyEvent>& out);

  std::string head_;  // the first 8 bytes of a frame, as far as they are there
  bool in_payload_ = false;
  bool is_control_ = false;
  std::uint16_t type_ = 0;
  std::uint8_t flags_ = 0;
  std::uint32_t stream_ = 0;
  std::uint32_t left_ = 0;
  std::string control_;  // the payload of a control frame, as far as it is kept
};

// Of one connection: what it says about headers depends on what it said before.
class SpdyWriter {
 public:
  using Header = std::pair<std::string_view, std::string_view>;
  // A new stream. Names in lower case.
  std::string open(std::uint32_t stream, const std::vector<Header>& headers);
  static std::string data(std::uint32_t stream, std::string_view bytes, bool last);
  static std::string ping(std::uint32_t id);

 private:
  bool begun_ = false;
};

}  // namespace strake::kube
