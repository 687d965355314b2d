#include "cli/io/folder_entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names(const FolderEntries& found) {
  std::vector<std::string> out;
  for (const fs::directory_entry& one : found.entries) out.push_back(one.path().filename());
  return out;
}

TEST(FolderEntries, AreWhatIsDirectlyInTheFolderSortedByName) {
  const TemporaryFolder folder;
  for (const char* name : {"c.yaml", "a.yaml", ".hidden", "b/below.yaml"}) folder.write(name, "");
  const FolderEntries found = entries_of(folder.path());
  EXPECT_FALSE(found.error);
  EXPECT_THAT(names(found), ::testing::ElementsAre(".hidden", "a.yaml", "b", "c.yaml"));
}

TEST(FolderEntries, SayWhyThereAreNone) {
  const TemporaryFolder folder;
  folder.write("file", "");
  EXPECT_EQ(entries_of(folder.path() / "missing").error, std::errc::no_such_file_or_directory);
  EXPECT_EQ(entries_of(folder.path() / "file").error, std::errc::not_a_directory);
}

}  // namespace
}  // namespace strake::cli
