#include "base/replacement_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/subprocess.h"

namespace strake {
namespace {

namespace fs = std::filesystem;

class ReplacementFileTest : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }
  void put(const std::string& name, std::string_view text) const {
    std::ofstream(at(name), std::ios::binary) << text;
  }
  std::string content(const std::string& name) const {
    std::ifstream file(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }
  unsigned mode(const std::string& name) const {
    struct stat status = {};
    EXPECT_EQ(::stat(at(name).c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  ScratchFolder folder_ = ScratchFolder::make("replacement-file").value();
};

TEST_F(ReplacementFileTest, LeavesTheTargetAloneUntilItIsComplete) {
  put("a", "old");
  {
    auto file = ReplacementFile::unique(at("a")).value();
    ASSERT_TRUE(write_all(file.fd(), "half"));
    EXPECT_EQ(content("a"), "old");
  }
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(ReplacementFileTest, TakesTheTargetsPlaceWithTheContentAndTheMode) {
  put("a", "old");
  for (const auto make : {&ReplacementFile::unique, +[](std::string target) {
                            return ReplacementFile::partial(AT_FDCWD, std::move(target));
                          }}) {
    auto file = make(at("a")).value();
    ASSERT_TRUE(file.replace("new", 0644));
    EXPECT_EQ(content("a"), "new");
    EXPECT_EQ(mode("a"), 0644U);
    EXPECT_EQ(files(), 1);
    put("a", "old");
  }
}

TEST_F(ReplacementFileTest, WritesBelowAnOpenFolder) {
  const OwnedFd folder(::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_TRUE(ReplacementFile::partial(folder.get(), "a")->replace("new", 0600));
  EXPECT_EQ(content("a"), "new");
  EXPECT_EQ(mode("a"), 0600U);
}

TEST_F(ReplacementFileTest, IsForItsOwnerAloneWhileItIsWritten) {
  const auto file = ReplacementFile::partial(AT_FDCWD, at("a")).value();
  EXPECT_EQ(mode("a.partial") & 077, 0U);
}

TEST_F(ReplacementFileTest, TakesOverFromAProcessThatWasKilled) {
  put("a.partial", "half of what was to be");
  ASSERT_TRUE(ReplacementFile::partial(AT_FDCWD, at("a"))->replace("new", 0600));
  EXPECT_EQ(content("a"), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(ReplacementFileTest, DoesNotWriteThroughALinkOfThePartialName) {
  put("other", "kept");
  ASSERT_EQ(::symlink(at("other").c_str(), at("a.partial").c_str()), 0);
  ASSERT_TRUE(ReplacementFile::partial(AT_FDCWD, at("a"))->replace("new", 0600));
  EXPECT_EQ(content("other"), "kept");
  EXPECT_EQ(content("a"), "new");
}

TEST_F(ReplacementFileTest, SaysWhyItCannotBeMadeOrPutInPlace) {
  const auto none = ReplacementFile::unique(at("missing/a"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), Code::kNotFound);
  EXPECT_EQ(none.error().message(), "No such file or directory");
  fs::create_directory(at("folder"));
  const auto over_folder = ReplacementFile::partial(AT_FDCWD, at("folder"))->replace("new", 0600);
  ASSERT_FALSE(over_folder);
  EXPECT_EQ(over_folder.error().code(), Code::kIo);
  EXPECT_EQ(over_folder.error().message(), "Is a directory");
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace strake
