#include "base/file_watch.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace strake {
namespace {

constexpr std::chrono::milliseconds kQuiet{1};

class TemporaryFolder {
 public:
  TemporaryFolder() { std::filesystem::create_directories(path_); }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }
  std::string write(std::string_view name, std::string_view text) const {
    const std::string file = (path_ / name).string();
    std::ofstream(file) << text;
    return file;
  }

 private:
  const std::filesystem::path path_ = std::filesystem::path(::testing::TempDir()) / "file_watch";
};

TEST(FileWatch, SeesAFileWrittenAnew) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = {folder.write("a.yaml", "a: 1\n")};
  FileWatch watch;
  ASSERT_TRUE(watch.add(files, {}));
  folder.write("a.yaml", "a: 2\n");
  EXPECT_TRUE(watch.wait(kQuiet));
}

TEST(FileWatch, SeesAFileReplacedByAnother) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = {folder.write("a.yaml", "a: 1\n")};
  FileWatch watch;
  ASSERT_TRUE(watch.add(files, {}));
  const std::string other = folder.write("other", "a: 2\n");
  std::filesystem::rename(other, files.front());
  EXPECT_TRUE(watch.wait(kQuiet));
}

TEST(FileWatch, SeesANewFileInAFolder) {
  const TemporaryFolder folder;
  const std::vector<std::string> folders = {folder.path().string()};
  FileWatch watch;
  ASSERT_TRUE(watch.add({}, folders));
  folder.write("new.yaml", "a: 1\n");
  EXPECT_TRUE(watch.wait(kQuiet));
}

TEST(FileWatch, SaysWhatItCannotWatch) {
  const std::vector<std::string> folders = {"/nowhere/at/all"};
  FileWatch watch;
  const auto added = watch.add({}, folders);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code(), Code::kIo);
  EXPECT_EQ(added.error().source(), "/nowhere/at/all");
}

}  // namespace
}  // namespace strake
