#include "kube/stream/spdy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::kube {
namespace {

using namespace std::string_literals;

std::string control(int type, int flags, std::string_view payload) {
  std::string out = "\x80\x03\0"s;
  out += static_cast<char>(type);
  out += static_cast<char>(flags);
  out += '\0';
  out += static_cast<char>(payload.size() >> 8);
  out += static_cast<char>(payload.size());
  return out + std::string(payload);
}

// "open 1", "data 3 abc last", ... with the data of a stream put together.
std::string read(std::string_view bytes, std::size_t piece) {
  SpdyReader reader;
  std::string out;
  std::uint32_t in_data = 0;
  while (!bytes.empty()) {
    std::vector<SpdyEvent> events;
    const Result<> fed = reader.feed(bytes.substr(0, piece), events);
    for (const SpdyEvent& event : events) {
      constexpr const char* kNames[] = {"open", "data", "reset", "ping"};
      const bool goes_on = event.kind == SpdyEvent::Kind::kData && in_data == event.id;
      if (!goes_on) out += fmt::format(";{} {} ", kNames[static_cast<int>(event.kind)], event.id);
      out += event.data;
      if (event.last) out += " last";
      in_data = event.kind == SpdyEvent::Kind::kData && !event.last ? event.id : 0;
    }
    if (!fed) return fmt::format("{}|{}", out, fed.error().message());
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  return out;
}

TEST(SpdyReader, ReadsFramesHoweverTheyCome) {
  const std::string all = control(2, 0, "\0\0\0\1headers"s) + control(4, 0, "\0\0\0\0"s) +
                          SpdyWriter::data(3, "hello", false) + SpdyWriter::data(3, "", true) +
                          control(6, 0, "\0\0\0\2"s) + control(9, 0, "\0\0\0\1\0\0\1\0"s) +
                          SpdyWriter::data(5, "end", true) + control(3, 0, "\0\0\0\7\0\0\0\5"s) +
                          control(7, 0, ""s) + control(2, 1, "\0\0\0\x09"s);
  const std::string want =
      ";open 1 ;data 3 hello last;ping 2 ;data 5 end last;reset 7  last;open 9  last";
  for (const std::size_t piece : {1UL, 3UL, 8UL, 11UL, 10'000UL})
    EXPECT_EQ(read(all, piece), want) << piece;
}

TEST(SpdyReader, RefusesWhatNoKubeletSends) {
  EXPECT_EQ(read("\x80\x02\0\6\0\0\0\4\0\0\0\2"s, 99), "|a frame is none of SPDY version 3");
  EXPECT_EQ(read("\x80\x03\0\2\0\1\0\1"s, 99), "|a control frame is too long");
  EXPECT_EQ(read(control(2, 0, "\0\0"), 99), "|a control frame is too short");
  EXPECT_EQ(read(control(1, 0, "\0\0\0\2"s), 99), "|only this side opens streams");
}

// What zlib makes of it is tested with a kubelet that has it (tests/e2e/pod_connections_test.py).
TEST(SpdyWriter, StoresHeadersAsOneStreamOfZlib) {
  SpdyWriter writer;
  const std::string first = writer.open(1, {{"streamtype", "error"}});
  const std::string block = "\0\0\0\1\0\0\0\x0Astreamtype\0\0\0\5error"s;
  EXPECT_EQ(first, control(1, 0,
                           "\0\0\0\1\0\0\0\0\0\0\x78\x01"s + "\0\x1B\0\xE4\xFF"s + block +
                               "\0\0\0\xFF\xFF"s));
  EXPECT_EQ(
      writer.open(3, {{"streamtype", "error"}}),
      control(1, 0, "\0\0\0\3\0\0\0\0\0\0"s + "\0\x1B\0\xE4\xFF"s + block + "\0\0\0\xFF\xFF"s));
}

TEST(SpdyWriter, DividesWhatIsTooLongForAFrame) {
  const std::string much((1 << 24) + 5, 'x');
  const std::string frames = SpdyWriter::data(1, much, true);
  EXPECT_EQ(frames.size(), much.size() + 16);
  EXPECT_EQ(read(frames, 1 << 20), ";data 1 " + much + " last");
  EXPECT_EQ(SpdyWriter::data(1, "", true), "\0\0\0\1\1\0\0\0"s);
}

}  // namespace
}  // namespace strake::kube
