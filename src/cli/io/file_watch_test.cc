#include "cli/io/file_watch.h"

#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

constexpr std::chrono::milliseconds kQuiet{1};

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
}  // namespace strake::cli
