#include "cli/io/io.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace strake::cli {
namespace {

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends), 0); }
  ~Pipe() {
    close_read();
    close_write();
  }
  void close_read() { ::close(std::exchange(ends[0], -1)); }
  void close_write() { ::close(std::exchange(ends[1], -1)); }
  int ends[2] = {-1, -1};
};

TEST(FdOutput, WritesWhatItWasGivenWhenFlushed) {
  Pipe pipe;
  FdOutput out(pipe.ends[1], "the pipe");
  out.write("a");
  out.write("b");
  ASSERT_TRUE(out.flush());
  pipe.close_write();
  EXPECT_EQ(FdInput(pipe.ends[0], "the pipe").read_all(10), "ab");
}

TEST(FdOutput, RemembersTheFirstFailure) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  FdOutput out(full, "the disk");
  out.write(std::string(100'000, 'x'));
  EXPECT_TRUE(out.failed());
  out.write("more");
  const auto flushed = out.flush();
  ::close(full);
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().code(), Code::kIo);
  EXPECT_EQ(flushed.error().message(), "cannot write to the disk: No space left on device");
}

TEST(FdOutput, FailsWhenNobodyReads) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  pipe.close_read();
  FdOutput out(pipe.ends[1], "the pipe");
  out.write("a");
  EXPECT_FALSE(out.flush());
}

TEST(FdInput, RefusesMoreThanTheLimit) {
  Pipe pipe;
  ASSERT_EQ(::write(pipe.ends[1], "12345", 5), 5);
  pipe.close_write();
  const auto text = FdInput(pipe.ends[0], "-").read_all(4);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), Code::kLimit);
}

TEST(FdInput, ReadsMoreThanOnePieceToTheLastByte) {
  const std::string sent = std::string(200'000, 'a') + "b";
  Pipe pipe;
  std::jthread writer([&] {
    FdOutput out(pipe.ends[1], "the pipe");
    out.write(sent);
    EXPECT_TRUE(out.flush());
    pipe.close_write();
  });
  EXPECT_EQ(FdInput(pipe.ends[0], "-").read_all(sent.size()), sent);
}

TEST(FdInput, GivesLinesAsSoonAsTheyAreThere) {
  Pipe pipe;
  FdInput in(pipe.ends[0], "-");
  ASSERT_EQ(::write(pipe.ends[1], "a\n\r\nb", 5), 5);
  EXPECT_EQ(in.read_line(10), "a");
  EXPECT_EQ(in.read_line(10), "");
  ASSERT_EQ(::write(pipe.ends[1], "c\nlast", 6), 6);
  EXPECT_EQ(in.read_line(10), "bc");
  pipe.close_write();
  EXPECT_EQ(in.read_line(10), "last");
  EXPECT_EQ(in.read_line(10), std::nullopt);
}

TEST(FdInput, KeepsWhatIsBehindALine) {
  Pipe pipe;
  ASSERT_EQ(::write(pipe.ends[1], "a\nb\nc", 5), 5);
  pipe.close_write();
  FdInput in(pipe.ends[0], "-");
  EXPECT_EQ(in.read_line(10), "a");
  EXPECT_EQ(in.read_all(10), "b\nc");
}

TEST(FdInput, RefusesALineLongerThanTheLimit) {
  Pipe pipe;
  ASSERT_EQ(::write(pipe.ends[1], "1234\n12345\n", 11), 11);
  FdInput in(pipe.ends[0], "-");
  EXPECT_EQ(in.read_line(4), "1234");
  const auto line = in.read_line(4);
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().code(), Code::kLimit);
}

}  // namespace
}  // namespace strake::cli
