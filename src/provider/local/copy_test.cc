#include "provider/local/copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "provider/local/test_site.h"

namespace strake::provider::local {
namespace {

constexpr CopyLimits kRoomy{.bytes = std::int64_t{1} << 40};

class Copies : public ::testing::Test {
 protected:
  std::string path(std::string_view name) const { return site_.path(name); }
  std::int64_t blocks(std::string_view name) const {
    struct stat found = {};
    EXPECT_EQ(::stat(path(name).c_str(), &found), 0);
    return found.st_blocks;
  }
  TestSite site_;
};

TEST_F(Copies, KeepHoles) {
  constexpr std::int64_t kSize = std::int64_t{1} << 30;
  ASSERT_TRUE(make_sparse_file(path("from"), kSize));
  const int fd = ::open(path("from").c_str(), O_WRONLY);
  ASSERT_EQ(::pwrite(fd, "begin", 5, 0), 5);
  ASSERT_EQ(::pwrite(fd, "middle", 6, kSize / 2), 6);
  ASSERT_EQ(::pwrite(fd, "end", 3, kSize - 3), 3);
  ::close(fd);
  ASSERT_TRUE(copy_file({}, path("from"), path("to"), kRoomy));
  EXPECT_EQ(std::filesystem::file_size(path("to")), static_cast<std::uintmax_t>(kSize));
  EXPECT_LT(blocks("to") * 512, 1 << 20);
  const int copy = ::open(path("to").c_str(), O_RDONLY);
  char text[8] = {};
  EXPECT_EQ(::pread(copy, text, 6, kSize / 2), 6);
  EXPECT_STREQ(text, "middle");
  EXPECT_EQ(::pread(copy, text, 3, kSize - 3), 3);
  EXPECT_EQ(std::string_view(text, 3), "end");
  ::close(copy);
}

TEST_F(Copies, KeepModesTimesLinksAndAttributes) {
  std::filesystem::create_directories(path("from/inner"));
  write_text(path("from/inner/program"), "#!/bin/sh\n");
  ASSERT_EQ(::chmod(path("from/inner/program").c_str(), 04751), 0);
  ASSERT_EQ(::symlink("../elsewhere", path("from/link").c_str()), 0);
  ASSERT_EQ(::chmod(path("from/inner").c_str(), 0510), 0);
  const bool attributes =
      ::setxattr(path("from/inner/program").c_str(), "user.note", "kept", 4, 0) == 0;
  const timespec times[2] = {{.tv_sec = 1000, .tv_nsec = 5}, {.tv_sec = 2000, .tv_nsec = 7}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path("from/inner").c_str(), times, 0), 0);
  ASSERT_TRUE(copy_folder({}, path("from"), path("to"), kRoomy));
  struct stat found = {};
  ASSERT_EQ(::stat(path("to/inner/program").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 04751U);
  ASSERT_EQ(::stat(path("to/inner").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0510U);
  EXPECT_EQ(found.st_mtim.tv_sec, 2000);
  EXPECT_EQ(found.st_mtim.tv_nsec, 7);
  EXPECT_EQ(std::filesystem::read_symlink(path("to/link")), "../elsewhere");
  char note[8] = {};
  if (attributes) EXPECT_EQ(::getxattr(path("to/inner/program").c_str(), "user.note", note, 8), 4);
  ::chmod(path("from/inner").c_str(), 0700);
  ::chmod(path("to/inner").c_str(), 0700);
}

TEST_F(Copies, LeaveOutWhatIsNoFileAndTellIt) {
  std::filesystem::create_directories(path("from"));
  ASSERT_EQ(::mkfifo(path("from/pipe").c_str(), 0600), 0);
  Told told;
  ASSERT_TRUE(copy_folder({.journal = &told}, path("from"), path("to"), kRoomy));
  EXPECT_FALSE(std::filesystem::exists(path("to/pipe")));
  ASSERT_EQ(told.warnings.size(), 1U);
  EXPECT_NE(told.warnings[0].find("from/pipe"), std::string::npos);
}

TEST_F(Copies, EndAtTheirLimits) {
  std::filesystem::create_directories(path("from/a/b/c"));
  write_text(path("from/a/file"), "12345");
  const std::pair<CopyLimits, bool> cases[] = {
      {{.bytes = 5, .entries = 4, .depth = 3}, true},
      {{.bytes = 4, .entries = 4, .depth = 3}, false},
      {{.bytes = 5, .entries = 3, .depth = 3}, false},
      {{.bytes = 5, .entries = 4, .depth = 2}, false},
  };
  for (const auto& [limits, good] : cases) {
    std::filesystem::remove_all(path("to"));
    const auto got = copy_folder({}, path("from"), path("to"), limits);
    EXPECT_EQ(got.has_value(), good) << why(got);
    if (!got) EXPECT_EQ(got.error().error_class(), FailureClass::kValidation);
  }
}

TEST_F(Copies, HearCancellation) {
  std::filesystem::create_directories(path("from"));
  write_text(path("from/file"), "12345");
  CancelSource source;
  source.cancel();
  EXPECT_EQ(copy_folder({.cancel = source.token()}, path("from"), path("to"), kRoomy)
                .error()
                .error_class(),
            FailureClass::kCanceled);
}

TEST_F(Copies, FollowNoLinks) {
  write_text(path("secret"), "x");
  ASSERT_EQ(::symlink(path("secret").c_str(), path("from").c_str()), 0);
  EXPECT_FALSE(copy_file({}, path("from"), path("to"), kRoomy));
}

}  // namespace
}  // namespace strake::provider::local
