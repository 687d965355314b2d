#include "server/file_reloads.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "async/loops.h"
#include "async/run.h"
#include "base/log.h"
#include "http/test_server.h"
#include "server/temporary_folder.h"

namespace strake::server {
namespace {

class FollowedFiles : public ::testing::Test {
 protected:
  void SetUp() override { log::configure({.level = log::Level::kOff}); }
  void TearDown() override { log::configure({}); }

  std::string write(std::string_view name, std::string_view content) const {
    std::ofstream(folder_.file(name), std::ios::binary | std::ios::trunc) << content;
    return folder_.file(name);
  }
  // Counts how often it is reloaded.
  static FileReloads::Group group(std::vector<std::string> files, std::atomic<int>& reloads) {
    return {"test", std::move(files), [&reloads]() -> Result<> {
              ++reloads;
              return {};
            }};
  }

  const TemporaryFolder folder_ = TemporaryFolder::make("strake-files").value();
};

TEST_F(FollowedFiles, AreReloadedWhenTheirContentsChange) {
  std::atomic<int> one = 0, other = 0;
  FileReloads files(
      {group({write("a", "1"), write("b", "1")}, one), group({write("c", "1")}, other)});
  EXPECT_TRUE(files.reload_changed().empty());
  EXPECT_EQ(one, 0);
  write("b", "2");
  files.reload_changed();
  files.reload_changed();
  EXPECT_EQ(one, 1);
  EXPECT_EQ(other, 0);
  write("b", "2");
  files.reload_changed();
  EXPECT_EQ(one, 1) << "it was only written again";
  // What one holds more and the other less is a change.
  write("a", "12");
  write("b", "");
  files.reload_changed();
  EXPECT_EQ(one, 2);
  std::filesystem::remove(folder_.file("b"));
  files.reload_changed();
  EXPECT_EQ(one, 3) << "no file is not an empty one";
}

TEST_F(FollowedFiles, ThatCannotBeUsedAreToldOfOnce) {
  FileReloads files({{"test", {write("a", "1")}, [] { return fail(Code::kInvalid, "bad"); }}});
  write("a", "2");
  EXPECT_EQ(files.reload_changed().size(), 1u);
  EXPECT_TRUE(files.reload_changed().empty());
  write("a", "3");
  EXPECT_EQ(files.reload_changed().size(), 1u);
}

TEST_F(FollowedFiles, MayBePipes) {
  const std::string pipe = folder_.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::atomic<int> reloads = 0;
  FileReloads files({group({pipe, ""}, reloads)});
  EXPECT_TRUE(files.reload_changed().empty());
  EXPECT_EQ(reloads, 0);
}

// As a kubelet changes the files of a mounted Secret: all at once, by the link to their folder.
TEST_F(FollowedFiles, AreSeenToChangeBehindALink) {
  namespace fs = std::filesystem;
  for (const char* name : {"first", "second"}) {
    fs::create_directory(folder_.file(name));
    write(std::string(name) + "/tls.crt", name);
  }
  fs::create_directory_symlink("first", folder_.file("..data"));
  fs::create_symlink("..data/tls.crt", folder_.file("tls.crt"));
  std::atomic<int> reloads = 0;
  async::Loops loops(1);
  async::Workers workers(1);
  FileReloads files({group({folder_.file("tls.crt")}, reloads)});
  ASSERT_TRUE(files.follow(loops.at(0), workers));
  fs::create_directory_symlink("second", folder_.file("..data_tmp"));
  fs::rename(folder_.file("..data_tmp"), folder_.file("..data"));
  EXPECT_TRUE(http::testing::eventually([&] { return reloads == 1; }));
  EXPECT_TRUE(async::run_blocking(loops.at(0), files.stop()));
  loops.stop();
}

}  // namespace
}  // namespace strake::server
