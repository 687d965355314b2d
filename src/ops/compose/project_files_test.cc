#include "ops/compose/project_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace strake::ops::compose {
namespace {

namespace fs = std::filesystem;

class FolderFilesTest : public ::testing::Test {
 protected:
  FolderFilesTest() {
    std::string pattern = (fs::temp_directory_path() / "compose-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    fs::create_directories(folder_ / "app" / "sub");
    write(folder_ / "secret", "outside");
    write(folder_ / "app" / "a", "alpha");
    write(folder_ / "app" / "sub" / "b", "beta");
    fs::create_symlink(folder_ / "secret", folder_ / "app" / "link");
    fs::create_symlink(folder_, folder_ / "app" / "up");
    fs::create_symlink("sub", folder_ / "app" / "inside");
  }
  ~FolderFilesTest() override { fs::remove_all(folder_); }

  static void write(const fs::path& path, std::string_view text) { std::ofstream(path) << text; }
  std::unique_ptr<ProjectFiles> open() const {
    return open_ref_base("file://" + (folder_ / "app").string() + "/").value();
  }

  fs::path folder_;
};

TEST_F(FolderFilesTest, AreReadBelowTheirFolder) {
  const auto files = open();
  EXPECT_EQ(files->kind("a").value(), FileKind::kFile);
  EXPECT_EQ(files->kind("sub").value(), FileKind::kFolder);
  EXPECT_EQ(files->kind("").value(), FileKind::kFolder);
  EXPECT_EQ(files->kind("sub/b").value(), FileKind::kFile);
  EXPECT_EQ(files->kind("c").value(), FileKind::kAbsent);
  EXPECT_EQ(files->kind("no/where").value(), FileKind::kAbsent);
  EXPECT_EQ(files->read("sub/b", 100).value(), "beta");
  EXPECT_EQ(files->read("c", 100).error().code(), Code::kNotFound);
  EXPECT_EQ(files->read("a", 5).value(), "alpha");
  EXPECT_EQ(files->read("a", 4).error().code(), Code::kLimit);
  EXPECT_EQ(files->read("sub", 100).error().code(), Code::kIo);
  const SubfolderFiles below(*files, "sub");
  EXPECT_EQ(below.read("b", 100).value(), "beta");
  EXPECT_EQ(below.kind("a").value(), FileKind::kAbsent);
}

TEST_F(FolderFilesTest, AreNotReachedThroughLinks) {
  const auto files = open();
  for (const char* path : {"link", "up", "up/secret", "inside", "inside/b"}) {
    EXPECT_EQ(files->kind(path).value(), FileKind::kOther) << path;
    EXPECT_FALSE(files->read(path, 100).has_value()) << path;
  }
}

TEST(ProjectFiles, AreNoneWithoutABase) {
  EXPECT_EQ(open_ref_base("").value(), nullptr);
  EXPECT_EQ(open_ref_base("http://example.test/").error().code(), Code::kInvalid);
  EXPECT_EQ(open_ref_base("file://relative/").error().code(), Code::kInvalid);
  EXPECT_EQ(open_ref_base("file:///no/such/folder/").error().code(), Code::kNotFound);
}

TEST(ProjectFiles, HaveCleanRelativePaths) {
  EXPECT_EQ(clean_project_path("./a//b/.").value(), "a/b");
  EXPECT_EQ(clean_project_path(".").value(), "");
  EXPECT_EQ(clean_project_path("a..b/c").value(), "a..b/c");
  EXPECT_EQ(clean_project_path("../a").error().message(), "must not lead through .., got ../a");
  EXPECT_EQ(clean_project_path("a/../b").error().message(), "must not lead through .., got a/../b");
  EXPECT_EQ(clean_project_path("/a").error().message(), "must be relative, got /a");
  EXPECT_EQ(clean_project_path("~/a").error().message(), "must not start with ~, got ~/a");
}

}  // namespace
}  // namespace strake::ops::compose
