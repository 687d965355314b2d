#include "base/private_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/subprocess.h"

namespace strake {
namespace {

class PrivateFolders : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return scratch_.path() + "/" + name; }

 private:
  ScratchFolder scratch_ = ScratchFolder::make("private-folder-").value();
};

TEST_F(PrivateFolders, AreMadeForTheirOwnerAlone) {
  const auto folder = PrivateFolder::open(path("a/b"));
  ASSERT_TRUE(folder) << folder.error().to_string();
  struct stat found = {};
  ASSERT_EQ(::stat(path("a/b").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0700U);
}

TEST_F(PrivateFolders, AreRefusedWhenOthersMayLookInside) {
  ASSERT_EQ(::mkdir(path("open").c_str(), 0700), 0);
  ASSERT_EQ(::chmod(path("open").c_str(), 0750), 0);
  const auto folder = PrivateFolder::open(path("open"));
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code(), Code::kForbidden);
  EXPECT_NE(folder.error().message().find("chmod 700"), std::string::npos);
}

TEST_F(PrivateFolders, AreRefusedWhenTheyAreOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give folders away";
  ASSERT_EQ(::mkdir(path("theirs").c_str(), 0700), 0);
  ASSERT_EQ(::chown(path("theirs").c_str(), 12345, 12345), 0);
  const auto folder = PrivateFolder::open(path("theirs"));
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code(), Code::kForbidden);
}

TEST_F(PrivateFolders, KeepFilesWhole) {
  const auto folder = PrivateFolder::open(path("kept"));
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder->read("one").error().code(), Code::kNotFound);
  ASSERT_TRUE(folder->write("one", "text", 0600));
  EXPECT_EQ(folder->read("one").value(), "text");
}

TEST_F(PrivateFolders, FollowNoLinks) {
  const auto folder = PrivateFolder::open(path("linked"));
  ASSERT_TRUE(folder);
  ASSERT_EQ(::symlink("/etc/hostname", path("linked/name").c_str()), 0);
  EXPECT_FALSE(folder->read("name"));
  ASSERT_EQ(::symlink("/tmp", path("linked/folder").c_str()), 0);
  EXPECT_FALSE(folder->folder("folder"));
}

}  // namespace
}  // namespace strake
