#include "base/input_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "base/subprocess.h"

namespace strake {
namespace {

class InputFileTest : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string file(const std::string& name, std::string_view text) const {
    std::ofstream(at(name), std::ios::binary) << text;
    return at(name);
  }
  std::string pipe(const std::string& name) const {
    EXPECT_EQ(::mkfifo(at(name).c_str(), 0600), 0);
    return at(name);
  }
  static std::string reason(const std::string& path, Pipes pipes) {
    const auto opened = InputFile::open(path, pipes);
    return opened ? "" : opened.error().message();
  }

  ScratchFolder folder_ = ScratchFolder::make("input-file").value();
};

TEST_F(InputFileTest, ReadsUpToItsLimitAndNoFurther) {
  const std::string path = file("a", "12345");
  EXPECT_EQ(InputFile::open(path, Pipes::kRefused)->read_all(5).value(), "12345");
  const auto over = InputFile::open(path, Pipes::kRefused)->read_all(4);
  ASSERT_FALSE(over.has_value());
  EXPECT_EQ(over.error().code(), Code::kLimit);
  EXPECT_EQ(over.error().message(), "more than 4 bytes");
}

TEST_F(InputFileTest, ReadsFilesThatTellNoSize) {
  // /proc tells 0 for all of its files.
  EXPECT_FALSE(InputFile::open("/proc/self/stat", Pipes::kRefused)->read_all(1 << 20)->empty());
  EXPECT_FALSE(InputFile::open("/proc/self/stat", Pipes::kRefused)->read_all(3).has_value());
}

TEST_F(InputFileTest, RefusesWhatIsNoFileAndSaysWhatItIs) {
  const std::string socket = at("socket");
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  socket.copy(address.sun_path, sizeof address.sun_path - 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (const Pipes pipes : {Pipes::kRefused, Pipes::kRead}) {
    EXPECT_EQ(reason(socket, pipes), "it is a socket, and only regular files are read here");
    EXPECT_EQ(reason("/dev/zero", pipes), "it is a device, and only regular files are read here");
    EXPECT_EQ(reason(folder_.path(), pipes),
              "it is a folder, and only regular files are read here");
    EXPECT_EQ(reason(at("none"), pipes), "No such file or directory");
  }
  ::close(fd);
}

TEST_F(InputFileTest, RefusesAPipeWithoutWaitingForAWriter) {
  const std::string path = pipe("p");
  EXPECT_EQ(reason(path, Pipes::kRefused), "it is a pipe, and only regular files are read here");
  const int folder = ::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY);
  EXPECT_FALSE(InputFile::open_below(folder, "p").has_value());
  ::close(folder);
}

TEST_F(InputFileTest, ReadsAPipeThatWasNamedUpToTheLimit) {
  const std::string path = pipe("p");
  const auto write = [&] { std::ofstream(path) << "hello"; };
  {
    const std::jthread writer(write);
    EXPECT_EQ(InputFile::open(path, Pipes::kRead)->read_all(100).value(), "hello");
  }
  const std::jthread writer(write);
  EXPECT_EQ(InputFile::open(path, Pipes::kRead)->read_all(3).error().code(), Code::kLimit);
}

TEST_F(InputFileTest, TakesTheNullDeviceForAnEmptyFile) {
  EXPECT_EQ(InputFile::open("/dev/null", Pipes::kRefused)->read_all(10).value(), "");
}

TEST_F(InputFileTest, FollowsNoLinkBelowAFolder) {
  file("a", "text");
  ASSERT_EQ(::symlink("a", at("link").c_str()), 0);
  const int folder = ::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY);
  EXPECT_EQ(InputFile::open_below(folder, "a")->read_all(10).value(), "text");
  EXPECT_FALSE(InputFile::open_below(folder, "link").has_value());
  ::close(folder);
}

TEST(ReadDescriptor, RefusesADeviceThatMayNeverEnd) {
  const int fd = ::open("/dev/zero", O_RDONLY | O_CLOEXEC);
  const auto read = read_descriptor(fd, 1 << 30);
  ::close(fd);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), Code::kIo);
}

TEST(ReadDescriptor, PutsTheRestBehindWhatWasRead) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "rest", 4), 4);
  ::close(ends[1]);
  EXPECT_EQ(read_descriptor(ends[0], 100, "front ").value(), "front rest");
  ::close(ends[0]);
}

}  // namespace
}  // namespace strake
