#include "cli/io/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/fake_io.h"
#include "cli/io/terminal.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

Result<std::vector<std::string>> found_inputs(const std::vector<std::string>& operands) {
  FakeWorld world;
  return find_inputs(operands, world.io);
}

TEST(FindInputs, SkipsPipesInFoldersAndSaysSo) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "");
  ASSERT_EQ(::mkfifo((folder / "p\x1b.yaml").c_str(), 0600), 0);
  FakeWorld world;
  const std::vector<std::string> operands = {folder.path().string()};
  EXPECT_THAT(find_inputs(operands, world.io).value(), ElementsAre(folder / "a.yaml"));
  EXPECT_EQ(world.err.text(),
            fmt::format("skipped {}: it is a pipe\n", printable(folder / "p\x1b.yaml")));
}

TEST(FindInputs, WalksFoldersInOrderAndPassesOverTheRest) {
  const TemporaryFolder folder;
  for (const char* name : {"b.yaml", "a/z.yml", "a/b/c.json", "n.ndjson", "l.jsonl", "README.md",
                           ".hidden.yaml", ".git/config.yaml"}) {
    folder.write(name, "");
  }
  const std::vector<std::string> operands = {folder.path().string()};
  const auto found = found_inputs(operands);
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(folder / "a/b/c.json", folder / "a/z.yml", folder / "b.yaml",
                                  folder / "l.jsonl", folder / "n.ndjson"));
}

TEST(FindInputs, DoesNotFollowLinksToFolders) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "");
  fs::create_directory_symlink(folder.path(), folder.path() / "again");
  const std::vector<std::string> operands = {folder.path().string()};
  const auto found = found_inputs(operands);
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(folder / "a.yaml"));
}

TEST(FindInputs, TakesNamedFilesWhateverTheirExtension) {
  const TemporaryFolder folder;
  const std::vector<std::string> operands = {"-", folder.write("Kustomization", "")};
  const auto found = found_inputs(operands);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, operands);
}

TEST(FindInputs, RefusesWhatIsNotThere) {
  const TemporaryFolder folder;
  const std::vector<std::string> operands = {folder / "none.yaml"};
  const auto found = found_inputs(operands);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), Code::kIo);
  EXPECT_EQ(found.error().to_string(),
            folder / "none.yaml" + ": cannot open: No such file or directory");
}

TEST(FindInputs, RefusesAFolderWithNothingToRead) {
  const TemporaryFolder folder;
  folder.write("README.md", "");
  const std::vector<std::string> operands = {folder.path().string()};
  const auto found = found_inputs(operands);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message(), "no YAML or JSON files in this folder");
}

TEST(ReadInput, ReadsUpToTheLimitAndRefusesOneByteMore) {
  const TemporaryFolder folder;
  const std::string name = folder.write("a.yaml", "12345");
  FakeWorld world;
  const auto whole = read_input(name, 5, world.io);
  ASSERT_TRUE(whole);
  EXPECT_EQ(*whole, "12345");
  const auto more = read_input(name, 4, world.io);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code(), Code::kLimit);
  EXPECT_EQ(more.error().to_string(), name + ": more than 4 bytes");
}

TEST(ReadInput, ReadsFilesThatDoNotTellHowLongTheyAre) {
  FakeWorld world;
  const auto text = read_input("/proc/self/status", 1 << 20, world.io);
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->starts_with("Name:"));
  EXPECT_TRUE(text->ends_with("\n"));
}

TEST(ReadInput, ReadsAnEmptyFile) {
  const TemporaryFolder folder;
  FakeWorld world;
  EXPECT_EQ(read_input(folder.write("a.yaml", ""), 5, world.io), "");
}

TEST(ReadInput, SaysWhyAFolderCannotBeRead) {
  const TemporaryFolder folder;
  FakeWorld world;
  const auto text = read_input(folder.path().string(), 5, world.io);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), Code::kIo);
}

TEST(ReplaceFile, KeepsTheModeAndLeavesNothingElseBehind) {
  const TemporaryFolder folder;
  const std::string name = folder.write("a.yaml", "old");
  fs::permissions(name, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  const auto replaced = replace_file(name, "new");
  ASSERT_TRUE(replaced) << replaced.error().to_string();
  EXPECT_EQ(folder.read("a.yaml"), "new");
  EXPECT_EQ(fs::status(name).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(ReplaceFile, WritesThroughALinkAndKeepsIt) {
  const TemporaryFolder folder;
  folder.write("real/a.yaml", "old");
  fs::create_symlink("real/a.yaml", folder.path() / "link.yaml");
  ASSERT_TRUE(replace_file(folder / "link.yaml", "new"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link.yaml"));
  EXPECT_EQ(folder.read("real/a.yaml"), "new");
}

TEST(ReplaceFile, RefusesAFileThatIsNotThere) {
  const TemporaryFolder folder;
  const auto replaced = replace_file(folder / "none.yaml", "new");
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code(), Code::kIo);
}

}  // namespace
}  // namespace strake::cli
