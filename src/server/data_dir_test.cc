#include "server/data_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/log.h"
#include "server/temporary_folder.h"

namespace strake::server {
namespace {

using ::testing::HasSubstr;

class DataDirTest : public testing::Test {
 protected:
  void SetUp() override { log::configure({.level = log::Level::kOff}); }
  void TearDown() override { log::configure({}); }

  const TemporaryFolder folder_ = TemporaryFolder::make("strake-test").value();
  const std::string path_ = folder_.file("data");
  const std::vector<std::string> hosts_ = {"localhost"};
};

TEST_F(DataDirTest, IsMadeForItsOwnerAlone) {
  const auto made = DataDir::open(folder_.file("a/b/data"));
  ASSERT_TRUE(made) << made.error().to_string();
  for (const char* name : {"a/b/data", "a/b/data/pki"}) {
    struct stat found = {};
    ASSERT_EQ(::stat(folder_.file(name).c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0700u) << name;
  }
}

TEST_F(DataDirTest, IsRefusedWhenItIsOpenToOthers) {
  ASSERT_TRUE(DataDir::open(path_));
  for (const mode_t mode : {0755, 0750, 0701, 0720}) {
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    const auto opened = DataDir::open(path_);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code(), Code::kForbidden);
    EXPECT_THAT(opened.error().message(), HasSubstr("run `chmod 700 " + path_ + "`"));
  }
  ASSERT_EQ(::chmod(path_.c_str(), 0700), 0);
  EXPECT_TRUE(DataDir::open(path_));
}

TEST_F(DataDirTest, IsRefusedWhenItBelongsToAnother) {
  ASSERT_TRUE(DataDir::open(path_));
  if (::chown(path_.c_str(), ::geteuid() + 1, static_cast<gid_t>(-1)) != 0)
    GTEST_SKIP() << "giving a folder away needs root";
  const auto opened = DataDir::open(path_);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(), HasSubstr(path_ + " belongs to another user"));
}

TEST_F(DataDirTest, FollowsNoLinksToOrFromItsFiles) {
  const std::string target = folder_.file("target");
  std::ofstream(target) << "precious";
  ASSERT_TRUE(DataDir::open(path_));
  // Links that wait where files are about to be made.
  for (const char* name : {"admin.kubeconfig.partial", "admin.kubeconfig", "pki/ca.key.partial"})
    std::filesystem::create_symlink(target, path_ + "/" + name);
  const auto opened = DataDir::open(path_);
  const auto identity = opened->identity(hosts_, system_clock());
  ASSERT_TRUE(identity) << identity.error().to_string();
  ASSERT_TRUE(opened->write_kubeconfig(*identity, "https://localhost:1"));
  EXPECT_EQ(read_file(target).value(), "precious");
  EXPECT_FALSE(std::filesystem::is_symlink(path_ + "/admin.kubeconfig"));
  // A link in the place of a key is not read.
  std::filesystem::rename(path_ + "/pki/ca.key", folder_.file("moved.key"));
  std::filesystem::create_symlink(folder_.file("moved.key"), path_ + "/pki/ca.key");
  EXPECT_FALSE(opened->identity(hosts_, system_clock()));
  // Nor is a folder behind one entered.
  std::filesystem::rename(path_ + "/pki", folder_.file("moved"));
  std::filesystem::create_directory_symlink(folder_.file("moved"), path_ + "/pki");
  EXPECT_FALSE(DataDir::open(path_));
}

TEST_F(DataDirTest, StaysTheFolderThatWasOpened) {
  const auto opened = DataDir::open(path_);
  ASSERT_TRUE(opened);
  std::filesystem::rename(path_, folder_.file("elsewhere"));
  std::filesystem::create_directory(path_);
  ASSERT_TRUE(opened->identity(hosts_, system_clock()));
  EXPECT_TRUE(std::filesystem::exists(folder_.file("elsewhere/pki/ca.key")));
  EXPECT_TRUE(std::filesystem::is_empty(path_));
}

TEST_F(DataDirTest, KeepsWhatKubeletsAreShown) {
  const auto opened = DataDir::open(path_);
  ASSERT_TRUE(opened) << opened.error().to_string();
  const auto identity = opened->identity(hosts_, system_clock());
  ASSERT_TRUE(identity);
  EXPECT_FALSE(std::filesystem::exists(path_ + "/pki/apiserver-kubelet-client.key"));
  const auto made = opened->kubelet_client(*identity, system_clock());
  ASSERT_TRUE(made) << made.error().to_string();
  const auto info = http::read_certificate(made->certificate_pem);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->common_name, "kube-apiserver");
  EXPECT_EQ(info->organizations, std::vector<std::string>{"system:masters"});
  EXPECT_TRUE(http::check_certificate(*made, identity->ca_pem, system_clock().now()));
  EXPECT_EQ(opened->kubelet_client(*identity, system_clock())->certificate_pem,
            made->certificate_pem);
}

TEST_F(DataDirTest, GoesOnWithWhatItHasOnAFullDisk) {
  std::filesystem::create_directory(path_);
  if (::mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=1m,mode=700") != 0)
    GTEST_SKIP() << "mounting a file system needs root";
  {
    const auto opened = DataDir::open(path_);
    ASSERT_TRUE(opened) << opened.error().to_string();
    const auto before = opened->identity(hosts_, system_clock());
    ASSERT_TRUE(before);
    ASSERT_TRUE(opened->write_kubeconfig(*before, "https://localhost:1"));
    std::ofstream junk(path_ + "/junk", std::ios::binary);
    const std::string block(4096, 'j');
    while (junk.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
    EXPECT_TRUE(opened->write_kubeconfig(*before, "https://localhost:1")) << "nothing to write";
    EXPECT_FALSE(opened->write_kubeconfig(*before, "https://localhost:2"));
    EXPECT_FALSE(std::filesystem::exists(path_ + "/admin.kubeconfig.partial"));
    const auto after = opened->identity({"localhost", "another"}, system_clock());
    ASSERT_TRUE(after) << "a certificate that cannot be kept can still be used";
    EXPECT_EQ(after->ca_pem, before->ca_pem);
  }
  ::umount2(path_.c_str(), MNT_DETACH);
}

}  // namespace
}  // namespace strake::server
