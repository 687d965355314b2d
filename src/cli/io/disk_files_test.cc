#include "cli/io/disk_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::ElementsAre;

TEST(DiskFiles, FindsDocumentsBelowAFolderSortedAndCompressedOnesToo) {
  const TemporaryFolder folder;
  const std::string b = folder.write("b.yaml", "");
  const std::string gz = folder.write("a/c.json.gz", "");
  const std::string lines = folder.write("a/d.ndjson", "");
  folder.write("a/readme.md", "");
  folder.write("a/archive.tar.gz", "");
  folder.write(".git/e.yaml", "");
  folder.write(".hidden.yaml", "");
  FakeWorld world;
  const auto found = DiskFiles(world.io).find(folder.path().string());
  ASSERT_TRUE(found) << found.error().to_string();
  EXPECT_THAT(*found, ElementsAre(gz, lines, b));
}

TEST(DiskFiles, FindsWhatAPatternMatches) {
  const TemporaryFolder folder;
  const std::string one = folder.write("one.crd.yaml", "");
  const std::string two = folder.write("two.crd.yaml", "");
  folder.write("three.yaml", "");
  FakeWorld world;
  const DiskFiles files(world.io);
  const auto found = files.find(folder / "*.crd.yaml");
  ASSERT_TRUE(found) << found.error().to_string();
  EXPECT_THAT(*found, ElementsAre(one, two));
  const auto none = files.find(folder / "*.json");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message(), "no file matches");
}

TEST(DiskFiles, TakesANameWithBracketsForTheFileItIs) {
  const TemporaryFolder folder;
  const std::string odd = folder.write("a[1].yaml", "a: 1\n");
  FakeWorld world;
  EXPECT_THAT(DiskFiles(world.io).find(odd).value(), ElementsAre(odd));
}

TEST(DiskFiles, SaysWhatIsNotThereOrEmpty) {
  const TemporaryFolder folder;
  FakeWorld world;
  const DiskFiles files(world.io);
  EXPECT_EQ(files.find("/nowhere/a.yaml").error().to_string(),
            "/nowhere/a.yaml: cannot open: No such file or directory");
  EXPECT_EQ(files.find(folder.path().string()).error().message(),
            "no YAML or JSON files in this folder");
}

TEST(DiskFiles, KeepsStandardInputForWhoeverAsks) {
  FakeWorld world("a: 1\n");
  DiskFiles files(world.io);
  ASSERT_TRUE(files.take_input(100));
  EXPECT_EQ(files.read("-", 100).value(), "a: 1\n");
  EXPECT_EQ(files.read("-", 100).value(), "a: 1\n");
}

TEST(DiskFiles, NamesWhatCannotBeReadInAFolder) {
  const TemporaryFolder folder;
  const std::string fine = folder.write("a.yaml", "");
  std::filesystem::create_symlink("nowhere.yaml", folder.path() / "b.yaml");
  FakeWorld world;
  const DiskFiles files(world.io);
  EXPECT_THAT(files.find(folder.path().string()).value(), ElementsAre(fine, folder / "b.yaml"));
  EXPECT_FALSE(files.read(folder / "b.yaml", 100));
}

}  // namespace
}  // namespace strake::cli
