#pragma once
// Reads HTTP/1.0 and HTTP/1.1 requests, strictly: what two readers could take for two different
// things is refused, since that is how requests are smuggled past a proxy. Pure: bytes in, parts
// out.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/message.h"

namespace strake::http {

// Why a request is refused: the status to answer with, and a sentence for whoever sent it.
struct Refusal {
  int status = 400;
  std::string_view reason;  // static text
};

enum class Progress : std::uint8_t { kMore, kDone, kRefused };

// How the end of the body is told. The last is of responses alone.
enum class Framing : std::uint8_t { kNone, kLength, kChunked, kUntilClose };

// Finds the end of a head in bytes that come bit by bit, looking at each byte once: an empty line
// behind others. Lines end in CR LF.
class HeadEnd {
 public:
  enum class Found : std::uint8_t {
    kMore,
    kEnd,        // size() bytes
    kEmptyLine,  // in front of the first line; that line ends at size()
    kTooLarge,
    kBareLineFeed,
  };
  explicit HeadEnd(std::size_t max_bytes) : max_bytes_(max_bytes) {}
  // The head begins at `start`.
  Found find(std::string_view bytes, std::size_t start);
  bool is_begun() const { return begun_; }  // there is a line
  std::size_t size() const { return line_; }
  void reset() {
    line_ = scanned_ = 0;
    begun_ = false;
  }

 private:
  std::size_t max_bytes_;
  std::size_t line_ = 0;     // where the line begins that is not at its end yet
  std::size_t scanned_ = 0;  // bytes without a line's end, from line_
  bool begun_ = false;
};

struct RequestHead {
  Request request;  // method, path, query, version and headers
  Framing framing = Framing::kNone;
  std::uint64_t length = 0;  // for kLength
  bool keep_alive = true;
  bool expects_continue = false;
  bool asks_upgrade = false;  // the Connection header says so
};

// Gathers a request's head, and then reads it.
class HeadParser {
 public:
  explicit HeadParser(std::size_t max_bytes) : end_(max_bytes) {}

  // `bytes` starts with the request and is what came so far. At kDone `size()` of them were the
  // head, and `head` is filled; the parser is ready for the next.
  Progress parse(std::string_view bytes, RequestHead& head);
  std::size_t size() const { return size_; }
  const Refusal& refusal() const { return refusal_; }

 private:
  Progress refuse(int status, std::string_view reason);
  Progress find_end(std::string_view bytes);

  HeadEnd end_;
  std::size_t start_ = 0;  // where the request line begins
  std::size_t size_ = 0;
  Refusal refusal_;
};

// Takes chunked framing off a body, bit by bit.
class ChunkDecoder {
 public:
  // Appends to `out` what `bytes` brings, and takes those bytes off its front. At kMore all were
  // taken; at kDone the rest belongs to the next request. Stops early, at kMore, when `out` has
  // reached `limit` bytes.
  Progress decode(std::string_view& bytes, std::string& out, std::size_t limit);
  const Refusal& refusal() const { return refusal_; }
  // At kDone: what came behind the last chunk.
  const Headers& trailers() const { return trailers_; }

 private:
  enum class State : std::uint8_t {
    kSize,
    kExtension,
    kSizeLf,
    kData,
    kDataCr,
    kDataLf,
    kTrailer,  // at the start of a line
    kTrailerLine,
    kTrailerLf,
    kEndLf,
    kDone,
  };
  Progress refuse(std::string_view reason);
  bool step(char c);
  void add_trailer();

  State state_ = State::kSize;
  unsigned digits_ = 0;
  std::uint64_t left_ = 0;    // of the chunk
  std::size_t overhead_ = 0;  // bytes of extensions and trailers
  bool named_ = false;        // the trailer line has its colon
  std::string line_;          // of the trailers, so far
  Headers trailers_;
  Refusal refusal_;
};

}  // namespace strake::http
